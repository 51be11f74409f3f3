"""How far a run is: counts, rate and time left, from events and a clock that is handed in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.replay.events import Event


__all__ = ["Phase", "Progress"]


class Phase(StrEnum):
    """Where a run stands. `planning` also covers opening the adapters."""

    IDLE = "idle"
    PLANNING = "planning"
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    STOPPED = "stopped"
    BROKEN = "broken"


@dataclass(slots=True)
class Progress:
    """The run that goes on, or the last one. Times are seconds of a monotonic clock.

    `sampled`: some adapter samples, so that `total` is how many trials there are at most. `cost` is in
    US dollars, None where no call of it has a known price.
    """

    phase: Phase = Phase.IDLE
    total: int = 0
    done: int = 0
    failed: int = 0
    seconds: float = 0.0
    sampled: bool = False
    cost: float | None = None
    _started: float = 0.0
    _before: int = 0

    @property
    def busy(self) -> bool:
        return self.phase in (Phase.PLANNING, Phase.RUNNING, Phase.STOPPING)

    def begin(self) -> None:
        """A run was asked for."""
        self.phase = Phase.PLANNING
        self.total = self.done = self.failed = self._before = 0
        self.seconds = 0.0
        self.sampled, self.cost = False, None

    def apply(self, event: Event, now: float) -> None:
        """Take in one event that came at `now`."""
        # Late: the first frame shows no run.
        from workbench.replay.events import RunFinished, RunStarted, TrialFinished

        match event:
            case RunStarted(total=total, done=done, deliveries=deliveries):
                self.phase = Phase.RUNNING if self.phase is not Phase.STOPPING else self.phase
                self.total, self.done, self._before, self._started = total, done, done, now
                self.sampled = any(delivery.samples is not None for delivery in deliveries)
            case TrialFinished(trial=trial, most=most):
                self.done += 1
                self.total = self.total if most is None else most
                if trial.exchange is not None and trial.exchange.cost is not None:
                    self.cost = (self.cost or 0.0) + trial.exchange.cost
                self.failed += 0 if trial.ok else 1
                self.seconds = now - self._started
            case RunFinished(seconds=seconds, interrupted=interrupted):
                self.seconds = seconds
                self.phase = Phase.STOPPED if interrupted else Phase.DONE
            case _:
                pass

    def tick(self, now: float) -> None:
        """Time passes while nothing ends."""
        if self.phase in (Phase.RUNNING, Phase.STOPPING) and self.total:
            self.seconds = now - self._started

    @property
    def rate(self) -> float | None:
        """Trials a second; None before the first."""
        fresh = self.done - self._before
        return fresh / self.seconds if fresh and self.seconds > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds left at this rate; None where there is no rate yet."""
        rate = self.rate
        return (self.total - self.done) / rate if rate else None
