"""What the screen knows, as one plain object: fed by events, asked by the views, free of Textual."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from workbench.core.cell import CellKey, Run
from workbench.core.errors import Problem
from workbench.core.finding import Finding
from workbench.core.scenario import Prompt, Scenario
from workbench.replay.events import Event
from workbench.tui.board import Board
from workbench.tui.place import Place
from workbench.tui.progress import Phase, Progress
from workbench.tui.session import Planned, Session, Target
from workbench.tui.verdicts import Counts, Verdicts
from workbench.tui.view.layout import SideBySide

if TYPE_CHECKING:
    from workbench.tui.view.document import Document

__all__ = ["SessionState"]

KEPT_DOCUMENTS = 32
HEAVY = 60_000
"""Characters of turns and windows above which a comparison is worked out beside the screen, not in it."""


class SessionState:
    """Loaded scenarios, answers, findings, progress, and where the user stands."""

    def __init__(self, session: Session[Any]) -> None:
        self.session = session
        self.scenarios: dict[str, Scenario] = {scenario.name: scenario for scenario in session.scenarios}
        self.board = Board(session.run)
        self.verdicts = Verdicts(session.findings)
        self.progress = Progress()
        self.side_by_side = SideBySide.AUTO
        self.unfolded = False
        self.version = 0
        self._plans: dict[str, tuple[Problem, ...]] = {}
        self._run_problems: tuple[Problem, ...] = ()
        self._counts: dict[tuple[str, str | None], Counts] = {}
        self._documents: OrderedDict[CellKey, Document] = OrderedDict()
        self._ran: set[str] = set()
        self.place = Place(self)

    # Facts

    def prompts(self, scenario: str) -> tuple[Prompt, ...]:
        """The prompts of a scenario; none where there is no such scenario."""
        known = self.scenarios.get(scenario)
        return known.prompts if known else ()

    def prompt(self, scenario: str, label: str) -> Prompt | None:
        return next((prompt for prompt in self.prompts(scenario) if prompt.label == label), None)

    def plan_problems(self, scenario: str) -> tuple[Problem, ...]:
        """Why a scenario cannot be run as its file stands."""
        return self._plans.get(scenario, ())

    def is_planned(self, scenario: str) -> bool:
        """Whether it is known what a run of this scenario would send, or why none can be."""
        return scenario in self._plans

    @property
    def run_problems(self) -> tuple[Problem, ...]:
        """Why the last run did not take place."""
        return self._run_problems

    def counts(self, scenario: str, prompt: str | None = None) -> Counts:
        """Findings and cells of a prompt, or of a whole scenario."""
        key = (scenario, prompt)
        if key not in self._counts:
            self._counts[key] = (
                self._count(scenario) if prompt is None else self._count_prompt(scenario, prompt)
            )
        return self._counts[key]

    def _count(self, scenario: str) -> Counts:
        cells = sum((self.counts(scenario, prompt.label) for prompt in self.prompts(scenario)), Counts())
        found = self.verdicts.count(self.verdicts.of_scenario(scenario))
        return Counts(found.errors, found.warnings, cells.ok, cells.failed, cells.not_run, cells.running)

    def _count_prompt(self, scenario: str, prompt: str) -> Counts:
        cells = self.count_cells(self.board.keys(scenario, prompt))
        return cells + self.verdicts.count(self.verdicts.of_prompt(scenario, prompt))

    def count_cells(self, keys: Iterable[CellKey]) -> Counts:
        """Cells by what is known of them, without a look into their decisions."""
        ok = failed = running = not_run = 0
        for key in keys:
            cell = self.board.cells.get(key)
            if self.board.is_running(key):
                running += 1
            elif cell is None or not cell.trials:
                not_run += 1
            elif cell.ok:
                ok += 1
            else:
                failed += 1
        return Counts(ok=ok, failed=failed, not_run=not_run, running=running)

    def why_not_run(self, target: Target | None) -> str | None:
        """Why a target cannot be run now, in our own words; None where it can."""
        if target is None:
            return "nothing here can be run: choose a scenario or a prompt"
        if self.progress.busy:
            return "a run is on; s stops it and keeps what is done"
        if self.plan_problems(target.scenario):
            return "this scenario has errors, shown below; correct its file first"
        if self.session.trusted:
            return None
        names = {target.adapter} if target.adapter else set(self.board.columns(target.scenario))
        needing = self.session.needs_trust
        if needing is None or names & needing:
            return (
                "this workspace is not trusted, and its adapters start programs: run `workbench trust` first"
            )
        return None

    # What comes in

    def planned(self, scenario: str, plan: Planned) -> None:
        """What a run of a scenario would send is known."""
        self.board.plan(scenario, plan.deliveries)
        self._plans[scenario] = ()
        self._changed(scenario)

    def unplannable(self, scenario: str, problems: tuple[Problem, ...]) -> None:
        """A scenario cannot be run, and this is why."""
        self._plans[scenario] = problems
        self._changed(scenario)

    def begin(self) -> None:
        """A run was asked for, and is being planned."""
        self._run_problems = ()
        self.progress.begin()
        self._ran = set()
        self.version += 1

    def starting(self, plan: Planned) -> None:
        """The run is planned; its adapters are being opened."""
        self.board.adapters.update(plan.adapters)

    def stopping(self) -> None:
        """The run was asked to end."""
        if self.progress.busy:
            self.progress.phase = Phase.STOPPING
            self.version += 1

    def apply(self, event: Event, now: float) -> None:
        """Take in one event of a run, at `now` seconds of a monotonic clock."""
        self.progress.apply(event, now)
        touched = self.board.apply(event)
        self.version += 1
        if touched is None:
            self._counts.clear()
            self._documents.clear()
            return
        scenario, prompt = touched
        self._ran.add(scenario)
        self._counts.pop((scenario, prompt), None)
        self._counts.pop((scenario, None), None)
        for key in [key for key in self._documents if (key.scenario, key.prompt) == touched]:
            del self._documents[key]

    def to_judge(self) -> Run:
        """The newest answers of every scenario that the last run touched, to be read for findings."""
        labels = {name: frozenset(prompt.label for prompt in self.prompts(name)) for name in self._ran}
        return self.board.run_of(labels, interrupted=self.progress.phase is not Phase.DONE)

    def judged(self, findings: Iterable[Finding]) -> None:
        """The findings of what `to_judge` gave."""
        self.verdicts.replace(frozenset(self._ran), findings)
        self._changed()

    def ended(self, run: Run | None, problems: tuple[Problem, ...] = ()) -> None:
        """The run is over: in order, stopped, or because of `problems`."""
        self.board.settle()
        if run is not None:
            self.board.adapters.update(run.adapters)
        self._run_problems = problems
        if problems:
            self.progress.phase = Phase.BROKEN
        elif self.progress.busy:
            self.progress.phase = Phase.STOPPED
        self._changed()

    def _changed(self, scenario: str | None = None) -> None:
        self.version += 1
        self._documents.clear()
        if scenario is None:
            self._counts.clear()
        else:
            for key in [key for key in self._counts if key[0] == scenario]:
                del self._counts[key]
        self.place.settle()

    # The comparison

    def is_heavy(self, key: CellKey) -> bool:
        """Whether the comparison of a cell is better worked out in a thread."""
        sides = [side for side in (self.board.cells.get(key), self.board.bare(key)) if side is not None]
        windows = [side.decision.window for side in sides if side.decision is not None]
        read = sum(len(window.text) for window in windows if window is not None)
        return read + sum(len(side.delivery.turn.text) for side in sides) > HEAVY

    def kept_document(self, key: CellKey) -> Document | None:
        """The comparison of a cell if it was worked out since anything changed."""
        return self._documents.get(key)

    def document(self, key: CellKey) -> Document | None:
        """The comparison of a cell with its baseline; None where the cell has no answer. May be slow."""
        cell = self.board.cells.get(key)
        if cell is None or not cell.trials:
            return None
        # Late: it brings in deepdiff, which the first frame does without.
        from workbench.tui.view.document import compare_cells

        return compare_cells(
            self.board.bare(key),
            cell,
            self.verdicts.of_cell(key),
            stale=self.board.stale(key),
            mixed=self.board.mixed(key),
        )

    def keep(self, key: CellKey, document: Document) -> None:
        """Remember a comparison, unless the cell has a new answer by now."""
        if document.cell is not self.board.cells.get(key):
            return
        self._documents[key] = document
        self._documents.move_to_end(key)
        while len(self._documents) > KEPT_DOCUMENTS:
            self._documents.popitem(last=False)
