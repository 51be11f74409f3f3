"""Findings and cells of every prompt, counted when they are asked for, and kept until something changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.cell import CellKey
from workbench.tui.tallies import answered
from workbench.tui.verdicts import Counts

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["Counted"]


class Counted:
    """Counts of prompts and scenarios. What changes them is told by `forget`."""

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self._known: dict[tuple[str, str | None], Counts] = {}

    def of(self, scenario: str, prompt: str | None) -> Counts:
        """Findings and cells of a prompt, or of a whole scenario."""
        key = (scenario, prompt)
        if key not in self._known:
            whole = prompt is None
            self._known[key] = self._scenario(scenario) if whole else self._prompt(scenario, prompt or "")
        return self._known[key]

    def forget(self, scenario: str | None = None, prompt: str | None = None) -> None:
        """A prompt changed, a whole scenario, or anything."""
        if scenario is None:
            self._known.clear()
        elif prompt is not None:
            self._known.pop((scenario, prompt), None)
            self._known.pop((scenario, None), None)
        else:
            for key in [key for key in self._known if key[0] == scenario]:
                del self._known[key]

    def _scenario(self, scenario: str) -> Counts:
        state = self._state
        if state.is_sketch and not state.prompts(scenario):
            return Counts(unread=1)
        cells = sum((self.of(scenario, prompt.label) for prompt in state.prompts(scenario)), Counts())
        found = state.verdicts.count(state.verdicts.of_scenario(scenario))
        return replace(cells, errors=found.errors, warnings=found.warnings)

    def _prompt(self, scenario: str, prompt: str) -> Counts:
        state = self._state
        cells = self.cells(state.board.keys(scenario, prompt))
        if (cells.ok or cells.failed) and state.stored.is_unread(scenario, prompt):
            cells = replace(cells, unread=cells.ok + cells.failed)
        elif not cells.cells and state.stored.is_uncounted(scenario):
            cells = Counts(unread=1)
        return cells + state.verdicts.count(state.verdicts.of_prompt(scenario, prompt))

    def cells(self, keys: Iterable[CellKey]) -> Counts:
        """Cells by what is known of them, without a look into their decisions."""
        board = self._state.board
        ok = failed = running = not_run = unjudged = 0
        for key in keys:
            cell = board.cells.get(key)
            unjudged += key in board.unjudged and not board.is_running(key)
            if board.is_running(key):
                running += 1
            elif key in board.tallies:
                counted = bool(answered(board.tallies[key]))
                ok, failed = ok + counted, failed + (not counted)
            elif cell is None or not cell.trials:
                not_run += 1
            elif cell.ok:
                ok += 1
            else:
                failed += 1
        return Counts(ok=ok, failed=failed, not_run=not_run, running=running, unjudged=unjudged)
