"""A file as text: UTF-8 or an error that says which byte, lines counted, line ends made one."""

from __future__ import annotations

import os
import stat
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workbench.core.errors import Mark, Problem, WorkbenchError

__all__ = ["Source", "decode", "read_bytes", "read_source", "source_of"]

_LIMIT = 32 * 1024 * 1024
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{")


@dataclass(frozen=True)
class Source:
    """The text of one file without byte order mark; every CRLF is one LF."""

    file: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        starts, position = [0], self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def mark(self, offset: int) -> Mark:
        """The place of an offset in code points; one past the end is the end."""
        offset = min(offset, len(self.text))
        line = bisect_right(self._starts, offset)
        return Mark(self.file, line, offset - self._starts[line - 1] + 1)


def read_bytes(path: Path, limit: int = _LIMIT) -> bytes:
    """The bytes of a regular file. Raises WorkbenchError if it cannot be read or is above `limit`."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise WorkbenchError(Problem(f"{path} is {what}", hint="name a file"))
        if status.st_size > limit:
            size = f"{path} has {status.st_size:,} bytes; at most {limit:,} are read"
            raise WorkbenchError(Problem(size, hint="is it the file you meant?"))
        return path.read_bytes()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise WorkbenchError(Problem(f"{path} cannot be read: {reason}")) from None
    except ValueError:  # a NUL or a lone surrogate in the path
        raise WorkbenchError(Problem(f"{path} cannot be the name of a file")) from None


def decode(data: bytes, file: str) -> str:
    """UTF-8 to text, as it stands. Raises WorkbenchError with place and byte offset on anything else."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start
    before = Source(file, _one_line_end(data[:offset].decode("utf-8").removeprefix("\ufeff")))
    hint = "it looks like UTF-16; save it as UTF-8" if data.startswith(_WIDE) else "save it as UTF-8"
    message = f"not UTF-8: byte 0x{data[offset]:02x} at offset {offset:,}"
    raise WorkbenchError(Problem(message, before.mark(len(before.text)), hint))


def read_source(path: Path) -> Source:
    """A UTF-8 file. Raises WorkbenchError where it cannot be read or is not UTF-8."""
    return source_of(decode(read_bytes(path), str(path)), str(path))


def source_of(text: str, file: str) -> Source:
    """A text as it would be read from a file of that name."""
    return Source(file, _one_line_end(text.removeprefix("\ufeff")))


def _one_line_end(text: str) -> str:
    return text.replace("\r\n", "\n")
