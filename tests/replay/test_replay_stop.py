"""A run is stopped, cancelled and gone on with: what is done is kept, and done once."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from replay_parts import Scripted, passing, plan_for, run_plan

from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import Run
from workbench.core.trial import Status, Trial
from workbench.replay.engine import as_new_run, replay
from workbench.replay.events import (
    CellFinished,
    Event,
    RunFinished,
    RunStarted,
    TrialFinished,
)
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan
from workbench.store.recording import Recording
from workbench.store.store import Store


async def stopped(
    plan: Plan, store: Store, adapter: Scripted, after: int, recording: Recording | None = None
) -> tuple[Run, list[Event]]:
    """A run that is stopped after so many trials of its own."""
    stop, events = asyncio.Event(), list[Event]()

    def listen(event: Event) -> None:
        events.append(event)
        if sum(isinstance(event, TrialFinished) for event in events) >= after:
            stop.set()

    async with LocalExecutor({"router": adapter}) as executor:
        return await replay(plan, executor, store, listen, stop, recording), events


async def test_stop_keeps_what_is_done_and_starts_nothing(store: Store) -> None:
    cancelled: list[Request] = []

    async def third_hangs(request: Request) -> Answer:
        if len(adapter.requests) > 3:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(request)
                raise
        return passing()

    adapter = Scripted(third_hangs, concurrency=2)
    plan = plan_for(adapter, prompts=5)
    run, events = await asyncio.wait_for(stopped(plan, store, adapter, after=3), 5)
    assert run.interrupted
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert last.interrupted
    assert sum(len(cell.trials) for cell in run.cells) == 3
    assert len(adapter.requests) - len(cancelled) == 3
    assert store.load(run.id) == run
    assert len(run.cells) == len(plan.deliveries)
    assert adapter.closed == 1
    assert not store.runs()[0].finished


async def test_stop_before_the_start(store: Store) -> None:
    adapter, stop = Scripted(), asyncio.Event()
    stop.set()
    run, events = await run_plan(plan_for(adapter), store, adapter, stop=stop)
    assert run.interrupted
    assert adapter.requests == []
    assert [type(event) for event in events] == [RunStarted, RunFinished]
    assert store.resume(as_new_run(plan_for(adapter))) is not None


async def test_stop_while_an_adapter_is_made_ready(store: Store) -> None:
    opening, stop = asyncio.Event(), asyncio.Event()

    class Slow(Scripted):
        async def open(self) -> None:
            opening.set()
            await asyncio.sleep(60)

    async def stop_it() -> None:
        await opening.wait()
        stop.set()

    adapter = Slow()
    (run, _), _ = await asyncio.gather(run_plan(plan_for(adapter), store, adapter, stop=stop), stop_it())
    assert run.interrupted
    assert adapter.closed == 1


async def test_stop_after_the_last_trial_is_no_interruption(store: Store) -> None:
    adapter = Scripted()
    plan = plan_for(adapter)
    run, _ = await stopped(plan, store, adapter, after=plan.total)
    assert not run.interrupted
    assert store.runs()[0].finished


async def test_resuming_runs_the_rest_and_reports_the_whole(store: Store) -> None:
    first = Scripted()
    plan = plan_for(first, prompts=5)
    run, _ = await stopped(plan, store, first, after=13)
    before = {(cell.key, trial.index): trial for cell in run.cells for trial in cell.trials}
    assert len(before) == 13

    second = Scripted(concurrency=3)
    recording = store.resume(as_new_run(plan))
    assert recording is not None
    whole, events = await run_plan(plan, store, second, recording=recording)
    assert whole.id == run.id
    assert whole.started == run.started
    assert whole.seconds > run.seconds
    assert not whole.interrupted
    assert len(second.requests) == 20 - 13
    after = {(cell.key, trial.index): trial for cell in whole.cells for trial in cell.trials}
    assert len(after) == 20
    assert before.items() <= after.items()
    assert store.load(run.id) == whole
    assert events[0] == RunStarted(run.id, 20, 13, plan.deliveries)
    cells = Counter(event.cell.key for event in events if isinstance(event, CellFinished))
    assert cells == Counter(dict.fromkeys((delivery.key for delivery in plan.deliveries), 1))
    assert store.resume(as_new_run(plan)) is None


async def test_resuming_again_and_again(store: Store) -> None:
    plan, calls, recording = plan_for(Scripted(), prompts=10), 0, None
    for _ in range(8):
        adapter = Scripted()
        _, _ = await stopped(plan, store, adapter, after=5, recording=recording)
        calls += len(adapter.requests)
        recording = store.resume(as_new_run(plan))
        if recording is None:
            break
    (summary,) = store.runs()
    assert summary.finished
    assert sum(len(cell.trials) for cell in store.load(summary.id).cells) == 40
    assert calls == 40


async def test_a_run_that_lacks_only_its_end_is_ended_without_a_call(store: Store) -> None:
    adapter = Scripted()
    plan = plan_for(adapter)
    recording = store.begin(as_new_run(plan))
    for trial in plan.order["router"]:
        recording.add(trial.key, Trial(trial.index, Status.ERROR, error="x"))
    recording.finish(1.0, complete=False)
    again = store.resume(as_new_run(plan))
    run, _ = await run_plan(plan, store, adapter, recording=again)
    assert not run.interrupted
    assert adapter.opened == 0


async def test_a_cancelled_run_stays_resumable(store: Store) -> None:
    started = asyncio.Event()

    async def hangs(request: Request) -> Answer:
        if len(adapter.requests) > 2:
            started.set()
            await asyncio.sleep(60)
        return passing()

    adapter, events = Scripted(hangs), list[Event]()
    plan = plan_for(adapter)

    async def whole() -> None:
        async with LocalExecutor({"router": adapter}) as executor:
            await replay(plan, executor, store, events.append)

    task = asyncio.create_task(whole())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert adapter.running == 0
    assert adapter.closed == 1
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert last.interrupted
    recording = store.resume(as_new_run(plan))
    assert recording is not None
    assert sum(len(trials) for trials in recording.done.values()) == 2
