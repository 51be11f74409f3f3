"""Which registry a verb of `lanes` reads where the user may leave it out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.lanes.lane import Registry

__all__ = ["registry_for"]


def registry_for(arguments: Namespace, near: Iterable[Path]) -> Registry | None:
    """That of `--registry`, else the nearest one upwards from these files, else from here; None without.

    Raises WorkbenchError where one is there and cannot be read.
    """
    from workbench.cli.streams import say
    from workbench.core.errors import WorkbenchError
    from workbench.core.text import join, safe, visible
    from workbench.lanes.registry import find_registry, load_registry

    if arguments.registry is not None:
        return load_registry(Path(arguments.registry))
    starts = dict.fromkeys((*(path if path.is_dir() else path.parent for path in near), Path()))
    for start in starts:
        try:
            found = find_registry(start)
        except WorkbenchError:
            continue
        found = _seen_from_here(found)
        say(join((safe("workbench: registry: "), visible(str(found)))), quiet=arguments.quiet)
        return load_registry(found)
    return None


def _seen_from_here(path: Path) -> Path:
    """A file below the working folder as one would type it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
