"""What the screen asks for while it is open: plans, runs, files read anew. It takes a while to import."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli import taking
from workbench.cli.bench import Bench, gather, store_root
from workbench.cli.bench import Loaded as Files
from workbench.cli.listing import adapter_lines
from workbench.cli.loading import scenarios_of
from workbench.cli.subject import Named, subject_of
from workbench.cli.watched import watched_files
from workbench.core.cell import BARE, Cell, CellKey, Run
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.finding import Finding
from workbench.core.scenario import Prompt, Scenario
from workbench.core.text import SafeText
from workbench.explain.explaining import explain
from workbench.explain.explanation import Explanation, Progress
from workbench.files.problems import Problems
from workbench.files.trust import is_trusted, record
from workbench.files.workspace import load_workspace
from workbench.replay.choice import Choice
from workbench.replay.engine import replay
from workbench.replay.events import Event
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan
from workbench.store.records import RunSummary
from workbench.store.store import Store
from workbench.tui.session import Loaded

if TYPE_CHECKING:
    from workbench.capture.audit.watching import Seen, Watch

__all__ = ["Backstage"]


@dataclass(frozen=True, slots=True)
class Backstage:
    """Files are read anew for each call, the workspace's own too, so that an edit counts at once."""

    root: Path
    packaged: bool
    cwd: Path

    @property
    def bench(self) -> Bench:
        """The workspace as it stands now. Raises WorkbenchError."""
        return Bench(load_workspace(self.root, packaged=self.packaged), self.cwd)

    def plan(self, scenario: str, prompt: str | None, arm: str | None, adapter: str | None) -> Plan:
        """The plan for a part of a scenario; with an arm, its bare one too. Raises WorkbenchError."""
        bench = self.bench
        loaded = bench.load([scenario if prompt is None else f"{scenario}#{prompt}"])
        choice = Choice(adapters=None if adapter is None else (adapter,), prompts=loaded.labels)
        plan, _ = bench.plan(loaded, choice)
        if arm is None:
            return plan
        return plan.only({d.key for d in plan.deliveries if d.key.arm in (BARE, arm)})

    def draft(self, scenario: Scenario, prompt: str) -> Plan:
        """The plan for one prompt of a scenario that may not be saved. Raises WorkbenchError."""
        labels = {scenario.name: (prompt,)}
        return self.bench.plan(Files((scenario,), labels), Choice(prompts=labels))[0]

    def runs(self) -> tuple[RunSummary, ...]:
        """The stored runs, the newest first. Raises WorkbenchError."""
        return taking.stored_runs(self.bench)

    def run(self, run: str) -> tuple[Run, tuple[Finding, ...]]:
        """A stored run and its findings. Raises WorkbenchError."""
        return taking.stored_run(self.bench, run)

    def report(self, bare: Cell | None, cell: Cell, findings: tuple[Finding, ...]) -> str:
        """The text report of one cell."""
        return taking.report_of(bare, cell, findings)

    def case(self, cell: Cell, prompt: Prompt | None) -> str:
        """One cell as a case of its own. Raises WorkbenchError."""
        return taking.case_of(self.bench, self.plan, cell, prompt)

    def only(self, plan: Plan, keys: Collection[CellKey]) -> Plan:
        """The part of a plan with those cells. Raises WorkbenchError where it has none of them."""
        part = plan.only(keys)
        if not part.deliveries:
            raise WorkbenchError("nothing of this is planned any more: its file has changed")
        return part

    def reload(self) -> Loaded:
        """The files as they stand now: scenarios, what is wrong, and whether adapters may be run."""
        problems = Problems()
        scenarios = scenarios_of(self.root, self.cwd, problems)
        guarded: set[str] = set()
        trusted = False
        adapters: tuple[str, ...] | None = None
        with gather(problems):
            bench = self.bench
            trusted = is_trusted(bench.workspace)
            adapters = tuple(bench.workspace.adapters)
            for name in bench.workspace.adapters:
                with gather(problems):
                    if bench.build((name,))[name].capabilities.needs_trust:
                        guarded.add(name)
        return Loaded(scenarios, problems.ordered(), trusted, frozenset(guarded), adapters)

    def watched(self) -> tuple[Path, ...]:
        """The files that decide what a run sends and who answers. Raises WorkbenchError."""
        return watched_files(self.bench)

    def adapter_lines(self) -> tuple[SafeText, ...]:
        """What trusting this workspace would let be run, and nothing beside it. Raises WorkbenchError."""
        bench = self.bench
        lines = zip(bench.workspace.adapters, adapter_lines(bench.workspace), strict=True)
        return tuple(line for name, line in lines if _needs_trust(bench, name))

    def trust(self) -> None:
        """Trust the adapters as they are declared now. Raises WorkbenchError where that cannot be kept."""
        record(self.bench.workspace)

    async def replay(self, plan: Plan, on_event: Callable[[Event], None], stop: asyncio.Event) -> Run:
        """Run a plan and store what it did. Raises WorkbenchError."""
        bench = self.bench
        adapters = {**bench.build(plan.adapters), **bench.functions(plan)}
        if not is_trusted(bench.workspace) and any(
            adapter.capabilities.needs_trust for adapter in adapters.values()
        ):
            raise WorkbenchError("this workspace is not trusted yet")
        with Store.open(store_root(bench.workspace)) as store:
            async with LocalExecutor(adapters) as executor:
                return await replay(plan, executor, store, on_event, stop)

    async def explain(
        self, key: CellKey, tell: Callable[[Progress], None], stop: asyncio.Event
    ) -> Explanation:
        """The words that moved a cell's decision, of the files as they are now. Raises WorkbenchError."""
        bench = self.bench
        named = Named(f"{key.scenario}#{key.prompt}", key.arm, key.adapter)
        subject, adapters = await asyncio.to_thread(subject_of, bench, named)
        if not is_trusted(bench.workspace) and any(
            adapter.capabilities.needs_trust for adapter in adapters.values()
        ):
            raise WorkbenchError("this workspace is not trusted yet")
        async with LocalExecutor(adapters) as executor:
            return await explain(subject, executor, stop=stop, tell=tell)

    def follow(self, path: Path) -> tuple[Watch, Iterator[Seen | str | None]]:
        """A watch on a log, and its news, judged by the workspace's envelopes. Raises WorkbenchError."""
        from workbench.capture.audit.judging import Judge
        from workbench.capture.audit.known import KnownEnvelopes
        from workbench.capture.audit.watching import Watch, watch
        from workbench.cli.audit import envelopes_of

        if not path.is_file():
            raise WorkbenchError(
                Problem("there is no such file", Mark(str(path)), "name a log that is there")
            )
        known = KnownEnvelopes(envelopes_of(self.bench.envelope_files.values(), quiet=True))
        watching = Watch(Judge(known))
        return watching, watch(path, watching)


def _needs_trust(bench: Bench, name: str) -> bool:
    """Whether an adapter may run in a trusted workspace alone; what cannot be built is counted in."""
    try:
        return bench.build((name,))[name].capabilities.needs_trust
    except WorkbenchError:
        return True
