"""Columns of the lanes tab: words at the left edge, numbers at the right one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from workbench.tui.view.cells import width_of
from workbench.tui.view.ink import Line, Piece, gap

__all__ = ["laid"]


def laid(table: Sequence[Sequence[Line]], numbers: Collection[int]) -> list[Line]:
    """The rows of a table as lines, two blanks between columns; `numbers` are those of numbers."""
    widths = [max(map(width_of, column)) for column in zip(*table, strict=True)]
    return [_line(row, widths, numbers) for row in table]


def _line(row: Sequence[Line], widths: Sequence[int], numbers: Collection[int]) -> Line:
    line: list[Piece] = []
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        missing = gap(width - width_of(cell))
        line += [missing, *cell] if column in numbers else [*cell, missing]
        line.append(gap(2 if width else 0))
    while line and not line[-1].text.strip():
        line.pop()
    return tuple(piece for piece in line if piece.text)
