"""What the engine tells: plain events, for text progress, JSON lines and the screen alike."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.cell import Cell, CellKey, Delivery
from workbench.core.trial import Trial

__all__ = ["AdapterBroken", "CellFinished", "Event", "RunFinished", "RunStarted", "TrialFinished"]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """`total` counts all trials of the plan, `done` those that an earlier, resumed run has finished."""

    run: str
    total: int
    done: int
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True)
class TrialFinished:
    """One trial is on disk."""

    key: CellKey
    trial: Trial


@dataclass(frozen=True, slots=True)
class CellFinished:
    """All trials of a cell are on disk. Cells of an earlier, resumed session come after `RunStarted`."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class AdapterBroken:
    """An adapter cannot be called, through no fault of its settings: each of its trials is an error."""

    adapter: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The end, also of a stopped run; not where an error is raised. `seconds` is this run's own time."""

    run: str
    seconds: float
    interrupted: bool


Event = RunStarted | AdapterBroken | TrialFinished | CellFinished | RunFinished
