"""Who owns which characters of a request's text, asked line by line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from workbench.core.text import SafeText
from workbench.lanes.ledger.measured import Measured, Span, Twice
from workbench.tui.view.ink import Ground, Tone
from workbench.tui.view.lanes.marks import Marks
from workbench.tui.view.rows import Stretch, Words

__all__ = ["Owners"]

LETTERS = 3
"""Lanes that the margin of a line has room for."""


@dataclass(frozen=True, slots=True, eq=False)
class Owners:
    """`spans` cover the text without a gap; `darks` are the dark ones of them, those that touch as one.
    `doubles` are in order, and may overlap; `loud` is all that is dark or double. `known` False:
    nobody says who wrote what."""

    text: str
    spans: Sequence[Span]
    darks: Sequence[Span]
    doubles: Sequence[Twice]
    loud: Sequence[Span]
    marks: Marks
    known: bool = True

    @classmethod
    def of(cls, measured: Measured, marks: Marks, known: bool = True) -> Owners:
        if not known:
            return cls(measured.text, (), (), (), (), marks, known=False)
        darks = _merged(measured.dark_spans)
        doubles = tuple(sorted(measured.doubles, key=lambda twice: twice.start))
        loud = [*darks, *(Span(twice.start, twice.end, None) for twice in doubles)]
        return cls(measured.text, measured.spans, darks, doubles, _merged(loud), marks)

    def over(self, start: int, end: int) -> Iterator[Span]:
        """The spans of [start, end), cut at its ends."""
        number = max(0, bisect_right(self.spans, start, key=lambda span: span.start) - 1)
        while number < len(self.spans) and self.spans[number].start < end:
            span = self.spans[number]
            number += 1
            if span.end > start:
                yield Span(max(span.start, start), min(span.end, end), span.lane)

    def dark(self, start: int, end: int) -> Sequence[Span]:
        """The dark texts that stand in [start, end), whole or in part."""
        return _standing(self.darks, start, end)

    def is_plain(self, start: int, end: int) -> bool:
        """Whether nothing in [start, end) is dark, or of two lanes."""
        return not _standing(self.loud, start, end)

    def words(self, start: int, end: int, whole: int) -> Words:
        """[start, end) as one line with the letters of its lanes, made when it is looked at.

        `whole` is the end of the line feed behind it, where there is one: its owner counts too, and where
        it has none it is drawn.
        """
        shown = whole if end < whole and self.dark(end, whole) else end
        return Words(self.text[start:shown], partial(self._meaning, start, shown, whole))

    def _meaning(self, start: int, end: int, whole: int) -> tuple[Sequence[Stretch], SafeText]:
        if not self.known:
            return [(0, end - start, Tone.PLAIN, Ground.NONE)], SafeText("")
        stretches: list[Stretch] = []
        letters: list[str | None] = []
        for span in self.over(start, whole):
            letters.append(span.lane)
            twice = list(self._twice(span.start, span.end)) if span.lane is not None else []
            letters += [each.other for each in twice if each.other is not None]
            first, last = span.start - start, min(span.end, end) - start
            if first < last:
                tone = self.marks.tone(span.lane)
                plain = Ground.DARK if span.lane is None else Ground.NONE
                grounds = _cut(first, last, [(each.start - start, each.end - start) for each in twice], plain)
                stretches += [(a, b, tone, ground) for a, b, ground in grounds]
        return stretches, self.marks.initials(letters, LETTERS)

    def _twice(self, start: int, end: int) -> Iterator[Twice]:
        for twice in self.doubles:
            if twice.start >= end:
                return
            if twice.end > start:
                yield twice


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Dark spans in order, those that touch or overlap as one."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end), None)
        else:
            merged.append(span)
    return merged


def _standing(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Those of some spans, none of which touch, that stand in [start, end)."""
    first = last = bisect_right(spans, start, key=lambda span: span.end)
    while last < len(spans) and spans[last].start < end:
        last += 1
    return spans[first:last]


def _cut(
    start: int, end: int, doubles: Sequence[tuple[int, int]], plain: Ground
) -> Iterator[tuple[int, int, Ground]]:
    position = start
    for first, last in doubles:
        if last <= position or first >= end:
            continue
        if first > position:
            yield position, first, plain
        yield max(first, position), min(last, end), Ground.DOUBLE
        position = min(last, end)
    if position < end:
        yield position, end, plain
