"""Which workspaces may start programs: those whose table of adapters was looked at and trusted."""

from __future__ import annotations

import json
import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_state_path

from workbench.core.errors import Problem, WorkbenchError

if TYPE_CHECKING:
    from workbench.files.workspace import Workspace

__all__ = ["is_trusted", "record", "screen_file", "trust_file"]


def record(workspace: Workspace) -> Path:
    """Trust the adapters of a workspace as they are declared now. Raises WorkbenchError if it cannot be kept.

    Returns the file that says so.
    """
    file = trust_file(workspace)
    try:
        folder = file.parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.chmod(folder.parent, 0o700)  # noqa: PTH101
        os.chmod(folder, 0o700)  # noqa: PTH101
        _write(file, json.dumps(_statement(workspace)) + "\n")
    except OSError as error:
        message = f"the trust in this workspace cannot be kept in {file}: {error.strerror or error}"
        raise WorkbenchError(Problem(message, hint="--trust trusts it for one run")) from None
    return file


def is_trusted(workspace: Workspace) -> bool:
    """Whether its table of adapters, as it is now, was trusted. What comes with this program is."""
    if workspace.packaged:
        return True
    try:
        said = json.loads(trust_file(workspace).read_text("ascii"))
    except (OSError, ValueError, RecursionError):
        return False
    return bool(said == _statement(workspace))


def _statement(workspace: Workspace) -> dict[str, str]:
    return {"root": str(workspace.root), "adapters": workspace.table_hash}


def trust_file(workspace: Workspace) -> Path:
    """Where the trust in a workspace is kept."""
    return _state_file(workspace.root, "trust")


def screen_file(root: Path) -> Path:
    """Where it is kept how the screen of a workspace was left."""
    return _state_file(root, "screen")


def _state_file(root: Path, what: str) -> Path:
    """One file per workspace, so that two commands never overwrite each other's."""
    name = sha256(os.fsencode(root)).hexdigest()[:32]
    return user_state_path("workbench", appauthor=False) / what / f"{name}.json"


def _write(file: Path, text: str) -> None:
    """As a whole or not at all; readable by this user alone."""
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".trust-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(text)
        os.replace(temporary, file)  # noqa: PTH105
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
