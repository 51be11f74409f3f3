"""The lines of earlier sessions, with what was pasted in each: one JSON text a line, for this user alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from workbench.core.errors import Problem, WorkbenchError
from workbench.shell.paste import Draft

__all__ = ["append", "load"]

_MOST = 2_000
_LARGEST = 100_000
"""Characters of a line that is still kept."""


def load(path: Path) -> list[Draft]:
    """The lines, oldest first. What cannot be read counts as nothing: history is a convenience."""
    try:
        rows = path.read_text("ascii", "replace").splitlines()
    except OSError:
        return []
    kept = [draft for row in rows if (draft := _read(row)) is not None]
    if len(rows) > 2 * _MOST:
        _rewrite(path, kept[-_MOST:])
    return kept[-_MOST:]


def append(path: Path, draft: Draft) -> None:
    """Keep one line. One that begins with a blank, or is too long, is not kept, as in other shells.

    Raises WorkbenchError where the file cannot be written.
    """
    if draft.text[:1].isspace() or len(draft.text) > _LARGEST:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "wb") as stream:
            os.chmod(path, 0o600)  # noqa: PTH101
            stream.write(_spelled(draft))
    except OSError as error:
        message = f"the history cannot be kept in {path}: {error.strerror or error}"
        raise WorkbenchError(Problem(message)) from None


def _rewrite(path: Path, drafts: Iterable[Draft]) -> None:
    draft_file = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        handle = os.open(draft_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(map(_spelled, drafts))
        draft_file.replace(path)
    except OSError:
        draft_file.unlink(missing_ok=True)


def _spelled(draft: Draft) -> bytes:
    return json.dumps({"text": draft.text, "pastes": draft.pastes}).encode("ascii") + b"\n"


def _read(row: str) -> Draft | None:
    try:
        entry = json.loads(row)
        text = entry["text"]
        spans = sorted((int(start), int(end)) for start, end in entry["pastes"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not isinstance(text, str):
        return None
    edges = [edge for span in spans for edge in span]
    sound = all(0 <= edge <= len(text) for edge in edges) and all(
        one < other for one, other in pairwise(edges)
    )
    return Draft(text, tuple(spans)) if sound else None
