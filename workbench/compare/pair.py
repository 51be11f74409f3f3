"""Two cells side by side: everything a report or a screen shows of a difference."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.compare.calls import CallRow, call_rows
from workbench.compare.rows import Row
from workbench.compare.scores import ScoreRow, score_rows
from workbench.compare.window import PlacedWindow, place
from workbench.core.cell import Cell

__all__ = ["Comparison", "compare", "window_of", "windows_of"]


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


def windows_of(cell: Cell) -> tuple[PlacedWindow, ...] | None:
    """Every window of the cell's decision, placed in its turn; None if not reported or failed."""
    decision = cell.decision
    if decision is None or decision.windows is None:
        return None
    return tuple(place(window, cell.delivery.turn, cell.delivery.typed) for window in decision.windows)


def window_of(cell: Cell) -> PlacedWindow | None:
    """The window of the call that decided, placed; None if not reported or failed."""
    windows = windows_of(cell)
    return windows[-1] if windows else None


def compare(baseline: Cell | None, variant: Cell) -> Comparison:
    """The most frequent decision of each cell, compared."""
    from workbench.compare.align import align

    ours = baseline.decision if baseline else None
    theirs = variant.decision
    left = window_of(baseline) if baseline else None
    right = window_of(variant)
    both = ours is not None and theirs is not None
    return Comparison(
        baseline=baseline,
        variant=variant,
        baseline_window=left,
        variant_window=right,
        window_rows=align(left.text, right.text) if left and right else None,
        scores=(
            score_rows(ours.scores, theirs.scores)
            if ours and theirs and ours.scores is not None and theirs.scores is not None
            else None
        ),
        calls=call_rows(ours.calls, theirs.calls) if ours and theirs else None,
        same=both
        and ours is not None
        and theirs is not None
        and ours.identity() == theirs.identity()
        and (left.text if left else None) == (right.text if right else None),
    )
