"""Listens on this machine, and passes on to one upstream what comes."""

from __future__ import annotations

import asyncio
import errno
import ssl
from collections.abc import Callable

from workbench.core.errors import Problem, WorkbenchError
from workbench.lanes.proxy.passage import Passage
from workbench.lanes.proxy.recording import Recording
from workbench.lanes.proxy.sides import AppSide
from workbench.lanes.proxy.upstream import Upstream

__all__ = ["LOOPBACK", "Relay"]

LOOPBACK = "127.0.0.1"
_BACKLOG = 1024


class Relay:
    """Nobody but this machine reaches it. `port` is known once it has begun."""

    def __init__(self, upstream: Upstream, recording: Recording) -> None:
        self.upstream = upstream
        self.recording = recording
        self.passages: set[Passage] = set()
        self.ending = False
        self.port = 0
        self._tls = _tls() if upstream.secure else None
        self._server: asyncio.Server | None = None
        self._empty = asyncio.Event()

    async def begin(self, port: int) -> None:
        """Listens on `port`, 0 for one that is free. Raises WorkbenchError where it cannot."""
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(
                lambda: AppSide(Passage(self)), LOOPBACK, port, backlog=_BACKLOG
            )
        except OSError as error:
            hint = "leave out --port, and a free one is taken" if error.errno == errno.EADDRINUSE else None
            why = error.strerror or str(error)
            raise WorkbenchError(Problem(f"cannot listen on port {port}: {why}", hint=hint)) from None
        self.port = self._server.sockets[0].getsockname()[1]
        if (LOOPBACK, self.port) == (self.upstream.host.replace("localhost", LOOPBACK), self.upstream.port):
            self._server.close()
            raise WorkbenchError(Problem("the upstream is this proxy itself", hint="choose another --port"))

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def busy(self) -> int:
        """Calls on their way."""
        return sum(passage.busy for passage in self.passages)

    async def connect(self, protocol: Callable[[], asyncio.Protocol]) -> None:
        """A new connection to the upstream. Raises OSError."""
        name = self.upstream.host if self._tls is not None else None
        await asyncio.get_running_loop().create_connection(
            protocol,
            self.upstream.host,
            self.upstream.port,
            ssl=self._tls,
            server_hostname=name,
            happy_eyeballs_delay=0.25,
        )

    def leave(self, passage: Passage) -> None:
        self.passages.discard(passage)
        if self.ending and not self.passages:
            self._empty.set()

    async def end(self) -> None:
        """Takes nothing more, and waits for the calls on their way."""
        self.ending = True
        if self._server is not None:
            self._server.close()
        for passage in tuple(self.passages):
            passage.end()
        if self.passages:
            await self._empty.wait()

    def cut(self) -> None:
        """Ends the calls on their way too."""
        for passage in tuple(self.passages):
            passage.cut()


def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
