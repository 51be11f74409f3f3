"""Cells held against their baseline: bare, or what was pinned. Worked out once, and kept for a while."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import TYPE_CHECKING

from workbench.core.cell import Cell, CellKey
from workbench.core.errors import WorkbenchError
from workbench.core.text import safe
from workbench.tui.baseline import Baseline, PinnedCell
from workbench.tui.budgets import NO_BUDGETS, Budgets
from workbench.tui.keymap import key_of
from workbench.tui.view.lanes.nothing import has_exchange
from workbench.tui.view.sides import Sides, sides_of

if TYPE_CHECKING:
    from workbench.tui.state import SessionState
    from workbench.tui.view.paper import Document

__all__ = ["Comparisons"]

KEPT = 32
ACCOUNTING = "workbench.tui.view.lanes.section"
HEAVY = 60_000
"""Characters of turns and windows above which a comparison is worked out beside the screen, not in it."""


class Comparisons:
    """The comparisons that were looked at last, and what was pinned as their baseline."""

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self._kept: OrderedDict[CellKey, Document] = OrderedDict()
        self.pinned: Baseline | None = None

    def pin(self, baseline: Baseline | None) -> None:
        """Hold everything against this from now on; None: against bare again."""
        self.pinned = baseline
        self._kept.clear()
        self._state.version += 1

    def is_pinned(self, key: CellKey) -> bool:
        """Whether an answer of this cell is the baseline."""
        return isinstance(self.pinned, PinnedCell) and self.pinned.cell.key == key

    def baseline(self, key: CellKey) -> Cell | None:
        """What a cell is held against; None where it stands by itself."""
        cell = self._state.board.cells.get(key)
        if self.pinned is None or cell is None:
            return self._state.board.bare(key)
        return self.pinned.of(cell)

    def is_heavy(self, key: CellKey) -> bool:
        """Whether the comparison of a cell is better worked out in a thread."""
        sides = [side for side in (self._state.board.cells.get(key), self.baseline(key)) if side is not None]
        if ACCOUNTING not in sys.modules and any(map(has_exchange, sides)):
            return True  # what accounts for requests takes a while to import
        windows = [side.decision.window for side in sides if side.decision is not None]
        read = sum(len(window.text) for window in windows if window is not None)
        sent = sum(_sent(side) for side in sides)
        return read + sent + sum(len(side.delivery.turn.text) for side in sides) > HEAVY

    def kept(self, key: CellKey) -> Document | None:
        """The comparison of a cell if it was worked out since anything changed."""
        return self._kept.get(key)

    def made(self, key: CellKey) -> Document | None:
        """The comparison of a cell with its baseline; None where the cell has no answer. May be slow."""
        board = self._state.board
        cell = board.cells.get(key)
        if cell is None or not cell.trials:
            return None
        # Late: it brings in deepdiff, which the first frame does without.
        from workbench.tui.view.document import Keys, compare_cells
        from workbench.tui.view.rates import Judgement

        baseline, rates = self.baseline(key), self._state.rates
        pinned = self.pinned is not None and baseline is not self._state.board.bare(key)
        sent = any(side is not None and has_exchange(side) for side in (cell, baseline))
        return compare_cells(
            baseline,
            cell,
            self._state.verdicts.of_cell(key),
            stale=board.stale(key),
            mixed=self.pinned is None and board.mixed(key),
            sides=self._sides(baseline, cell),
            keys=Keys(safe(key_of(self._state, "run-cell")), safe(key_of(self._state, "fold"))),
            judgement=Judgement(rates.of(baseline), rates.of(cell), pinned),
            budgets=self._budgets() if sent else NO_BUDGETS,
        )

    def _budgets(self) -> Budgets:
        lanes = self._state.session.lanes
        if lanes is None:
            return NO_BUDGETS
        try:
            return Budgets(lanes())
        except WorkbenchError as error:
            return Budgets(problem=str(error.problems[0]))

    def _sides(self, baseline: Cell | None, cell: Cell) -> Sides:
        board, pin, key = self._state.board, self.pinned, cell.key
        info = board.adapters.get(key.adapter)
        before = baseline.key if baseline is not None else None
        if pin is None:
            return sides_of(before, key, (info, info))
        lacking = "" if baseline is not None else pin.lacking(cell)
        return sides_of(
            before, key, pin.infos(info), pin.when(board.cells), pin.findings(key), lacking=lacking
        )

    def keep(self, key: CellKey, document: Document) -> None:
        """Remember a comparison, unless the cell has a new answer by now, or another baseline."""
        if document.cell is not self._state.board.cells.get(key):
            return
        if document.tabs and document.baseline is not self.baseline(key):
            return
        self._kept[key] = document
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def forget(self, scenario: str | None = None, prompt: str | None = None) -> None:
        """Let go of the comparisons of a prompt, of a scenario, or of everything."""
        pinned = self.pinned.cell.key if isinstance(self.pinned, PinnedCell) else None
        of_pinned = pinned is not None and pinned.scenario == scenario and prompt in (None, pinned.prompt)
        if scenario is None or of_pinned:
            # A pinned cell stands on one side of every comparison.
            self._kept.clear()
            return
        for key in [k for k in self._kept if k.scenario == scenario and prompt in (None, k.prompt)]:
            del self._kept[key]


def _sent(cell: Cell) -> int:
    """Characters that went over the wire for a trial, one like the other."""
    exchange = next((trial.exchange for trial in cell.trials if trial.exchange is not None), None)
    return len(exchange.sent) + len(exchange.received or "") if exchange is not None else 0
