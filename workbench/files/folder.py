"""Files of a folder, as far as this user may look."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

__all__ = ["is_file", "yaml_files", "yaml_files_below"]


def is_file(path: Path | str) -> bool:
    """Whether a file is there; what may not be looked at, or cannot be a name, is none and no error."""
    return os.path.isfile(path)  # noqa: PTH113


def yaml_files(folder: Path) -> list[Path]:
    """Files ending in .yaml or .yml, by name; hidden ones, such as an editor's, left out. No folder: none."""
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return []
    return [path for path in paths if _is_yaml(path.name) and is_file(path)]


def yaml_files_below(folder: Path, *, but: Container[str] = (), ends: Container[str] = ()) -> list[Path]:
    """Those of the folders inside it too, by path; hidden folders, links and those named `but` left out.

    A folder inside that holds a file named in `ends` is somebody else's, and left out with all below it.
    """
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        if Path(place) != folder and any(name in ends for name in names):
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".") and name not in but]
        found += [Path(place, name) for name in names if _is_yaml(name)]
    return sorted(path for path in found if is_file(path))


def _is_yaml(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) and not name.startswith(".")
