"""From match to match in the list and the matrix; the comparison looks through what it draws, by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from workbench.tui.place import RowKind
from workbench.tui.search import Search
from workbench.tui.state import SessionState
from workbench.tui.view.ink import plain
from workbench.tui.view.layout import Pane
from workbench.tui.view.matrix import matrix_of

__all__ = ["count_matches", "next_match"]

At = TypeVar("At", int, tuple[int, int])


def count_matches(state: SessionState, search: Search) -> int:
    """How many prompts of the list, or cells of the matrix, match."""
    return len(_rows(state) if search.pane is Pane.SCENARIOS else _cells(state, search))


def next_match(state: SessionState, search: Search, step: int) -> bool:
    """Go to the next match (1), the one before (-1), or from here on (0), round the end; False: none."""
    place = state.place
    if search.pane is Pane.SCENARIOS:
        rows = _rows(state)
        row = _after(rows, place.row, step)
        if row is not None:
            place.select_row(row)
        return row is not None
    cells = _cells(state, search)
    cell = _after(cells, place.cursor, step)
    if cell is not None:
        place.select_cell(*cell)
    return cell is not None


def _rows(state: SessionState) -> list[int]:
    # What does not match is not in the list, but for the scenarios' own rows.
    return [number for number, row in enumerate(state.place.rows) if row.kind is RowKind.PROMPT]


def _cells(state: SessionState, search: Search) -> list[tuple[int, int]]:
    matrix = matrix_of(state)
    if matrix is None:
        return []
    found: list[tuple[int, int]] = []
    for row, cells in enumerate(matrix.cells):
        for column, cell in enumerate(cells):
            said = [matrix.rows[row], matrix.columns[column], cell.word.text, cell.tool]
            said += [plain((cell.more,))] if cell.more is not None else []
            if search.keeps(*said):
                found.append((row, column))
    return found


def _after(places: Sequence[At], here: At, step: int) -> At | None:
    if not places:
        return None
    if step < 0:
        return next((place for place in reversed(places) if place < here), places[-1])
    return next((place for place in places if (place > here if step else place >= here)), places[0])
