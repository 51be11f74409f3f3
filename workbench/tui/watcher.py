"""Looks at files now and then, in a thread, and has the state told of what changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from pathlib import Path

from workbench.core.errors import Problem
from workbench.tui.reloading import Changes
from workbench.tui.state import SessionState
from workbench.tui.watch import Stamp, changed, stamps

__all__ = ["Watcher"]

EVERY = 1.0
"""Seconds between two looks: soon enough for a person who comes back from an editor, and no load."""


class Watcher:
    """One task that never ends by itself. `reload` reads the files anew, `on_change` shows what is new.

    A file is looked at without being opened, and what it says is only read once it has changed. `tell`
    says that one broke.
    """

    def __init__(
        self,
        state: SessionState,
        reload: Callable[[], Awaitable[Changes]],
        on_change: Callable[[], None],
        tell: Callable[[Problem], None] = lambda problem: None,
        every: float = EVERY,
    ) -> None:
        self._state = state
        self._reload = reload
        self._on_change = on_change
        self._every = every
        self._task: asyncio.Task[None] | None = None
        self._seen: dict[Path, Stamp | None] = {}
        self._tell = tell

    def start(self) -> None:
        """Begin to look, where there is anything to look at."""
        if self._task is None and self._state.session.watched is not None:
            self._task = asyncio.create_task(self._watch())

    def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        self._seen = await asyncio.to_thread(self._look)
        while True:
            await asyncio.sleep(self._every)
            if self._state.watch.on and not self._state.progress.busy:
                await self.look()

    async def look(self) -> None:
        """Look once, and tell what changed since the last look."""
        found = changed(self._seen, await asyncio.to_thread(stamps, tuple(self._seen)))
        if not found:
            return
        trusted, known = self._state.session.trusted, self._state.session.problems
        changes = await self._reload()
        self._seen = await asyncio.to_thread(self._look)
        files = tuple(path for path in found if path.suffix and self._counts(path, changes))
        self._state.watch.note(files)
        if files or changes or trusted != self._state.session.trusted:
            self._state.version += 1
            self._on_change()
        for problem in _first_of_each_file(self._state.session.problems, known):
            self._tell(problem)

    def _counts(self, path: Path, changes: Changes) -> bool:
        """Whether a change makes answers old. A scenario's may have been ours, and is known already."""
        if path.suffix == ".json" and path.parent.name == "trust":
            return False
        own = self._state.session.root / "scenarios"
        is_scenario = path.is_relative_to(own) and path.suffix in (".yaml", ".yml")
        return bool(changes) if is_scenario and self._is_loaded(path) else True

    def _is_loaded(self, path: Path) -> bool:
        return any(Path(known.file).absolute() == path for known in self._state.scenarios.values())

    def _look(self) -> dict[Path, Stamp | None]:
        watched = self._state.session.watched
        try:
            paths = watched() if watched is not None else ()
        except Exception:
            # The workspace's own file is broken at the moment: what was watched still is.
            paths = tuple(self._seen)
        return stamps(paths)


def _first_of_each_file(problems: Iterable[Problem], known: Collection[Problem]) -> tuple[Problem, ...]:
    """What is newly wrong, one problem a file."""
    said = {(problem.mark.file if problem.mark else "", problem.message) for problem in known}
    fresh: dict[str, Problem] = {}
    for problem in problems:
        file = problem.mark.file if problem.mark else ""
        if (file, problem.message) not in said:
            fresh.setdefault(file, problem)
    return tuple(fresh.values())
