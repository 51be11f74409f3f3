"""A file as numbered lines of bytes: unpacked, in constant memory, and followed where it grows."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedIOBase, BufferedReader, FileIO, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from workbench.capture.sources.record import LONGEST
from workbench.core.errors import Mark, Problem, WorkbenchError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["Line", "LogFile", "followed", "numbered", "unreadable"]

_PACKED: Mapping[bytes, Callable[..., BufferedIOBase]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
_TAIL = 64
_PIECE = 1 << 20

_BROKEN = (EOFError, OSError, lzma.LZMAError, zlib.error)


class _Unpacked(RawIOBase):
    """What can be unpacked of a file; `broken` says why it ends before the file does."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self._stream = stream
        self.broken: str | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, into: WriteableBuffer) -> int:
        view = memoryview(into).cast("B")
        filled = 0
        while filled < len(view) and self.broken is None:
            try:
                data = self._stream.read1(len(view) - filled)
            except _BROKEN as error:
                self.broken = str(error) or type(error).__name__
                break
            if not data:
                break
            view[filled : filled + len(data)] = data
            filled += len(data)
        return filled


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its line end. `whole`: it had one. `cut`: it was longer than what is read.

    `returns`: it ended with CR LF, which a text of several lines keeps.
    """

    number: int
    text: bytes
    whole: bool = True
    cut: bool = False
    returns: bool = False


class LogFile:
    """An open log, with packing undone; `peek` looks at its start without using it up."""

    def __init__(self, path: Path, raw: BufferedReader[Any], unpacked: _Unpacked | None) -> None:
        self.path = path
        self.stream: BufferedReader[Any] = raw if unpacked is None else BufferedReader(unpacked, _PIECE)
        self._raw = raw
        self._unpacked = unpacked

    @property
    def packed(self) -> bool:
        return self._unpacked is not None

    @property
    def broken(self) -> str | None:
        """Why unpacking stopped before the end of the file; None where it did not."""
        return self._unpacked.broken if self._unpacked is not None else None

    @classmethod
    def open(cls, path: Path) -> LogFile:
        """Raises WorkbenchError where the file cannot be opened."""
        try:
            raw = BufferedReader(FileIO(path), _PIECE)
            magic = raw.peek(6)
        except OSError as error:
            raise unreadable(path, error) from None
        for start, unpack in _PACKED.items():
            if magic.startswith(start):
                return cls(path, raw, _Unpacked(unpack(raw, "rb")))
        return cls(path, raw, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()
        self._raw.close()

    def peek(self) -> bytes:
        """Up to a mebibyte of the start; b"" of an empty file. Raises WorkbenchError."""
        try:
            return self.stream.peek(_PIECE)
        except OSError as error:
            raise unreadable(self.path, error) from None

    def progress(self) -> tuple[int, int | None]:
        """Bytes read so far of the file as it lies on disk, and its size where it has one."""
        try:
            return self._raw.tell(), os.fstat(self._raw.fileno()).st_size or None
        except (OSError, ValueError):
            return 0, None

    def again(self) -> None:
        """Begins anew with what the path leads to now; nothing changes where that is nothing."""
        try:
            new = BufferedReader(FileIO(self.path), _PIECE)
        except OSError:
            return
        self._raw.close()
        self._raw, self.stream = new, new

    def replaced(self) -> bool:
        """Whether the path now leads to another file, or to one that was cut: a log that was rotated."""
        try:
            now, ours = self.path.stat(), os.fstat(self._raw.fileno())
        except OSError:
            return False
        return (now.st_ino, now.st_dev) != (ours.st_ino, ours.st_dev) or now.st_size < self._raw.tell()

    def holds(self, tail: bytes) -> bool:
        """Whether what was read last still stands there: a log that was cut may have outgrown it again."""
        if not hasattr(os, "pread"):
            return True
        try:
            return os.pread(self._raw.fileno(), len(tail), self._raw.tell() - len(tail)) == tail
        except OSError:
            return True


def numbered(file: LogFile, longest: int = LONGEST) -> Iterator[Line]:
    """The lines to the end of the file, from where it stands."""
    read = file.stream.readline
    number = 0
    while text := read(longest + 1):
        number += 1
        if text.endswith(b"\n"):
            returns = text.endswith(b"\r\n")
            yield Line(number, text[: -2 if returns else -1], returns=returns)
        elif len(text) <= longest:
            yield Line(number, text, whole=False)
        else:
            while (more := read(_PIECE)) and not more.endswith(b"\n"):
                pass
            yield Line(number, text[:200], cut=True)


def unreadable(path: Path, error: BaseException) -> WorkbenchError:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return WorkbenchError(Problem(f"this log cannot be read: {said}", Mark(str(path))))


def followed(file: LogFile) -> Iterator[Line | None]:
    """The lines of a file that grows, without an end; None whenever nothing new has come.

    A line without its end is waited for. A file that was cut is read from its start.
    """
    number, begun, tail = 0, b"", b""
    while True:
        text = file.stream.readline(LONGEST + 1)
        begun += text
        tail = (tail + text)[-_TAIL:]
        if text.endswith(b"\n"):
            number += 1
            yield (
                Line(number, begun.rstrip(b"\r\n"), returns=begun.endswith(b"\r\n"))
                if len(begun) <= LONGEST + 2
                else Line(number, b"", cut=True)
            )
            begun = b""
        elif len(begun) > LONGEST:
            begun = begun[: LONGEST + 3]  # what comes of it yet is of no use
        elif not text:
            if file.replaced():
                file.again()
                number, begun, tail = 0, b"", b""
            yield None
            if not file.holds(tail):
                file.again()
                number, begun, tail = 0, b"", b""
