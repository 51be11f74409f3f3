"""What the engine tells: plain events, for text progress, JSON lines and the screen alike."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.cell import Cell, CellKey, Delivery
from workbench.core.trial import Trial

__all__ = [
    "AdapterBroken",
    "AdapterHalted",
    "CellFinished",
    "Event",
    "RunFinished",
    "RunStarted",
    "TrialFinished",
]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """`total` counts the trials that there are to be, at most where an adapter samples; `done` those that
    an earlier, resumed session has finished."""

    run: str
    total: int
    done: int
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True)
class TrialFinished:
    """One trial is on disk. `most`: how many the run has at most, as far as is known now.

    Where an adapter samples that number shrinks when an arm is settled, and grows when a draw has failed.
    """

    key: CellKey
    trial: Trial
    most: int | None = None


@dataclass(frozen=True, slots=True)
class CellFinished:
    """No more trials of a cell are to come. Cells of an earlier, resumed session come after `RunStarted`."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class AdapterBroken:
    """An adapter cannot be called, or no further call of it can succeed: what it lacks becomes errors."""

    adapter: str
    reason: str


@dataclass(frozen=True, slots=True)
class AdapterHalted:
    """An adapter is not called any more, though it could be: a cap. The run can be resumed."""

    adapter: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The end, also of a stopped run; not where an error is raised. `seconds` is this run's own time."""

    run: str
    seconds: float
    interrupted: bool


Event = RunStarted | AdapterBroken | AdapterHalted | TrialFinished | CellFinished | RunFinished
