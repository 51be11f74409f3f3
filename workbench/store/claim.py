"""A claim on a run: while one process records it, no other may resume or delete it."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["Claim"]

_ELSEWHERE = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class Claim:
    """A lock on a file of the run's number. The system drops it when the process dies, however it dies."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def take(cls, folder: Path, number: int) -> Claim | None:
        """The claim; None where another process, or this one, holds it. Raises OSError."""
        path = folder / f"run-{number}.lock"
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _lock(descriptor):
                os.close(descriptor)
                return None
            if _is_still(path, descriptor):
                return cls(path, descriptor)
            os.close(descriptor)  # its holder removed it in between

    def release(self) -> None:
        """Give it back. May be called twice."""
        if self._descriptor is None:
            return
        with suppress(OSError):  # Windows removes no open file; an empty file left behind does no harm
            self._path.unlink()
        os.close(self._descriptor)
        self._descriptor = None


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return error.errno not in _ELSEWHERE
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in _ELSEWHERE  # a file system without locks: nothing to go by
        return True
