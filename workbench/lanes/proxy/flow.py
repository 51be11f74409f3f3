"""Back pressure: who reads no more for now, and how a connection is broken off."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import socket
import struct
import sys

__all__ = ["Gate", "reset", "unread_by_peer"]

_SO_NWRITE = 0x1024  # of macOS


class Gate:
    """A connection is read while nobody holds it."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._holders: set[str] = set()

    def use(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        if self._holders:
            transport.pause_reading()

    def hold(self, holder: str) -> None:
        if not self._holders and self._transport is not None:
            self._transport.pause_reading()
        self._holders.add(holder)

    def release(self, holder: str) -> None:
        if holder in self._holders:
            self._holders.discard(holder)
            if not self._holders and self._transport is not None:
                self._transport.resume_reading()


def unread_by_peer(transport: asyncio.Transport) -> int:
    """Bytes that were written and have not reached the other end; 0 where that cannot be told."""
    waiting = transport.get_write_buffer_size()
    found = transport.get_extra_info("socket")
    if waiting or found is None:
        return waiting
    try:
        if sys.platform == "darwin":
            return int(found.getsockopt(socket.SOL_SOCKET, _SO_NWRITE))
        import termios

        answer = fcntl.ioctl(found.fileno(), termios.TIOCOUTQ, struct.pack("i", 0))
        return int(struct.unpack("i", answer)[0])
    except (OSError, AttributeError, ImportError):
        return 0


def reset(transport: asyncio.Transport) -> None:
    """Ends a connection by a reset, which no reader takes for an end."""
    found = transport.get_extra_info("socket")
    if found is not None:
        with contextlib.suppress(OSError):  # it is gone already
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
