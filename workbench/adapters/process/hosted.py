"""What asks a guest of its own: opened by the first question, closed with all that it started."""

from __future__ import annotations

from abc import ABC, abstractmethod

from workbench.adapters.process.host import Host, Reply
from workbench.adapters.protocol import Request

__all__ = ["Hosted"]


class Hosted(ABC):
    """`open` sets the host."""

    _host: Host | None = None

    @abstractmethod
    async def open(self) -> None:
        """Make ready. Raises WorkbenchError where the settings cannot work."""

    async def ask(self, request: Request) -> Reply:
        """What the guest says to one question."""
        if self._host is None:
            await self.open()
        assert self._host is not None
        return await self._host.ask(request)

    async def close(self) -> None:
        """End the guests, and all that they started."""
        host, self._host = self._host, None
        if host is not None:
            await host.close()
