"""Which tools have side effects, as far as the files of a workspace say so; nothing is run to find out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.files.keywords import load_keywords
from workbench.files.node import Node, NodeKind
from workbench.files.parse import load
from workbench.files.problems import Problems
from workbench.files.scalars import as_boolean
from workbench.files.tools import load_tools
from workbench.files.workspace import Workspace

__all__ = ["Declared", "declared_tools", "effects"]

Declared = Mapping[str, bool | None]
"""By tool: whether it has side effects. None: it is named, and nothing is said of them."""


def declared_tools(workspace: Workspace) -> Mapping[str, Declared]:
    """By adapter, what its keyword table or its file of tools declares; an adapter without one is not in it.

    A file that cannot be read declares nothing; using it says what is wrong with it.
    """
    found: dict[str, Declared] = {}
    for spec in workspace.adapters.values():
        for key, read in (("table", _of_table), ("tools", _of_tools)):
            node = spec.options.get(key)
            if node is None or node.kind is not NodeKind.TEXT:
                continue
            try:
                found[spec.name] = dict(read(workspace.root / node.value))
            except WorkbenchError:
                continue
    return found


def effects(declared: Mapping[str, Declared]) -> Mapping[str, tuple[bool, str]]:
    """By tool, whether any adapter's file says that it has side effects, and which: one yes outweighs a no.

    Tools of which nothing is said are not in it: theirs are unknown.
    """
    found: dict[str, tuple[bool, str]] = {}
    for adapter, tools in declared.items():
        for tool, changes in tools.items():
            if changes is not None and (tool not in found or (changes and not found[tool][0])):
                found[tool] = (changes, adapter)
    return found


def _of_table(path: Path) -> Iterator[tuple[str, bool | None]]:
    for entry in load_keywords(path).keywords:
        yield entry.tool, entry.side_effects


def _of_tools(path: Path) -> Iterator[tuple[str, bool | None]]:
    hints = dict(_hints(load(path, Problems())))
    for tool in load_tools(path):
        yield tool.name, hints.get(tool.name)


def _hints(top: Node) -> Iterator[tuple[str, bool | None]]:
    """MCP's annotations, as a server lists them: a hint that is not given says nothing."""
    waiting = [top]
    while waiting:
        node = waiting.pop()
        pairs = {key.value: value for key, value in node.pairs}
        waiting.extend((*node.items, *pairs.values()))
        name, hints = pairs.get("name"), pairs.get("annotations")
        if name is None or hints is None or name.kind is not NodeKind.TEXT:
            continue
        told = {key.value: _yes(value) for key, value in hints.pairs}
        if told.get("readOnlyHint") is True:
            yield name.value, False
        elif told.get("readOnlyHint") is False or told.get("destructiveHint") is True:
            yield name.value, True


def _yes(node: Node) -> bool | None:
    return as_boolean(node.value) if node.kind is NodeKind.TEXT else None
