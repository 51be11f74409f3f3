"""One session of a run: what is called, kept and told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import Cell, CellKey, Run
from workbench.core.trial import Status, Trial
from workbench.replay.batches import Batches
from workbench.replay.calling import GRACE, call, timed_out, trial_of
from workbench.replay.events import (
    AdapterBroken,
    AdapterHalted,
    CellFinished,
    Event,
    RunStarted,
    TrialFinished,
)
from workbench.replay.executor import Executor
from workbench.replay.line import Line
from workbench.replay.plan import Plan
from workbench.replay.schedule import PlannedTrial, Schedule
from workbench.store.codec import UnstorableError
from workbench.store.recording import Recording

__all__ = ["OnEvent", "Session"]

OnEvent = Callable[[Event], None]


_HOUR = 3600.0
"""Seconds after which a call counts as lost although its adapter keeps to a time of its own."""


class _Answered(NamedTuple):
    line: Line
    planned: PlannedTrial
    answer: Answer
    seconds: float


class Session:
    """Calls what is missing of a plan. Starts with the trials that earlier sessions left in `recording`."""

    def __init__(
        self,
        plan: Plan,
        schedules: Mapping[str, Schedule],
        executor: Executor,
        recording: Recording,
        on_event: OnEvent,
    ) -> None:
        self._plan = plan
        self._executor = executor
        self._recording = recording
        self._tell = on_event
        self._deliveries = {delivery.key: delivery for delivery in plan.deliveries}
        self._trials = {
            delivery.key: list(recording.done.get(delivery.key, ())) for delivery in plan.deliveries
        }
        self._done = sum(len(trials) for trials in self._trials.values())
        self._lines = {name: self._line(name, schedule) for name, schedule in schedules.items()}
        self._calls: set[asyncio.Task[Answer]] = set()
        self._answers = Batches(self._take)
        self._stopping = False

    @property
    def complete(self) -> bool:
        """Whether every trial that is wanted is stored."""
        return not any(line.left or line.halted for line in self._lines.values())

    @property
    def interrupted(self) -> bool:
        """Whether trials are lacking of an adapter that is still good for them."""
        return any(line.left for line in self._lines.values())

    @property
    def halted(self) -> Mapping[str, str]:
        """By adapter, why it was not called to the end; nothing where the run was interrupted anyway."""
        halted = {name: line.halted for name, line in self._lines.items() if line.halted is not None}
        return {} if self.interrupted else halted

    def start(self, broken: Mapping[str, str]) -> None:
        """Tells what there is before the first call."""
        self._tell(RunStarted(self._recording.run, self._most, self._done, self._plan.deliveries))
        for adapter, reason in broken.items():
            self._tell(AdapterBroken(adapter, reason))
        for line in self._lines.values():
            self._tell_whole(line.whole())
        for adapter, reason in broken.items():
            if self._lines[adapter].samples:  # each of its draws would only fail
                self._give_up(self._lines[adapter], reason)

    async def run(self, stop: asyncio.Event) -> None:
        """Makes the missing calls, until `stop`. Raises what the store or a listener raises."""
        slots = list(self._slots(stop))
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
            self._answers.flush()

    def result(self, seconds: float) -> Run:
        """The whole run: every cell, with the trials it has."""
        cells = tuple(self._cell(delivery.key) for delivery in self._plan.deliveries)
        return Run(
            id=self._recording.run,
            started=self._recording.started,
            seconds=seconds,
            adapters=self._recording.adapters,
            cells=cells,
            arguments=self._plan.arguments,
            whole=self._plan.whole,
            interrupted=self.interrupted,
            accept=self._plan.accept,
            halted=self.halted,
        )

    @property
    def _most(self) -> int:
        return self._done + sum(line.left for line in self._lines.values())

    def _line(self, adapter: str, schedule: Schedule) -> Line:
        samples, before = False, list[Trial]()
        for key, trials in self._trials.items():
            if key.adapter == adapter:
                samples = samples or self._deliveries[key].samples is not None
                before += trials
        return Line(adapter, schedule, self._executor.limit(adapter), samples, before)

    def _slots(self, stop: asyncio.Event) -> Iterator[asyncio.Task[None]]:
        """As many as an adapter takes calls at once; those of one adapter draw on one line."""
        for line in self._lines.values():
            for _ in range(min(line.limit.concurrency, line.left)):
                yield asyncio.create_task(self._slot(line, stop))

    async def _slot(self, line: Line, stop: asyncio.Event) -> None:
        while not (self._stopping or stop.is_set()):
            halted = line.halted
            planned = line.next()
            if planned is not None:
                await self._try(line, planned)
                continue
            if line.halted is not None and halted is None:
                self._tell(AdapterHalted(line.adapter, line.halted))
            if line.exhausted:
                line.wake()
                return
            await line.news()

    async def _try(self, line: Line, planned: PlannedTrial) -> None:
        key, limit = planned.key, line.limit
        request = Request(self._deliveries[key].turn, planned.index + 1, planned.seed, key.arm)
        began = perf_counter()
        policy = self._plan.policies.get(self._deliveries[key].policy or "")
        task = asyncio.create_task(call(self._executor, key.adapter, request, policy))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        within = max(_HOUR, limit.timeout) if limit.bounds_itself else limit.timeout
        await asyncio.wait((task,), timeout=within + GRACE)
        seconds = perf_counter() - began
        if not task.done():
            answer = await timed_out(task, within)
        elif task.cancelling():  # by a stop: it never ended
            return
        elif task.cancelled():
            answer = Answer(Status.ERROR, error="the adapter cancelled its own call")
        else:
            answer = task.result()
        await self._answers.put(_Answered(line, planned, answer, seconds))

    def _take(self, answered: Sequence[_Answered]) -> None:
        """Stored first, all in one, then counted, then told; and then what follows from each."""
        made = [one for one in answered if one.answer.made]
        trials = [trial_of(one.answer, one.planned.index, one.planned.seed, one.seconds) for one in made]
        self._keep([one.line for one in made], [one.planned.key for one in made], trials)
        for line, planned, answer, _ in answered:
            reason = answer.error or "no further call of it can succeed"
            if not answer.made:
                line.drop()
                if line.halted is None:
                    line.halt(reason)
                    self._tell(AdapterHalted(line.adapter, reason))
            elif answer.fatal and not line.ended:
                self._tell(AdapterBroken(planned.key.adapter, reason))
                self._give_up(line, reason)

    def _give_up(self, line: Line, reason: str) -> None:
        """What an adapter lacks that cannot be called any more: one error a cell, with the reason."""
        lacking = line.give_up(reason)
        answer = Answer(Status.ERROR, error=reason)
        trials = [trial_of(answer, planned.index, planned.seed, 0.0) for planned in lacking]
        self._keep([line] * len(lacking), [planned.key for planned in lacking], trials)

    def _keep(self, lines: Sequence[Line], keys: Sequence[CellKey], trials: Sequence[Trial]) -> None:
        try:
            self._recording.add_all(list(zip(keys, trials, strict=True)))
        except UnstorableError:
            trials = [self._kept(key, trial) for key, trial in zip(keys, trials, strict=True)]
        for line, key, trial in zip(lines, keys, trials, strict=True):
            self._trials[key].append(trial)
            self._done += 1
            whole = line.take(key, trial)
            self._tell(TrialFinished(key, trial, self._most))
            self._tell_whole(whole)

    def _kept(self, key: CellKey, trial: Trial) -> Trial:
        """One trial by itself; where it cannot be stored, what says so."""
        try:
            self._recording.add(key, trial)
        except UnstorableError as error:
            reason = f"the adapter's answer cannot be kept: {error}"
            answer = Answer(Status.ERROR, error=reason)
            trial = trial_of(answer, trial.index, trial.seed, trial.seconds)
            self._recording.add(key, trial)
        return trial

    def _tell_whole(self, keys: Sequence[CellKey]) -> None:
        for key in keys:
            self._tell(CellFinished(self._cell(key)))

    def _cell(self, key: CellKey) -> Cell:
        trials = sorted(self._trials[key], key=lambda trial: trial.index)
        return Cell(self._deliveries[key], tuple(trials))

    def _cancel_calls(self) -> None:
        """From here on no call starts either."""
        self._stopping = True
        for line in self._lines.values():
            line.wake()
        for task in tuple(self._calls):
            task.cancel()
