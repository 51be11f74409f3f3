"""Two cells side by side: everything a report or a screen shows of a difference."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.compare.calls import CallRow
from workbench.compare.rows import Row
from workbench.compare.scores import ScoreRow
from workbench.compare.window import PlacedWindow
from workbench.core.cell import Cell

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`baseline` None: there is none (a bare cell by itself). Windows None: not reported or failed.

    `window_rows` are None unless both windows are known, `scores` and `calls` likewise unless both
    sides report them; `same` says that outcome, calls and windows are all equal.
    """

    baseline: Cell | None
    variant: Cell
    baseline_window: PlacedWindow | None
    variant_window: PlacedWindow | None
    window_rows: tuple[Row, ...] | None
    scores: tuple[ScoreRow, ...] | None
    calls: tuple[CallRow, ...] | None
    same: bool


def compare(baseline: Cell | None, variant: Cell) -> Comparison:
    """The most frequent decision of each cell, compared."""
    raise NotImplementedError
