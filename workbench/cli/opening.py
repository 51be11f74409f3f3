"""Opening the screen: only what the first frame shows is read here, the rest is asked for later."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.cell import Run
from workbench.core.errors import UsageError, WorkbenchError
from workbench.core.finding import Finding
from workbench.core.scenario import Scenario
from workbench.files.locate import find_scenarios
from workbench.files.problems import Problems
from workbench.files.scenario import load_scenario
from workbench.files.settings import load_settings, settings_file
from workbench.files.trust import is_trusted, screen_file
from workbench.files.workspace import Workspace, open_workspace
from workbench.replay.events import Event
from workbench.store.newest import NewestAnswers
from workbench.tui.launch import open_on
from workbench.tui.offers import Outbox, Runs
from workbench.tui.session import Session

if TYPE_CHECKING:
    from workbench.cli.backstage import Backstage

__all__ = ["open_screen", "session_of"]


def open_screen() -> int:
    """Open the screen on the workspace of this folder; returns the exit code. Raises WorkbenchError."""
    folder: Path | None = Path.cwd()
    while folder is not None:
        cwd = Path(os.path.realpath(folder))
        try:
            os.chdir(cwd)  # paths are written as a person there would write them
        except OSError as error:
            raise UsageError(f"{cwd} cannot be gone to: {error.strerror}") from error
        code, folder = open_on(session_of(open_workspace(cwd), cwd))
    return code


def _found(folder: Path) -> None:
    """Write the files of a new workspace; what is there already stays. Raises WorkbenchError."""
    from workbench.files.edit.fresh import WORKSPACE
    from workbench.files.edit.save import create

    # The workspace file comes last: it is what makes the folder one.
    for name, text in reversed(list(WORKSPACE.items())):
        if not (folder / name).exists():
            create(folder / name, folder, text)


def session_of(workspace: Workspace, cwd: Path) -> Session[Any]:
    """The session for a workspace. Files that do not load become problems; the rest works."""
    problems = Problems()
    scenarios: list[Scenario] = []
    for path in find_scenarios(workspace.root):
        near = path.relative_to(cwd) if path.is_relative_to(cwd) else path
        try:
            scenarios.append(load_scenario(near, workspace.root))
        except WorkbenchError as error:
            problems.extend(error.problems)
    later = _Later(workspace, cwd)
    root = _store_root(workspace)
    return Session(
        root=workspace.root,
        plan=later.plan,
        replay=later.replay,
        find=_find,
        scenarios=tuple(scenarios),
        problems=problems.ordered(),
        adapters=tuple(workspace.adapters),
        trusted=is_trusted(workspace),
        archive=NewestAnswers(root),
        settings=load_settings(settings_file()),
        memory=screen_file(workspace),
        only=lambda plan, keys: later.backstage.only(plan, keys),
        watched=lambda: later.backstage.watched(),
        adapter_lines=lambda: later.backstage.adapter_lines(),
        trust=None if workspace.packaged else lambda: later.backstage.trust(),
        reload=lambda: later.backstage.reload(),
        draft=lambda scenario, prompt: later.backstage.draft(scenario, prompt),
        packaged=workspace.packaged,
        here=cwd,
        found=_found if workspace.packaged else None,
        runs=Runs(lambda: later.backstage.runs(), lambda run: later.backstage.run(run)),
        outbox=Outbox(
            root,
            lambda bare, cell, findings: later.backstage.report(bare, cell, findings),
            lambda cell, prompt: later.backstage.case(cell, prompt),
        ),
    )


def _find(run: Run) -> tuple[Finding, ...]:
    from workbench.compare.findings import find

    return find(run)


def _store_root(workspace: Workspace) -> Path:
    if not workspace.packaged:
        return workspace.root
    from workbench.cli.bench import store_root

    return store_root(workspace)


class _Later:
    """What the screen may ask for, imported by the first thread that asks: it takes as long as a frame."""

    def __init__(self, workspace: Workspace, cwd: Path) -> None:
        self._workspace = workspace
        self._cwd = cwd

    @cached_property
    def backstage(self) -> Backstage:
        from workbench.cli.backstage import Backstage

        return Backstage(self._workspace.root, self._workspace.packaged, self._cwd)

    def plan(self, scenario: str, prompt: str | None, arm: str | None, adapter: str | None) -> Any:
        """See Backstage."""
        return self.backstage.plan(scenario, prompt, arm, adapter)

    async def replay(self, plan: Any, on_event: Callable[[Event], None], stop: asyncio.Event) -> Run:
        """See Backstage."""
        return await self.backstage.replay(plan, on_event, stop)
