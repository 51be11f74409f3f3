"""The calls of an explanation: bounded in time, number and money, stopped at will, and counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import CellKey
from workbench.core.decision import Decision
from workbench.core.trial import Status
from workbench.core.turn import Turn
from workbench.explain.papers import Papers
from workbench.explain.smallest import OutOfCalls
from workbench.replay.calling import GRACE, call, timed_out
from workbench.replay.executor import Executor
from workbench.replay.identity import seed_of
from workbench.replay.policies import Policy

__all__ = ["Asker", "Given", "NoAnswer", "Stopped"]

_PATIENCE = 8
_PATIENCE_SAMPLED = 16
"""Calls that may fail, one after another: then none will be answered."""

_HOUR = 3600.0


class Stopped(Exception):
    """The person has had enough."""


class NoAnswer(Exception):
    """The adapter does not answer; its reason is the message."""


@dataclass(frozen=True, slots=True)
class Given:
    """What came of a question. `decision` None: no answer, and `error` says why; `late`: it took too long."""

    decision: Decision | None
    error: str | None = None
    late: bool = False


class Asker:
    """Makes calls of one adapter, at most `most` of them. `told` hears of every one that has ended."""

    def __init__(
        self,
        executor: Executor,
        key: CellKey,
        papers: Papers,
        most: int,
        stop: asyncio.Event | None = None,
        told: Callable[[], None] = lambda: None,
        policy: Policy | None = None,
        samples: bool = False,
    ) -> None:
        """`policy` stands before the adapter. `samples`: a failed call tells nothing of others."""
        self._patience = _PATIENCE_SAMPLED if samples else _PATIENCE
        self._policy = policy
        self._executor = executor
        self._key = key
        self._papers = papers
        self._stop = stop or asyncio.Event()
        self._told = told
        self._limit = executor.limit(key.adapter)
        self._in_a_row = 0
        self._cost = self._dearest = 0.0
        self.most = most
        self.calls = 0
        self.failed = 0
        self.why_out = f"the {most:,} calls allowed are used up"
        caps = self._limit.max_calls
        if caps is not None and caps < most:
            self.most, self.why_out = caps, f"max_calls {caps:,} of the adapter is reached"

    @property
    def left(self) -> int:
        """How many calls may still be made."""
        return max(0, self.most - self.calls)

    @property
    def together(self) -> int:
        """How many calls the adapter takes at once."""
        return self._limit.concurrency

    async def ask(self, turn: Turn, arm: str, attempt: int = 1) -> Given:
        """One call. Raises OutOfCalls, Stopped, or NoAnswer where no further call can do better."""
        self._require_a_call()
        self.calls += 1
        seed = seed_of(self._key, self.calls)
        answer = await self._bounded(Request(self._papers.laid_out(turn), attempt, seed, arm))
        if not answer.made:
            self.calls -= 1
            self.most, self.why_out = self.calls, answer.error or "the adapter takes no further call"
            raise OutOfCalls
        self._pay(answer)
        self._told()
        if answer.status is Status.OK and answer.decision is not None:
            self._in_a_row = 0
            return Given(answer.decision)
        self.failed += 1
        self._in_a_row += 1
        reason = answer.error or f"it answered `{answer.status}`"
        if answer.fatal or self._in_a_row >= self._patience:
            raise NoAnswer(reason)
        return Given(None, reason, answer.status is Status.TIMEOUT)

    def _require_a_call(self) -> None:
        if self._stop.is_set():
            raise Stopped
        if self.calls >= self.most:
            raise OutOfCalls
        budget = self._limit.max_cost
        if budget is not None and (self._cost >= budget or self._cost + self._dearest > budget):
            self.most = self.calls
            self.why_out = f"max_cost ${budget:g} of the adapter is reached"
            raise OutOfCalls

    def _pay(self, answer: Answer) -> None:
        cost = answer.exchange.cost if answer.exchange is not None else None
        if cost is not None:
            self._cost += cost
            self._dearest = max(self._dearest, cost)

    async def _bounded(self, request: Request) -> Answer:
        """The answer, or that there was none in time. Raises Stopped in the middle of a call too."""
        limit = self._limit
        within = max(_HOUR, limit.timeout) if limit.bounds_itself else limit.timeout
        task = asyncio.create_task(call(self._executor, self._key.adapter, request, self._policy))
        stopped = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait((task, stopped), timeout=within + GRACE, return_when=asyncio.FIRST_COMPLETED)
            if task.done() and not task.cancelled():
                return task.result()
            if self._stop.is_set():
                raise Stopped
            if task.cancelled():
                return Answer(Status.ERROR, error="the adapter cancelled its own call")
            return await timed_out(task, within)
        finally:
            stopped.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=GRACE)
