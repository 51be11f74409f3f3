"""Runs a plan: calls side by side, each trial on disk before it counts, stopped and resumed at will."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any, TypeVar

from workbench.core.cell import CellKey, Run
from workbench.core.errors import WorkbenchError
from workbench.core.trial import Trial
from workbench.replay.calling import GRACE
from workbench.replay.events import RunFinished
from workbench.replay.executor import Executor
from workbench.replay.plan import Plan, PlannedTrial
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
    each in the planned order and with at most `concurrency` calls at once. When `stop` is set, or this
    is cancelled, no call starts, those under way are cancelled, and the run stays resumable.

    Raises WorkbenchError before anything is called, and without a trace in the store, where an
    adapter's settings cannot work; and in the middle where the store fails. The executor stays open:
    it is the caller's.
    """
    began = perf_counter()
    stop = stop or asyncio.Event()
    done = recording.done if recording else {}
    missing = _missing(plan, done)
    try:
        broken = await _unless(stop, executor.prepare(tuple(missing)))
    except BaseException:
        if recording:
            recording.finish(perf_counter() - began, complete=False)
        raise
    recording = recording or store.begin(as_new_run(plan))
    session = Session(plan, executor, recording, on_event)
    try:
        session.start(broken or {})
        await session.run(missing, stop)
    except BaseException as error:
        seconds = perf_counter() - began
        with suppress(WorkbenchError):  # the store may be what failed, and has said so
            recording.finish(seconds, complete=False)
        if isinstance(error, asyncio.CancelledError):
            on_event(RunFinished(recording.run, seconds, interrupted=True))
        raise
    seconds = perf_counter() - began
    recording.finish(seconds, session.complete)
    on_event(RunFinished(recording.run, seconds, interrupted=not session.complete))
    return session.result(recording.seconds + seconds)


def _missing(plan: Plan, done: Mapping[CellKey, tuple[Trial, ...]]) -> Mapping[str, tuple[PlannedTrial, ...]]:
    stored = {(key, trial.index) for key, trials in done.items() for trial in trials}
    missing = {
        adapter: tuple(planned for planned in order if (planned.key, planned.index) not in stored)
        for adapter, order in plan.order.items()
    }
    return {adapter: order for adapter, order in missing.items() if order}


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
