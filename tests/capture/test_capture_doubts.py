"""What a captured envelope says that its turns did not show: characters that such a frame often changes."""

from __future__ import annotations

import html
from collections.abc import Callable

import pytest

from workbench.capture.capturing import capture
from workbench.capture.turns import LogTurn, Place
from workbench.core.envelope import unwrap

PLAIN = ("open the door", "what's for lunch", "call me back", "book a table", "send it", "one more time")
TAGS = "no words held & < or >"
QUOTES = "no words held a quote"
LINES = "a second line: what this path does to them is not known"


def tag(words: str, number: int) -> str:
    return f"<turn id='{number}'>{words}</turn>"


def said(words: str, number: int) -> str:
    return f'{100 + number} said: "{words}" (end)'


def block(words: str, number: int) -> str:
    return f"request:\n  number: {100 + number}\n  text:\n    {words}\n"


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
    [(tag, TAGS), (tag, LINES), (said, QUOTES), (block, LINES)],
)
def test_what_no_words_held_is_a_doubt(frame: Callable[[str, int], str], doubt: str) -> None:
    assert doubt in doubts(frame, PLAIN)


@pytest.mark.parametrize("frame", [tag, said, block])
def test_words_that_held_it_leave_none(frame: Callable[[str, int], str]) -> None:
    assert "not known" in doubts(frame, PLAIN)
    assert "not known" not in doubts(frame, (*PLAIN, 'is "a < b"\nor not'))


def markup(words: str, number: int) -> str:
    return f'<p id="{number}">{html.escape(words)}</p>'


def quoted(words: str, number: int) -> str:
    return f"[{100 + number}]\n" + "\n".join(f"> {one}" for one in words.split("\n"))


def yaml(words: str, number: int) -> str:
    indented = words.replace("\n", "\n    ")
    return f"request:\n  number: {100 + number}\n  text: |-\n    {indented}\n"


def row(words: str, number: int) -> str:
    cell = words.replace("\n", "<br>")
    return f"| n | said |\n|---|---|\n| {100 + number} | {cell} |"


def table(words: str, number: int) -> str:
    doubled = words.replace('"', '""')
    return f'{100 + number},ann,"{doubled}",web'


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        *((markup, "slack-escape"), (quoted, "quote-prefix")),
        *((table, "csv-escape"), (yaml, "indent-4"), (row, "br")),
    ],
)
def test_what_only_the_frame_tells_is_a_doubt_and_reads_other_words_rightly(
    frame: Callable[[str, int], str], name: str
) -> None:
    words = [text.replace("'", "") for text in PLAIN]
    turns = [
        LogTurn(Place("a.jsonl", number + 1), "columns", typed=text, wrapped=frame(text, number))
        for number, text in enumerate(words)
    ]
    (form,) = capture(turns, {}).forms
    assert any(doubt.startswith(f"{name} is told by the frame alone") for doubt in form.doubts)
    other = 'why "a" & <b>\nisn\'t it?'
    found = unwrap(form.envelope, frame(other, 9))
    assert found is not None
    assert found.typed == other
    assert "frame alone" not in doubts(frame, (*PLAIN, 'is "a < b"\nor not'))


def test_a_frame_that_changes_nothing_of_the_kind_has_no_doubt() -> None:
    assert doubts(line, PLAIN) == ""
