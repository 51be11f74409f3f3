"""The matrix: arms by adapters of one prompt, or prompts by adapters of a whole scenario."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.core.cell import BARE, Cell, CellKey
from workbench.core.finding import Severity
from workbench.core.text import SafeText, join, safe, visible
from workbench.tui.board import CellState
from workbench.tui.counting import count_of
from workbench.tui.tallies import answered, decided, failed, status_of
from workbench.tui.verdicts import Counts
from workbench.tui.view.fitting import CellView, Matrix, RateView
from workbench.tui.view.ink import Piece, Tone, ink, outcome_tone, outcome_word
from workbench.tui.view.share import bar, bound, share, share_tone
from workbench.tui.view.tree import in_words, mark

if TYPE_CHECKING:
    from workbench.store.records import CellSummary
    from workbench.tui.counting import Count
    from workbench.tui.judging import JudgedRate
    from workbench.tui.state import SessionState

__all__ = ["matrix_of", "short_tool"]

NOTHING = SafeText("")
BAR = 6
STATUS_WORDS = {"not-reached": "not reached"}


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
    bad = (*state.board.broken, *state.board.halted)
    named = [f"! {column}" if column in bad else column for column in columns]
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
        return _running(state, key)
    count = count_of(state.board, key)
    if count is not None and count.n:
        return _sampled(state, key, count)._replace(dark=_dark(state, key))
    if cell is None:
        return _counted(state, key, known)
    sign = _cell_mark(known, state.verdicts.worst(key))
    if key in state.board.unjudged:  # what was found is of the answer before
        sign = ink("·", Tone.MUTED) if known is CellState.OK else _cell_mark(known, None)
    if cell.decision is None:
        return CellView(sign, _failure_word(cell))
    decision = cell.decision
    word = ink(outcome_word(decision.outcome), outcome_tone(decision.outcome))
    more = _more(cell, state.board.stale(key))
    if state.comparisons.is_pinned(key):
        more = ink("pinned", Tone.KEY)
    return CellView(sign, word, _tools(decision.tools), more, dark=_dark(state, key))


def _dark(state: SessionState, key: CellKey) -> Piece | None:
    """The dark characters of its requests; nothing where nobody says who wrote what."""
    dark = state.darkness.of(key)
    if dark is None:
        return None
    if not dark.high:
        return ink("dark 0", Tone.MUTED)
    count = f"{dark.low:,}" if dark.low == dark.high else f"{dark.low:,}–{dark.high:,}"
    return ink(f"dark {count}", Tone.WARNING)


def _running(state: SessionState, key: CellKey) -> CellView:
    """What sampled so far shows how often it happened; nothing is concluded from it yet."""
    sign, count = ink("…", Tone.RUNNING), count_of(state.board, key)
    done = state.board.trials_so_far(key)
    if count is None or not done:
        return CellView(sign, ink(f"running {done}" if done else "running", Tone.RUNNING))
    failed = ink(f"{count.failed} failed", Tone.WARNING) if count.failed else None
    return CellView(sign, ink("running", Tone.RUNNING), _tool_of(count), failed, _rate(count))


def _sampled(state: SessionState, key: CellKey, count: Count) -> CellView:
    """A cell with a rate: the one word that all its answers have, else that they are mixed."""
    judged = state.rates.of(state.board.cells.get(key))
    worst = state.verdicts.worst(key)
    sign = _cell_mark(CellState.OK, worst)
    if judged is None and worst is not Severity.ERROR:
        sign = ink("·", Tone.MUTED)  # nothing has been concluded of it
    word = ink("mixed", Tone.WARNING)
    if len(count.outcomes) == 1:
        (outcome,) = count.outcomes
        word = ink(outcome_word(outcome), outcome_tone(outcome))
    more: Piece | None = ink("outdated", Tone.MUTED) if state.board.stale(key) else None
    if count.failed:
        more = ink(f"{count.failed}/{count.n + count.failed} failed", Tone.WARNING)
    if state.comparisons.is_pinned(key):
        more = ink("pinned", Tone.KEY)
    return CellView(sign, word, _tool_of(count), more, _rate(count, judged))


def _rate(count: Count, judged: JudgedRate | None = None) -> RateView:
    k, n = (judged.rate.k, judged.rate.n) if judged is not None else (count.k, count.n)
    return RateView(ink(share(k, n), share_tone(k)), bound(judged), bar(k, n, BAR))


def _tool_of(count: Count) -> SafeText:
    if count.tool is None:
        return NOTHING
    others = len(count.tools) - 1
    return join((short_tool(count.tool), safe(f" +{others}"))) if others else short_tool(count.tool)


def _counted(state: SessionState, key: CellKey, known: CellState) -> CellView:
    """A stored cell that has only been counted: nothing of it has been judged, so it is never ✓."""
    counted = state.board.tallies[key]
    sign = _cell_mark(known, None) if known is not CellState.OK else ink("·", Tone.MUTED)
    decision = decided(counted)
    if decision is None:
        return CellView(sign, _failed_tally(counted))
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
    sampled = _most_often(state, keys)
    if sampled is not None:
        key, count = sampled
        said = words[0] if counts.running or words[0].tone is not Tone.OK else None
        word = ink(visible(key.arm))
        rate = _rate(count, None if counts.running else state.rates.of(state.board.cells.get(key)))
        return CellView(mark(counts), word, more=said, rate=rate)
    bare = None if counts.running else _bare_word(state, CellKey(scenario, prompt, BARE, adapter))
    if bare is None:
        return CellView(mark(counts), words[0])
    return CellView(mark(counts), bare, more=None if words[0].tone is Tone.OK else words[0])


def _most_often(state: SessionState, keys: Sequence[CellKey]) -> tuple[CellKey, Count] | None:
    """Of the sampled arms of a prompt the one with the worst finding, then the highest rate; bare last."""
    found: list[tuple[tuple[int, float, bool], CellKey, Count]] = []
    for key in sorted(keys):
        count = count_of(state.board, key)
        if count is not None and count.n:
            worst = state.verdicts.worst(key)
            rank = -list(Severity).index(worst) if worst is not None else -len(Severity)
            found.append(((rank, count.k / count.n, key.arm != BARE), key, count))
    return max(found, key=lambda one: one[0])[1:] if found else None


def _bare_word(state: SessionState, key: CellKey) -> Piece | None:
    """What bare decided, or how it failed; None where it has not been run."""
    cell = state.board.cells.get(key)
    counted = state.board.tallies.get(key) if cell is None else None
    if cell is not None and cell.trials:
        outcome = cell.decision.outcome if cell.decision else None
        return _failure_word(cell) if outcome is None else ink(outcome_word(outcome), outcome_tone(outcome))
    if counted is None:
        return None
    decision = decided(counted)
    return (
        _failed_tally(counted)
        if decision is None
        else ink(outcome_word(decision[0]), outcome_tone(decision[0]))
    )


def _failed_tally(counted: CellSummary) -> Piece:
    status = status_of(counted)
    return ink(STATUS_WORDS.get(status, status), Tone.WARNING)


def short_tool(name: str) -> SafeText:
    """The last part of a tool's name: what stands before it names the server."""
    parts = [part for part in re.split(r"::|__|/|\.", name) if part]
    return visible(parts[-1] if parts else name)
