"""The scenarios of a workspace at a glance, by name: for a picture to begin with, before a file is read."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.files.folder import yaml_files_below
from workbench.files.root import FILES

__all__ = ["FOLDER", "glimpse", "scenario_folder_files"]

FOLDER = "scenarios"
"""The folder of a workspace that its scenarios are in, or in folders of that one."""

_RECORDINGS = "recordings"
_NAME = re.compile(rb"^scenario:[ \t]+([A-Za-z0-9](?:[A-Za-z0-9 ._/-]*[A-Za-z0-9])?)[ \t]*\r?$", re.MULTILINE)
_HEAD = 1 << 14


def scenario_folder_files(root: Path) -> list[Path]:
    """Every YAML file that may hold a scenario, by path. A folder with a workspace of its own has its own."""
    return yaml_files_below(root / FOLDER, but=(_RECORDINGS,), ends=FILES)


def glimpse(root: Path) -> dict[str, Path]:
    """Scenarios by name with their files, the first of a name: those that say it plainly near the top.

    Others are passed over, and what is wrong with a file is not seen: reading it is another matter.
    """
    found: dict[str, Path] = {}
    for path in scenario_folder_files(root):
        try:
            with path.open("rb") as stream:
                name = _NAME.search(stream.read(_HEAD))
        except OSError:
            continue
        if name is not None:
            found.setdefault(name[1].decode("ascii"), path)
    return found
