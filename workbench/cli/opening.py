"""Opening the screen: what it is handed, and what it may ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from workbench.cli.bench import Bench, gather, open_bench, store_root
from workbench.compare.findings import find
from workbench.core.cell import BARE, Run
from workbench.core.errors import WorkbenchError
from workbench.core.scenario import Scenario
from workbench.files.locate import find_scenarios
from workbench.files.problems import Problems
from workbench.files.scenario import load_scenario
from workbench.files.trust import is_trusted
from workbench.replay.choice import Choice
from workbench.replay.engine import replay
from workbench.replay.events import Event
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan
from workbench.store.store import Store
from workbench.tui.launch import launch
from workbench.tui.session import Session

__all__ = ["Backstage", "open_screen", "session_of"]


def open_screen() -> int:
    """Open the screen on the workspace of this folder; returns the exit code. Raises WorkbenchError."""
    return launch(session_of(open_bench()))


def session_of(bench: Bench) -> Session[Plan]:
    """The session for a workspace. Files that do not load become problems; the rest works."""
    workspace = bench.workspace
    problems = Problems()
    scenarios: list[Scenario] = []
    for path in find_scenarios(workspace.root):
        with gather(problems):
            scenarios.append(load_scenario(bench.near(path), workspace.root))
    guarded: set[str] = set()
    for name in workspace.adapters:
        with gather(problems):
            if bench.build((name,))[name].capabilities.needs_trust:
                guarded.add(name)
    run: Run | None = None
    with gather(problems):
        run = newest_run(bench)
    backstage = Backstage(bench)
    return Session(
        root=workspace.root,
        plan=backstage.plan,
        replay=backstage.replay,
        find=find,
        scenarios=tuple(scenarios),
        problems=problems.ordered(),
        adapters=tuple(workspace.adapters),
        run=run,
        findings=find(run) if run else (),
        trusted=is_trusted(workspace),
        needs_trust=frozenset(guarded),
    )


def newest_run(bench: Bench) -> Run | None:
    """The newest stored run of a workspace; None where nothing was stored."""
    store = Store.existing(store_root(bench.workspace))
    if store is None:
        return None
    with store:
        newest = store.newest()
        return None if newest is None else store.load(newest)


@dataclass(frozen=True, slots=True)
class Backstage:
    """What the screen asks for. Files are read anew for each plan, so that an edit counts at once."""

    bench: Bench

    def plan(self, scenario: str, prompt: str | None, arm: str | None, adapter: str | None) -> Plan:
        """The plan for a part of a scenario; with an arm, its bare one too. Raises WorkbenchError."""
        bench = Bench(self.bench.workspace, self.bench.cwd)
        loaded = bench.load([scenario if prompt is None else f"{scenario}#{prompt}"])
        choice = Choice(adapters=None if adapter is None else (adapter,), prompts=loaded.labels)
        plan, _ = bench.plan(loaded, choice)
        if arm is None:
            return plan
        return plan.only({d.key for d in plan.deliveries if d.key.arm in (BARE, arm)})

    async def replay(self, plan: Plan, on_event: Callable[[Event], None], stop: asyncio.Event) -> Run:
        """Run a plan and store what it did. Raises WorkbenchError."""
        adapters = self.bench.build(plan.adapters)
        if not is_trusted(self.bench.workspace) and any(
            adapter.capabilities.needs_trust for adapter in adapters.values()
        ):
            raise WorkbenchError("this workspace is not trusted: leave, and call `workbench trust`")
        with Store.open(store_root(self.bench.workspace)) as store:
            async with LocalExecutor(adapters) as executor:
                return await replay(plan, executor, store, on_event, stop)
