"""The one bridge between the screen and the slow world: plans, runs and big comparisons, never waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

from workbench.core.cell import CellKey, Run
from workbench.core.decision import ToolCall
from workbench.core.errors import Problem, WorkbenchError
from workbench.replay.events import Event
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.view.document import Document
from workbench.tui.view.notice import unshowable

__all__ = ["Runner"]

REST = 0.12
"""Seconds that a cursor must rest on a cell before its big comparison is begun: it slows all else down."""

PATIENCE = 10.0
"""Seconds that leaving waits for a stopped run to put its adapters away."""


class Runner:
    """Starts what takes time, feeds the state, and calls `on_change` when there is something new to show.

    Everything but `plan`, `find` and big comparisons runs in the screen's own event loop, so the
    state is never changed from elsewhere.
    """

    def __init__(
        self, state: SessionState, on_change: Callable[[], None], clock: Callable[[], float] = monotonic
    ) -> None:
        self._state = state
        self._on_change = on_change
        self._clock = clock
        self._stop = asyncio.Event()
        self._run: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._planning: set[str] = set()
        self._comparing = False
        self._wanted: CellKey | None = None

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._background) or (self._run is not None and not self._run.done())

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def warm(self) -> None:
        """Bring in what the first comparison needs, so that no key press has to wait for it."""
        self._spawn(asyncio.to_thread(_warm))

    # Plans

    def plan(self, scenario: str) -> None:
        """Find out what a run of a scenario would send, unless that is known."""
        if scenario in self._planning or self._state.is_planned(scenario):
            return
        self._planning.add(scenario)
        self._spawn(self._plan(scenario))

    async def _plan(self, scenario: str) -> None:
        try:
            plan = await asyncio.to_thread(self._state.session.plan, scenario, None, None, None)
            self._state.planned(scenario, plan)
        except Exception as error:
            self._state.unplannable(scenario, problems_of(error))
        finally:
            self._planning.discard(scenario)
        self._on_change()

    # Runs

    def start(self, target: Target) -> None:
        """Run a target. The caller has made sure that no run is on."""
        self._stop = asyncio.Event()
        self._state.begin()
        self._run = asyncio.create_task(self._replay(target, self._stop))
        self._on_change()

    def stop(self) -> None:
        """Ask the run to end in order; asked twice, it is cut off."""
        if self._run is None or self._run.done():
            return
        if self._stop.is_set():
            self._run.cancel()
        self._stop.set()
        self._state.stopping()
        self._on_change()

    async def _replay(self, target: Target, stop: asyncio.Event) -> None:
        run: Run | None = None
        problems: tuple[Problem, ...] = ()
        try:
            plan = await asyncio.to_thread(self._state.session.plan, *target)
            self._state.starting(plan)
            run = await self._state.session.replay(plan, self._take, stop)
        except asyncio.CancelledError:
            if not stop.is_set():
                raise
        except Exception as error:
            problems = problems_of(error)
        self._state.ended(run, problems)
        self._on_change()
        await self._judge()

    def _take(self, event: Event) -> None:
        self._state.apply(event, self._clock())

    async def _judge(self) -> None:
        try:
            run = self._state.to_judge()
            self._state.judged(await asyncio.to_thread(self._state.session.find, run))
        except Exception as error:
            self._state.ended(None, problems_of(error))
        self._on_change()

    # Comparisons

    def compare(self, key: CellKey) -> Document | None:
        """The comparison of a cell, at once where that is cheap; None: none, or it is on its way."""
        known = self._state.kept_document(key)
        if known is not None:
            return known
        if not self._state.is_heavy(key):
            return self._kept(key, self._work_out(key))
        self._wanted = key
        if not self._comparing:
            self._comparing = True
            self._spawn(self._compare())
        return None

    def _work_out(self, key: CellKey) -> Document | None:
        try:
            return self._state.document(key)
        except Exception as error:
            # Answers are foreign: one that cannot be shown must not take the others along.
            return unshowable(self._state.board.cells.get(key), problems_of(error))

    def _kept(self, key: CellKey, document: Document | None) -> Document | None:
        if document is not None:
            self._state.keep(key, document)
        return document

    async def _compare(self) -> None:
        # One at a time, and only for a cursor that has come to rest: it may run past many.
        try:
            while self._wanted is not None:
                key = self._wanted
                await asyncio.sleep(REST)
                if key != self._wanted:
                    continue
                self._wanted = None
                self._kept(key, await asyncio.to_thread(self._work_out, key))
                self._on_change()
        finally:
            self._comparing = False

    async def close(self) -> None:
        """Stop what is under way; adapters get a while to put their programs away."""
        self._stop.set()
        if self._run is not None and not self._run.done():
            await asyncio.wait((self._run,), timeout=PATIENCE)
            self._run.cancel()
            await asyncio.wait((self._run,), timeout=PATIENCE)
        for task in tuple(self._background):
            task.cancel()


def _warm() -> None:
    from workbench.compare.calls import call_rows

    call_rows((ToolCall("warm", {"up": 1}),), (ToolCall("warm", {"up": 2}),))


def problems_of(error: BaseException) -> tuple[Problem, ...]:
    """What a person is told of an error; one that is no user's mistake keeps its type."""
    if isinstance(error, WorkbenchError):
        return error.problems
    return (
        Problem(
            f"{type(error).__name__}: {error}", hint="this is a fault of the workbench; please report it"
        ),
    )
