"""What the screen knows, as one plain object: fed by events, asked by the views, free of Textual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.errors import Problem
from workbench.core.scenario import Prompt, Scenario
from workbench.tui.board import Board
from workbench.tui.comparisons import Comparisons
from workbench.tui.counted import Counted
from workbench.tui.darkness import Darkness
from workbench.tui.explanations import Explanations
from workbench.tui.following import Following
from workbench.tui.gathering import is_whole, run_of
from workbench.tui.judging import JudgedRate, Rates
from workbench.tui.listing import TreeRow
from workbench.tui.memory import recall, restore, restore_cell
from workbench.tui.place import Place
from workbench.tui.progress import Phase, Progress
from workbench.tui.reloading import Changes, changes_of, same_prompts
from workbench.tui.session import Loaded, Planned, Session, Target
from workbench.tui.sieve import Sieve
from workbench.tui.stored import StoredAnswers
from workbench.tui.verdicts import Counts, Verdicts
from workbench.tui.view.layout import SideBySide
from workbench.tui.watch import Watch
from workbench.tui.why_not import why_not_run

if TYPE_CHECKING:
    from workbench.core.cell import CellKey, Run
    from workbench.core.finding import Finding
    from workbench.replay.events import Event
    from workbench.tui.guide import Guide
    from workbench.tui.keymap import Keymap

__all__ = ["SessionState"]


class SessionState:
    """Loaded scenarios, answers, findings, progress, and where the user stands."""

    def __init__(self, session: Session[Any]) -> None:
        self.session = session
        self.scenarios: dict[str, Scenario] = {scenario.name: scenario for scenario in session.scenarios}
        self.board = Board(session.run)
        self.verdicts = Verdicts(session.findings)
        self.rates = Rates()
        self.progress = Progress()
        self.side_by_side = SideBySide.AUTO
        self.unfolded = False
        self.context = 0
        self.version = 0
        self._plans: dict[str, tuple[Problem, ...]] = {}
        self._run_problems: tuple[Problem, ...] = ()
        self.counted = Counted(self)
        self.comparisons = Comparisons(self)
        self.explanations = Explanations(self)
        self.darkness = Darkness(self)
        self._ran: set[str] = set()
        self._judging: frozenset[str] = frozenset()
        self._reread: set[str] = set()
        self.guide = _guide(session)
        self.watch = Watch()
        self.sieve = Sieve(self)
        self.stored = StoredAnswers(self, session.archive)
        self.keymap: Keymap = {}
        self.memory = recall(session.memory)
        self.place = Place(self)
        if self.is_sketch:
            self.stored.sketch(self.memory.scenario)
        self._begin_at = self._begin()
        self._following = Following(session.scenarios)

    def _begin(self) -> TreeRow | None:
        self.stored.open(restore(self, self.memory))
        restore_cell(self, self.memory)
        return self.place.here

    # Facts

    @property
    def is_sketch(self) -> bool:
        """Whether no file has been read yet: scenarios have names, and prompts only as they were stored."""
        return self.session.open is not None

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
        return self.counted.of(scenario, prompt)

    def count_cells(self, keys: Iterable[CellKey]) -> Counts:
        """Cells by what is known of them, without a look into their decisions."""
        return self.counted.cells(keys)

    def why_not_run(self, target: Target | None) -> str | None:
        """Why a target cannot be run now, in our own words; None where it can."""
        return why_not_run(self, target)

    # What comes in

    def planned(self, scenario: str, plan: Planned) -> bool:
        """What a run of a scenario would send is known. Returns whether its answers are to be judged anew."""
        was_whole = self._is_whole(scenario)
        restated = self.board.plan(scenario, plan.deliveries)
        restated = restated or was_whole != self._is_whole(scenario)
        reread = scenario in self._reread
        self._reread.discard(scenario)
        self._plans[scenario] = ()
        self._changed(scenario)
        return restated or reread

    def opened(self, loaded: Loaded) -> None:
        """The files were read for the first time. Who has not moved goes where they should have begun."""
        stays = self.place.here == self._begin_at
        problems = (*loaded.problems, *self.stored.problems)
        facts = loaded._replace(problems=problems).facts
        self.session = replace(self.session, open=None, **facts)
        self.scenarios = {scenario.name: scenario for scenario in loaded.scenarios}
        self._following = Following(loaded.scenarios)
        self.place.relist()
        if stays:
            self.place.begin()
            self._begin()
        self._changed()

    def _is_whole(self, scenario: str) -> bool:
        known = self.scenarios.get(scenario)
        labels = [prompt.label for prompt in self.prompts(scenario)]
        return is_whole(self.board, scenario, labels, bool(known and known.accept))

    def lacks_plan(self, scenario: str) -> bool:
        """Whether its answers cannot be judged as a whole before it is known what is planned."""
        known = self.scenarios.get(scenario)
        return known is not None and bool(known.accept) and not self.is_planned(scenario)

    def reloaded(self, loaded: Loaded) -> Changes:
        """The files were read anew. Answers stay with their prompts; returns what changed.

        Not while a run is on: its answers come for the prompts that it was planned with.
        """
        before = self.scenarios
        problems = (*loaded.problems, *self.stored.problems)
        self.session = replace(self.session, **loaded._replace(problems=problems).facts)
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
        facts = loaded._replace(problems=problems, scenarios=self.session.scenarios).facts
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
            self.counted.forget()
            self.comparisons.forget()
            return
        scenario, prompt = touched
        self._ran.add(scenario)
        self.counted.forget(scenario, prompt)
        self.comparisons.forget(scenario, prompt)

    def to_judge(self) -> Run:
        """The newest answers of every scenario that the last run touched, to be read for findings."""
        self._judging = frozenset(self._ran)
        labels = {name: frozenset(prompt.label for prompt in self.prompts(name)) for name in self._ran}
        accept = {name: self.scenarios[name].accept for name in labels if name in self.scenarios}
        return run_of(self.board, labels, self.progress.phase is not Phase.DONE, accept)

    def to_rejudge(self, scenario: str) -> Run:
        """The newest answers of a scenario, to be read for findings though nothing was run."""
        labels = {scenario: frozenset(prompt.label for prompt in self.prompts(scenario))}
        accept = {scenario: self.scenarios[scenario].accept} if scenario in self.scenarios else {}
        stopped = self.progress.phase in (Phase.STOPPED, Phase.BROKEN)
        return run_of(self.board, labels, stopped, accept)

    def rejudged(
        self, scenario: str, findings: Iterable[Finding], rates: Mapping[CellKey, JudgedRate] | None = None
    ) -> None:
        """The findings and rates of what `to_rejudge` gave."""
        self.rates.take(rates or {})
        self.verdicts.replace(frozenset((scenario,)), findings)
        self._changed()

    def judged(self, findings: Iterable[Finding], rates: Mapping[CellKey, JudgedRate] | None = None) -> None:
        """The findings and rates of what `to_judge` gave."""
        self.board.unjudged = {key for key in self.board.unjudged if key.scenario not in self._judging}
        self.rates.take(rates or {})
        self.verdicts.replace(self._judging, findings)
        self._changed()

    def ended(self, run: Run | None, problems: tuple[Problem, ...] = ()) -> None:
        """The run is over: in order, stopped, or because of `problems`."""
        self.board.settle()
        if run is not None:
            self.board.adapters.update(run.adapters)
            self.board.halted = dict(run.halted)
        self._run_problems = problems
        if problems:
            self.progress.phase = Phase.BROKEN
        elif self.progress.busy:
            self.progress.phase = Phase.STOPPED
        self._changed()

    def touched(self, scenario: str, prompt: str | None = None) -> None:
        """What is known of a prompt, or of a whole scenario, changed and nothing else did."""
        self.version += 1
        self.counted.forget(scenario, prompt)
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
        self.counted.forget(scenario)
        self.place.settle()


def _guide(session: Session[Any]) -> Guide | None:
    if session.walk is None:
        return None
    from workbench.tui.guide import Guide

    return Guide(session.walk)
