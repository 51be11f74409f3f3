"""What a captured envelope says that its turns did not show: characters that such a frame often changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from workbench.capture.capturing import capture
from workbench.capture.turns import LogTurn, Place

PLAIN = ("open the door", "what's for lunch", "call me back", "book a table", "send it", "one more time")
TAGS = "no words held & < or >"
QUOTES = "no words held a quote"
LINES = "a second line: what this path does to them is not known"


def tag(words: str, number: int) -> str:
    return f"<turn id='{number}'>{words}</turn>"


def cell(words: str, number: int) -> str:
    return f'{100 + number},ann,"{words}"'


def block(words: str, number: int) -> str:
    return f"request:\n  number: {100 + number}\n  text: |\n    {words}\n"


def line(words: str, number: int) -> str:
    return f"[{100 + number}]\n{words}"


def doubts(frame: Callable[[str, int], str], said: tuple[str, ...]) -> str:
    turns = [
        LogTurn(Place("a.jsonl", number + 1), "columns", typed=words, wrapped=frame(words, number))
        for number, words in enumerate(said)
    ]
    (form,) = capture(turns, {}).forms
    return "; ".join(form.doubts)


@pytest.mark.parametrize(
    ("frame", "doubt"),
    [(tag, TAGS), (tag, LINES), (cell, QUOTES), (block, LINES)],
)
def test_what_no_words_held_is_a_doubt(frame: Callable[[str, int], str], doubt: str) -> None:
    assert doubt in doubts(frame, PLAIN)


@pytest.mark.parametrize("frame", [tag, cell, block])
def test_words_that_held_it_leave_none(frame: Callable[[str, int], str]) -> None:
    assert "not known" in doubts(frame, PLAIN)
    assert "not known" not in doubts(frame, (*PLAIN, 'is "a < b"\nor not'))


def test_a_frame_that_changes_nothing_of_the_kind_has_no_doubt() -> None:
    assert doubts(line, PLAIN) == ""
