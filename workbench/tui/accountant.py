"""Finds out beside the screen how much of the requests of the cells in view is dark."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from workbench.tui.darkness import dark_in
from workbench.tui.state import SessionState

__all__ = ["Accountant"]

REST = 0.12
"""Seconds that a prompt must stay chosen before its requests are looked at."""


class Accountant:
    """Looks at one prompt at a time; `on_change` is called when there is something new to show."""

    def __init__(self, state: SessionState, on_change: Callable[[], None]) -> None:
        self._state = state
        self._on_change = on_change
        self._wanted: tuple[str, str] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether anything is being looked at."""
        return self._task is not None and not self._task.done()

    def look_at(self, scenario: str, prompt: str) -> None:
        """Look at the requests of a prompt, unless that was done."""
        if not self._state.darkness.unknown(scenario, prompt):
            return
        self._wanted = (scenario, prompt)
        if not self.busy:
            self._task = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while (wanted := self._wanted) is not None:
            await asyncio.sleep(REST)
            if wanted != self._wanted:
                continue
            self._wanted = None
            for key, cell, adapter in self._state.darkness.unknown(*wanted):
                dark = None
                with suppress(Exception):  # the tab of lanes says what cannot be told of this one
                    dark = await asyncio.to_thread(dark_in, cell, adapter)
                self._state.darkness.took(key, cell, dark)
            self._on_change()

    def close(self) -> None:
        """Let go of what is being looked at."""
        if self._task is not None:
            self._task.cancel()
