"""Files of a folder, as far as this user may look."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["is_file", "yaml_files"]


def is_file(path: Path | str) -> bool:
    """Whether a file is there; what may not be looked at, or cannot be a name, is none and no error."""
    return os.path.isfile(path)  # noqa: PTH113


def yaml_files(folder: Path) -> list[Path]:
    """Files ending in .yaml or .yml, by name; hidden ones, such as an editor's, left out. No folder: none."""
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return []
    wanted = [path for path in paths if path.suffix in (".yaml", ".yml") and not path.name.startswith(".")]
    return [path for path in wanted if is_file(path)]
