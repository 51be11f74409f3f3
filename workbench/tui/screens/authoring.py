"""Begins what authoring commands ask for; what that needs is brought in when it is first needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from workbench.tui.screens.desk import Desk

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen
    from workbench.tui.screens.writing import Writing

__all__ = ["Authoring"]


class Authoring:
    """Works on what is chosen on a screen."""

    def __init__(self, main: MainScreen) -> None:
        self._desk = Desk(main)

    def edit_outside(self) -> None:
        """Open the file in the user's own editor."""
        self._begin(lambda writing: writing.edit_outside())

    def edit_here(self) -> None:
        """Open the file on the screen."""
        self._begin(lambda writing: writing.edit_here())

    def begin(self) -> None:
        """Ask for what is to be new, and begin it."""
        self._begin(lambda writing: writing.begin())

    def paste(self) -> None:
        """Make an envelope of a wrapped turn."""
        self._begin(lambda writing: writing.paste())

    def freeze(self) -> None:
        """Expect what was observed."""
        self._begin(lambda writing: writing.freeze())

    def accept(self) -> None:
        """Accept a finding."""
        self._begin(lambda writing: writing.accept())

    def warm(self) -> None:
        """Bring in editors and dialogs, so that no key press has to wait for them."""
        self._desk.main.run_worker(asyncio.to_thread(_bring_in), exit_on_error=False)

    def _begin(self, task: Callable[[Writing], Coroutine[Any, Any, None]]) -> None:
        # Not in a thread: a key that is pressed while a dialog is on its way would be taken for a command.
        self._desk.begin(task(_bring_in()(self._desk)))


def _bring_in() -> type[Writing]:
    """Editors and dialogs, which the first frame does without."""
    from workbench.tui.screens.writing import Writing

    return Writing
