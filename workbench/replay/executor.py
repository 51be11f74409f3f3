"""Who makes the calls: adapters of this process, or later a cluster of them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from workbench.adapters.budget import Capped, Caps
from workbench.adapters.protocol import Adapter, Answer, Request
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.trial import Status
from workbench.replay.identity import fingerprint_of

__all__ = ["Executor", "Limit", "LocalExecutor"]

_OPEN_WITHIN = 120.0
"""Seconds for an adapter to make ready, if its own timeout is not longer: some load a model first."""

_CLOSE_WITHIN = 10.0
"""Seconds for all adapters to end what they started; then the run does not wait for them."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How many calls an adapter takes at once, and how many seconds each may last.

    `bounds_itself`: it keeps to that time by itself. `max_calls` and `max_cost`, in US dollars, are for the
    whole run, with its earlier sessions; None: as many as it needs.
    """

    concurrency: int
    timeout: float
    bounds_itself: bool = False
    max_calls: int | None = None
    max_cost: float | None = None


class Executor(Protocol):
    """The seam between the engine and the adapters."""

    def limit(self, adapter: str) -> Limit:
        """What the engine keeps to."""

    async def prepare(self, adapters: Collection[str]) -> Mapping[str, str]:
        """Makes adapters ready before the first call; returns why, for each that is broken.

        Calls of a broken adapter are answered with an error. Raises WorkbenchError, and then no call is
        made at all, where settings cannot work.
        """

    def fingerprint(self, adapter: str) -> str:
        """What identifies an adapter that was made ready, canonical JSON: it may know more than before."""

    async def run(self, adapter: str, request: Request) -> Answer:
        """One call. May raise; the engine bounds it in time."""


class LocalExecutor:
    """Adapters of this process, each opened when it is first needed and open until the end of the block."""

    def __init__(self, adapters: Mapping[str, Adapter]) -> None:
        self._adapters = adapters
        self._started: set[str] = set()
        self._ready: set[str] = set()
        self._broken: dict[str, str] = {}
        self._preparing = asyncio.Lock()
        self.left: dict[str, str] = {}
        """By adapter, what went wrong when it was closed."""

    async def __aenter__(self) -> LocalExecutor:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def limit(self, adapter: str) -> Limit:
        """The adapter's own."""
        known = self._adapters[adapter]
        caps = known.caps if isinstance(known, Capped) else Caps()
        return Limit(
            max(1, known.concurrency),
            known.timeout,
            known.capabilities.bounds_itself,
            caps.max_calls,
            caps.max_cost,
        )

    async def prepare(self, adapters: Collection[str]) -> Mapping[str, str]:
        """Opens, side by side, those that are not open; returns why, for each that is broken.

        Raises WorkbenchError with the problems of all whose settings cannot work.
        """
        async with self._preparing:
            missing = [name for name in adapters if name not in self._ready and name not in self._broken]
            async with asyncio.TaskGroup() as group:
                opening = [group.create_task(self._open(name)) for name in missing]
        if problems := [problem for task in opening for problem in task.result()]:
            raise WorkbenchError(problems)
        return {name: self._broken[name] for name in adapters if name in self._broken}

    def fingerprint(self, adapter: str) -> str:
        """The adapter's own."""
        return fingerprint_of(self._adapters[adapter])

    async def run(self, adapter: str, request: Request) -> Answer:
        """One call of an adapter, which is opened first where it is not."""
        if adapter not in self._ready:
            await self.prepare((adapter,))
        if adapter in self._broken:
            return Answer(Status.ERROR, error=self._broken[adapter])
        return await self._adapters[adapter].decide(request)

    async def close(self) -> None:
        """Closes what was opened, side by side, also what failed half-way. May be called twice."""
        started, self._started = self._started, set()
        self._ready.clear()
        closing = {asyncio.create_task(self._adapters[name].close()): name for name in sorted(started)}
        if not closing:
            return
        await asyncio.wait(closing, timeout=_CLOSE_WITHIN)
        for task, name in closing.items():
            if not task.done():
                task.cancel()
                self.left[name] = f"it did not end within {_CLOSE_WITHIN:g} s"
            elif task.cancelled():
                self.left[name] = "it gave up its own end"
            elif error := task.exception():
                self.left[name] = f"{type(error).__name__}: {error}"

    async def _open(self, name: str) -> Sequence[Problem]:
        """Problems are the user's to mend; anything else is the guest's, and breaks its trials only."""
        adapter = self._adapters[name]
        self._started.add(name)
        within = max(_OPEN_WITHIN, adapter.timeout)
        try:
            async with asyncio.timeout(within):
                await adapter.open()
        except WorkbenchError as error:
            return error.problems
        except TimeoutError:
            self._broken[name] = f"it was not ready within {within:g} s"
        except (Exception, SystemExit) as error:
            self._broken[name] = f"it cannot be opened: {type(error).__name__}: {error}"
        else:
            self._ready.add(name)
        return ()
