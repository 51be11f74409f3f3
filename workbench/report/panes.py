"""Two windows against each other: one under the other, or side by side where there is room."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from workbench.compare.align import align
from workbench.compare.rows import Row, RowKind, Side
from workbench.core.decision import Span
from workbench.core.text import SafeText, safe
from workbench.core.turn import Author
from workbench.report.authors import LETTERS, legend
from workbench.report.evidence import Seen
from workbench.report.focus import LINES, kept
from workbench.report.measure import cut, named, pad, width_of
from workbench.report.strips import Page, page
from workbench.report.writer import Line, Piece, Style, glyph, own

__all__ = ["SPLIT_WIDTH", "pane_lines"]

SPLIT_WIDTH = 120
"""Terminal cells from which on two windows stand side by side."""

_GUTTER = 8
_SIGNS = {"baseline": "-", "variant": "+"}
_EMPTY = Page((), (), ())


@dataclass(frozen=True, slots=True)
class _Gap:
    """Rows left out: how many lines, and how many characters, counted on the side that has more."""

    kind: RowKind
    lines: int
    characters: int


def pane_lines(
    baseline: Seen | None, variant: Seen | None, style: Style, indent: int, taken: Sequence[Span] = ()
) -> list[Line]:
    """The windows of two arms, every line with whose words it holds; nothing where neither is known.

    A window that only one side has is drawn by itself. `taken` are spans of the variant's window that are
    marked as taken away.
    """
    inner = style if style.width is None else replace(style, width=style.width - indent)
    wide = style.width is not None and style.width >= SPLIT_WIDTH
    margin = Piece(safe(" " * indent))
    return [(margin, *line) for line in _pane_lines(baseline, variant, inner, taken, wide=wide)]


def _pane_lines(
    baseline: Seen | None, variant: Seen | None, style: Style, taken: Sequence[Span], *, wide: bool
) -> list[Line]:
    sides = [side for side in (baseline, variant) if side and side.window and side.window.text]
    if not sides:
        return []
    pages = [page(side.window, side.matches or (), gone) if side and side.window else _EMPTY
             for side, gone in ((baseline, ()), (variant, taken))]  # fmt: skip
    panes = _Panes(pages[0], pages[1], style, both=len(sides) == 2)
    rows = list(_focused(_rows(baseline, variant), panes))
    if wide and panes.both and not all(_equal(row) for row in rows):
        names = [named(side.arm) for side in sides]
        lines = list(panes.split(rows, names[0], names[1]))
    else:
        lines = list(panes.stacked(rows))
    if panes.authors:
        lines.append((Piece(safe("  ")), Piece(legend(panes.authors), "dim")))
    return lines


def _rows(baseline: Seen | None, variant: Seen | None) -> Iterable[Row]:
    left = baseline.window.text if baseline and baseline.window else None
    right = variant.window.text if variant and variant.window else None
    if left is not None and right is not None and left and right:
        return align(left, right)
    kind = RowKind.REMOVED if left else RowKind.ADDED
    return _one_sided(left or right or "", kind)


def _one_sided(text: str, kind: RowKind) -> Iterator[Row]:
    start = 0
    for line in text.split("\n"):
        side = Side(line, start)
        yield Row(kind, variant=side) if kind is RowKind.ADDED else Row(kind, baseline=side)
        start += len(line) + 1


def _focused(rows: Iterable[Row], panes: _Panes) -> Iterator[Row | _Gap]:
    for kind, run in groupby(rows, key=lambda row: row.kind):
        group = list(run)
        points = panes.landmarks(group) if len(group) > LINES.whole else []
        shown = 0
        for start, stop in kept(len(group), points, LINES):
            if start > shown:
                yield _Gap(kind, start - shown, _length(group[shown], group[start - 1]))
            yield from group[start:stop]
            shown = stop


def _length(first: Row, last: Row) -> int:
    """Characters from one row to another one of its kind, line feeds too, on the side that has more."""
    sides = ((first.baseline, last.baseline), (first.variant, last.variant))
    return max(b.start + len(b.text) + 1 - a.start for a, b in sides if a and b)


def _equal(row: Row | _Gap) -> bool:
    return row.kind is RowKind.EQUAL


class _Panes:
    """Draws rows; remembers which authors it drew."""

    def __init__(self, baseline: Page, variant: Page, style: Style, *, both: bool) -> None:
        self.both = both
        self.authors: set[Author] = set()
        self._pages = {"baseline": baseline, "variant": variant}
        self._style = style

    def landmarks(self, rows: Sequence[Row]) -> list[Span]:
        """Which of the rows, by index, are worth showing in the middle of a long run."""
        found: list[Span] = []
        for name, page_ in self._pages.items():
            sides = [row.baseline if name == "baseline" else row.variant for row in rows]
            starts = [side.start for side in sides if side]
            if len(starts) != len(rows):
                continue  # of one kind: either all have that side, or none has
            for offset in page_.landmarks():
                index = bisect_right(starts, offset) - 1
                side = sides[index]
                if index >= 0 and side and offset <= side.start + len(side.text):
                    found.append((index, index + 1))
        return found

    def stacked(self, rows: Sequence[Row | _Gap]) -> Iterator[Line]:
        """Every line under the one before; of equal lines the variant's."""
        if self.both and all(_equal(row) for row in rows):
            yield (Piece(safe("the same text on both arms"), "dim"),)
        cells = None if self._style.width is None else max(20, self._style.width - _GUTTER)
        for row in rows:
            if isinstance(row, _Gap):
                yield (self._gap(row),)
            elif row.kind is RowKind.EQUAL:
                yield from self._drawn("variant", row, " ", cells)
            else:
                for name, sign in _SIGNS.items():
                    yield from self._drawn(name, row, sign if self.both else " ", cells)

    def split(self, rows: Sequence[Row | _Gap], left: SafeText, right: SafeText) -> Iterator[Line]:
        """Baseline on the left, variant on the right, as many rows on both sides."""
        assert self._style.width is not None
        column = (self._style.width - 3) // 2
        bar = Piece(own(" │ ", self._style), "dim")
        heads = [cut(name, column, self._style) for name in (left, right)]
        yield (Piece(pad(heads[0], column), "strong"), bar, Piece(heads[1], "strong"))
        for row in rows:
            if isinstance(row, _Gap):
                yield (self._gap(row),)
                continue
            changed = row.kind is not RowKind.EQUAL
            columns = [
                list(self._drawn(name, row, sign if changed else " ", column - _GUTTER))
                for name, sign in _SIGNS.items()
            ]
            # A side without the line is hatched; one that only has fewer rows of it is left blank.
            hatch = (Piece(SafeText(glyph("╱", self._style) * 3), "dim"),)
            fill = [() if drawn else hatch for drawn in columns]
            for ours, theirs in zip_longest(*columns):
                left_row = fill[0] if ours is None else ours
                yield (*_padded(left_row, column), bar, *(fill[1] if theirs is None else theirs))

    def _drawn(self, name: str, row: Row, sign: str, cells: int | None) -> Iterator[Line]:
        """One side of a row behind its gutter: sign, letters of the authors, bar."""
        side = row.baseline if name == "baseline" else row.variant
        if side is None:
            return
        strip = self._pages[name].strip(side, row.kind, self._style)
        self.authors.update(strip.authors)
        letters = "".join(LETTERS[author] for author in strip.authors)
        letters = letters if len(letters) <= 3 else f"{letters[:2]}+"
        look = strip.authors[0].value if len(strip.authors) == 1 else "strong"
        for number, (line, marks) in enumerate(strip.rows(cells)):
            bar = glyph("│" if number == 0 or marks else "↵", self._style)
            gutter = (
                Piece(safe(f"{sign if not marks else ' '} "), "strong"),
                Piece(safe(f"{letters if number == 0 else '':<3} "), look),
                Piece(SafeText(f"{bar} ") if line else bar, "dim"),
            )
            yield gutter + line

    def _gap(self, gap: _Gap) -> Piece:
        where = "the same on both arms" if gap.kind is RowKind.EQUAL and self.both else "left out"
        lines = f"{gap.lines:,} line{'s' if gap.lines > 1 else ''}"
        return Piece(own(f"… {gap.characters:,} characters, {lines} {where} …", self._style), "dim")


def _padded(line: Line, cells: int) -> Line:
    used = sum(width_of(piece.text) for piece in line)
    return (*line, Piece(safe(" " * max(0, cells - used))))
