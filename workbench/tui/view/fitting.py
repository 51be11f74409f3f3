"""The cells of a matrix as values, and how they are made to fit in the width that there is."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.text import SafeText
from workbench.tui.view.cells import clip, cut, middle_cut, width_of
from workbench.tui.view.ink import Line, Piece, Tone, ink

__all__ = ["CellView", "Matrix", "RateView", "column_widths", "fit_cell"]

NOTHING = SafeText("")
HEADER_MAX = 24
CELL_MAX = 30
RATE_MAX = 46
TOOL_MIN = 6


class RateView(NamedTuple):
    """`k/n` of a sampled cell, what bounds its rate where that is known, and a bar."""

    share: Piece
    bound: SafeText
    bar: Line


class CellView(NamedTuple):
    """A mark, a word, the tool where one was called, and what else must be said, such as `1/2 failed`.

    `rate` stands behind the word of what was sampled, `dark` at the end of what sends requests.
    """

    mark: Piece
    word: Piece
    tool: SafeText = NOTHING
    more: Piece | None = None
    rate: RateView | None = None
    dark: Piece | None = None


class Matrix(NamedTuple):
    """Names of rows and columns, and the cells row by row. `corner` says what the two are."""

    corner: SafeText
    rows: tuple[SafeText, ...]
    columns: tuple[SafeText, ...]
    cells: tuple[tuple[CellView, ...], ...]


def _pieces(cell: CellView, tool: SafeText) -> Line:
    line: list[Piece] = [cell.mark, ink(" "), cell.word] if cell.word.text else [cell.mark]
    if cell.rate is not None:
        line += [ink(" "), cell.rate.share]
        line += [ink(" "), Piece(cell.rate.bound, Tone.MUTED)] if cell.rate.bound else []
        line += [ink(" "), *cell.rate.bar] if cell.rate.bar else []
    if tool:
        line += [ink(" "), Piece(tool)]
    if cell.more:
        line += [ink(" "), cell.more]
    if cell.dark:
        line += [ink(" "), cell.dark]
    return tuple(line)


def fit_cell(cell: CellView, width: int) -> Line:
    """A cell in at most `width` cells of the terminal: the tool gives way first, then what else is said."""
    line = _pieces(cell, cell.tool)
    over = width_of(line) - width
    if over <= 0:
        return line
    if cell.rate is not None:
        return _fit_rate(cell, cell.rate, width)
    if cell.dark is not None and not cell.tool:
        return fit_cell(cell._replace(dark=None), width)
    room = width_of((Piece(cell.tool),)) - over
    if cell.tool and room >= TOOL_MIN:
        return _pieces(cell, middle_cut(cell.tool, room))
    if cell.more and not cell.tool:
        short = CellView(cell.mark, cell.word)
        return (
            *_pieces(short, NOTHING),
            ink(" "),
            Piece(cut(cell.more.text, width - width_of(_pieces(short, NOTHING)) - 1), cell.more.tone),
        )
    return _without_tool(cell, width)


def _without_tool(cell: CellView, width: int) -> Line:
    """What is left where not even some of the tool's name fits."""
    line = _pieces(cell, NOTHING)
    return line if width_of(line) <= width else _pieces(cell._replace(dark=None), NOTHING)


def _fit_rate(cell: CellView, rate: RateView, width: int) -> Line:
    """A sampled cell in at most `width` cells. Tool, bar, what is dark, word and bound give way in turn."""
    bare = rate._replace(bar=())
    short = cell._replace(rate=bare, dark=None)
    ways = (
        (cell, cell.tool),
        (cell, NOTHING),
        (cell._replace(rate=bare), NOTHING),
        (short, NOTHING),
        (short._replace(word=ink("")), NOTHING),
        (short._replace(rate=bare._replace(bound=NOTHING), word=ink("")), NOTHING),
    )
    for shown, tool in ways:
        line = _pieces(shown, tool)
        over = width_of(line) - width
        if over <= 0:
            return line
        room = width_of((Piece(tool),)) - over
        if tool and room >= TOOL_MIN:
            return _pieces(shown, middle_cut(tool, room))
    return clip(line, width)


def _widest(cell: CellView) -> int:
    """How many cells a cell gets at most: one with a rate says more."""
    return RATE_MAX if cell.rate is not None else CELL_MAX


def _least(cell: CellView) -> int:
    """The cells that a cell should keep, when others want room too; that nothing is dark it need not say."""
    rate = cell.rate._replace(bar=()) if cell.rate is not None else None
    dark = cell.dark if cell.dark is not None and cell.dark.tone is not Tone.MUTED else None
    return min(_widest(cell), width_of(_pieces(cell._replace(rate=rate, dark=dark), NOTHING)))


def column_widths(matrix: Matrix, width: int) -> tuple[int, tuple[int, ...]]:
    """Cells of the row names, and of every column, in `width` cells or more; columns are two cells apart.

    Where there is room each column gets what it needs; where there is not, names of tools give way.
    """
    header = max(width_of((Piece(name),)) for name in (matrix.corner, *matrix.rows))
    header = max(6, min(header, HEADER_MAX, width // 4))
    needs, leasts = [], []
    for number, name in enumerate(matrix.columns):
        cells = [row[number] for row in matrix.cells]
        title = min(CELL_MAX, width_of((Piece(name),)) + 2)
        wants = (min(_widest(cell), width_of(_pieces(cell, cell.tool))) for cell in cells)
        needs.append(max(title, *wants))
        leasts.append(max(title, *map(_least, cells)))
    over = header + sum(need + 2 for need in needs) - width
    while over > 0:
        spare, widest = max(
            (need - least, number) for number, (need, least) in enumerate(zip(needs, leasts, strict=True))
        )
        if not spare:
            break
        needs[widest] -= 1
        over -= 1
    return header, tuple(needs)
