"""Opening the screen: only what the first frame shows is read here, the rest is asked for later."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.errors import UsageError
from workbench.core.scenario import Scenario
from workbench.files.glimpse import glimpse
from workbench.files.root import find_root, packaged_root, runs_root
from workbench.files.settings import load_settings, settings_file
from workbench.files.trust import screen_file
from workbench.store.newest import NewestAnswers
from workbench.tui.launch import open_on
from workbench.tui.offers import Outbox, Runs
from workbench.tui.session import Loaded, Session

if TYPE_CHECKING:
    from workbench.cli.backstage import Backstage
    from workbench.cli.registry_file import RegistryFile
    from workbench.core.cell import CellKey, Run
    from workbench.core.finding import Finding
    from workbench.explain.explanation import Explanation, Progress
    from workbench.files.workspace import Workspace
    from workbench.replay.events import Event

__all__ = ["open_screen", "session_of", "sketch_of"]


def open_screen() -> int:
    """Open the screen on the workspace of this folder; returns the exit code. Raises WorkbenchError."""
    folder: Path | None = Path.cwd()
    while folder is not None:
        cwd = Path(os.path.realpath(folder))
        try:
            os.chdir(cwd)  # paths are written as a person there would write them
        except OSError as error:
            raise UsageError(f"{cwd} cannot be gone to: {error.strerror}") from error
        code, folder = open_on(sketch_of(cwd))
    return code


def _found(folder: Path) -> None:
    """Write the files of a new workspace; what is there already stays. Raises WorkbenchError."""
    from workbench.files.edit.fresh import WORKSPACE
    from workbench.files.edit.save import create

    # The workspace file comes last: it is what makes the folder one.
    for name, text in reversed(list(WORKSPACE.items())):
        if not (folder / name).exists():
            create(folder / name, folder, text)


def sketch_of(cwd: Path) -> Session[Any]:
    """The session for the workspace of a folder, of whose scenarios only the names are known at first.

    Where not even these can be told at a glance, the files are read.
    """
    found = find_root(cwd)
    packaged = found is None
    root = Path(os.path.realpath(found or packaged_root()))
    session = _session(root, cwd, packaged=packaged)
    scenarios = tuple(Scenario(name, (), str(_near(path, cwd))) for name, path in glimpse(root).items())
    if not scenarios:
        return replace(session, **_read(root, cwd, packaged=packaged).facts)
    return replace(session, scenarios=scenarios, open=lambda: _read(root, cwd, packaged=packaged))


def session_of(workspace: Workspace, cwd: Path) -> Session[Any]:
    """The session for a workspace, its files read. Those that do not load become problems; the rest works."""
    session = _session(workspace.root, cwd, packaged=workspace.packaged)
    return replace(session, **_read(workspace.root, cwd, packaged=workspace.packaged).facts)


def _read(root: Path, cwd: Path, *, packaged: bool) -> Loaded:
    from workbench.cli.loading import load_files

    return load_files(root, cwd, packaged=packaged)


def _near(path: Path, cwd: Path) -> Path:
    return path.relative_to(cwd) if path.is_relative_to(cwd) else path


def _session(root: Path, cwd: Path, *, packaged: bool) -> Session[Any]:
    later = _Later(root, cwd, packaged)
    runs = runs_root(root, packaged=packaged)
    return Session(
        root=root,
        plan=later.plan,
        replay=later.replay,
        find=_find,
        archive=NewestAnswers(runs),
        settings=load_settings(settings_file()),
        memory=screen_file(root),
        only=lambda plan, keys: later.backstage.only(plan, keys),
        watched=lambda: later.backstage.watched(),
        adapter_lines=lambda: later.backstage.adapter_lines(),
        trust=None if packaged else lambda: later.backstage.trust(),
        reload=lambda: later.backstage.reload(),
        draft=lambda scenario, prompt: later.backstage.draft(scenario, prompt),
        packaged=packaged,
        here=cwd,
        found=_found if packaged else None,
        runs=Runs(lambda: later.backstage.runs(), lambda run: later.backstage.run(run)),
        outbox=Outbox(
            runs,
            lambda bare, cell, findings: later.backstage.report(bare, cell, findings),
            lambda cell, prompt: later.backstage.case(cell, prompt),
        ),
        explain=later.explain,
        follow=lambda path: later.backstage.follow(path),
        lanes=lambda: later.registry.read(),
    )


def _find(run: Run) -> tuple[Finding, ...]:
    from workbench.compare.findings import find

    return find(run)


class _Later:
    """What the screen may ask for, imported by the first thread that asks: it takes as long as a frame."""

    def __init__(self, root: Path, cwd: Path, packaged: bool) -> None:
        self._root = root
        self._cwd = cwd
        self._packaged = packaged

    @cached_property
    def backstage(self) -> Backstage:
        from workbench.cli.backstage import Backstage

        return Backstage(self._root, self._packaged, self._cwd)

    @cached_property
    def registry(self) -> RegistryFile:
        from workbench.cli.registry_file import RegistryFile

        return RegistryFile(self._root)

    def plan(self, scenario: str, prompt: str | None, arm: str | None, adapter: str | None) -> Any:
        """See Backstage."""
        return self.backstage.plan(scenario, prompt, arm, adapter)

    async def replay(self, plan: Any, on_event: Callable[[Event], None], stop: asyncio.Event) -> Run:
        """See Backstage."""
        return await self.backstage.replay(plan, on_event, stop)

    async def explain(
        self, key: CellKey, tell: Callable[[Progress], None], stop: asyncio.Event
    ) -> Explanation:
        """See Backstage."""
        backstage = await asyncio.to_thread(lambda: self.backstage)
        return await backstage.explain(key, tell, stop)
