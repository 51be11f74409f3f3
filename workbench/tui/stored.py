"""Answers of earlier runs: counted first, read and looked through for findings prompt by prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.cell import Run
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.scenario import Prompt
from workbench.store.newest import Stored, Tallied
from workbench.tui.board import PromptKey
from workbench.tui.gathering import prompt_run
from workbench.tui.judging import Ruling
from workbench.tui.listing import RowKind, TreeRow

if TYPE_CHECKING:
    from workbench.tui.session import Archive
    from workbench.tui.state import SessionState

__all__ = ["StoredAnswers"]


class StoredAnswers:
    """Which prompts have been read from the archive. Without an archive everything has been."""

    def __init__(self, state: SessionState, archive: Archive | None) -> None:
        self._state = state
        self.archive = archive
        self._read: set[PromptKey] = set()
        self._counted: set[str] = set()
        self._newest: str | None = None
        self._asked = False
        self.problems: tuple[Problem, ...] = ()

    def is_unread(self, scenario: str, prompt: str) -> bool:
        """Whether answers of this prompt may be stored that have not been read."""
        return self.archive is not None and (scenario, prompt) not in self._read

    def is_uncounted(self, scenario: str) -> bool:
        """Whether it is not known yet which answers of this scenario are stored."""
        return self.archive is not None and scenario not in self._counted

    def sketch(self, wanted: str) -> None:
        """Give one scenario the prompts that it was run with last: the wanted, else the newest run's first.

        So the first frame has them, though no file has been read.
        """
        if self.archive is None:
            return
        try:
            if not self._sketch(wanted, self.archive):
                self._sketch(self._first(self.archive) or "", self.archive)
        except WorkbenchError as error:
            self.failed(error.problems)
            self.archive = None

    def _sketch(self, name: str, archive: Archive) -> bool:
        known = self._state.scenarios.get(name)
        prompts = archive.prompts(name) if known is not None else ()
        if known is None or not prompts:
            return False
        self._state.scenarios[name] = replace(known, prompts=_sketched(prompts, known.file))
        self._state.place.relist()
        return True

    def _first(self, archive: Archive) -> str | None:
        """The newest run's first scenario when the screen was opened."""
        if not self._asked:
            self._newest, self._asked = archive.first_scenario(), True
        return self._newest

    def open(self, restored: bool) -> None:
        """Count the answers of the chosen prompt, at once: the first frame is to have its matrix.

        Where the place was not `restored`, the newest run's first scenario is chosen.
        """
        place = self._state.place
        if self.archive is None:
            return
        try:
            first = None if restored else self._first(self.archive)
            if first is not None and (prompts := self._state.prompts(first)):
                place.open_row(TreeRow(RowKind.PROMPT, first, prompts[0].label))
            if place.scenario is None or place.prompt is None:
                return
            self._state.board.tally(self.archive.tally(place.scenario, place.prompt))
            self._state.touched(place.scenario)
        except WorkbenchError as error:
            self.failed(error.problems)
            self.archive = None
        place.settle()

    def uncounted(self) -> Iterator[str]:
        """Scenarios whose answers have not been counted, the chosen one first."""
        chosen = self._state.place.scenario
        for name in sorted(self._state.scenarios, key=lambda name: name != chosen):
            if name not in self._counted:
                yield name

    def tallied(self, scenario: str, tallied: Tallied) -> None:
        """The answers of a scenario were counted. Prompts without one have nothing to be read."""
        self._counted.add(scenario)
        self._state.board.tally(tallied)
        stored = {key.prompt for key in tallied.cells}
        for prompt in self._state.prompts(scenario):
            if prompt.label not in stored:
                self._read.add((scenario, prompt.label))
        self._state.touched(scenario)

    def left(self) -> PromptKey | None:
        """The next prompt to read, the chosen scenario's first; None where all have been."""
        if self.archive is None:
            return None
        chosen = self._state.place.scenario
        for name in sorted(self._state.scenarios, key=lambda name: name != chosen):
            for prompt in self._state.prompts(name):
                if (name, prompt.label) not in self._read:
                    return name, prompt.label
        return None

    def is_whole(self, scenario: str) -> bool:
        """Whether every prompt of a scenario has been read."""
        return not any(self.is_unread(scenario, prompt.label) for prompt in self._state.prompts(scenario))

    def took(self, scenario: str, prompt: str, stored: Stored) -> Run:
        """A prompt was read. Returns its answers as a run, to be looked through for findings."""
        self._state.board.store(stored)
        known = self._state.scenarios.get(scenario)
        return prompt_run(self._state.board, scenario, prompt, known.accept if known else ())

    def judged(self, scenario: str, prompt: str, ruling: Ruling) -> None:
        """The findings and rates of what `took` gave."""
        self._state.rates.take(ruling.rates)
        self._read.add((scenario, prompt))
        self._state.verdicts.replace_prompt(scenario, prompt, ruling.findings)
        self._state.touched(scenario, prompt)

    def unreadable(self, scenario: str, prompt: str, problems: tuple[Problem, ...]) -> None:
        """A prompt could not be read; the rest may be."""
        self._read.add((scenario, prompt))
        self.failed(problems)
        self._state.touched(scenario, prompt)

    def failed(self, problems: tuple[Problem, ...]) -> None:
        """Say once what is wrong with the store, among the files that do not load."""
        session = self._state.session
        new = tuple(problem for problem in problems if problem not in session.problems)
        self.problems += new
        if new:
            self._state.session = replace(session, problems=(*session.problems, *new))
            self._state.relisted()


def _sketched(prompts: Iterable[tuple[str, str]], file: str) -> tuple[Prompt, ...]:
    return tuple(
        Prompt(label, typed, Mark(file), None if label.isdecimal() else label) for label, typed in prompts
    )
