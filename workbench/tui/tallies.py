"""What is known of a cell whose answers are stored and only counted yet."""

from __future__ import annotations

from workbench.core.decision import Outcome
from workbench.store.records import CellSummary, Tally

__all__ = ["answered", "decided", "failed", "status_of"]

Decided = tuple[Outcome, tuple[str, ...]]
"""An outcome and the tools that were called or declined."""


def _ok(cell: CellSummary) -> list[Tally]:
    return [tally for tally in cell.tallies if tally.outcome is not None]


def answered(cell: CellSummary) -> int:
    """How many trials have a decision."""
    return sum(tally.count for tally in _ok(cell))


def failed(cell: CellSummary) -> int:
    """How many trials have none."""
    return cell.trials - answered(cell)


def decided(cell: CellSummary) -> Decided | None:
    """The most frequent outcome with its tools (ties: the first); None where every trial failed."""
    ok = _ok(cell)
    if not ok:
        return None
    most = max(ok, key=lambda tally: tally.count)
    return most.outcome or Outcome.PASS, most.tools


def status_of(cell: CellSummary) -> str:
    """The most frequent status of its trials."""
    return max(cell.statuses, key=lambda name: cell.statuses[name])
