"""What was read of each turn, within the whole of it: the scanned part lit, the rest dimmed."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from workbench.compare.fold import fold
from workbench.compare.rows import Row, RowKind, Side
from workbench.compare.window import PlacedWindow
from workbench.core.cell import Cell
from workbench.core.decision import Span
from workbench.core.text import safe
from workbench.core.turn import Turn
from workbench.tui.view.ink import Ground
from workbench.tui.view.rows import DocRow, Fold, Pair, Words
from workbench.tui.view.window import side_words

__all__ = ["Scan", "scan_of", "scan_rows"]

_SIGNS = {RowKind.EQUAL: "~", RowKind.CHANGED: "~", RowKind.REMOVED: "-", RowKind.ADDED: "+"}
MOST_UNREAD = 8
"""Lines in a row of one side alone, and not read, that are shown before they are folded."""
EDGE = 3


@dataclass(frozen=True, slots=True)
class Scan:
    """A turn, and the spans of it that were read; None: that is not known."""

    turn: Turn
    read: tuple[Span, ...] | None

    def spans(self, side: Side) -> list[Span] | None:
        """What was read of a line, as spans of it."""
        if self.read is None:
            return None
        end = side.start + len(side.text)
        number = max(0, bisect_right(self.read, side.start, key=lambda span: span[0]) - 1)
        found: list[Span] = []
        while number < len(self.read) and self.read[number][0] < end:
            first, last = self.read[number]
            if last > side.start:
                found.append((max(first - side.start, 0), min(last, end) - side.start))
            number += 1
        return found

    @property
    def is_whole(self) -> bool:
        """Whether all of the turn was read."""
        return self.read == ((0, len(self.turn.text)),)

    def words(self, side: Side | None) -> str:
        """What was read of a line."""
        spans = self.spans(side) if side is not None else None
        return "\n".join(side.text[a:b] for a, b in spans) if side is not None and spans else ""


def scan_of(cell: Cell, window: PlacedWindow | None) -> Scan | None:
    """The turn of a cell with what was read of it; None where the window is more than parts of the turn."""
    turn = cell.delivery.turn
    if window is None:
        return Scan(turn, None)
    if not window.text:
        return Scan(turn, ())
    if window.spans is None:
        return None
    read = "".join(turn.text[start:end] for start, end in window.spans)
    alike = read == window.text or _bones(read) == _bones(window.text)
    return Scan(turn, window.spans) if alike else None


def _bones(text: str) -> str:
    """A text without white space, punctuation, case and forms: what the search for a window looks over."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


def scan_rows(before: Scan | None, after: Scan, rows: Sequence[Row]) -> list[DocRow]:
    """The rows of both turns. What differs is what was read; the rest of an envelope is quiet."""
    # Equal words that both sides have read are equal rows; a long window has hardly any others.
    alike = before is None or (before.is_whole and after.is_whole)
    judged = rows if alike else [_judged(row, before, after) for row in rows]
    folded: list[DocRow] = []
    for idle, group in groupby(fold(judged), key=lambda row: _is_idle(row, before, after)):
        run = list(group)
        if idle is None or len(run) <= MOST_UNREAD:
            folded += [_row(row, before, after) for row in run]
            continue
        hidden = run[EDGE:-EDGE]
        folded += [_pair(row, before, after) for row in run[:EDGE]]
        folded.append(_unread(hidden, before, after))
        folded += [_pair(row, before, after) for row in run[-EDGE:]]
    return folded


def _judged(row: Row, before: Scan | None, after: Scan) -> Row:
    """A row of equal words that one side read and the other did not is no equal row."""
    if row.kind is RowKind.EQUAL and before is not None and _differs(row, before, after):
        return replace(row, kind=RowKind.CHANGED)
    return row


def _differs(row: Row, before: Scan | None, after: Scan) -> bool:
    if before is None or before.read is None or after.read is None:
        return False
    return before.words(row.baseline) != after.words(row.variant)


def _is_idle(row: Row, before: Scan | None, after: Scan) -> RowKind | None:
    """The kind of a row that one side has alone, and that was not read; None for all others."""
    scan, side = (before, row.baseline) if row.kind is RowKind.REMOVED else (after, row.variant)
    alone = row.kind in (RowKind.REMOVED, RowKind.ADDED)
    if not alone or scan is None or side is None or scan.read is None or scan.spans(side):
        return None
    return row.kind


def _unread(hidden: Sequence[Row], before: Scan | None, after: Scan) -> Fold:
    texts = [side.text for row in hidden if (side := row.variant or row.baseline) is not None]
    return Fold(texts, lambda number: _pair(hidden[number], before, after), safe("unread"))


def _row(row: Row, before: Scan | None, after: Scan) -> DocRow:
    if row.kind is RowKind.FOLD:
        texts = [hidden.variant.text for hidden in row.hidden if hidden.variant is not None]
        return Fold(texts, lambda number: _pair(row.hidden[number], before, after))
    return _pair(row, before, after)


def _pair(row: Row, before: Scan | None, after: Scan) -> Pair:
    equal = row.kind is RowKind.EQUAL
    same = row.baseline is not None and row.variant is not None and row.baseline.text == row.variant.text
    plain = equal or same or before is None
    left = _side(row, before, row.baseline, plain, Ground.REMOVED, Ground.REMOVED_WORD)
    right = _side(row, after, row.variant, plain, Ground.ADDED, Ground.ADDED_WORD)
    if equal or before is None:
        return Pair(" ", left, right, twin=equal)
    return Pair(_SIGNS[row.kind], left, right, quiet=not _differs(row, before, after))


def _side(
    row: Row, scan: Scan | None, side: Side | None, plain: bool, line: Ground, word: Ground
) -> Words | None:
    if scan is None or side is None:
        return None
    if plain:
        line = word = Ground.NONE
    elif row.kind is not RowKind.CHANGED:
        word = line
    return side_words(side, scan.turn.regions, line, word, scan.spans(side))
