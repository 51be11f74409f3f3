"""Claims held against a body: whose every character is, whose is twice, and whose is not there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.ledger import Account, Claim, Twice, account, readable


def settle(body: Any, *claims: Claim) -> Account:
    return account(readable(body), claims)


def chat(*contents: str) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text} for text in contents]}


def chars(result: Account) -> dict[str, int]:
    return {row.name: row.chars for row in result.lanes}


def missing(result: Account) -> dict[str, int]:
    return {row.name: row.missing for row in result.lanes if row.missing}


def test_k4_01_a_second_copy_is_dark_and_both_places_are_named() -> None:
    copy = "PREAMBLE-AAAA"
    body = {
        "model": "m",
        "system": copy,
        "messages": [{"role": "user", "content": f"{copy}\n\nhello"}],
    }
    once = settle(body, Claim("system_prompt", copy), Claim("user_text", "hello"))
    assert (once.sent, once.owned, once.dark) == (33, 18, 15)
    assert once.repeats() == (Twice(0, 13, "system_prompt", 13, None),)
    assert [once.where(span.start) for span in once.dark_spans] == ["messages[0].content+0"]

    both = settle(
        body, Claim("system_prompt", copy), Claim("system_prompt", copy), Claim("user_text", "hello")
    )
    assert (both.dark, both.double) == (2, 0)
    assert both.repeats() == (Twice(0, 13, "system_prompt", 13, "system_prompt"),)


def test_k4_03_every_occurrence_of_the_users_words_has_to_be_claimed() -> None:
    template = "Use the sources.\n<src>A</src>"
    body = {
        "messages": [
            {"role": "system", "content": template},
            {"role": "user", "content": f"{template}\nQuestion: what is A?\n\nwhat is A?"},
        ]
    }
    claims = [Claim("rag_template", f"{template}\nQuestion: "), Claim("user_text", "what is A?")]
    result = settle(body, *claims)
    assert result.dark == len(template) + len("\n\n") + len("what is A?")
    (words,) = [each for each in result.repeats() if each.owner == "user_text"]
    assert (words.again - words.start, words.other) == (12, None)
    twice = settle(body, *claims, claims[1], Claim("rag_template", template), Claim("joiner", "\n\n"))
    assert (twice.dark, twice.double) == (0, 0)


def test_k4_05_what_was_replaced_is_missing_by_its_lane() -> None:
    body = {
        "messages": [
            {"role": "system", "content": "MEMORIES\nSOURCES"},
            {"role": "user", "content": "hello"},
        ]
    }
    texts = [Claim("memory", "MEMORIES"), Claim("retrieved", "SOURCES"), Claim("user_text", "hello")]
    result = settle(body, Claim("system_prompt", "You are a helpful assistant of the house"), *texts)
    assert missing(result) == {"system_prompt": 40}
    assert (result.dark, result.missing, chars(result)["system_prompt"]) == (1, 40, 0)

    sizes = {"system_prompt": 40, "memory": 8, "retrieved": 7, "user_text": 5}
    counted = settle(body, *(Claim(name, chars=size) for name, size in sizes.items()))
    assert (counted.owned, counted.dark, missing(counted)) == (21, 0, {"system_prompt": 39})


def test_k4_07_a_persona_that_the_client_does_not_count_is_dark() -> None:
    body = {"system": "BASE PERSONA MARKER_QQQ END", "messages": [{"role": "user", "content": "hi"}]}
    result = settle(body, Claim("base", "BASE"), Claim("user", "hi"))
    assert result.dark == len(" PERSONA MARKER_QQQ END")
    marker = result.body.text.index("MARKER_QQQ")
    assert [span.lane for span in result.spans if span.start <= marker < span.end] == [None]
    assert result.where(marker) == "system+13"


def test_k4_09_headings_and_separators_count_and_crlf_is_two() -> None:
    heading, joiner = "## Documents\r\n", "\r\n\r\n"
    body = chat(f"sys{joiner}{heading}docs{joiner}goals")
    lanes = {"system": "sys", "documents": "docs"}
    result = settle(body, *(Claim(name, text) for name, text in lanes.items()))
    assert result.dark == len(heading) + 2 * 4 + len("goals")
    rest = [
        Claim("layout", heading),
        Claim("layout", joiner),
        Claim("layout", joiner),
        Claim("goals", "goals"),
    ]
    whole = settle(body, *(Claim(name, text) for name, text in lanes.items()), *rest)
    assert (whole.dark, chars(whole)["layout"]) == (0, 14 + 8)


def test_k4_10_the_measured_size_stands_beside_the_estimate() -> None:
    text = "m" * 5200
    (row,) = settle(chat(text), Claim("memory_addition", text, estimate=300)).lanes
    assert (row.estimate, row.claimed, row.chars) == (300, 5200, 5200)


def test_k4_17_a_changed_timestamp_changes_its_own_lane_only() -> None:
    def of(now: str) -> dict[str | None, list[str]]:
        meta = f"<meta>now: {now}</meta>"
        body = {
            "system": f"BASE\n{meta}\nLONG STABLE TEXT",
            "messages": [{"role": "user", "content": "hi"}],
        }
        result = settle(
            body, Claim("meta", meta), Claim("base", "BASE\n"), Claim("base", "\nLONG STABLE TEXT")
        )
        found: dict[str | None, list[str]] = {}
        for start, end, lane in result.spans:
            found.setdefault(lane, []).append(result.body.text[start:end])
        return found

    one, two = of("2026-03-22T10:00:00.123Z"), of("2026-03-22T10:00:07.999Z")
    assert {lane for lane in one if one[lane] != two[lane]} == {"meta"}


def test_k4_19_the_same_text_of_two_writers_is_a_repeat_and_not_dark() -> None:
    files = "# AGENTS.md\nuse tabs"
    body = {"system": f"HOST\n{files}\n\n{files}", "messages": [{"role": "user", "content": "hi"}]}
    claims = [Claim("host_bootstrap", files), Claim("sdk_context", files), Claim("host", "HOST\n")]
    result = settle(body, *claims, Claim("joiner", "\n\n"), Claim("user", "hi"))
    assert (result.dark, result.double) == (0, 0)
    assert result.repeats() == (Twice(5, 25, "host_bootstrap", 27, "sdk_context"),)


def test_one_text_claimed_by_two_lanes_is_double_with_both_names() -> None:
    result = settle(chat("packet with connections inside"), Claim("bootstrap", chars=30, start=0))
    assert result.double == 0
    result = settle(
        chat("packet with connections inside"),
        Claim("connections", "connections"),
        Claim("bootstrap", "packet with connections inside"),
    )
    assert (result.dark, result.double) == (0, 11)
    assert result.doubles == (Twice(12, 23, "bootstrap", 12, "connections"),)
    assert {row.name: (row.chars, row.double) for row in result.lanes} == {
        "connections": (0, 11),
        "bootstrap": (30, 0),
    }


def test_overlapping_places_own_each_character_once() -> None:
    result = settle(chat("0123456789"), Claim("a", chars=6, start=0), Claim("b", chars=6, start=4))
    assert (result.owned, result.dark, result.double) == (10, 0, 2)
    assert [tuple(span) for span in result.spans] == [(0, 6, "a"), (6, 10, "b")]
    assert [tuple(span) for span in result.found] == [(0, 6, "a"), (4, 10, "b")]


def test_a_short_text_is_not_found_within_a_word() -> None:
    result = settle(chat("this is which", "hi"), Claim("user", "hi"))
    assert [tuple(span) for span in result.found] == [(13, 15, "user")]
    gone = settle(chat("this is which"), Claim("system", "this is which"), Claim("user", "hi"))
    assert (gone.double, missing(gone)) == (0, {"user": 2})


def test_scripts_without_spaces_have_no_words_to_cut() -> None:
    result = settle(chat("請用繁體中文回答"), Claim("system", "請用繁體中文回答"), Claim("style", "繁體中文"))
    assert (result.double, result.missing) == (4, 0)


@pytest.mark.parametrize("body", [chat("aaaa bbbb"), chat("aaaa", "bbbb")])
def test_a_text_stands_in_one_piece_but_a_place_may_run_over_several(body: dict[str, Any]) -> None:
    whole = readable(body).text
    pieces = len(readable(body).pieces)
    assert missing(settle(body, Claim("x", whole))) == ({"x": 8} if pieces > 1 else {})
    assert settle(body, Claim("x", whole, start=0)).dark == 0


def test_what_was_cut_is_missing_only_as_far_as_it_is() -> None:
    memory = "".join(f"line {number} of the memory\n" for number in range(40))
    body = chat(f"{memory[:200]}[… omitted]{memory[-100:]}")
    result = settle(body, Claim("memory", memory))
    assert chars(result) == {"memory": 300}
    assert missing(result) == {"memory": len(memory) - 300}
    assert result.dark == len("[… omitted]")


@pytest.mark.parametrize(
    ("sent", "claimed", "lost"),
    [
        ("hello", " hello \n", 3),
        ('{"a":"x\\ny\\"ü"}', 'x\ny"ü', 0),
        ('{"a":"\\u00fc\\n"}', "ü\n", 0),
        ("", "gone", 4),
    ],
)
def test_a_text_is_found_stripped_and_as_json_spells_it(sent: str, claimed: str, lost: int) -> None:
    result = settle(chat(sent), Claim("x", claimed))
    assert result.missing == lost
    assert result.owned > 0 or not sent


def test_places_and_counts_beyond_the_body_are_missing() -> None:
    result = settle(
        chat("12345"), Claim("a", chars=9, start=3), Claim("b", chars=7, start=99), Claim("c", chars=-3)
    )
    assert (result.owned, result.dark, missing(result)) == (2, 3, {"a": 7, "b": 7})
    counts = settle(chat("12345"), Claim("a", chars=4), Claim("b", chars=2))
    assert (counts.dark, missing(counts), counts.unplaced) == (0, {"a": 1}, 5)
    assert [tuple(span) for span in counts.dark_spans] == [(0, 5, None)]


def test_nothing_sent_and_nothing_claimed_are_sums_too() -> None:
    assert settle({"messages": []}).sent == 0
    assert missing(settle({"messages": []}, Claim("a", "x"), Claim("b", ""), Claim("c"))) == {"a": 1}
    assert settle(chat("x")).dark == 1


WORDS = st.text('ab \n"\\ü漢\udc97', max_size=6)


@given(st.lists(WORDS, max_size=5), st.data())
def test_whatever_is_claimed_the_sum_is_exact(contents: list[str], data: st.DataObject) -> None:
    """Against arrays of one cell for each character."""
    small = st.none() | st.integers(-2, 12)
    claims = data.draw(
        st.lists(
            st.builds(Claim, st.sampled_from("xyz"), st.none() | WORDS, chars=small, start=small), max_size=8
        )
    )
    result = settle(chat(*contents), *claims)
    text = "".join(contents)
    owners: list[list[str]] = [[] for _ in text]
    for start, end, lane in result.found:
        assert 0 <= start < end <= len(text)
        for cell in owners[start:end]:
            cell.append(lane or "")
    placed = sum(bool(cell) for cell in owners)
    assert result.owned == placed + result.unplaced
    assert (result.sent, result.owned + result.dark) == (len(text), len(text))
    assert result.double == sum(len(cell) - 1 for cell in owners if cell)
    spread = [lane for start, end, lane in result.spans for _ in range(start, end)]
    assert len(spread) == len(text)
    assert all(bool(cell) == (lane is not None) for cell, lane in zip(owners, spread, strict=True))
    sizes = [len(claim.text) if claim.text is not None else max(0, claim.chars or 0) for claim in claims]
    assert sum(row.claimed for row in result.lanes) == sum(sizes)
    assert all(row.missing <= row.claimed for row in result.lanes)


KEYS = """
messages contents input prompt system content parts text type role tools function arguments source name
variables images functionResponse output format title description parameters
"""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.dictionaries(
            st.sampled_from(KEYS.split()),
            inside,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(JSON)
def test_any_json_can_be_read(body: Any) -> None:
    result = account(readable(body), [])
    assert result.dark == result.sent == sum(len(piece.text) for piece in result.body.pieces)
    assert result.body.format != "unknown" or not result.body.pieces


def test_depth_without_end_is_told_and_not_counted() -> None:
    body: Any = "deep"
    for _ in range(300):
        body = [{"content": body}]
    sent = readable({"messages": body})
    assert (sent.pieces, len(sent.elsewhere)) == ((), 1)


def test_a_large_body_of_many_claims_is_settled() -> None:
    """A thousand lanes and separators in a megabyte."""
    texts = [f"chunk {number} " + "lorem ipsum " * 80 for number in range(1000)]
    body = json.loads(json.dumps(chat("\n\n".join(texts))))
    claims = [Claim("chunks", text) for text in texts] + [Claim("layout", "\n\n")] * 999
    result = settle(body, *claims)
    assert (result.dark, result.double, result.missing) == (0, 0, 0)
