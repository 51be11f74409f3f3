"""Which files decide what a run sends and who answers: a change to one makes stored answers old."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from workbench.cli.bench import Bench
from workbench.core.errors import WorkbenchError
from workbench.files.locate import find_scenarios
from workbench.files.node import Node, NodeKind
from workbench.files.scenario import load_scenario
from workbench.files.trust import trust_file

__all__ = ["watched_files"]

MOST_OF_A_PACKAGE = 200
_FUNCTION = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):[A-Za-z_][\w.]*")


def watched_files(bench: Bench) -> tuple[Path, ...]:
    """Files and folders, each once: workspace, scenarios, what they attach, envelopes, adapters' files.

    An adapter's files are those that its options name, inside the workspace, and for a function the
    modules of its package. A folder changes when a file comes or goes. Some may not exist.
    """
    root = bench.workspace.root
    found: dict[Path, None] = dict.fromkeys(
        (bench.workspace.file, trust_file(bench.workspace), root / "scenarios", root / "envelopes")
    )
    for path in find_scenarios(root):
        found[path.parent] = None
        found[path] = None
        found.update(dict.fromkeys(_attached(path, root)))
    with suppress(WorkbenchError):  # the plan says what is wrong with them
        found.update(dict.fromkeys(bench.envelope_files.values()))
    for spec in bench.workspace.adapters.values():
        folder = root
        if (node := spec.options.get("cwd")) is not None and node.kind is NodeKind.TEXT:
            folder = root / node.value
        for option in spec.options.values():
            found.update(dict.fromkeys(_named(option, folder, root)))
    return tuple(found)


def _attached(path: Path, root: Path) -> Iterator[Path]:
    try:
        scenario = load_scenario(path, root)
    except WorkbenchError:
        return
    for prompt in scenario.prompts:
        for file in (*prompt.attach, *((prompt.paste,) if prompt.paste else ())):
            yield Path(file.path)


def _named(node: Node, folder: Path, root: Path) -> Iterator[Path]:
    for item in node.items:
        yield from _named(item, folder, root)
    if node.kind is not NodeKind.TEXT or not node.value or "\0" in node.value:
        return
    function = _FUNCTION.fullmatch(node.value)
    if function is not None:
        yield from _modules(function[1], folder)
    for base in dict.fromkeys((folder, root)):
        path = base / node.value
        try:
            if path.is_file() and path.resolve().is_relative_to(root):
                yield path
        except (OSError, ValueError):  # too long, or of characters that no name has
            return


def _modules(name: str, folder: Path) -> Iterator[Path]:
    """The file of a module, and the others of its package: the function is seldom all of a router."""
    place = folder.joinpath(*name.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            yield path
            if path.parent != folder:
                yield path.parent
                yield from sorted(path.parent.glob("*.py"))[:MOST_OF_A_PACKAGE]
