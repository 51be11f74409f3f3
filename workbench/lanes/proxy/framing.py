"""Where the body of a message ends, told while its bytes pass, and what of them is payload."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from workbench.lanes.proxy.head import BadMessage, Head

__all__ = ["Framing", "Payload", "of_answer", "of_request"]

Payload = Callable[[bytes], None]
"""Takes the payload, piece by piece."""

_LONGEST_LINE = 16 * 1024
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,15}")


class Framing(Protocol):
    """`done`: the body is whole. `open_ended`: the end of the connection is its end."""

    done: bool
    open_ended: bool

    def feed(self, data: bytes, start: int) -> int:
        """Read on from `start`; returns where the body ends in `data`, or its length. Raises BadMessage."""


class NoBody:
    """A message that has none."""

    done = True
    open_ended = False

    def feed(self, data: bytes, start: int) -> int:
        return start


class UntilClosed:
    """All that comes."""

    done = False
    open_ended = True

    def __init__(self, payload: Payload) -> None:
        self._payload = payload

    def feed(self, data: bytes, start: int) -> int:
        self._payload(data[start:] if start else data)
        return len(data)


class OfLength:
    """As many bytes as were announced."""

    open_ended = False

    def __init__(self, length: int, payload: Payload) -> None:
        self._left = length
        self._payload = payload
        self.done = length == 0

    def feed(self, data: bytes, start: int) -> int:
        end = min(len(data), start + self._left)
        if end > start:
            self._left -= end - start
            self._payload(data if not start and end == len(data) else data[start:end])
            self.done = self._left == 0
        return end


class Chunked:
    """Chunks, each after its size, up to one of no size and the trailer."""

    open_ended = False

    def __init__(self, payload: Payload) -> None:
        self._payload = payload
        self._read: Callable[[bytes, int], int] = self._size
        self._line = b""
        self._left = 0
        self.done = False

    def feed(self, data: bytes, start: int) -> int:
        end = len(data)
        while start < end and not self.done:
            start = self._read(data, start)
        return start

    def _whole_line(self, data: bytes, start: int) -> tuple[bytes | None, int]:
        """The line that ends in `data`, without its end, and what follows; None where it does not end yet."""
        feed = data.find(b"\n", start)
        end = len(data) if feed < 0 else feed + 1
        self._line += data[start:end]
        if len(self._line) > _LONGEST_LINE:
            raise BadMessage("a line between chunks is too long")
        if feed < 0:
            return None, end
        line, self._line = self._line, b""
        return line.rstrip(b"\r\n"), end

    def _size(self, data: bytes, start: int) -> int:
        line, start = self._whole_line(data, start)
        if line is not None:
            size = line.partition(b";")[0].strip(b" \t")
            if not _SIZE.fullmatch(size):
                raise BadMessage("a chunk has no size")
            self._left = int(size, 16)
            self._read = self._data if self._left else self._trailer
        return start

    def _data(self, data: bytes, start: int) -> int:
        end = min(len(data), start + self._left)
        self._left -= end - start
        self._payload(data[start:end])
        if not self._left:
            self._read = self._after_data
        return end

    def _after_data(self, data: bytes, start: int) -> int:
        line, start = self._whole_line(data, start)
        if line:
            raise BadMessage("a chunk is longer than its size")
        if line is not None:
            self._read = self._size
        return start

    def _trailer(self, data: bytes, start: int) -> int:
        line, start = self._whole_line(data, start)
        self.done = line == b""
        return start


def of_request(head: Head, payload: Payload) -> Framing:
    """Raises BadMessage where it says of itself what cannot be."""
    length = head.length()
    if head.values(b"transfer-encoding"):
        if not head.chunked:
            raise BadMessage("a request whose Transfer-Encoding does not end in chunked has no end")
        if length is not None:
            raise BadMessage("a request with both Content-Length and Transfer-Encoding has two ends")
        return Chunked(payload)
    return OfLength(length, payload) if length is not None else NoBody()


def of_answer(head: Head, status: int, method: bytes, payload: Payload) -> Framing:
    """Raises BadMessage where it says of itself what cannot be."""
    if method == b"HEAD" or status in (204, 304) or status < 200:
        return NoBody()
    if head.values(b"transfer-encoding"):
        return Chunked(payload) if head.chunked else UntilClosed(payload)
    length = head.length()
    return UntilClosed(payload) if length is None else OfLength(length, payload)
