"""Phrases in texts: case, white space, edges of words, scripts without spaces, overlaps."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.adapters.phrases import PhraseIndex, folded_phrase, sentence_edges


def found(phrases: list[str], text: str) -> list[tuple[str, str]]:
    return [
        (phrases[match.phrase], text[match.start : match.end]) for match in PhraseIndex(phrases).find(text)
    ]


@pytest.mark.parametrize(
    ("phrase", "text", "place"),
    [
        ("my calendar", "what is on My  Calendar today", "My  Calendar"),
        ("my calendar", "my\n\tcalendar", "my\n\tcalendar"),
        ("my calendar", "my\u00a0calendar", "my\u00a0calendar"),
        ("send  an email", "Send an\n\n email", "Send an\n\n email"),
        ("c++", "port this loop to C++.", "C++"),
        ("python", "用python画图表", "python"),
        ("画图", "用python画图表", "画图"),
        ("กรุง", "ไปกรุงเทพ", "กรุง"),
        ("STRASSE", "in der Straße 3", "Straße"),
        ("my calendar", "ß  İ  MY   CALENDAR", "MY   CALENDAR"),
        ("/config", "/config now", "/config"),
        ("stop", "stop", "stop"),
        ("my calendar", "\ud800 my calendar \udc97", "my calendar"),
        ("odd \ud800", "an odd \ud800 one", "odd \ud800"),
    ],
)
def test_found(phrase: str, text: str, place: str) -> None:
    assert found([phrase], text) == [(phrase, place)]


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("calendar", "calendars"),
        ("calendar", "mycalendar"),
        ("ci", "decision"),
        ("ulw", "StatefulWidget"),
        ("c++", "c++x"),
        ("cafe", "cafe\u0301"),
        ("my calendar", "my, calendar"),
        ("a_b", "xa_b"),
        ("", "anything"),
        ("  ", "any thing"),
    ],
)
def test_not_found(phrase: str, text: str) -> None:
    assert found([phrase], text) == []


def test_the_longest_of_overlapping_phrases() -> None:
    phrases = ["/config", "/config-check", "calendar", "my calendar event", "event"]
    assert found(phrases, "/config-check now") == [("/config-check", "/config-check")]
    assert found(phrases, "my calendar event") == [("my calendar event", "my calendar event")]
    # The longer phrase does not stand as whole words, so the shorter one counts.
    assert found(phrases, "my calendar events") == [("calendar", "calendar")]


def test_two_phrases_that_fold_alike_both_match() -> None:
    assert [word for word, _ in found(["Mail", "mail"], "mail")] == ["Mail", "mail"]


WORDS = st.lists(st.sampled_from(["a", "bb", "c d", "B", "ı", "ß", "é", "画", "."]), min_size=1, max_size=4)


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=5), st.lists(WORDS.map("  ".join), max_size=6))
def test_every_match_is_its_phrase_and_none_overlap(phrases: list[str], parts: list[str]) -> None:
    text = "\n".join(parts)
    last: tuple[int, int] | None = None
    for match in PhraseIndex(phrases).find(text):
        assert folded_phrase(text[match.start : match.end]) == folded_phrase(phrases[match.phrase])
        assert last is None or match.start >= last[1] or (match.start, match.end) == last
        last = (match.start, match.end)


@given(st.sampled_from(["cat", "the cat", "dog"]), st.text(alphabet="catdoghe .,\n", max_size=80))
def test_agrees_with_a_plain_pattern_on_ascii(phrase: str, text: str) -> None:
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, phrase.split())) + r"(?!\w)"
    wanted = [match.span() for match in re.finditer(pattern, text)]
    assert [(match.start, match.end) for match in PhraseIndex([phrase]).find(text)] == wanted


@pytest.mark.parametrize(
    ("text", "phrase", "edges"),
    [
        ("Check my calendar.", "Check", (True, False)),
        ("Check my calendar.", "my calendar", (False, True)),
        ("Please check my calendar today.", "my calendar", (False, False)),
        ("One. Send mail now. Two", "Send mail", (True, False)),
        ("> stop\nthen go", "stop", (True, True)),
        ("Use v1.2 of the calendar now", "calendar", (False, False)),
        ("“Stop!” he said", "Stop", (True, True)),
        ("写邮件。打开日历。", "打开日历", (True, True)),
    ],
)
def test_sentence_edges(text: str, phrase: str, edges: tuple[bool, bool]) -> None:
    start = text.index(phrase)
    assert sentence_edges(text, start, start + len(phrase)) == edges
