"""The tools that a model is offered, fetched from where they come from."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from workbench.adapters.process.builder import returned, worker_program
from workbench.adapters.process.environment import kept_back
from workbench.adapters.process.host import Host
from workbench.adapters.process.options import working_folder
from workbench.adapters.protocol import Place, Request
from workbench.adapters.tools.source import ToolFile, ToolFunction, ToolServer, ToolSource
from workbench.core.decision import Json
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.tool import Tool
from workbench.core.turn import bare
from workbench.files.tools import load_tools, tools_from

__all__ = ["tools_of"]


async def tools_of(
    source: ToolSource,
    place: Place,
    *,
    name: str,
    python: str | os.PathLike[str] | None = None,
    env: Mapping[str, object] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    timeout: float = 60.0,
    drop: Iterable[str] = (),
) -> tuple[Tool, ...]:
    """The tools of `source`, at least one, of different names. Nothing that it starts is left running.

    `name` is the adapter's, for messages; `timeout` is in seconds. `drop`: see Builder. What `source`
    starts needs a workspace that is trusted. Raises WorkbenchError.
    """
    folder = working_folder(place, cwd)
    match source:
        case ToolFile(path):
            tools, where = load_tools(path), str(path)
        case ToolFunction(target):
            where = f"adapter {name}: the tools of {target}"
            tools = await _of_function(
                source, place, name=name, python=python, env=env, folder=folder, timeout=timeout, drop=drop
            )
        case ToolServer():
            where = f"adapter {name}: the tools of the MCP server"
            tools = await _of_server(source, place, name=name, folder=folder, env=env, timeout=timeout)
    if not tools:
        raise WorkbenchError(Problem(f"{where}: there are none", hint="a model without tools calls none"))
    twice = [word for word, count in Counter(tool.name for tool in tools).items() if count > 1]
    if twice:
        raise WorkbenchError(f"{where}: more than one is called {', '.join(twice)}")
    return tools


async def _of_server(
    source: ToolServer,
    place: Place,
    *,
    name: str,
    folder: Path,
    env: Mapping[str, object] | None,
    timeout: float,
) -> tuple[Tool, ...]:
    from workbench.adapters.tools.server import tools_of_server

    root = place.root.absolute()
    return await tools_of_server(source, name=name, folder=folder, root=root, env=env, timeout=timeout)


async def _of_function(
    source: ToolFunction,
    place: Place,
    *,
    name: str,
    python: str | os.PathLike[str] | None,
    env: Mapping[str, object] | None,
    folder: Path,
    timeout: float,
    drop: Iterable[str],
) -> tuple[Tool, ...]:
    """One call of the worker, under the app's own interpreter."""
    where = f"adapter {name}: the tools of {source.target}"
    if not folder.is_dir():
        raise WorkbenchError(f"adapter {name}: cwd {folder} is no folder")
    program, masker, unsaid = worker_program(
        name,
        place,
        {"target": source.target, "call": None, "makes": "tools"},
        python=python,
        env=env,
        folder=folder,
        drop=frozenset(drop),
    )
    host = Host(program, slots=1, timeout=timeout)
    try:
        reply = await host.ask(Request(bare("")))
    finally:
        await host.close()
    value, error = returned(reply, source.target)
    if error is not None:
        raise WorkbenchError(masker.said(f"{where}: {error}{kept_back(error, unsaid)}"))
    return tools_from(cast(Json, value), where)
