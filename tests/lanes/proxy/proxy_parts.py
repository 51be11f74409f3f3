"""Upstreams that do exactly what a test says, and a proxy before them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.lanes.proxy.recording import Recording
from workbench.lanes.proxy.relay import Relay
from workbench.lanes.proxy.upstream import upstream_of

__all__ = ["POST", "WITHIN", "Proxy", "Reader", "Writer", "answer", "proxied", "read_request", "upstream"]

Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter
Serve = Callable[[Reader, Writer], Awaitable[None]]

WITHIN = 20.0
POST = b"POST /v1/chat HTTP/1.1\r\nHost: me\r\nContent-Length: 2\r\n\r\n{}"


async def read_request(reader: Reader) -> tuple[bytes, bytes]:
    """Head and body of one request, of which the body has a length or none."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        (
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ),
        0,
    )
    return head, await reader.readexactly(length)


def answer(body: bytes = b"{}", head: bytes = b"HTTP/1.1 200 OK\r\n") -> bytes:
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


@asynccontextmanager
async def upstream(serve: Serve) -> AsyncIterator[str]:
    """Each connection is served by `serve`, and closed after it."""

    async def whole(reader: Reader, writer: Writer) -> None:
        try:
            await serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(whole, "127.0.0.1", 0, limit=1 << 20)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


@dataclass
class Proxy:
    relay: Relay
    recording: Recording
    path: Path
    told: list[dict[str, Any]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return self.relay.port

    async def connect(self) -> tuple[Reader, Writer]:
        return await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 26)

    async def exchange(self, data: bytes) -> bytes:
        """Sends, and reads until the connection is closed."""
        reader, writer = await self.connect()
        writer.write(data)
        try:
            return await asyncio.wait_for(reader.read(), WITHIN)
        finally:
            writer.close()

    async def recorded(self, count: int) -> list[dict[str, Any]]:
        """The recording, once so many calls stand in it."""
        async with asyncio.timeout(WITHIN):
            while len(self.told) < count:
                await asyncio.sleep(0.01)
        return self.entries()

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_bytes().splitlines()]


@asynccontextmanager
async def proxied(url: str, folder: Path) -> AsyncIterator[Proxy]:
    """A proxy before `url`, in this process, but for the one that records."""
    target = upstream_of(url)
    told: list[dict[str, Any]] = []
    troubles: list[str] = []
    path = folder / "rec.jsonl"
    recording = Recording(path, target.origin, on_call=told.append, on_trouble=troubles.append)
    relay = Relay(target, recording)
    await relay.begin(0)
    try:
        yield Proxy(relay, recording, path, told, troubles)
    finally:
        relay.ending = True
        relay.cut()
        await relay.end()
        await recording.close()
