"""Reads stored answers beside the screen: what is looked at first, the rest while nobody presses a key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from workbench.core.errors import Problem
from workbench.tui.board import PromptKey
from workbench.tui.judging import rule_on
from workbench.tui.state import SessionState

__all__ = ["Reader"]

CALM = 0.4
"""Seconds without a key press after which the next prompt may be read: reading slows down what is drawn."""

SELDOM = 0.5
"""Seconds between two drawings of what was read in the background."""

SOON = 1.0
"""Seconds after the start in which the cursor may still go to the first error by itself."""


class Reader:
    """Feeds the state from its archive. `on_change` is called when there is something new to show."""

    def __init__(
        self,
        state: SessionState,
        on_change: Callable[[], None],
        problems_of: Callable[[BaseException], tuple[Problem, ...]],
        rejudge: Callable[[str], object],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._state = state
        self._on_change = on_change
        self._problems_of = problems_of
        self._rejudge = rejudge
        self._clock = clock
        self._began = clock()
        self._touched = 0.0
        self._told = 0.0
        self._reading: dict[PromptKey, asyncio.Task[None]] = {}

    def touch(self) -> None:
        """A key was pressed: what nobody waits for waits."""
        self._touched = self._clock()

    def want(self, scenario: str, prompt: str) -> None:
        """Read a prompt, unless that was done or is under way."""
        if self._state.stored.is_unread(scenario, prompt) and (scenario, prompt) not in self._reading:
            task = asyncio.create_task(self._read(scenario, prompt))
            self._reading[scenario, prompt] = task
            task.add_done_callback(lambda _: self._reading.pop((scenario, prompt), None))

    @property
    def busy(self) -> bool:
        """Whether a prompt is being read."""
        return bool(self._reading)

    async def read_all(self) -> None:
        """Count everything, then read it, and look through whole scenarios; ends when all is done."""
        await self._count()
        while (left := self._state.stored.left()) is not None:
            await self._calm()
            self.want(*left)
            await asyncio.wait(tuple(self._reading.values()))
            if self._state.stored.is_whole(left[0]):
                self._rejudge(left[0])
            if self._touched == 0.0 and self._clock() - self._began < SOON:
                self._state.place.go_to_trouble()
        self._on_change()

    async def read_scenario(self, scenario: str) -> None:
        """Read what is left of a scenario, before its prompts get other labels."""
        for prompt in self._state.prompts(scenario):
            self.want(scenario, prompt.label)
        while self._reading:
            await asyncio.wait(tuple(self._reading.values()))

    async def _count(self) -> None:
        stored = self._state.stored
        for scenario in tuple(stored.uncounted()):
            if stored.archive is None:
                return
            try:
                stored.tallied(scenario, await asyncio.to_thread(stored.archive.tally, scenario))
            except Exception as error:
                stored.failed(self._problems_of(error))
                stored.archive = None
            self._on_change()

    async def _calm(self) -> None:
        while self._state.progress.busy or self._clock() - self._touched < CALM:
            await asyncio.sleep(CALM / 4)

    async def _read(self, scenario: str, prompt: str) -> None:
        stored = self._state.stored
        archive = stored.archive
        if archive is None:
            return
        try:
            answers = await asyncio.to_thread(archive.read, scenario, prompt)
            run = stored.took(scenario, prompt, answers)
            ruling = await asyncio.to_thread(rule_on, self._state.session.find, run)
            stored.judged(scenario, prompt, ruling)
        except Exception as error:
            stored.unreadable(scenario, prompt, self._problems_of(error))
        place = self._state.place
        if (place.scenario, place.prompt) == (scenario, prompt):
            self._on_change()
        else:
            self._tell_now_and_then()

    def _tell_now_and_then(self) -> None:
        # Each change draws the list anew, and five hundred prompts may come in a few seconds.
        if self._clock() - self._told >= SELDOM:
            self._told = self._clock()
            self._on_change()
