"""A document laid out in a width: split or unified, folded or not. The same rows, drawn line by line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from workbench.core.text import SafeText, safe, visible
from workbench.tui.view.cells import breaks, clip, fill, pad, slices, width_of
from workbench.tui.view.ink import Ground, Line, Piece, Tone, gap, ink, plain
from workbench.tui.view.layout import GUTTER
from workbench.tui.view.paper import Document
from workbench.tui.view.rows import Across, DocRow, Fold, Full, Heading, Pair, Words, surely_fits

__all__ = ["Page"]

_SIGN_TONES = {"-": Tone.ERROR, "+": Tone.OK, "~": Tone.WARNING}


LEAST = 4
"""Rows that are worth a fold."""

_Entry = tuple[DocRow, int, int | None]
"""A row, its number in the document, and which one of a fold's rows it stands for once that is opened."""


class Page:
    """Screen lines of a document. Only rows that may be longer than a line are measured beforehand."""

    def __init__(
        self, document: Document, width: int, split: bool, unfolded: bool = False, context: int = 0
    ) -> None:
        """`context`: so many rows of a fold stand open at each of its ends."""
        self.document = document
        self.width = width
        self.single = document.names[0] is None
        self.split = split and not self.single
        self._side = (width - 1) // 2 if self.split else width
        self._text = max(4, self._side - GUTTER)
        self._entries: list[_Entry] = list(_unfold(document, unfolded, context))
        self._opened: dict[int, Pair] = {}
        self._breaks: dict[tuple[int, bool], tuple[int, ...]] = {}
        self._starts = list(accumulate(map(self._height_of, range(len(self._entries))), initial=0))

    @property
    def height(self) -> int:
        """Screen lines, without the line of names."""
        return self._starts[-1]

    def top_of(self, difference: int) -> int:
        """The first line of a difference, counted from 0; -1 is the last. 0 where there is none."""
        if not self.document.differences:
            return 0
        return self.start_of(self.document.differences[difference][0])

    def row_at(self, y: int) -> int:
        """The row of the document that line `y` belongs to."""
        if not self._entries:
            return 0
        return self._entries[min(max(0, bisect_right(self._starts, y) - 1), len(self._entries) - 1)][1]

    def start_of(self, row: int) -> int:
        """The first line of a row of the document."""
        return next((self._starts[n] for n, entry in enumerate(self._entries) if entry[1] >= row), 0)

    def line_of(self, stop: int) -> int:
        """The line on which a stop of the document stands, from 0; -1 is the last, as is one past it."""
        stops = self.document.stops
        if not stops:
            return 0
        row, variant, offset = stops[min(stop, len(stops) - 1)]
        number = next((n for n, entry in enumerate(self._entries) if entry[1] >= row), 0)
        pair = self._row(number)
        if not isinstance(pair, Pair):
            return self._starts[number]
        above = 0
        if variant and not self.split and self._shown(pair) == (True, True) and pair.baseline is not None:
            above = len(self._starts_of(number, False, pair.baseline, self._text))
        words = pair.variant if variant else pair.baseline
        if words is None:
            return self._starts[number]
        rows = self._starts_of(number, variant, words, self._text)
        return self._starts[number] + above + bisect_right(rows, len(visible(words.raw[:offset]))) - 1

    def is_fold(self, y: int) -> bool:
        """Whether a line stands for rows left out."""
        if not 0 <= y < self.height:
            return False
        row, _, inside = self._entries[bisect_right(self._starts, y) - 1]
        return isinstance(row, Fold) and inside is None

    def header(self) -> Line | None:
        """The line of names: who stands where. None for a single side, which the title names."""
        before, after = self.document.names
        if before is None:
            return None
        if self.split:
            left = pad((ink(" "), Piece(before, Tone.HEADING)), self._side)
            return pad((*left, ink("│", Tone.MUTED), ink(" "), Piece(after, Tone.HEADING)), self.width)
        names = (ink(" -", Tone.ERROR), ink(" "), Piece(before, Tone.HEADING), ink("   "))
        return pad((*names, ink("+", Tone.OK), ink(" "), Piece(after, Tone.HEADING)), self.width)

    def line(self, y: int, difference: int | None = None, stop: int | None = None) -> Line:
        """Screen line `y` in exactly `width` cells; the rows of `difference`, and that of `stop`, have
        their gutter lit."""
        if not 0 <= y < self.height:
            return (gap(self.width),)
        number = bisect_right(self._starts, y) - 1
        row, source = self._row(number), self._entries[number][1]
        offset = y - self._starts[number]
        if isinstance(row, Heading):
            return self._heading(row)
        if isinstance(row, Fold):
            return self._fold(row)
        if isinstance(row, Full):
            if row.cut:
                return (ink(" "), *pad(row.words.line, self.width - 1))
            starts = self._starts_of(number, True, row.words, self.width - 1)
            return (ink(" "), *fill(_part(row.words, starts, offset), self.width - 1))
        lit = (difference is not None and self._in(difference, source)) or self._at(stop, source)
        if isinstance(row, Across):
            light = Ground.CURRENT if lit else Ground.NONE
            gutter = ink(row.sign, _SIGN_TONES.get(row.sign, Tone.MUTED), light)
            line = row.words.line
            whole = (*line, *row.more.line) if row.more is not None else line
            fits = width_of(whole) <= self.width - 2
            return (gutter, ink(" "), *pad(whole if fits else line, self.width - 2))
        return (
            self._split(number, row, offset, lit) if self.split else self._unified(number, row, offset, lit)
        )

    def _at(self, stop: int | None, source: int) -> bool:
        stops = self.document.stops
        return stop is not None and bool(stops) and stops[min(stop, len(stops) - 1)].row == source

    def _in(self, difference: int, source: int) -> bool:
        ranges = self.document.differences
        if not ranges or not -len(ranges) <= difference < len(ranges):
            return False
        first, last = ranges[difference]
        return first <= source <= last

    # Heights

    def _row(self, number: int) -> DocRow:
        """The row of an entry; one out of an opened fold is made when it is first looked at."""
        row, _, inside = self._entries[number]
        if inside is None or not isinstance(row, Fold):
            return row
        if number not in self._opened:
            self._opened[number] = row.pair(inside)
        return self._opened[number]

    def _height_of(self, number: int) -> int:
        row, _, inside = self._entries[number]
        if isinstance(row, Fold) and inside is not None and surely_fits(row.texts[inside], self._text):
            return 1
        row = self._row(number)
        if isinstance(row, Heading | Fold | Across):
            return 1
        if isinstance(row, Full):
            return 1 if row.cut else len(self._starts_of(number, True, row.words, self.width - 1))
        before = len(self._starts_of(number, False, row.baseline, self._text)) if row.baseline else 0
        after = len(self._starts_of(number, True, row.variant, self._text)) if row.variant else 0
        if self.split:
            return max(before, after, 1)
        shown = self._shown(row)
        return max(1, before * shown[0] + after * shown[1])

    def _starts_of(self, number: int, variant: bool, words: Words, width: int) -> tuple[int, ...]:
        if words.surely_fits(width):
            return (0,)
        known = self._breaks.get((number, variant))
        if known is None:
            known = self._breaks[number, variant] = breaks(plain(words.line), width)
        return known

    # Drawing

    def _heading(self, row: Heading) -> Line:
        said = clip(
            (ink("─ ", Tone.MUTED), Piece(row.name, Tone.HEADING), ink(" "), *row.note), self.width - 2
        )
        said = (*said, ink(" ")) if row.note else said
        return (*said, ink("─" * (self.width - width_of(said)), Tone.MUTED))

    def _fold(self, row: Fold) -> Line:
        count = len(row.texts)
        lines = "line" if count == 1 else "lines"
        said = (ink(f" ⋯ {count:,} ", Tone.MUTED), Piece(row.what, Tone.MUTED))
        key = self.document.opens
        return pad((*said, ink(f" {lines}; {key} opens" if key else f" {lines}", Tone.MUTED)), self.width)

    def _split(self, number: int, row: Pair, offset: int, lit: bool) -> Line:
        left = self._cell(
            number, row, False, offset, lit, "-" if row.sign == "-" else row.sign.replace("+", " ")
        )
        right = self._cell(
            number, row, True, offset, lit, "+" if row.sign == "+" else row.sign.replace("-", " ")
        )
        line = (*left, ink("│", Tone.MUTED), *right)
        missing = self.width - 2 * self._side - 1
        return (*line, gap(missing)) if missing else line

    def _shown(self, row: Pair) -> tuple[bool, bool]:
        """Which sides of a row are drawn where one stands below the other: both, unless they say the same."""
        if self.single or row.twin:
            return row.variant is None, row.variant is not None
        before = row.baseline is not None and (row.differs or bool(row.baseline.line))
        after = row.variant is not None and (row.differs or bool(row.variant.line))
        if before and after and not row.differs and _said(row.baseline) == _said(row.variant):
            return False, True
        return (before, after) if before or after else (False, True)

    def _unified(self, number: int, row: Pair, offset: int, lit: bool) -> Line:
        before, after = self._shown(row)
        if self.single or row.twin or (not row.differs and _said(row.baseline) == _said(row.variant)):
            return self._cell(number, row, after, offset, lit, " ")
        above = (
            len(self._starts_of(number, False, row.baseline, self._text)) if before and row.baseline else 0
        )
        if offset < above:
            return self._cell(number, row, False, offset, lit, "-")
        return self._cell(number, row, True, offset - above, lit, "+")

    def _cell(self, number: int, row: Pair, variant: bool, offset: int, lit: bool, sign: str) -> Line:
        """One screen line of one side, gutter first, `_side` cells wide."""
        words = row.variant if variant else row.baseline
        light = Ground.CURRENT if lit else Ground.NONE
        if words is None:
            return (ink(sign, Tone.HATCH, light), ink("╱" * (self._side - 1), Tone.HATCH))
        starts = self._starts_of(number, variant, words, self._text)
        bar = ink("▌", Tone.KEY) if words.lit else ink(" ")
        if offset >= len(starts):
            return (ink(" ", Tone.PLAIN, light), gap(self._side - 1))
        first = offset == 0
        letters = words.letters if first else SafeText("")
        gutter = ink(
            sign if first else "↪", _SIGN_TONES.get(sign, Tone.MUTED) if first else Tone.MUTED, light
        )
        initials = ink(safe(f"{letters:<{GUTTER - 2}}"), Tone.MUTED)
        return (gutter, bar, initials, *fill(_part(words, starts, offset), self._side - GUTTER))


def _said(words: Words | None) -> SafeText | None:
    return plain(words.line) if words is not None else None


def _part(words: Words, starts: tuple[int, ...], offset: int) -> Line:
    line = words.line
    if len(starts) == 1:
        return line
    last = offset + 1 == len(starts)
    return slices(
        line, starts[offset], sum(len(piece.text) for piece in line) if last else starts[offset + 1]
    )


def _unfold(document: Document, unfolded: bool, context: int) -> Iterator[_Entry]:
    for number, row in enumerate(document.rows):
        if not isinstance(row, Fold):
            yield row, number, None
            continue
        count = len(row.texts)
        # What is left of one must be worth a fold.
        ends = count if unfolded or (context and count - 2 * context < LEAST) else context
        for inside in range(ends):
            yield row, number, inside
        if ends < count:
            yield _inner(row, ends) if ends else row, number, None
            for inside in range(count - ends, count):
                yield row, number, inside


def _inner(row: Fold, ends: int) -> Fold:
    """A fold without so many of its rows at each end."""
    return Fold(row.texts[ends : len(row.texts) - ends], lambda number: row.pair(number + ends), row.what)
