"""Where a workspace is, and where its runs are kept: found without reading any of its files."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.core.errors import Problem, WorkbenchError
from workbench.files.folder import is_file

__all__ = ["FILES", "find_root", "packaged_root", "runs_root"]

FILES = ("workbench.yaml", ".workbench.yaml")
"""The names of a workspace's file."""


def find_root(start: Path) -> Path | None:
    """The nearest folder, from `start` upwards, that holds a workspace file; None without one."""
    here = Path(os.path.realpath(start))
    for folder in (here, *here.parents):
        if any(is_file(folder / name) for name in FILES):
            return folder
    return None


def packaged_root() -> Path:
    """The workspace that comes with this program: in the wheel, or the repository it runs from."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_data", package.parent):
        if is_file(folder / FILES[1]):
            return folder
    message = "this installation lacks the scenarios that come with it"
    raise WorkbenchError(Problem(message, hint="install route-workbench anew"))


def runs_root(root: Path, *, packaged: bool) -> Path:
    """The folder whose `.workbench/` keeps the runs of a workspace: never inside an installed package.

    A copy of the packaged workspace, made to be played with, keeps its own.
    """
    if not packaged or root != packaged_root():
        return root
    from platformdirs import user_data_path

    return user_data_path("workbench", appauthor=False)
