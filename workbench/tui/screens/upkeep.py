"""Carries out what keeps a workspace going: reruns of a part, trust, and the first steps without one."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.cell import CellKey
from workbench.core.errors import Problem
from workbench.core.text import safe, visible
from workbench.tui.keymap import key_of
from workbench.tui.runner import problems_of
from workbench.tui.session import Target
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.widgets.safe import toast

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen

__all__ = ["Upkeep"]


def _why_not_folder(raw: str) -> str | None:
    try:
        return None if Path(raw).expanduser().is_dir() else "there is no such folder"
    except (OSError, ValueError, RuntimeError):
        return "no folder can have that name"


class Upkeep:
    """Works beside the screen, which is never kept waiting."""

    def __init__(self, main: MainScreen) -> None:
        self._main = main
        self._going: set[asyncio.Task[None]] = set()

    def run_only(self, target: Target, keys: Collection[CellKey]) -> None:
        """Run some cells of a target."""
        self._main.runner.start(target, frozenset(keys))

    def ask_trust(self) -> None:
        """Show what the adapters start, and trust them if that is wanted."""
        self._begin(self._ask_trust())

    def welcome(self) -> None:
        """Offer ways to begin, to somebody without a workspace."""
        self._begin(self._welcome())

    def tell_broken(self, problem: Problem) -> None:
        """Say that a file does not load any more: where, and why."""
        mark = problem.mark
        where = (visible(mark.file), safe(f":{mark.line}:{mark.column}: ")) if mark is not None else ()
        toast(self._main.app, *where, visible(problem.message), severity="error")

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._main.run_worker(self._careful(work), exit_on_error=False)

    async def _careful(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            toast(self._main.app, visible(problems_of(error)[0].message), severity="error")

    async def _welcome(self) -> None:
        from workbench.tui.screens.dialog import Entry, MenuScreen

        session, app = self._main.state.session, self._main.app
        here = visible(str(session.here)) if session.here is not None else safe("this folder")
        about: list[Line] = [
            (ink("There is no workspace in "), Piece(cut(here, 60), Tone.STRONG), ink(" or above it,")),
            (ink("so these are the scenarios that come with the program. Nothing is changed in them."),),
            (),
        ]
        entries = [
            Entry("d", (ink("look at them"), ink("  `workbench demo` walks through them", Tone.MUTED)), "d"),
            Entry("n", (ink("begin a workspace in this folder"),), "n"),
            Entry("o", (ink("open another folder"),), "o"),
        ]
        chosen = await app.push_screen_wait(MenuScreen((ink("welcome to the workbench"),), entries, *about))
        if chosen == "n" and session.found is not None and session.here is not None:
            await asyncio.to_thread(session.found, session.here)
            self._go_to(session.here)
        elif chosen == "o":
            await self._open_folder()

    async def _open_folder(self) -> None:
        from workbench.tui.screens.dialog import AskScreen, Field

        field = Field((ink("its path"),), str(self._main.state.session.here or ""), _why_not_folder)
        given = await self._main.app.push_screen_wait(AskScreen((ink("open a folder"),), [field]))
        if given is not None:
            self._go_to(Path(given[0]).expanduser())

    def _go_to(self, folder: Path) -> None:
        """Leave this workspace for another one."""
        self._main.app.going_to = folder
        self._main.app.leave()

    async def _ask_trust(self) -> None:
        from workbench.tui.screens.dialog import Entry, MenuScreen

        session = self._main.state.session
        if session.trust is None:
            return
        # Not in a thread: a key that is pressed while the dialog is on its way would be taken for a command.
        lines = session.adapter_lines() if session.adapter_lines else ()
        # All of them, however many: the one that is not shown is the one to be afraid of.
        about: list[Line] = [
            (ink(f"{len(lines)} of its adapters start programs, or reach out:", Tone.WARNING),),
            (),
            *((Piece(line),) for line in lines),
            (),
        ]
        entries = [
            Entry("n", (ink("not now"),), False),
            Entry("y", (ink("trust this workspace until its adapters change"),), True),
        ]
        if await self._main.app.push_screen_wait(MenuScreen((ink("trust"),), entries, *about)):
            await asyncio.to_thread(session.trust)
            await self._main.runner.vet()
            one, every = (key_of(self._main.state, name) for name in ("run-cell", "run-shown"))
            toast(self._main.app, safe(f"trusted: {one} runs this cell, {every} all that is shown"))
