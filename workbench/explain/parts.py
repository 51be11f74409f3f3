"""What the user did not write, cut into parts that can be taken away: regions, lines, sentences, words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from workbench.core.decision import Span
from workbench.core.segment import Edit, edit, from_turn, regions, text_of, typed_pieces
from workbench.core.turn import Author, Message, Turn

__all__ = ["Grain", "cut", "foreign", "gaps", "joined", "left_out", "without"]


class Grain(StrEnum):
    """How large a part is."""

    REGION = "region"
    LINE = "line"
    SENTENCE = "sentence"
    WORD = "word"


# Each part keeps the white space behind it, so that parts that stay next to one another read as before.
_PARTS = {
    Grain.LINE: re.compile(r"[^\r\n]*(?:\r\n|\r|\n)\s*|[^\r\n]+\Z"),
    Grain.SENTENCE: re.compile(
        r"""[^\S\n]*(?:[^.!?…。！？\n]|[.!?…](?![\s"'”’»)\]]))*[.!?…。！？\n]*["'”’»)\]]*\s*"""
    ),
    Grain.WORD: re.compile(r"\s*(?:\w+(?:['’_.-]\w+)*|[^\w\s]+)\s*"),
}


def foreign(turn: Turn) -> tuple[Span, ...]:
    """The regions of a turn's text that the user did not write."""
    return tuple((r.start, r.end) for r in turn.regions if r.author is not Author.USER)


def cut(text: str, spans: Iterable[Span], grain: Grain) -> tuple[Span, ...]:
    """`spans` of a text in parts of that size. Together they are `spans` again, nothing lost."""
    if grain is Grain.REGION:
        return tuple(spans)
    return tuple(part for span in spans for part in _parts(text, span, _PARTS[grain]))


def without(turn: Turn, removed: Iterable[Span]) -> Turn:
    """The turn with these spans of its text taken out, see `gaps`; the words typed keep their places."""
    segments = edit(from_turn(turn), gaps(turn.text, removed))
    text = text_of(segments)
    messages = turn.messages
    if messages and messages[-1].content == turn.text:
        messages = (*messages[:-1], Message(messages[-1].role, text))
    return replace(
        turn, text=text, regions=regions(segments), pieces=typed_pieces(segments), messages=messages
    )


def gaps(text: str, removed: Iterable[Span]) -> list[Edit]:
    """The edits that take spans out of a text. What then meets never becomes one word: a space is left
    between two words, and where there was white space between what no longer has any.
    """
    edits = []
    for start, end in joined(removed):
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        apart = before.strip() and after.strip()
        words = before.isalnum() and after.isalnum()
        space = apart and (words or any(map(str.isspace, text[start:end])))
        edits.append(Edit(start, end, " " if space else ""))
    return edits


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order, those that touch as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def left_out(whole: Sequence[Span], kept: Iterable[Span]) -> tuple[Span, ...]:
    """The parts of `whole` that are in none of `kept`; both are parts of one text."""
    found: list[Span] = []
    taken = joined(kept)
    for start, end in joined(whole):
        at = start
        for first, last in taken:
            if last <= at or first >= end:
                continue
            if first > at:
                found.append((at, first))
            at = max(at, last)
        if at < end:
            found.append((at, end))
    return tuple(found)


def _parts(text: str, span: Span, pattern: re.Pattern[str]) -> Iterator[Span]:
    at, end = span
    while at < end:
        match = pattern.match(text, at, end)
        stop = match.end() if match is not None and match.end() > at else at + 1
        yield (at, stop)
        at = stop
