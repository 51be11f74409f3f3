"""The adapters of a session: each built, admitted and opened once, and anew only when it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from types import TracebackType

from workbench.adapters.protocol import Adapter, Answer, Request
from workbench.core.cell import AdapterInfo
from workbench.core.errors import Problem, WorkbenchError
from workbench.replay.executor import Limit, LocalExecutor
from workbench.replay.plan import describe
from workbench.shell.stage import Stage

__all__ = ["Guests"]


class _Guest:
    """One adapter with an executor of its own, so that it can be closed alone."""

    def __init__(self, adapter: Adapter, info: AdapterInfo) -> None:
        self.adapter = adapter
        self.info = info
        self.executor = LocalExecutor({adapter.name: adapter})
        self.broken = False


class Guests:
    """An executor that stays open from line to line. Nothing of an adapter runs before it is admitted."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._guests: dict[str, _Guest] = {}

    async def __aenter__(self) -> Guests:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        guests, self._guests = self._guests, {}
        await asyncio.gather(*(guest.executor.close() for guest in guests.values()))

    def admit(self, names: Iterable[str]) -> None:
        """Build those that are new here, and let them run. Raises WorkbenchError where they may not."""
        new = [self._built(name) for name in names if name not in self._guests]
        self._stage.admit([guest.adapter for guest in new])
        self._guests.update((guest.adapter.name, guest) for guest in new)

    def harmless(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those that need no trust. Raises WorkbenchError."""
        return tuple(name for name in names if not self._built(name).adapter.capabilities.needs_trust)

    async def renew(self, names: Iterable[str]) -> tuple[list[str], list[Problem]]:
        """Open anew what has changed on disk, or broke; returns those, and why others could not be.

        One that cannot be built any more stays as it was.
        """
        renewed: list[str] = []
        problems: list[Problem] = []
        for name in names:
            guest = self._guests[name]
            if not (guest.broken or self._has_changed(guest)):
                continue
            try:
                fresh = self._built(name)
            except WorkbenchError as error:
                problems.extend(error.problems)
                continue
            self._guests[name] = fresh
            await guest.executor.close()
            renewed.append(name)
        return renewed, problems

    def infos(self, names: Iterable[str]) -> dict[str, AdapterInfo]:
        """What a run keeps of each, in the order of the workspace."""
        wanted = set(names)
        return {name: self._guests[name].info for name in self._stage.workspace.adapters if name in wanted}

    # An executor, as the engine wants it

    def limit(self, adapter: str) -> Limit:
        """The adapter's own."""
        return self._guests[adapter].executor.limit(adapter)

    async def prepare(self, adapters: Collection[str]) -> Mapping[str, str]:
        """Opens, side by side, those that are not open. Raises WorkbenchError with the problems of all."""
        told = await asyncio.gather(
            *(self._guests[name].executor.prepare((name,)) for name in adapters), return_exceptions=True
        )
        problems: list[Problem] = []
        broken: dict[str, str] = {}
        for name, outcome in zip(adapters, told, strict=True):
            self._guests[name].broken = bool(outcome) or isinstance(outcome, BaseException)
            if isinstance(outcome, WorkbenchError):
                problems.extend(outcome.problems)
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                broken.update(outcome)
        if problems:
            raise WorkbenchError(problems)
        return broken

    def fingerprint(self, adapter: str) -> str:
        """The adapter's own, as it is now: one that is open may know more of itself."""
        guest = self._guests[adapter]
        guest.info = describe(guest.adapter, guest.info.use)
        return guest.info.fingerprint

    async def run(self, adapter: str, request: Request) -> Answer:
        """One call."""
        return await self._guests[adapter].executor.run(adapter, request)

    def _built(self, name: str) -> _Guest:
        adapter = self._stage.build(name)
        return _Guest(adapter, describe(adapter, self._stage.workspace.adapters[name].use))

    def _has_changed(self, guest: _Guest) -> bool:
        try:
            return describe(guest.adapter, guest.info.use) != guest.info
        except Exception:  # its table is gone, or it is a guest's own fault: building anew tells
            return True
