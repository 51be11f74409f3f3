"""Runs a plan: calls side by side, each trial on disk before it counts, stopped and resumed at will."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeVar

from workbench.core.cell import AdapterInfo, Run
from workbench.core.errors import Problem, WorkbenchError
from workbench.replay.calling import GRACE
from workbench.replay.events import RunFinished
from workbench.replay.executor import Executor
from workbench.replay.plan import Plan
from workbench.replay.session import OnEvent, Session
from workbench.store.recording import Recording
from workbench.store.records import NewRun
from workbench.store.store import Store

__all__ = ["as_new_run", "replay"]

T = TypeVar("T")


def as_new_run(plan: Plan) -> NewRun:
    """The plan as the store wants it, for `Store.resume`."""
    return NewRun(
        plan.hash, plan.deliveries, plan.repeats, plan.adapters, plan.arguments, plan.whole, plan.accept
    )


async def replay(
    plan: Plan,
    executor: Executor,
    store: Store,
    on_event: OnEvent = lambda event: None,
    stop: asyncio.Event | None = None,
    recording: Recording | None = None,
) -> Run:
    """Runs what is missing of a plan, and returns the whole of it, with trials of earlier sessions.

    `recording` is what `store.resume` gave; without one a new run begins. Adapters run side by side,
    each in the order of its schedule and with at most `concurrency` calls at once. When `stop` is set, or
    this is cancelled, no call starts, those under way are cancelled, and the run stays resumable.

    Raises WorkbenchError before anything is called, and without a trace in the store, where an
    adapter's settings cannot work; and in the middle where the store fails. The executor stays open:
    it is the caller's.
    """
    began = perf_counter()
    stop = stop or asyncio.Event()
    schedules = plan.schedules(
        recording.done if recording else {}, lambda adapter: executor.limit(adapter).concurrency
    )
    needed = tuple(name for name, schedule in schedules.items() if schedule.left)
    try:
        functions = tuple(name for name, policy in plan.policies.items() if policy.target) if needed else ()
        broken = await _unless(stop, executor.prepare((*needed, *functions)))
        broken = None if broken is None else {name: broken[name] for name in needed if name in broken}
        opened = [name for name in needed if broken is not None and name not in broken]
        adapters = _found(plan, executor, opened)
        if recording:
            _require_the_same(plan, recording, adapters)
    except BaseException:
        if recording:
            recording.finish(perf_counter() - began, complete=False)
        raise
    recording = recording or store.begin(as_new_run(plan))
    session = Session(plan, schedules, executor, recording, on_event)
    try:
        recording.describe({**plan.adapters, **recording.adapters, **adapters})
        session.start(broken or {})
        await session.run(stop)
    except BaseException as error:
        seconds = perf_counter() - began
        with suppress(WorkbenchError):  # the store may be what failed, and has said so
            recording.finish(seconds, complete=False)
        if isinstance(error, asyncio.CancelledError):
            on_event(RunFinished(recording.run, seconds, interrupted=True))
        raise
    seconds = perf_counter() - began
    recording.finish(seconds, session.complete, session.halted)
    on_event(RunFinished(recording.run, seconds, interrupted=session.interrupted))
    return session.result(recording.seconds + seconds)


def _found(plan: Plan, executor: Executor, opened: Iterable[str]) -> Mapping[str, AdapterInfo]:
    """What adapters turned out to be: one that is open may know more of itself, such as its tools."""
    found = {}
    for name in opened:
        with suppress(Exception):  # a guest's own fault: what was known before has to do
            found[name] = replace(plan.adapters[name], fingerprint=executor.fingerprint(name))
    return found


def _require_the_same(plan: Plan, recording: Recording, found: Mapping[str, AdapterInfo]) -> None:
    """Trials of two adapters must not stand in one cell. Raises WorkbenchError where they would."""
    asked = {key.adapter for key in recording.done}
    for name, now in found.items():
        before = recording.adapters.get(name, now)
        if name in asked and before not in (now, plan.adapters[name]):
            raise WorkbenchError(
                Problem(
                    f"{name} is not what it was when run {recording.run} began: {before.fingerprint} then,"
                    f" {now.fingerprint} now",
                    hint="start anew, without --resume",
                )
            )


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """What `work` returns; None where `stop` was set before that, and then it is cancelled."""
    task, stopped = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((task, stopped), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        return None
    finally:
        stopped.cancel()
        task.cancel()
        await asyncio.wait((task,), timeout=GRACE)
