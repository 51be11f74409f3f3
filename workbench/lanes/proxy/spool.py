"""What passed, put on disk as it passes, for another process to read: streaming waits for no recording."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["BLOB", "FILES", "Ended", "Extents", "Reel", "Spool", "ended_in"]

FILES = 2
"""Reels of a spool: one is written while the other is emptied, so that the spool does not grow for ever."""

BLOB, END = 1, 2
_FRAME = struct.Struct("<BQ")
_PARTS = struct.Struct("<QQQ")

Extents = list[tuple[int, int]]
"""Pieces of a body that are on the reel: where each begins, and its bytes."""


@dataclass(slots=True)
class Reel:
    """A file without a name. `open_calls` write to it; up to `kept` of it is recorded, `end` is written."""

    handle: int
    end: int = 0
    kept: int = 0
    open_calls: int = 0
    emptying: bool = False

    def blob(self, pieces: Sequence[bytes]) -> tuple[int, int]:
        """Puts a piece of a body away; returns where it stands. Raises OSError."""
        data = b"".join(pieces)
        at = self.end + _FRAME.size
        self._write((_FRAME.pack(BLOB, len(data)), data))
        return at, len(data)

    def ended(self, told: Mapping[str, Any], request: Sequence[bytes], answer: Sequence[bytes]) -> None:
        """Puts a call away that has ended, and what of its bodies is not on the reel yet. Raises OSError."""
        head = json.dumps(told, separators=(",", ":")).encode("ascii")
        sent, came = b"".join(request), b"".join(answer)
        size = _PARTS.size + len(head) + len(sent) + len(came)
        parts = _PARTS.pack(len(head), len(sent), len(came))
        self._write((_FRAME.pack(END, size), parts, head, sent, came))

    def _write(self, parts: Sequence[bytes]) -> None:
        data = memoryview(b"".join(parts))
        at = self.end
        while data:  # a disk that is nearly full takes a part; the end moves for whole frames alone
            done = os.pwrite(self.handle, data, at)
            data, at = data[done:], at + done
        self.end = at


@dataclass(slots=True)
class Spool:
    """Two reels. A call stays on the one that it began on."""

    reels: tuple[Reel, ...]
    most: int = 64 * 1024 * 1024
    """Bytes after which the other reel is taken, if it is empty."""
    current: int = 0

    @classmethod
    def make(cls, folder: Path) -> Spool:
        """In a folder, but under no name: nothing of it is left, whatever ends this. Raises OSError."""
        return cls(tuple(Reel(_nameless(folder)) for _ in range(FILES)))

    def begin(self) -> Reel:
        """The reel for a call that begins."""
        other = 1 - self.current
        if self.reels[self.current].end > self.most and not self.reels[other].end:
            self.current = other
        reel = self.reels[self.current]
        reel.open_calls += 1
        return reel

    def to_empty(self) -> Iterator[int]:
        """The reels of which all is recorded, and to which nobody writes; each once."""
        for number, reel in enumerate(self.reels):
            idle = not reel.open_calls and not reel.emptying and number != self.current
            if idle and reel.end and reel.kept == reel.end:
                yield number

    def emptied(self, number: int) -> None:
        """Its reader has cut it down to nothing."""
        reel = self.reels[number]
        reel.end = reel.kept = 0
        reel.emptying = False

    def close(self) -> None:
        for reel in self.reels:
            os.close(reel.handle)


@dataclass(frozen=True, slots=True)
class Ended:
    """A call as it is read from a reel. `end`: what follows it."""

    told: dict[str, Any]
    request: bytes
    answer: bytes
    end: int


def ended_in(handle: int, start: int) -> Iterator[Ended]:
    """The calls that have ended, from a place on a reel to what is written of it. Raises OSError."""
    while len(frame := os.pread(handle, _FRAME.size, start)) == _FRAME.size:
        kind, size = _FRAME.unpack(frame)
        start += _FRAME.size
        if kind == BLOB:
            start += size
            continue
        body = _read(handle, start, size)
        if len(body) < size:
            return  # still being written
        start += size
        head, sent, came = _PARTS.unpack_from(body)
        at = _PARTS.size
        told = json.loads(body[at : at + head])
        at += head
        request = _whole(handle, told["sent"], body[at : at + sent])
        answer = _whole(handle, told["came"], body[at + sent : at + sent + came])
        yield Ended(told, request, answer, start)


def _whole(handle: int, extents: Extents, rest: bytes) -> bytes:
    if not extents:
        return rest
    return b"".join((*(_read(handle, at, size) for at, size in extents), rest))


def _read(handle: int, at: int, size: int) -> bytes:
    pieces = []
    while size and (piece := os.pread(handle, size, at)):
        pieces.append(piece)
        at, size = at + len(piece), size - len(piece)
    return b"".join(pieces) if len(pieces) != 1 else pieces[0]


def _nameless(folder: Path) -> int:
    handle, name = tempfile.mkstemp(prefix=".spool.", dir=folder)
    Path(name).unlink()
    return handle
