"""Paths that a scenario names: relative to it, and inside the workspace whatever links say."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.core.scenario import Attach
from workbench.files.folder import is_file
from workbench.files.node import Node
from workbench.files.problems import Problems, shown

__all__ = ["Bounds", "read_attach"]


class Bounds:
    """Where a scenario's paths start, and the folder that they must not leave."""

    def __init__(self, scenario: Path, root: Path) -> None:
        self._base = Path(os.path.abspath(scenario)).parent  # noqa: PTH100
        self._root = os.path.realpath(root)

    def locate(self, name: str) -> str | None:
        """The absolute path without links; None where it lies outside. Raises OSError or ValueError."""
        path = os.path.realpath(self._base / name)
        return path if os.path.commonpath([path, self._root]) == self._root else None


def read_attach(node: Node, bounds: Bounds, problems: Problems) -> Attach | None:
    """A file named in a scenario; complains where it is outside, missing, or no file."""
    name = node.word(problems)
    if name is None:
        return None
    try:
        path = bounds.locate(name)
    except (OSError, ValueError):  # too long, or of characters that no name has
        node.expected(problems, "the path of a file")
        return None
    if path is None:
        node.complain(problems, f"{shown(name)} lies outside the workspace", "copy it into the workspace")
    elif not is_file(path):
        what = "is not a file" if os.path.lexists(path) else "does not exist"
        node.complain(problems, f"{shown(name)} {what}", f"it would be {path}")
    else:
        return Attach(name, path, node.mark)
    return None
