"""Files written as a whole or not at all, and never over what somebody else wrote meanwhile."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.files.source import read_bytes

__all__ = ["create", "save"]


def save(path: Path, root: Path, before: bytes, text: str) -> None:
    """Replaces a file of the workspace at `root` that still holds `before`; its mode stays.

    Raises WorkbenchError, and writes nothing, where it has changed since, lies outside, or cannot be written.
    """
    target = Path(os.path.realpath(path))
    _require_inside(path, target, root)
    try:
        status = target.stat()
        draft = _draft(target, text)
        try:
            _take_over(draft, status)
            _require_unchanged(path, target, before)
            os.replace(draft, target)  # noqa: PTH105
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot(path, error) from None


def create(path: Path, root: Path, text: str) -> None:
    """A new file of the workspace at `root`, and the folder it is in.

    Raises WorkbenchError, and writes nothing, where there is one already, or it cannot be written.
    """
    target = Path(os.path.realpath(path.parent)) / path.name
    _require_inside(path, target, root)
    try:
        target.parent.mkdir(exist_ok=True)
        draft = _draft(target, text)
        try:
            draft.chmod(0o666 & ~_umask())
            _put(draft, target, text)
        finally:
            draft.unlink(missing_ok=True)
    except FileExistsError:
        problem = Problem("there is one already", Mark(str(path)), "take another name; nothing was written")
        raise WorkbenchError(problem) from None
    except OSError as error:
        raise _cannot(path, error) from None


def _put(draft: Path, target: Path, text: str) -> None:
    """The draft under its name, which nobody may have taken; file systems without links take the long way."""
    try:
        os.link(draft, target)
    except FileExistsError:
        raise
    except OSError:
        with target.open("x", encoding="utf-8", newline="") as stream:
            stream.write(text)


def _draft(target: Path, text: str) -> Path:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return draft


def _take_over(draft: Path, status: os.stat_result) -> None:
    """Mode and, where that is allowed, owner of the file that is replaced."""
    with suppress(OSError, AttributeError):
        os.chown(draft, status.st_uid, status.st_gid)
    draft.chmod(stat.S_IMODE(status.st_mode))


def _require_unchanged(path: Path, target: Path, before: bytes) -> None:
    if read_bytes(target) != before:
        message = "this file was changed by someone else since it was read; nothing was written"
        raise WorkbenchError(Problem(message, Mark(str(path)), "read it again, then make the change anew"))


def _require_inside(path: Path, target: Path, root: Path) -> None:
    if not target.is_relative_to(os.path.realpath(root)):
        message = f"it leads out of the workspace, to {target}"
        raise WorkbenchError(Problem(message, Mark(str(path)), "only files of the workspace are written"))


def _cannot(path: Path, error: OSError) -> WorkbenchError:
    message = f"it cannot be written: {error.strerror or error}"
    return WorkbenchError(Problem(message, Mark(str(path)), "make file and folder writable"))


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
