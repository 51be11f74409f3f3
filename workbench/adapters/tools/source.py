"""Where the tools that a model is offered come from: a file, the user's Python, or an MCP server."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from workbench.adapters.process.interpreter import SPEC, function_mark
from workbench.adapters.process.options import file_hash, working_folder
from workbench.adapters.protocol import Place
from workbench.core.tool import Tool
from workbench.files.node import EnvName, Node, NodeKind
from workbench.files.problems import Problems, check_keys

__all__ = [
    "ToolFile",
    "ToolFunction",
    "ToolServer",
    "ToolSource",
    "read_source",
    "source_marks",
    "tools_hash",
]

_WANTED = "a file, {python: package.module:name}, {mcp: [program, argument]} or {mcp: {url: …}}"


@dataclass(frozen=True, slots=True)
class ToolFile:
    """A YAML or JSON file, absolute. Reading it runs nothing."""

    path: Path
    starts = False


@dataclass(frozen=True, slots=True)
class ToolFunction:
    """A list of tools, or a function that returns one, in the user's Python: `package.module:name`."""

    target: str
    starts = True


@dataclass(frozen=True, slots=True)
class ToolServer:
    """An MCP server: a program that is spoken to over its pipes, or one that listens at `url`."""

    argv: tuple[str, ...] = ()
    url: str | None = None
    headers: Mapping[str, str | EnvName] = field(default_factory=dict)
    starts = True


ToolSource = ToolFile | ToolFunction | ToolServer


def read_source(node: Node, problems: Problems, root: Path) -> ToolSource | None:
    """The value of an option `tools`; None after a complaint. Paths start at `root`."""
    if node.kind is NodeKind.TEXT:
        path = node.path(problems, root)
        return None if path is None else ToolFile(Path(path))
    if node.kind is not NodeKind.MAPPING:
        node.expected(problems, _WANTED)
        return None
    found = {key.value: value for key, value in node.pairs}
    check_keys(problems, node.mark, {key.value: key.mark for key, _ in node.pairs}, ("python", "mcp"))
    if len(found) != 1:
        node.complain(problems, f"expected one of python and mcp: {_WANTED}")
        return None
    if "python" in found:
        return _function(found["python"], problems)
    return _server(found["mcp"], problems) if "mcp" in found else None


def _function(node: Node, problems: Problems) -> ToolFunction | None:
    target = node.word(problems)
    if target is not None and not SPEC.fullmatch(target):
        node.expected(problems, "package.module:name")
        return None
    return None if target is None else ToolFunction(target)


def _server(node: Node, problems: Problems) -> ToolServer | None:
    if node.kind is not NodeKind.MAPPING:
        argv = node.words(problems) if node.kind is NodeKind.LIST else None
        if node.kind is not NodeKind.LIST or argv == ():
            node.expected(problems, "[program, argument, …] or {url: …}")
            return None
        return None if argv is None else ToolServer(argv)
    marks = {key.value: key.mark for key, _ in node.pairs}
    check_keys(problems, node.mark, marks, ("url", "headers"), ("url",))
    found = {key.value: value for key, value in node.pairs}
    headers = found["headers"].text_map(problems) if "headers" in found else {}
    url = found["url"].word(problems) if "url" in found else None
    if url is not None and not _is_web(url):
        found["url"].expected(problems, "an address that begins with http:// or https://")
        return None
    return None if url is None or headers is None else ToolServer((), url, headers)


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def source_marks(
    source: ToolSource, place: Place, cwd: str | os.PathLike[str] | None = None
) -> Mapping[str, str]:
    """For a fingerprint: what can be said of the tools before anything is run. No header is shown."""
    if isinstance(source, ToolFile):
        return {"tools": file_hash(source.path)}
    if isinstance(source, ToolFunction):
        return {f"tools {source.target}": function_mark(working_folder(place, cwd), source.target)}
    if source.url is None:
        return {"tools mcp": " ".join(source.argv)}
    parts = urlsplit(source.url)
    host = parts.netloc.rpartition("@")[2]
    return {"tools mcp": f"{parts.scheme}://{host}{parts.path}"}


def tools_hash(tools: tuple[Tool, ...]) -> str:
    """One hash of what a model is offered: names, descriptions, schemas, and their order."""
    listed = [[tool.name, tool.description, tool.parameters] for tool in tools]
    spelled = json.dumps(listed, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(spelled.encode("ascii")).hexdigest()[:16]
