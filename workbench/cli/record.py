"""`run --record FILE`: what a run's adapters answered, in a file from which `recorded` answers again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from workbench.adapters.protocol import Adapter
from workbench.adapters.recordings.writing import check_target, write_recording
from workbench.cli.streams import say
from workbench.core.cell import Run
from workbench.core.mask import Masker
from workbench.core.shapes import is_secret_name
from workbench.core.text import safe, visible
from workbench.files.node import Node, NodeKind
from workbench.files.workspace import Workspace

__all__ = ["known_secrets", "record", "target_of"]


def target_of(name: str) -> Path:
    """Where the recording goes. Raises WorkbenchError where no file can be written there."""
    path = Path(name)
    check_target(path)
    return path


def record(
    path: Path, run: Run, adapters: Mapping[str, Adapter], workspace: Workspace, *, quiet: bool
) -> None:
    """Write the recording, and say so. Raises WorkbenchError where it cannot be written."""
    count = write_recording(path, run, adapters, Masker(known_secrets(workspace)))
    trials = "trial" if count == 1 else "trials"
    say(safe(f"workbench: {count:,} {trials} recorded in {visible(str(path))}"), quiet=quiet)


def known_secrets(workspace: Workspace) -> list[str]:
    """The values of all variables that the workspace names, and of those that have a secret's name."""
    named = {
        name
        for spec in workspace.adapters.values()
        for node in spec.options.values()
        for name in _named(node)
    }
    return [value for name, value in os.environ.items() if name in named or is_secret_name(name)]


def _named(node: Node) -> Iterator[str]:
    """The variables named by `{env: NAME}` in a value."""
    for key, value in node.pairs:
        if key.value == "env" and value.kind is NodeKind.TEXT:
            yield value.value
    for inner in (*node.items, *(value for _, value in node.pairs)):
        yield from _named(inner)
