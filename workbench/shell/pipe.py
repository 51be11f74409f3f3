"""The line loop without a terminal: lines of a pipe, answered in their order until it ends."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from workbench.core.text import SafeText, safe, visible
from workbench.report.writer import Line, Piece
from workbench.shell.paste import Draft
from workbench.shell.session import goes_on, is_command, without_backslash
from workbench.shell.talk import Went

__all__ = ["serve_lines"]

_CHUNK = 65_536


async def serve_lines(
    descriptor: int, take: Callable[[Draft], Awaitable[Went]], write: Callable[[Iterable[Line]], None]
) -> None:
    """Take every prompt of an open file, each headed by itself, until a command leaves or the file ends.

    Raises KeyboardInterrupt where a call was stopped: nobody is there to ask for the next one.
    """
    async for draft in _drafts(descriptor):
        if draft.text.strip() and not is_command(draft):
            write([(Piece(safe("> "), "dim"), Piece(_shown(draft.text), "strong"))])
        went = await take(draft)
        if went is Went.STOPPED:
            raise KeyboardInterrupt
        if went is Went.LEAVE:
            return


def _shown(text: str) -> SafeText:
    return visible(text.removeprefix("/") if text.startswith("//") else text)


async def _drafts(descriptor: int) -> AsyncIterator[Draft]:
    """Lines, those that end in a backslash with the next one."""
    begun = ""
    async for line in _lines(descriptor):
        draft = Draft(begun + line)
        if goes_on(draft):
            begun = without_backslash(draft.text)
        else:
            yield draft
            begun = ""
    if begun:
        yield Draft(begun.removesuffix("\n"))


async def _lines(descriptor: int) -> AsyncIterator[str]:
    rest = b""
    while chunk := await _read(descriptor):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield _decoded(line)
    if rest:
        yield _decoded(rest)


def _decoded(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "surrogateescape")


async def _read(descriptor: int) -> bytes:
    """The next bytes, none at the end. In a thread of its own that nobody waits for: the other end of a
    pipe may be silent for ever, and Ctrl-C is to end this all the same."""
    loop = asyncio.get_running_loop()
    read: asyncio.Future[bytes] = loop.create_future()

    def settle(data: bytes, error: OSError | None) -> None:
        if read.done():
            return
        if error is None:
            read.set_result(data)
        else:
            read.set_exception(error)

    def work() -> None:
        data, error = b"", None
        try:
            data = os.read(descriptor, _CHUNK)
        except OSError as problem:
            error = problem
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, data, error)

    threading.Thread(target=work, daemon=True).start()
    return await read
