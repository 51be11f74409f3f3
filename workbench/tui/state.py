"""What the screen knows, as one plain object: fed by events, asked by the views, free of Textual."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.cell import CellKey, Run
from workbench.core.errors import Problem
from workbench.core.finding import Finding
from workbench.core.scenario import Prompt, Scenario
from workbench.replay.events import Event
from workbench.tui.board import Board
from workbench.tui.comparisons import Comparisons
from workbench.tui.following import Following
from workbench.tui.guide import Guide
from workbench.tui.memory import recall, restore, restore_cell
from workbench.tui.place import Place
from workbench.tui.progress import Phase, Progress
from workbench.tui.reloading import Changes, changes_of, same_prompts
from workbench.tui.session import Loaded, Planned, Session, Target
from workbench.tui.sieve import Sieve
from workbench.tui.stored import StoredAnswers
from workbench.tui.tallies import answered
from workbench.tui.verdicts import Counts, Verdicts
from workbench.tui.view.layout import SideBySide
from workbench.tui.watch import Watch

if TYPE_CHECKING:
    from workbench.tui.keymap import Keymap

__all__ = ["SessionState"]


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
        self.comparisons = Comparisons(self)
        self._ran: set[str] = set()
        self._judging: frozenset[str] = frozenset()
        self._reread: set[str] = set()
        self.guide = Guide(session.walk) if session.walk is not None else None
        self.watch = Watch()
        self.sieve = Sieve(self)
        self.stored = StoredAnswers(self, session.archive)
        self.keymap: Keymap = {}
        self.memory = recall(session.memory)
        self.place = Place(self)
        self.stored.open(restore(self, self.memory))
        restore_cell(self, self.memory)
        self._following = Following(session.scenarios)

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
        return dataclasses.replace(cells, errors=found.errors, warnings=found.warnings)

    def _count_prompt(self, scenario: str, prompt: str) -> Counts:
        cells = self.count_cells(self.board.keys(scenario, prompt))
        if (cells.ok or cells.failed) and self.stored.is_unread(scenario, prompt):
            cells = dataclasses.replace(cells, unread=cells.ok + cells.failed)
        return cells + self.verdicts.count(self.verdicts.of_prompt(scenario, prompt))

    def count_cells(self, keys: Iterable[CellKey]) -> Counts:
        """Cells by what is known of them, without a look into their decisions."""
        ok = failed = running = not_run = 0
        for key in keys:
            cell = self.board.cells.get(key)
            if self.board.is_running(key):
                running += 1
            elif key in self.board.tallies:
                counted = bool(answered(self.board.tallies[key]))
                ok, failed = ok + counted, failed + (not counted)
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

    def planned(self, scenario: str, plan: Planned) -> bool:
        """What a run of a scenario would send is known. Returns whether its answers are to be judged anew."""
        restated = self.board.plan(scenario, plan.deliveries)
        reread = scenario in self._reread
        self._reread.discard(scenario)
        self._plans[scenario] = ()
        self._changed(scenario)
        return restated or reread

    def reloaded(self, loaded: Loaded) -> Changes:
        """The files were read anew. Answers stay with their prompts; returns what changed.

        Not while a run is on: its answers come for the prompts that it was planned with.
        """
        before = self.scenarios
        problems = (*loaded.problems, *self.stored.problems)
        self.session = replace(self.session, **loaded._replace(problems=problems)._asdict())
        self.scenarios = {scenario.name: scenario for scenario in loaded.scenarios}
        moved: dict[str, dict[str, str]] = {}
        for name, now in self.scenarios.items():
            then = before.get(name)
            if then is not None and then != now:
                moved[name] = same_prompts(then.prompts, now.prompts)
                self.board.relabel(name, moved[name])
                self.verdicts.relabel(name, moved[name])
                self._reread.add(name)
        self._plans.clear()
        self._following.follow(self.place, moved, self.scenarios.values())
        self._changed()
        return changes_of(before, self.scenarios)

    def vetted(self, loaded: Loaded) -> None:
        """It is known now what is wrong with the adapters, and which of them may be run."""
        problems = (*loaded.problems, *self.stored.problems)
        facts = loaded._replace(problems=problems, scenarios=self.session.scenarios)._asdict()
        if any(getattr(self.session, key) != value for key, value in facts.items()):
            self.session = replace(self.session, **facts)
            self.relisted()

    def unplannable(self, scenario: str, problems: tuple[Problem, ...]) -> None:
        """A scenario cannot be run, and this is why."""
        self._plans[scenario] = problems
        self._changed(scenario)

    def begin(self) -> None:
        """A run was asked for, and is being planned."""
        self._run_problems = ()
        self.progress.begin()
        self.watch.taken()
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
            self.comparisons.forget()
            return
        scenario, prompt = touched
        self._ran.add(scenario)
        self._counts.pop((scenario, prompt), None)
        self._counts.pop((scenario, None), None)
        self.comparisons.forget(scenario, prompt)

    def to_judge(self) -> Run:
        """The newest answers of every scenario that the last run touched, to be read for findings."""
        self._judging = frozenset(self._ran)
        labels = {name: frozenset(prompt.label for prompt in self.prompts(name)) for name in self._ran}
        accept = {name: self.scenarios[name].accept for name in labels if name in self.scenarios}
        return self.board.run_of(labels, self.progress.phase is not Phase.DONE, accept)

    def to_rejudge(self, scenario: str) -> Run:
        """The newest answers of a scenario, to be read for findings though nothing was run."""
        labels = {scenario: frozenset(prompt.label for prompt in self.prompts(scenario))}
        accept = {scenario: self.scenarios[scenario].accept} if scenario in self.scenarios else {}
        stopped = self.progress.phase in (Phase.STOPPED, Phase.BROKEN)
        return self.board.run_of(labels, stopped, accept)

    def rejudged(self, scenario: str, findings: Iterable[Finding]) -> None:
        """The findings of what `to_rejudge` gave."""
        self.verdicts.replace(frozenset((scenario,)), findings)
        self._changed()

    def judged(self, findings: Iterable[Finding]) -> None:
        """The findings of what `to_judge` gave."""
        self.verdicts.replace(self._judging, findings)
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

    def touched(self, scenario: str, prompt: str | None = None) -> None:
        """What is known of a prompt, or of a whole scenario, changed and nothing else did."""
        self.version += 1
        prompts = {prompt, None}
        for key in [key for key in self._counts if key[0] == scenario and (not prompt or key[1] in prompts)]:
            del self._counts[key]
        self.comparisons.forget(scenario, prompt)
        self.place.settle()

    def resieved(self) -> None:
        """Filters or the search changed: other rows, other cells."""
        self.relisted()
        self.place.settle()

    def relisted(self) -> None:
        """Files that do not load came or went."""
        self.version += 1
        self.place.relist()

    def _changed(self, scenario: str | None = None) -> None:
        self.version += 1
        self.comparisons.forget()
        if scenario is None:
            self._counts.clear()
        else:
            for key in [key for key in self._counts if key[0] == scenario]:
                del self._counts[key]
        self.place.settle()
