"""The line of calls of one adapter: what is next, within its caps, and when it ends before its time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from workbench.core.cell import CellKey
from workbench.core.trial import Trial
from workbench.replay.executor import Limit
from workbench.replay.schedule import PlannedTrial, Schedule

__all__ = ["Line"]


class Line:
    """Draws of one schedule for as many slots as take them.

    `halted`: why no draw is given any more although some are wanted, and the run can be resumed. `before`
    are the trials of earlier sessions: they count towards the caps.
    """

    def __init__(
        self, adapter: str, schedule: Schedule, limit: Limit, samples: bool, before: Iterable[Trial] = ()
    ) -> None:
        self.adapter = adapter
        self.limit = limit
        self.samples = samples
        self.halted: str | None = None
        self._schedule = schedule
        self.ended = False
        self._flying = 0
        self._proven = not limit.bounds_itself
        self._calls, self._cost, self._dearest = 0, 0.0, 0.0
        self._news = asyncio.Event()
        for trial in before:
            self._calls += trial.ok or trial.seconds > 0  # else it stands for a call that was given up
            self._pay(trial)

    @property
    def left(self) -> int:
        """How many results are still to come at most."""
        return self._flying if self.ended else self._schedule.left

    @property
    def exhausted(self) -> bool:
        """Asked after `next` had nothing: whether it never will have."""
        return not self._flying

    def whole(self) -> Sequence[CellKey]:
        """The cells of which nothing is to come, asked before the first draw."""
        return self._schedule.whole()

    def next(self) -> PlannedTrial | None:
        """The next call to make; None where there is none, at least not before a result comes in.

        The first call is made alone where calls are many at once and far away: what is wrong with all of
        them is then found out by one.
        """
        if self.ended or (self._flying and not self._proven):
            return None
        planned = self._schedule.next()
        if planned is None:
            return None
        reason = self._capped()
        if reason is not None:
            self._schedule.put_back(planned)
            if not self._flying:  # else what is under way may settle it
                self.halt(reason)
            return None
        self._calls += 1
        self._flying += 1
        return planned

    def take(self, key: CellKey, trial: Trial) -> Sequence[CellKey]:
        """A call has ended with a trial. Returns the cells of which no more is to come."""
        self.drop()
        self._proven = True
        self._pay(trial)
        return self._schedule.take(key, trial)

    def drop(self) -> None:
        """A call has ended; without a trial, if `take` does not follow."""
        self._flying -= 1
        self._news.set()

    def halt(self, reason: str) -> None:
        """No further call. What is lacking stays so, for a session that resumes the run."""
        self.halted = reason
        self.ended = True
        self._news.set()

    def give_up(self, reason: str) -> Sequence[PlannedTrial]:
        """No further call, for none can succeed. Returns one draw for each cell that lacks some, to be
        taken as failed. Only sampling goes on after that: a failed draw is drawn again.
        """
        lacking = self._schedule.close()
        if self.samples:
            self.halted = reason
        self.ended = True
        self._flying += len(lacking)
        self._news.set()
        return lacking

    async def news(self) -> None:
        """Waits until a call has ended, or the line."""
        self._news.clear()
        await self._news.wait()

    def wake(self) -> None:
        """Lets all that wait look again."""
        self._news.set()

    def _pay(self, trial: Trial) -> None:
        cost = trial.exchange.cost if trial.exchange is not None else None
        if cost is not None:
            self._cost += cost
            self._dearest = max(self._dearest, cost)

    def _capped(self) -> str | None:
        """Why one more call would be too many; those under way are taken to cost what the dearest did."""
        most, budget = self.limit.max_calls, self.limit.max_cost
        if most is not None and self._calls >= most:
            return f"max_calls {most:,} is reached"
        if budget is None:
            return None
        expected = self._cost + (self._flying + 1) * self._dearest
        if expected > budget or self._cost >= budget:
            return (
                f"max_cost ${budget:g} is reached: ${self._cost:.4f} is spent, and a call takes up to"
                f" ${self._dearest:.4f}"
            )
        return None
