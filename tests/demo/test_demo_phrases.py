"""The demo's matching rule: whole words, no case, any white space, the longest of overlapping phrases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.adapters.phrases import PhraseIndex
from workbench.demo.phrases import find
from workbench.demo.table import HOLD, KEYWORDS


def found(phrases: list[str], text: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in find(phrases, text)]


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("my calendar", "what is on My CALENDAR today", ["My CALENDAR"]),
        ("my calendar", "what is on my \n\t calendar", ["my \n\t calendar"]),
        ("my calendar", "my calendars", []),
        ("click", "clicked", []),
        ("click", "doubleclick", []),
        ("click", "click_here", []),
        ("click", "(click)", ["click"]),
        ("click", "click", ["click"]),
        ("c++", "port it to C++.", ["C++"]),
        ("c++", "port it to C++11", []),
        ("日程", "看我的日程吧", ["日程"]),
        ("click", "请click这里", ["click"]),
        ("ปฏิทิน", "ดูปฏิทินวันนี้", ["ปฏิทิน"]),
        (".txt", "open .txt", [".txt"]),
    ],
)
def test_where_one_phrase_stands(phrase: str, text: str, expected: list[str]) -> None:
    assert found([phrase], text) == expected


def test_the_longest_of_overlapping_phrases_stands_wherever_it_begins() -> None:
    assert found(["send an email", "email to"], "send an email to Ana") == ["send an email"]
    assert found(["an email", "email to Ana"], "send an email to Ana") == ["email to Ana"]


def test_hits_come_in_the_order_of_the_text_and_repeats_are_kept() -> None:
    assert found(["b", "a"], "a b a") == ["a", "b", "a"]


@given(st.text(alphabet="ab \n.é日", max_size=40), st.lists(st.sampled_from(["a", "ab", "a b", "日", "b"])))
def test_hits_never_overlap_and_stand_where_they_say(text: str, phrases: list[str]) -> None:
    end = 0
    for hit in find(phrases, text):
        assert hit.start >= end
        assert text[hit.start : hit.end].split() == hit.phrase.split()
        end = hit.end


WORDS = [*(word for row in KEYWORDS for phrase in row.phrases for word in phrase.split()), *HOLD, "to", "an"]
GAPS = st.sampled_from([" ", "  ", "\n", "\t ", ", ", "", "-", "_"])


@given(st.lists(st.tuples(st.sampled_from(WORDS), GAPS), max_size=12))
def test_the_demo_and_the_built_in_router_find_the_same_phrases(words: list[tuple[str, str]]) -> None:
    text = "".join(word.title() + gap for word, gap in words)
    phrases = [*HOLD, *(phrase for row in KEYWORDS for phrase in row.phrases)]
    built_in = [(phrases[hit.phrase], hit.start, hit.end) for hit in PhraseIndex(phrases).find(text)]
    assert [tuple(hit) for hit in find(phrases, text)] == built_in
