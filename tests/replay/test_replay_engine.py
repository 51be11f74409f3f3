"""A plan is run: in order, within limits, whatever the guests do, each trial stored before it counts."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from itertools import pairwise

import pytest
from replay_parts import Scripted, at_once, passing, plan_for, run_plan

from workbench.adapters.protocol import Answer, Request
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.trial import Trial
from workbench.replay.engine import as_new_run, replay
from workbench.replay.events import (
    AdapterBroken,
    CellFinished,
    Event,
    RunFinished,
    RunStarted,
    TrialFinished,
)
from workbench.replay.executor import LocalExecutor
from workbench.store.recording import Recording
from workbench.store.store import Store


async def test_what_is_returned_is_what_is_stored(store: Store) -> None:
    adapters = Scripted(name="a"), Scripted(name="b", concurrency=3)
    plan = plan_for(*adapters, prompts=3)
    run, _ = await run_plan(plan, store, *adapters)
    assert store.load(run.id) == run
    assert not run.interrupted
    assert run.whole == {"s"}
    assert run.adapters == plan.adapters
    assert [cell.delivery for cell in run.cells] == list(plan.deliveries)
    assert [[trial.index for trial in cell.trials] for cell in run.cells] == [[0, 1]] * 12
    planned = {(t.key, t.index): t.seed for order in plan.order.values() for t in order}
    assert all(trial.seed == planned[cell.key, trial.index] for cell in run.cells for trial in cell.trials)
    assert store.runs()[0].finished


async def test_each_adapter_is_called_as_planned(store: Store) -> None:
    adapters = Scripted(name="a"), Scripted(name="b")
    plan = plan_for(*adapters, prompts=3, repeat=3)
    await run_plan(plan, store, *adapters)
    sent = {delivery.key: delivery.turn for delivery in plan.deliveries}
    for adapter in adapters:
        asked = [(request.turn, request.attempt, request.seed) for request in adapter.requests]
        assert asked == [(sent[t.key], t.index + 1, t.seed) for t in plan.order[adapter.name]]


async def test_events_come_in_order_and_after_the_store(store: Store) -> None:
    adapter = Scripted(concurrency=2)
    plan = plan_for(adapter)
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        if isinstance(event, TrialFinished):
            (run,) = store.runs()
            (cell,) = [cell for cell in store.load(run.id).cells if cell.key == event.key]
            assert event.trial in cell.trials

    async with LocalExecutor({"router": adapter}) as executor:
        run = await replay(plan, executor, store, listen)
    assert events[0] == RunStarted(run.id, 8, 0, plan.deliveries)
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert (last.run, last.interrupted) == (run.id, False)
    seen: Counter[object] = Counter()
    for before, event in pairwise(events[:-1]):
        if isinstance(event, TrialFinished):
            seen[event.key] += 1
        else:
            assert isinstance(event, CellFinished)
            assert isinstance(before, TrialFinished)
            assert before.key == event.cell.key
            assert seen[event.cell.key] == 2
    cells = [event.cell for event in events if isinstance(event, CellFinished)]
    assert sorted(cells, key=lambda cell: cell.key) == sorted(run.cells, key=lambda cell: cell.key)


@pytest.mark.parametrize("concurrency", [1, 2, 5, 100])
async def test_no_adapter_is_called_more_often_at_once_than_it_takes(store: Store, concurrency: int) -> None:
    async def slow(request: Request) -> Answer:
        for _ in range(3):
            await asyncio.sleep(0)
        return passing()

    adapter, other = Scripted(slow, "a", concurrency=concurrency), Scripted(slow, "b", concurrency=2)
    await run_plan(plan_for(adapter, other, prompts=3), store, adapter, other)
    assert adapter.most == min(concurrency, 12)
    assert other.most == 2


async def test_adapters_do_not_wait_for_one_another(store: Store) -> None:
    fast_is_done = asyncio.Event()

    async def patient(request: Request) -> Answer:
        await asyncio.wait_for(fast_is_done.wait(), 5)
        return passing()

    slow, fast = Scripted(patient, "slow"), Scripted(name="fast")
    plan = plan_for(slow, fast)

    def listen(event: Event) -> None:
        if isinstance(event, TrialFinished) and event.key.adapter == "fast":
            done[0] += 1
            if done[0] == 8:
                fast_is_done.set()

    done = [0]
    async with LocalExecutor({"slow": slow, "fast": fast}) as executor:
        run = await replay(plan, executor, store, listen)
    assert all(trial.ok for cell in run.cells for trial in cell.trials)


async def test_a_users_mistake_stops_all_before_anything_is_called(store: Store) -> None:
    good, wrong = Scripted(name="good"), Scripted(name="wrong")
    wrong.fail_open = WorkbenchError(Problem("no such table"))
    events: list[Event] = []
    async with LocalExecutor({"good": good, "wrong": wrong}) as executor:
        with pytest.raises(WorkbenchError, match="no such table"):
            await replay(plan_for(good, wrong), executor, store, events.append)
    assert good.requests == []
    assert events == []
    assert store.runs() == ()
    assert good.closed == wrong.closed == 1


async def test_a_broken_guest_is_told_of_and_its_trials_are_errors(store: Store) -> None:
    good, broken = Scripted(name="good"), Scripted(name="broken")
    broken.fail_open = RuntimeError("a bug")
    run, events = await run_plan(plan_for(good, broken), store, good, broken)
    reason = "it cannot be opened: RuntimeError: a bug"
    assert events[1] == AdapterBroken("broken", reason)
    for cell in run.cells:
        for trial in cell.trials:
            assert trial.ok == (cell.key.adapter == "good")
            assert trial.error == (None if trial.ok else reason)


async def test_a_store_that_fails_ends_the_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = Scripted(concurrency=3)
    insert, count = Recording._insert, [0]

    def full(self: Recording, cell: int, trial: Trial) -> None:
        count[0] += 1
        if count[0] > 3:
            raise WorkbenchError("writing failed: disk full")
        insert(self, cell, trial)

    monkeypatch.setattr(Recording, "_insert", full)
    plan, events = plan_for(adapter, prompts=50), list[Event]()
    async with LocalExecutor({"router": adapter}) as executor:
        with pytest.raises(WorkbenchError, match="disk full"):
            await replay(plan, executor, store, events.append)
    assert len(adapter.requests) < 12
    assert adapter.closed == 1
    monkeypatch.undo()
    recording = store.resume(as_new_run(plan))
    assert recording is not None
    told = [event for event in events if isinstance(event, TrialFinished)]
    assert sum(len(trials) for trials in recording.done.values()) == len(told) == 3


async def test_a_listener_that_fails_ends_the_run(store: Store) -> None:
    def broken(event: Event) -> None:
        if isinstance(event, TrialFinished):
            raise LookupError("a bug of ours")

    adapter = Scripted()
    async with LocalExecutor({"router": adapter}) as executor:
        with pytest.raises(LookupError):
            await replay(plan_for(adapter), executor, store, broken)
    assert len(adapter.requests) == 1


async def test_the_work_grows_with_the_plan_and_not_with_its_square() -> None:
    """Counted in calls of Python functions, which do not depend on the machine."""

    async def calls_for(prompts: int) -> float:
        adapter = Scripted(at_once, concurrency=4)
        plan = plan_for(adapter, prompts=prompts)
        with Store.temporary() as store:
            count = [0]

            def tally(frame: object, event: str, argument: object) -> None:
                count[0] += event == "call"

            async with LocalExecutor({"router": adapter}) as executor:
                sys.setprofile(tally)
                try:
                    await replay(plan, executor, store)
                finally:
                    sys.setprofile(None)
        return count[0] / plan.total

    small, large = await calls_for(25), await calls_for(250)
    assert large < small * 1.2
