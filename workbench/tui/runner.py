"""The one bridge between the screen and the slow world: plans, runs and big comparisons, never waited for."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from workbench.core.cell import CellKey, Run
from workbench.core.decision import ToolCall
from workbench.core.errors import Problem, WorkbenchError
from workbench.tui.accountant import Accountant
from workbench.tui.explainer import Explainer
from workbench.tui.judging import rule_on
from workbench.tui.reader import Reader
from workbench.tui.reloading import Changes
from workbench.tui.session import Loaded, Target
from workbench.tui.state import SessionState
from workbench.tui.view.notice import unshowable
from workbench.tui.view.paper import Document
from workbench.tui.watcher import Watcher

if TYPE_CHECKING:
    from workbench.replay.events import Event

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
        self,
        state: SessionState,
        on_change: Callable[[], None],
        clock: Callable[[], float] = monotonic,
        awake: bool = True,
        tell: Callable[[Problem], None] = lambda problem: None,
    ) -> None:
        """`awake` False: nothing is begun before `wake`: the first frame has the machine to itself.

        `tell` says that a file broke.
        """
        self._state = state
        self._on_change = on_change
        self._clock = clock
        self._stop = asyncio.Event()
        self._run: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._planning: set[str] = set()
        self._comparing = False
        self._wanted: CellKey | None = None
        self._awake = awake
        self._ahead: list[Callable[[], None]] = []
        self.explainer = Explainer(state, on_change, clock)
        self.accountant = Accountant(state, on_change)
        self.watcher = Watcher(state, self.reload, on_change, tell)
        self.reader = Reader(state, on_change, problems_of, lambda name: self._spawn(self._rejudge(name)))

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        running = self._run is not None and not self._run.done()
        helping = self.reader.busy or self.explainer.busy or self.accountant.busy
        return running or bool(self._background) or helping

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def wake(self) -> None:
        """The first frame stands: bring in what the first comparison needs, then read what is stored."""
        self._spawn(self._wake())

    async def _wake(self) -> None:
        gc.freeze()
        gc.enable()
        await self._open()
        await asyncio.to_thread(_warm)
        self._awake = True
        self._on_change()
        self.watcher.start()
        await self.vet()
        await self.reader.read_all()

    async def _open(self) -> None:
        """Read the files, where the first frame did without."""
        read = self._state.session.open
        if read is None:
            return
        try:
            loaded = await asyncio.to_thread(read)
        except Exception as error:
            loaded = Loaded((), problems_of(error), trusted=False)
        self._state.opened(loaded)
        self._on_change()
        for act in self._ahead:
            act()
        self._ahead.clear()

    def once_open(self, act: Callable[[], None]) -> None:
        """Do something once the files are read: what a key asks for stands in them."""
        self._ahead.append(act)

    async def vet(self) -> None:
        """What takes too long for the first frame: are the adapters sound, and may they be run?"""
        reload = self._state.session.reload
        if reload is not None:
            self._state.vetted(await asyncio.to_thread(reload))
            self._on_change()

    # Plans

    def plan(self, scenario: str) -> None:
        """Find out what a run of a scenario would send, unless that is known."""
        if not self._awake or scenario in self._planning or self._state.is_planned(scenario):
            return
        self._planning.add(scenario)
        self._spawn(self._plan(scenario))

    async def _plan(self, scenario: str) -> None:
        try:
            plan = await asyncio.to_thread(self._state.session.plan, scenario, None, None, None)
            if self._state.planned(scenario, plan):
                self._spawn(self._rejudge(scenario))
        except Exception as error:
            self._state.unplannable(scenario, problems_of(error))
        finally:
            self._planning.discard(scenario)
        self._on_change()

    # Runs

    def start(self, target: Target, keys: frozenset[CellKey] | None = None) -> None:
        """Run a target, or only those cells of it. The caller has made sure that no run is on."""
        self._stop = asyncio.Event()
        self._state.begin()
        self._run = asyncio.create_task(self._replay(target, keys, self._stop))
        self._on_change()

    def stop(self) -> None:
        """Ask the run, or the explanation, to end in order; asked twice, it is cut off."""
        self.explainer.stop()
        if self._run is None or self._run.done():
            return
        if self._stop.is_set():
            self._run.cancel()
        self._stop.set()
        self._state.stopping()
        self._on_change()

    async def _replay(self, target: Target, keys: frozenset[CellKey] | None, stop: asyncio.Event) -> None:
        run: Run | None = None
        problems: tuple[Problem, ...] = ()
        try:
            plan = await asyncio.to_thread(self._state.session.plan, *target)
            if keys is not None and self._state.session.only is not None:
                plan = self._state.session.only(plan, keys)
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
            self._state.judged(*await asyncio.to_thread(rule_on, self._state.session.find, run))
        except Exception as error:
            self._state.ended(None, problems_of(error))
        self._on_change()

    async def _rejudge(self, scenario: str) -> None:
        """Hold the answers there are to what their file says now."""
        if self._state.progress.busy:
            return
        if self._state.lacks_plan(scenario):
            self.plan(scenario)
        try:
            run = self._state.to_rejudge(scenario)
            ruling = await asyncio.to_thread(rule_on, self._state.session.find, run)
        except Exception as error:
            self._state.unplannable(scenario, problems_of(error))
        else:
            self._state.rejudged(scenario, *ruling)
        self._on_change()

    async def reload(self) -> Changes:
        """Read the files anew, once no run is on; returns what changed."""
        reload = self._state.session.reload
        if reload is None:
            return ()
        if self._run is not None and not self._run.done():
            await asyncio.wait((self._run,))
        loaded = await asyncio.to_thread(reload)
        for scenario in loaded.scenarios:
            if self._state.scenarios.get(scenario.name) != scenario:
                await self.reader.read_scenario(scenario.name)
        changes = self._state.reloaded(loaded)
        self._on_change()
        return changes

    # Comparisons

    def compare(self, key: CellKey) -> Document | None:
        """The comparison of a cell, at once where that is cheap; None: none, or it is on its way."""
        known = self._state.comparisons.kept(key)
        if self._awake:
            self.accountant.look_at(key.scenario, key.prompt)
        if known is not None or not self._awake:
            return known
        self.reader.want(key.scenario, key.prompt)
        if not self._state.comparisons.is_heavy(key):
            return self._kept(key, self._work_out(key))
        self._wanted = key
        if not self._comparing:
            self._comparing = True
            self._spawn(self._compare())
        return None

    def _work_out(self, key: CellKey) -> Document | None:
        try:
            return self._state.comparisons.made(key)
        except Exception as error:
            # Answers are foreign: one that cannot be shown must not take the others along.
            return unshowable(self._state.board.cells.get(key), problems_of(error))

    def _kept(self, key: CellKey, document: Document | None) -> Document | None:
        if document is not None:
            self._state.comparisons.keep(key, document)
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
        self.watcher.stop()
        await self.explainer.close(PATIENCE)
        if self._run is not None and not self._run.done():
            await asyncio.wait((self._run,), timeout=PATIENCE)
            self._run.cancel()
            await asyncio.wait((self._run,), timeout=PATIENCE)
        self.accountant.close()
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
