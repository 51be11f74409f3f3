"""What every authoring command works with: the chosen file, one task at a time, words for what happened."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.notifications import SeverityLevel

from workbench.core.errors import Problem
from workbench.core.scenario import Prompt, Scenario
from workbench.core.text import SafeText, safe, visible
from workbench.tui.reloading import Changes
from workbench.tui.runner import problems_of
from workbench.tui.widgets.safe import toast

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen

__all__ = ["Desk"]


class Desk:
    """The chosen scenario and prompt of a screen, and where its files are."""

    def __init__(self, main: MainScreen) -> None:
        self.main = main
        self.state = main.state

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Carry out what may ask and write; what goes wrong is told."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:
                self.tell_problem(problems_of(error)[0])

        self.main.run_worker(guarded(), group="authoring", exit_on_error=False)

    @property
    def root(self) -> Path:
        return self.state.session.root

    @property
    def scenario(self) -> Scenario | None:
        name = self.state.place.scenario
        return self.state.scenarios.get(name) if name is not None else None

    @property
    def prompt(self) -> Prompt | None:
        place = self.state.place
        if place.scenario is None or place.prompt is None:
            return None
        return self.state.prompt(place.scenario, place.prompt)

    async def reread(self, path: Path) -> Changes:
        """Show what stands in the files now, a file at `path` just written; returns what changed."""
        if self.state.progress.busy:
            # Answers come for the prompts that the run was planned with.
            self.say(visible(self.near(path)), safe(" written; it is read once the run is over"))
        return await self.main.runner.reload()

    def near(self, path: Path) -> str:
        """The path from the workspace's folder, raw."""
        absolute = path.absolute()
        return str(absolute.relative_to(self.root)) if absolute.is_relative_to(self.root) else str(path)

    def say(self, *parts: SafeText, severity: SeverityLevel = "information") -> None:
        """A few words for a moment."""
        toast(self.main.app, *parts, severity=severity)

    def tell_problem(self, problem: Problem) -> None:
        """Say what stands in the way, where, and what to do."""
        mark = problem.mark
        where = (visible(self.near(Path(mark.file))), safe(f":{mark.line}: ")) if mark is not None else ()
        hint = (safe(" ("), visible(problem.hint), safe(")")) if problem.hint else ()
        self.say(safe("not done: "), *where, visible(problem.message), *hint, severity="error")
