"""Adapters that sample, run: early ends, redraws, caps, fatal answers, and going on after each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest
from replay_parts import Scripted, passing, plan_for, run_plan

from workbench.adapters.budget import Caps
from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import BARE, Run
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.errors import WorkbenchError
from workbench.core.exchange import Exchange
from workbench.core.trial import Status
from workbench.replay import session
from workbench.replay.engine import as_new_run
from workbench.replay.events import (
    AdapterBroken,
    AdapterHalted,
    CellFinished,
    Event,
    RunFinished,
    RunStarted,
    TrialFinished,
)
from workbench.replay.plan import Plan
from workbench.store.store import Store


def calling() -> Answer:
    return Answer(Status.OK, Decision(Outcome.FIRE, (ToolCall("send"),)))


async def loud_when_framed(request: Request) -> Answer:
    return calling() if request.turn.text != request.turn.typed else passing()


async def costs_a_cent(request: Request) -> Answer:
    await asyncio.sleep(0)
    return replace(passing(), exchange=Exchange("http://127.0.0.1", "{}", "{}", 200, cost=0.01))


def indexes(run: Run) -> dict[tuple[str, str], list[int]]:
    return {(cell.key.prompt, cell.key.arm): [trial.index for trial in cell.trials] for cell in run.cells}


def events_of(events: list[Event], kind: type) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


async def resumed(plan: Plan, store: Store, adapter: Scripted) -> tuple[Run, list[Event]]:
    recording = store.resume(as_new_run(plan))
    assert recording is not None
    return await run_plan(plan, store, adapter, recording=recording)


async def test_every_block_is_drawn_where_the_arms_are_alike(store: Store) -> None:
    adapter = Scripted(samples=True, concurrency=3)
    plan = plan_for(adapter, samples=20)
    run, events = await run_plan(plan, store, adapter)
    assert set(map(tuple, indexes(run).values())) == {tuple(range(20))}
    assert plan.total == 80
    assert not run.interrupted
    assert store.load(run.id) == run
    assert {event.most for event in events if isinstance(event, TrialFinished)} == {80}
    assert all(cell.delivery.samples is not None for cell in run.cells)


async def test_a_request_says_which_draw_and_which_arm_it_is(store: Store) -> None:
    adapter = Scripted(samples=True)
    plan = plan_for(adapter, prompts=1, samples=5)
    run, _ = await run_plan(plan, store, adapter)
    asked = Counter((request.arm, request.attempt) for request in adapter.requests)
    assert asked == Counter({(arm, attempt): 1 for arm in (BARE, "channel") for attempt in range(1, 6)})
    seeds = {(cell.key.arm, trial.index + 1): trial.seed for cell in run.cells for trial in cell.trials}
    assert {(r.arm, r.attempt): r.seed for r in adapter.requests} == seeds
    assert len(set(seeds.values())) == 10


async def test_an_arm_that_drifts_ends_early_and_the_counts_say_so(store: Store) -> None:
    adapter = Scripted(loud_when_framed, samples=True, concurrency=4)
    run, events = await run_plan(plan_for(adapter, prompts=1, samples=60), store, adapter)
    trials = sum(len(cell.trials) for cell in run.cells)
    assert trials < 40
    assert not run.interrupted
    assert events[0] == RunStarted(run.id, 120, 0, plan_for(adapter, prompts=1, samples=60).deliveries)
    told = [event.most for event in events if isinstance(event, TrialFinished)]
    assert (told[0], told[-1]) == (120, trials)
    (summary,) = store.runs()
    assert (summary.done, summary.total, summary.finished) == (trials, trials, True)
    cells = Counter(event.cell.key for event in events if isinstance(event, CellFinished))
    assert cells == Counter(cell.key for cell in run.cells)
    finished = [event.cell for event in events if isinstance(event, CellFinished)]
    assert sorted(finished, key=lambda cell: cell.key) == sorted(run.cells, key=lambda cell: cell.key)


async def test_a_failed_draw_is_made_again(store: Store) -> None:
    async def fails_at_first(request: Request) -> Answer:
        return Answer(Status.ERROR, error="reset") if request.attempt <= 5 else passing()

    adapter = Scripted(fails_at_first, samples=True, concurrency=2)
    run, _ = await run_plan(plan_for(adapter, prompts=1, samples=5), store, adapter)
    assert set(map(tuple, indexes(run).values())) == {tuple(range(10))}
    assert [cell.statuses for cell in run.cells] == [{"error": 5, "ok": 5}] * 2


async def test_nothing_is_drawn_for_ever(store: Store) -> None:
    async def fails(request: Request) -> Answer:
        return Answer(Status.TIMEOUT, error="x")

    adapter = Scripted(fails, samples=True, concurrency=3)
    run, _ = await run_plan(plan_for(adapter, prompts=1, samples=5), store, adapter)
    assert set(map(tuple, indexes(run).values())) == {tuple(range(20))}
    assert not run.interrupted


async def test_a_stopped_run_goes_on_where_it_was(store: Store) -> None:
    adapter, stop, done = Scripted(samples=True, concurrency=4), asyncio.Event(), [0]

    async def stops(request: Request) -> Answer:
        done[0] += 1
        if done[0] == 30:
            stop.set()
        await asyncio.sleep(0)
        return passing()

    first = Scripted(stops, samples=True, concurrency=4)
    plan = plan_for(adapter, samples=20)
    run, events = await run_plan(plan, store, first, stop=stop)
    assert run.interrupted
    before = {(cell.key, trial.index): trial for cell in run.cells for trial in cell.trials}
    assert 0 < len(before) < 80
    whole, events = await resumed(plan, store, adapter)
    assert events[0] == RunStarted(run.id, 80, len(before), plan.deliveries)
    after = {(cell.key, trial.index): trial for cell in whole.cells for trial in cell.trials}
    assert before.items() <= after.items()
    assert len(adapter.requests) == 80 - len(before)
    assert set(map(tuple, indexes(whole).values())) == {tuple(range(20))}


@pytest.mark.parametrize("samples", [True, False])
async def test_a_cap_on_calls_ends_it_cleanly_and_a_higher_one_goes_on(store: Store, samples: bool) -> None:
    adapter = Scripted(samples=samples, concurrency=3, caps=Caps(max_calls=7))
    plan = plan_for(adapter, repeat=5, samples=5)
    run, events = await run_plan(plan, store, adapter)
    reason = "max_calls 7 is reached"
    assert len(adapter.requests) == 7
    assert events_of(events, AdapterHalted) == [AdapterHalted("router", reason)]
    assert (run.interrupted, run.halted) == (False, {"router": reason})
    assert store.load(run.id) == run
    assert all(trial.ok for cell in run.cells for trial in cell.trials)
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert not last.interrupted

    same = Scripted(samples=samples, caps=Caps(max_calls=7))
    still, _ = await resumed(plan, store, same)
    assert same.requests == []
    assert still.halted == run.halted

    raised = Scripted(samples=samples, caps=Caps(max_calls=20))
    whole, _ = await resumed(plan, store, raised)
    assert len(raised.requests) == 13
    assert (whole.halted, whole.interrupted) == ({}, False)
    assert set(map(tuple, indexes(whole).values())) == {tuple(range(5))}


async def test_a_cap_that_is_just_enough_is_none(store: Store) -> None:
    adapter = Scripted(samples=True, concurrency=9, caps=Caps(max_calls=20))
    run, events = await run_plan(plan_for(adapter, samples=5), store, adapter)
    assert run.halted == {}
    assert events_of(events, AdapterHalted) == []


async def test_a_cap_on_cost_is_not_overrun(store: Store) -> None:
    adapter = Scripted(
        costs_a_cent, samples=True, concurrency=8, bounds_itself=True, caps=Caps(max_cost=0.105)
    )
    run, _ = await run_plan(plan_for(adapter, samples=20), store, adapter)
    assert len(adapter.requests) == 10
    assert "max_cost $0.105" in run.halted["router"]
    raised = Scripted(costs_a_cent, samples=True, concurrency=8, bounds_itself=True, caps=Caps(max_cost=0.2))
    _, _ = await resumed(plan_for(adapter, samples=20), store, raised)
    assert len(raised.requests) in (9, 10)


async def test_other_adapters_go_on_when_one_is_capped(store: Store) -> None:
    capped, free = Scripted(name="capped", caps=Caps(max_calls=1), samples=True), Scripted(name="free")
    run, _ = await run_plan(plan_for(capped, free), store, capped, free)
    assert len(free.requests) == 8
    assert list(run.halted) == ["capped"]


async def wrong_key(request: Request) -> Answer:
    await asyncio.sleep(0)
    return Answer(Status.ERROR, error="401: the key is not accepted", fatal=True)


@pytest.mark.parametrize("samples", [True, False])
async def test_a_fatal_answer_costs_one_call(store: Store, samples: bool) -> None:
    adapter = Scripted(wrong_key, samples=samples, concurrency=8, bounds_itself=True)
    plan = plan_for(adapter, prompts=3, samples=60)
    run, events = await run_plan(plan, store, adapter)
    assert len(adapter.requests) == 1
    assert [[trial.error for trial in cell.trials] for cell in run.cells][1:] == [
        ["401: the key is not accepted"]
    ] * 5
    assert events_of(events, AdapterBroken) == [AdapterBroken("router", "401: the key is not accepted")]
    assert len(events_of(events, CellFinished)) == 6
    assert not run.interrupted
    assert store.load(run.id) == run


async def test_after_a_fatal_answer_a_sampled_run_goes_on_once_it_can(store: Store) -> None:
    async def runs_dry(request: Request) -> Answer:
        return passing() if len(adapter.requests) <= 9 else await wrong_key(request)

    adapter = Scripted(runs_dry, samples=True)
    plan = plan_for(adapter, samples=5)
    run, _ = await run_plan(plan, store, adapter)
    assert len(adapter.requests) == 10
    assert run.halted == {"router": "401: the key is not accepted"}
    good = Scripted(samples=True)
    whole, _ = await resumed(plan, store, good)
    assert len(good.requests) == 20 - 9
    assert [len(cell.ok) for cell in whole.cells] == [5] * 4
    assert (whole.halted, whole.interrupted) == ({}, False)


async def test_an_adapter_that_samples_and_cannot_open_is_not_asked_over_and_over(store: Store) -> None:
    adapter = Scripted(samples=True)
    adapter.fail_open = RuntimeError("a bug")
    run, events = await run_plan(plan_for(adapter, samples=60), store, adapter)
    assert [len(cell.trials) for cell in run.cells] == [1] * 4
    assert len(events_of(events, AdapterBroken)) == 1
    assert isinstance(events[0], RunStarted)


async def test_a_call_that_was_not_made_leaves_no_trial(store: Store) -> None:
    async def waits_too_long(request: Request) -> Answer:
        made = len(adapter.requests) <= 3
        return passing() if made else Answer(Status.ERROR, error="wait an hour", fatal=True, made=False)

    adapter = Scripted(waits_too_long, samples=True)
    run, events = await run_plan(plan_for(adapter, samples=5), store, adapter)
    assert sum(len(cell.trials) for cell in run.cells) == 3
    assert events_of(events, AdapterHalted) == [AdapterHalted("router", "wait an hour")]
    assert run.halted == {"router": "wait an hour"}
    assert len(adapter.requests) == 4


async def test_the_first_call_of_an_adapter_that_bounds_itself_is_made_alone(store: Store) -> None:
    most_at = list[int]()

    async def watched(request: Request) -> Answer:
        most_at.append(adapter.running)
        for _ in range(3):
            await asyncio.sleep(0)
        return passing()

    adapter = Scripted(watched, samples=True, concurrency=8, bounds_itself=True)
    await run_plan(plan_for(adapter, samples=10), store, adapter)
    assert most_at[:2] == [1, 1]
    assert adapter.most == 8


async def test_an_adapter_that_bounds_itself_may_wait_longer_than_its_timeout(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "GRACE", 0.01)

    async def queued(request: Request) -> Answer:
        await asyncio.sleep(0.1)
        return replace(passing(), seconds=0.02)

    adapter = Scripted(queued, samples=True, bounds_itself=True, timeout=0.03)
    run, _ = await run_plan(plan_for(adapter, prompts=1, samples=1), store, adapter)
    assert [trial.seconds for cell in run.cells for trial in cell.trials] == [0.02, 0.02]
    assert all(trial.ok for cell in run.cells for trial in cell.trials)


async def test_and_yet_it_is_not_waited_for_without_end(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_HOUR", 0.05)
    monkeypatch.setattr(session, "GRACE", 0.01)

    async def hangs(request: Request) -> Answer:
        await asyncio.sleep(60)
        raise AssertionError

    adapter = Scripted(hangs, bounds_itself=True, timeout=0.01)
    run, _ = await asyncio.wait_for(run_plan(plan_for(adapter, prompts=1, repeat=1), store, adapter), 10)
    assert {trial.status for cell in run.cells for trial in cell.trials} == {Status.TIMEOUT}


async def test_what_went_over_the_wire_is_kept(store: Store) -> None:
    adapter = Scripted(costs_a_cent, samples=True)
    run, _ = await run_plan(plan_for(adapter, prompts=1, samples=2), store, adapter)
    assert {trial.exchange.cost for cell in run.cells for trial in cell.trials if trial.exchange} == {0.01}
    assert store.load(run.id) == run


class Knowing(Scripted):
    """It knows its tools only once it is open."""

    tools = "send_email"

    def fingerprint(self) -> Mapping[str, str]:
        return {"tools": self.tools} if self.opened else {"url": "http://127.0.0.1"}


async def test_what_an_adapter_turns_out_to_be_stands_in_the_run(store: Store) -> None:
    adapter = Knowing(samples=True)
    plan = plan_for(adapter, samples=2)
    run, _ = await run_plan(plan, store, adapter)
    assert run.adapters["router"].fingerprint == '{"tools":"send_email"}'
    assert plan.adapters["router"].fingerprint == '{"url":"http://127.0.0.1"}'
    assert store.load(run.id) == run


async def test_a_run_does_not_go_on_with_another_adapter(store: Store) -> None:
    plan = plan_for(Knowing(samples=True), samples=3)
    run, _ = await run_plan(plan, store, Knowing(samples=True, caps=Caps(max_calls=5)))
    changed = Knowing(samples=True)
    changed.tools = "send_email, delete_all"
    with pytest.raises(WorkbenchError, match="is not what it was when run"):
        await resumed(plan, store, changed)
    assert changed.requests == []
    whole, _ = await resumed(plan, store, Knowing(samples=True))
    assert (whole.id, whole.interrupted) == (run.id, False)
    assert [len(cell.trials) for cell in whole.cells] == [3] * 4
