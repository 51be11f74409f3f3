"""The matrix: arms by adapters of one prompt, or prompts by adapters of a whole scenario."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.cell import BARE, Cell, CellKey
from workbench.core.decision import Outcome
from workbench.core.finding import Severity
from workbench.core.text import SafeText, join, safe, visible
from workbench.tui.board import CellState
from workbench.tui.tallies import answered, decided, failed, status_of
from workbench.tui.verdicts import Counts
from workbench.tui.view.cells import cut, middle_cut, width_of
from workbench.tui.view.ink import Line, Piece, Tone, ink, outcome_tone, outcome_word
from workbench.tui.view.tree import in_words, mark

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["CellView", "Matrix", "column_widths", "fit_cell", "matrix_of", "short_tool"]

NOTHING = SafeText("")
HEADER_MAX = 24
CELL_MAX = 30
TOOL_MIN = 6
STATUS_WORDS = {"not-reached": "not reached"}


class CellView(NamedTuple):
    """A mark, a word, the tool where one was called, and what else must be said, such as `1/2 failed`."""

    mark: Piece
    word: Piece
    tool: SafeText = NOTHING
    more: Piece | None = None


class Matrix(NamedTuple):
    """Names of rows and columns, and the cells row by row. `corner` says what the two are."""

    corner: SafeText
    rows: tuple[SafeText, ...]
    columns: tuple[SafeText, ...]
    cells: tuple[tuple[CellView, ...], ...]


def matrix_of(state: SessionState) -> Matrix | None:
    """The matrix of what is chosen; None where nothing is known of any cell."""
    place = state.place
    rows, columns, scenario = place.row_names, place.column_names, place.scenario
    if scenario is None or not rows or not columns:
        return None
    if place.prompt is None:
        cells = tuple(tuple(_summary(state, scenario, row, column) for column in columns) for row in rows)
        corner = safe("prompt")
    else:
        keys = [[CellKey(scenario, place.prompt, row, column) for column in columns] for row in rows]
        cells = tuple(tuple(cell_view(state, key) for key in line) for line in keys)
        corner = safe("arm")
    named = [f"! {column}" if column in state.board.broken else column for column in columns]
    return Matrix(corner, _all_visible(rows), _all_visible(named), cells)


def _all_visible(names: Sequence[str]) -> tuple[SafeText, ...]:
    return tuple(visible(name) for name in names)


def cell_view(state: SessionState, key: CellKey) -> CellView:
    """One cell in words: its outcome where it has one, else why not."""
    known = state.board.state(key)
    cell = state.board.cells.get(key)
    if known is CellState.NO_ARM:
        return CellView(ink(" "), ink("no arm", Tone.HATCH))
    if known is CellState.NOT_RUN:
        return CellView(ink("·", Tone.MUTED), ink("not run", Tone.MUTED))
    if known is CellState.RUNNING:
        done = state.board.trials_so_far(key)
        return CellView(ink("…", Tone.RUNNING), ink(f"running {done}" if done else "running", Tone.RUNNING))
    if cell is None:
        return _counted(state, key, known)
    sign = _cell_mark(known, state.verdicts.worst(key))
    if cell.decision is None:
        return CellView(sign, _failure_word(cell))
    decision = cell.decision
    word = ink(outcome_word(decision.outcome), outcome_tone(decision.outcome))
    more = _more(cell, state.board.stale(key))
    if state.comparisons.is_pinned(key):
        more = ink("pinned", Tone.KEY)
    return CellView(sign, word, _tools(decision.tools), more)


def _counted(state: SessionState, key: CellKey, known: CellState) -> CellView:
    """A stored cell that has only been counted: nothing of it has been judged, so it is never ✓."""
    counted = state.board.tallies[key]
    sign = _cell_mark(known, None) if known is not CellState.OK else ink("·", Tone.MUTED)
    decision = decided(counted)
    if decision is None:
        return CellView(sign, ink(STATUS_WORDS.get(status_of(counted), status_of(counted)), Tone.WARNING))
    outcome, tools = decision
    more = f"{failed(counted)}/{counted.trials} failed" if failed(counted) else ""
    agreeing = max(counted.outcomes.values(), default=0)
    if not more and agreeing < answered(counted):
        more = f"{agreeing}/{answered(counted)}"
    said = ink(more, Tone.WARNING) if more else None
    return CellView(sign, ink(outcome_word(outcome), outcome_tone(outcome)), _tools(tools), said)


def _tools(tools: Sequence[str]) -> SafeText:
    if len(tools) > 1:
        return join((short_tool(tools[0]), safe(f" +{len(tools) - 1}")))
    return short_tool(tools[0]) if tools else NOTHING


def _cell_mark(known: CellState, worst: Severity | None) -> Piece:
    if worst is Severity.ERROR:
        return ink("✗", Tone.ERROR)
    if worst is Severity.WARNING or known is CellState.FAILED:
        return ink("!", Tone.WARNING)
    if known is CellState.DIFFERS:
        return ink("~", Tone.WARNING)
    return ink("✓", Tone.OK)


def _failure_word(cell: Cell) -> Piece:
    status = max(cell.statuses, key=lambda name: cell.statuses[name])
    return ink(STATUS_WORDS.get(status, status), Tone.WARNING)


def _more(cell: Cell, stale: bool) -> Piece | None:
    if cell.failed:
        return ink(f"{cell.failed}/{len(cell.trials)} failed", Tone.WARNING)
    agreeing = max(cell.outcomes.values(), default=0)
    if agreeing < len(cell.ok):
        return ink(f"{agreeing}/{len(cell.ok)}", Tone.WARNING)
    return ink("outdated", Tone.MUTED) if stale else None


def _summary(state: SessionState, scenario: str, prompt: str, adapter: str) -> CellView:
    keys = [key for key in state.board.keys(scenario, prompt) if key.adapter == adapter]
    if not keys:
        return CellView(ink(" "), ink("no arm", Tone.HATCH))
    found = [f for f in state.verdicts.of_prompt(scenario, prompt) if f.adapter == adapter]
    counts = state.count_cells(keys) + state.verdicts.count(found)
    if state.stored.is_unread(scenario, prompt):
        counts += Counts(unread=counts.ok + counts.failed)
    words = in_words(counts)
    outcome = _bare_outcome(state, CellKey(scenario, prompt, BARE, adapter))
    if outcome is None or counts.running:
        return CellView(mark(counts), words[0])
    word = ink(outcome_word(outcome), outcome_tone(outcome))
    return CellView(mark(counts), word, more=None if words[0].tone is Tone.OK else words[0])


def _bare_outcome(state: SessionState, key: CellKey) -> Outcome | None:
    cell = state.board.cells.get(key)
    if cell is not None:
        return cell.decision.outcome if cell.decision else None
    counted = state.board.tallies.get(key)
    decision = decided(counted) if counted is not None else None
    return decision[0] if decision is not None else None


def short_tool(name: str) -> SafeText:
    """The last part of a tool's name: what stands before it names the server."""
    parts = [part for part in re.split(r"::|__|/|\.", name) if part]
    return visible(parts[-1] if parts else name)


def _pieces(cell: CellView, tool: SafeText) -> Line:
    line: list[Piece] = [cell.mark, ink(" "), cell.word]
    if tool:
        line += [ink(" "), Piece(tool)]
    if cell.more:
        line += [ink(" "), cell.more]
    return tuple(line)


def fit_cell(cell: CellView, width: int) -> Line:
    """A cell in at most `width` cells of the terminal: the tool gives way first, then what else is said."""
    line = _pieces(cell, cell.tool)
    over = width_of(line) - width
    if over <= 0:
        return line
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
    return _pieces(CellView(cell.mark, cell.word, more=cell.more), NOTHING)


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
        needs.append(min(CELL_MAX, max(title, *(width_of(_pieces(cell, cell.tool)) for cell in cells))))
        leasts.append(min(CELL_MAX, max(title, *(width_of(_pieces(cell, NOTHING)) for cell in cells))))
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
