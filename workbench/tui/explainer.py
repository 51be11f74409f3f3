"""Runs explanations beside the screen, one at a time; nothing waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from workbench.core.cell import CellKey
from workbench.core.errors import Problem, WorkbenchError
from workbench.tui.state import SessionState

if TYPE_CHECKING:
    from workbench.explain.explanation import Progress

__all__ = ["Explainer"]

EVERY = 0.1
"""Seconds between two redraws of its progress."""


class Explainer:
    """Feeds the state, and calls `on_change` when there is something new to show."""

    def __init__(
        self, state: SessionState, on_change: Callable[[], None], clock: Callable[[], float] = monotonic
    ) -> None:
        self._state = state
        self._on_change = on_change
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._drawn = 0.0

    @property
    def busy(self) -> bool:
        """Whether a search goes on."""
        return self._task is not None and not self._task.done()

    def start(self, key: CellKey, ready: Callable[[CellKey], None]) -> None:
        """Explain a cell; `ready` hears once there is something to show."""
        self._stop = asyncio.Event()
        self._state.explanations.begin(key)
        self._task = asyncio.create_task(self._explain(key, ready, self._stop))
        self._on_change()

    def stop(self) -> None:
        """Ask for the best so far; asked twice, it is given up."""
        if not self.busy or self._task is None:
            return
        if self._stop.is_set():
            self._task.cancel()
        self._stop.set()
        self._state.explanations.stopping = True
        self._on_change()

    async def close(self, patience: float) -> None:
        """Stop, and let the adapter put its programs away."""
        self._stop.set()
        if self._task is not None and not self._task.done():
            await asyncio.wait((self._task,), timeout=patience)
            self._task.cancel()
            await asyncio.wait((self._task,), timeout=patience)

    async def _explain(self, key: CellKey, ready: Callable[[CellKey], None], stop: asyncio.Event) -> None:
        explanations, explain = self._state.explanations, self._state.session.explain
        cell = self._state.board.cells.get(key)
        try:
            if explain is None:
                raise WorkbenchError("cells cannot be explained here")
            found = await explain(key, self._take, stop)
        except asyncio.CancelledError:
            explanations.failed(None)
            if not stop.is_set():
                raise
        except WorkbenchError as error:
            explanations.failed(error.problems[0])
        except Exception as error:
            hint = "this is a fault of the workbench; please report it"
            explanations.failed(Problem(f"{type(error).__name__}: {error}", hint=hint))
        else:
            explanations.ended(key, cell, found)
            self._on_change()
            ready(key)
            return
        self._on_change()

    def _take(self, progress: Progress) -> None:
        self._state.explanations.told(progress)
        now = self._clock()
        if now - self._drawn >= EVERY:
            self._drawn = now
            self._on_change()
