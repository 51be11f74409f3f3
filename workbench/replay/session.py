"""One session of a run: what is called, kept and told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import Cell, CellKey, Run
from workbench.core.trial import Status, Trial
from workbench.replay.calling import GRACE, call, timed_out, trial_of
from workbench.replay.events import AdapterBroken, CellFinished, Event, RunStarted, TrialFinished
from workbench.replay.executor import Executor, Limit
from workbench.replay.plan import Plan, PlannedTrial
from workbench.store.codec import UnstorableError
from workbench.store.recording import Recording

__all__ = ["OnEvent", "Session"]

OnEvent = Callable[[Event], None]


class Session:
    """Calls what is missing of a plan. Starts with the trials that earlier sessions left in `recording`."""

    def __init__(self, plan: Plan, executor: Executor, recording: Recording, on_event: OnEvent) -> None:
        self._plan = plan
        self._executor = executor
        self._recording = recording
        self._tell = on_event
        self._deliveries = {delivery.key: delivery for delivery in plan.deliveries}
        self._trials = {
            delivery.key: list(recording.done.get(delivery.key, ())) for delivery in plan.deliveries
        }
        self._done = sum(len(trials) for trials in self._trials.values())
        self._calls: set[asyncio.Task[Answer]] = set()
        self._stopping = False

    @property
    def complete(self) -> bool:
        """Whether every trial of the plan is stored."""
        return self._done == self._plan.total

    def start(self, broken: Mapping[str, str]) -> None:
        """Tells what there is before the first call."""
        deliveries = self._plan.deliveries
        self._tell(RunStarted(self._recording.run, self._plan.total, self._done, deliveries))
        for adapter, reason in broken.items():
            self._tell(AdapterBroken(adapter, reason))
        for key in self._recording.done:
            self._tell_if_whole(key)

    async def run(self, missing: Mapping[str, Sequence[PlannedTrial]], stop: asyncio.Event) -> None:
        """Makes the missing calls, until `stop`. Raises what the store or a listener raises."""
        slots = list(self._slots(missing, stop))
        ended = asyncio.gather(*slots)
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                self._cancel_calls()
                await asyncio.wait((ended,), timeout=GRACE)
            if ended.done():
                ended.result()
        finally:
            stopped.cancel()
            self._cancel_calls()
            for slot in slots:
                slot.cancel()
            left: list[asyncio.Future[Any]] = [ended, *slots, *self._calls]
            await asyncio.wait(left, timeout=GRACE)

    def result(self, seconds: float) -> Run:
        """The whole run: every cell, with the trials it has."""
        cells = tuple(self._cell(delivery.key) for delivery in self._plan.deliveries)
        return Run(
            id=self._recording.run,
            started=self._recording.started,
            seconds=seconds,
            adapters=self._plan.adapters,
            cells=cells,
            arguments=self._plan.arguments,
            whole=self._plan.whole,
            interrupted=not self.complete,
            accept=self._plan.accept,
        )

    def _slots(
        self, missing: Mapping[str, Sequence[PlannedTrial]], stop: asyncio.Event
    ) -> Iterator[asyncio.Task[None]]:
        """As many as an adapter takes calls at once; those of one adapter draw on one line."""
        for adapter, order in missing.items():
            limit, line = self._executor.limit(adapter), iter(order)
            for _ in range(min(limit.concurrency, len(order))):
                yield asyncio.create_task(self._slot(line, limit, stop))

    async def _slot(self, line: Iterator[PlannedTrial], limit: Limit, stop: asyncio.Event) -> None:
        for planned in line:
            if self._stopping or stop.is_set():
                return
            await self._try(planned, limit)

    async def _try(self, planned: PlannedTrial, limit: Limit) -> None:
        turn = self._deliveries[planned.key].turn
        request = Request(turn, attempt=planned.index + 1, seed=planned.seed)
        began = perf_counter()
        task = asyncio.create_task(call(self._executor, planned.key.adapter, request))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        await asyncio.wait((task,), timeout=limit.timeout + GRACE)
        seconds = perf_counter() - began
        if not task.done():
            answer = await timed_out(task, limit.timeout)
        elif task.cancelling():  # by a stop: it never ended
            return
        elif task.cancelled():
            answer = Answer(Status.ERROR, error="the adapter cancelled its own call")
        else:
            answer = task.result()
        self._keep(planned.key, trial_of(answer, planned.index, planned.seed, seconds))

    def _keep(self, key: CellKey, trial: Trial) -> None:
        """Stored first, then counted, then told."""
        try:
            self._recording.add(key, trial)
        except UnstorableError as error:
            reason = f"the adapter's answer cannot be kept: {error}"
            answer = Answer(Status.ERROR, error=reason)
            trial = trial_of(answer, trial.index, trial.seed, trial.seconds)
            self._recording.add(key, trial)
        self._trials[key].append(trial)
        self._done += 1
        self._tell(TrialFinished(key, trial))
        self._tell_if_whole(key)

    def _tell_if_whole(self, key: CellKey) -> None:
        if len(self._trials[key]) == self._plan.repeats[key]:
            self._tell(CellFinished(self._cell(key)))

    def _cell(self, key: CellKey) -> Cell:
        trials = sorted(self._trials[key], key=lambda trial: trial.index)
        return Cell(self._deliveries[key], tuple(trials))

    def _cancel_calls(self) -> None:
        """From here on no call starts either."""
        self._stopping = True
        for task in tuple(self._calls):
            task.cancel()
