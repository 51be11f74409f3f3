"""Why decisions moved, as far as it was asked: the search that goes on, and what came of earlier ones."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.cell import Cell, CellKey
    from workbench.core.errors import Problem
    from workbench.explain.explanation import Explanation, Progress
    from workbench.tui.state import SessionState

__all__ = ["Explanations"]

KEPT = 32


class Explanations:
    """One search at a time. What came of it is kept until its cell is run again.

    `newest` is the cell of the last search that ended, `problem` why it could not be made.
    """

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self._kept: OrderedDict[CellKey, tuple[Cell | None, Explanation]] = OrderedDict()
        self.going: CellKey | None = None
        self.progress: Progress | None = None
        self.stopping = False
        self.newest: CellKey | None = None
        self.problem: Problem | None = None

    def of(self, key: CellKey) -> Explanation | None:
        """What is known of a cell, as long as its answer is the one that was explained."""
        cell, found = self._kept.get(key, (None, None))
        return found if found is not None and cell is self._state.board.cells.get(key) else None

    def begin(self, key: CellKey) -> None:
        """A search was asked for."""
        self.going, self.progress, self.stopping = key, None, False
        self.newest = self.problem = None

    def told(self, progress: Progress) -> None:
        """How far it is."""
        self.progress = progress

    def ended(self, key: CellKey, cell: Cell | None, found: Explanation) -> None:
        """It came to an end. `cell` is the answer that it was asked for."""
        self._over()
        self.newest = key
        self._kept[key] = (cell, found)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def failed(self, problem: Problem | None) -> None:
        """It could not be made; None: it was given up."""
        self._over()
        self.problem = problem

    def _over(self) -> None:
        self.going = self.progress = None
        self.stopping = False
