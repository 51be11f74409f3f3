"""Whatever a guest does, it becomes a trial, and the run goes on."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from replay_parts import Scripted, passing, plan_for, run_plan

from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import Run
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.trial import Status, Trial
from workbench.replay import calling
from workbench.store.store import Store


def only_trial(run: Run) -> Trial:
    ((trial,),) = (cell.trials for cell in run.cells)
    return trial


async def one_call(store: Store, adapter: Scripted) -> Trial:
    """What becomes of a single call."""
    plan = plan_for(adapter, prompts=1, repeat=1)
    run, _ = await run_plan(plan.only([plan.deliveries[0].key]), store, adapter)
    assert store.load(run.id) == run
    return only_trial(run)


async def raises(request: Request) -> Answer:
    raise ZeroDivisionError("[/bold] \x1b]0;no")


async def exits(request: Request) -> Answer:
    sys.exit(3)


async def cancels_itself(request: Request) -> Answer:
    raise asyncio.CancelledError


async def answers_text(request: Request) -> Answer:
    return "fire"  # type: ignore[return-value]


async def answers_nothing(request: Request) -> Answer:
    return Answer(Status.OK, raw="null", log="noise")


async def gives_no_reason(request: Request) -> Answer:
    return Answer(Status.MALFORMED, Decision(Outcome.FIRE), raw="{")


async def complains(request: Request) -> Answer:
    raise WorkbenchError(Problem("the table is gone"))


async def answers_no_json(request: Request) -> Answer:
    return Answer(Status.OK, Decision(Outcome.FIRE, (ToolCall("tool", {"x": object()}),)))  # type: ignore[dict-item]


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError


async def raises_the_unprintable(request: Request) -> Answer:
    raise Unprintable


@pytest.mark.parametrize(
    ("decide", "status", "error"),
    [
        (raises, Status.ERROR, "ZeroDivisionError: [/bold] \x1b]0;no"),
        (exits, Status.ERROR, "SystemExit: 3"),
        (cancels_itself, Status.ERROR, "the adapter cancelled its own call"),
        (answers_text, Status.ERROR, "the adapter answered a str, not an Answer"),
        (answers_nothing, Status.ERROR, "the adapter answered `ok` without a decision"),
        (gives_no_reason, Status.MALFORMED, "the adapter answered `malformed` and gave no reason"),
        (complains, Status.ERROR, "the table is gone"),
        (answers_no_json, Status.ERROR, "the adapter's answer cannot be kept: it is no JSON: a object"),
        (raises_the_unprintable, Status.ERROR, "Unprintable: it cannot be printed"),
    ],
)
async def test_whatever_a_guest_does_becomes_a_trial(
    store: Store, decide: Any, status: Status, error: str
) -> None:
    trial = await one_call(store, Scripted(decide))
    assert (trial.status, trial.decision, trial.error) == (status, None, error)


async def test_what_came_is_kept_with_the_failure(store: Store) -> None:
    assert (await one_call(store, Scripted(answers_nothing))).raw == "null"
    assert (await one_call(store, Scripted(answers_nothing))).log == "noise"
    assert (await one_call(store, Scripted(gives_no_reason))).raw == "{"


async def test_the_traceback_begins_at_the_adapter(store: Store) -> None:
    log = (await one_call(store, Scripted(raises))).log
    assert log.startswith("Traceback")
    assert "in raises" in log
    assert "workbench/replay" not in log


async def test_a_call_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "GRACE", 0.05)
    monkeypatch.setattr("workbench.replay.session.GRACE", 0.05)

    async def hangs(request: Request) -> Answer:
        await asyncio.sleep(60)
        raise AssertionError

    trial = await one_call(store, Scripted(hangs, timeout=0.05))
    assert (trial.status, trial.error) == (Status.TIMEOUT, "no answer within 0.05 s")
    assert 0.1 <= trial.seconds < 5


async def test_a_guest_that_will_not_be_cancelled_holds_nothing_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "GRACE", 0.05)
    monkeypatch.setattr("workbench.replay.session.GRACE", 0.05)
    over = asyncio.Event()

    async def clings(request: Request) -> Answer:
        while not over.is_set():
            try:
                await over.wait()
            except asyncio.CancelledError:
                continue
        return passing()

    adapter = Scripted(clings, timeout=0.05)
    plan = plan_for(adapter, prompts=1)
    run, _ = await run_plan(plan, store, adapter)
    assert [trial.status for cell in run.cells for trial in cell.trials] == [Status.TIMEOUT] * 4
    over.set()
    await asyncio.sleep(0.01)
