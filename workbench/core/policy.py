"""Policies: pure transforms of a turn, put before a router to try a fix before it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from workbench.core.decision import Span
from workbench.core.envelope import Envelope, unwrap
from workbench.core.handed import Handed, keep, typed_words, whole, written
from workbench.core.template import TEXT, filled, parts
from workbench.core.turn import Author, Turn

__all__ = ["BUILT_IN", "LONG", "BuiltIn", "Hand", "first_and_last", "unwrapped"]

Hand = Callable[[Turn], Handed]
"""What a policy is: of each turn, what the router is handed in its place."""

LONG = 300
"""Characters beyond which `first-last` cuts, where it is not told otherwise."""

_DEEPEST = 8  # envelopes round one another

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_QUOTED = re.compile(r" {0,3}>")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n[ \t\r]*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z_][\w:.-]*(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>", re.DOTALL)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s|$)|[。！？]|\n")


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A policy that needs nothing but the turn. `about` says what is handed on."""

    about: str
    hand: Hand


def _outside_quotes(turn: Turn) -> Handed:
    """Without fences (one that is never closed ends with the text), quoted lines and code spans."""
    found: list[Span] = []
    for start, end in _plain_lines(turn.text):
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    outside = [span for start, end in found for span in _without(_CODE, turn.text, start, end)]
    return keep(turn, _stripped(turn.text, outside))


def _plain_lines(text: str) -> Iterator[Span]:
    """The lines, with their ends, that stand in no fence and no quotation."""
    fence, at = "", 0
    for line in text.split("\n"):
        end = min(at + len(line) + 1, len(text))
        bar = _FENCE.match(line)
        if fence:
            closes = bar is not None and bar[1][0] == fence[0] and len(bar[1]) >= len(fence)
            if closes and bar is not None and not bar[2].strip():
                fence = ""
        elif bar is not None and not (bar[1][0] == "`" and "`" in bar[2]):
            fence = bar[1]
        elif not _QUOTED.match(line):
            yield at, end
        at = end


def _strip_tags(turn: Turn) -> Handed:
    """Without the tags themselves; what stands between two of them stays."""
    return keep(turn, _stripped(turn.text, list(_without(_TAG, turn.text, 0, len(turn.text)))))


def _last_paragraph(turn: Turn) -> Handed:
    """What follows the last blank line that anything follows."""
    low, high = _edges(turn.text, 0, len(turn.text))
    start = low
    for gap in _BLANK_LINE.finditer(turn.text, low, high):
        start = gap.end()
    return keep(turn, [_edges(turn.text, start, high)])


def first_and_last(limit: int) -> Hand:
    """Of a turn longer than `limit` characters the first and the last sentence; else all of it.

    A line feed ends a sentence too.
    """

    def hand(turn: Turn) -> Handed:
        text = turn.text
        low, high = _edges(text, 0, len(text))
        if len(text) <= limit or low == high:
            return whole(turn)
        ends = [found.end() for found in _SENTENCE_END.finditer(text, low, high)]
        first = next((end for end in ends if text[low:end].strip()), high)
        last = max((end for end in ends if text[end:high].strip()), default=low)
        if last <= first:
            return keep(turn, [(low, high)])
        first = next((at for at in range(first, last) if not text[at].isspace()), last)
        return keep(turn, [(low, first), _edges(text, last, high)])

    return hand


def unwrapped(envelopes: Mapping[str, Envelope]) -> Hand:
    """The words that stand in an envelope of those, and in the next one inside; a turn in none of them stays.

    Where several forms fit, the one with the longest frame is taken.
    """

    def hand(turn: Turn) -> Handed:
        text = turn.text
        start: int | None = 0
        for _ in range(_DEEPEST):
            found = max(_fits(envelopes, text), key=lambda fit: fit[0], default=None)
            if found is None:
                break
            _, inner, offset = found
            start = None if start is None or offset is None else start + offset
            text = inner
        if start is not None:
            return keep(turn, [(start, start + len(text))])
        if text == turn.typed:
            return typed_words(turn)
        return written(turn, text, [(0, len(text), Author.USER)] if text else [])

    return hand


def _fits(envelopes: Mapping[str, Envelope], text: str) -> Iterator[tuple[int, str, int | None]]:
    """The length of each frame that fits, the words inside, and where these stand as they are."""
    for envelope in envelopes.values():
        form = parts(envelope.template, frozenset(envelope.slots))
        frame = sum(len(part.text) for part in form if not part.slot)
        found = unwrap(envelope, text) if frame else None
        if found is None or found.typed == text:
            continue
        values = {**found.slots, "document": found.document or ""}
        before: list[str] = []
        for part in filled(form, values):
            if part.slot and part.text == TEXT:
                break
            before.append(part.text)
        at = len("".join(before))
        yield frame, found.typed, at if text.startswith(found.typed, at) else None


def _without(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    """[start, end) without what matches."""
    at = start
    for found in pattern.finditer(text, start, end):
        if found.start() > at:
            yield at, found.start()
        at = found.end()
    if at < end:
        yield at, end


def _edges(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends."""
    inner = text[start:end]
    low = start + len(inner) - len(inner.lstrip())
    return low, max(low, start + len(inner.rstrip()))


def _stripped(text: str, spans: list[Span]) -> list[Span]:
    """The spans without white space before the first word and behind the last one."""
    solid = [number for number, (start, end) in enumerate(spans) if text[start:end].strip()]
    if not solid:
        return []
    kept = spans[solid[0] : solid[-1] + 1]
    kept[0] = (_edges(text, *kept[0])[0], kept[0][1])
    kept[-1] = (kept[-1][0], _edges(text, *kept[-1])[1])
    return kept


BUILT_IN: Mapping[str, BuiltIn] = {
    "typed-words": BuiltIn("what stands in the text box, and nothing else", typed_words),
    "first-last": BuiltIn(
        f"the first and the last sentence of a turn beyond {LONG} characters", first_and_last(LONG)
    ),
    "outside-quotes": BuiltIn("what stands in no fence, code span or quotation", _outside_quotes),
    "strip-tags": BuiltIn("the turn without its tags", _strip_tags),
    "last-paragraph": BuiltIn("the last paragraph", _last_paragraph),
}
