"""Lists the tools of an MCP server through the official SDK. No tool is ever called."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from workbench.adapters.process import group
from workbench.adapters.process.environment import Masker, is_secret
from workbench.adapters.tools.source import ToolServer
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.tool import Tool
from workbench.files.node import EnvName

if TYPE_CHECKING:
    from mcp import Client

__all__ = ["tools_of_server"]

_PAGES = 1000  # pages of a list of tools; a server that has more gives the same ones again
_SHOWN = 500  # characters of a server's complaint
_CONNECTED = 30.0  # seconds for a connection
_LOG_SHOWN = 2000  # bytes of the end of its log


async def tools_of_server(
    server: ToolServer,
    *,
    name: str,
    folder: Path,
    root: Path,
    env: Mapping[str, object] | None,
    timeout: float,
) -> tuple[Tool, ...]:
    """All pages of its tools. The program is ended afterwards, whatever happens.

    A program gets the few variables that the SDK passes on (PATH and HOME among them) and `env`.
    Raises WorkbenchError: the SDK is missing, the server does not start, answer or end its list.
    """
    mcp = await asyncio.to_thread(_sdk, name)
    given, headers = _values(name, env or {}, server.headers)
    hidden = (given[key] for key, said in (env or {}).items() if is_secret(key, said))
    masker = Masker([*hidden, *headers.values()])
    mark = secrets.token_hex(8)
    try:
        with tempfile.TemporaryFile() as log:
            try:
                async with asyncio.timeout(timeout):
                    transport = _transport(server, given | {group.MARK: mark}, headers, folder, root, log)
                    async with mcp.Client(transport, cache=None) as client:
                        return await _all_pages(client)
            except TimeoutError:
                error = f"no list of its tools within {timeout:g} s"
            except Exception as problem:  # a server may make the SDK raise anything
                error = _told(problem)
            raise WorkbenchError(_problem(name, server, masker, error, _end_of(log)))
    finally:
        if server.url is None:
            await asyncio.to_thread(group.kill_strays, mark)


def _sdk(name: str) -> Any:
    """The SDK, imported late: it takes longer than the whole of the command."""
    try:
        import mcp
        import mcp.client.stdio
        import mcp.client.streamable_http
    except ImportError as problem:
        raise _missing(name, str(problem)) from problem
    if not hasattr(mcp, "Client"):
        raise _missing(name, "the installed `mcp` is older than version 2")
    # Without a handler the SDK's complaints, which quote the server, would go to our terminal as they are.
    for logger in ("mcp", "mcp_types", "httpx2"):
        if not logging.getLogger(logger).handlers:
            logging.getLogger(logger).addHandler(logging.NullHandler())
    return mcp


def _missing(name: str, why: str) -> WorkbenchError:
    message = f"adapter {name}: tools from an MCP server need the SDK for it: {why}"
    return WorkbenchError(Problem(message, hint="pip install 'route-workbench[mcp]'"))


def _values(
    name: str, env: Mapping[str, object], headers: Mapping[str, str | EnvName]
) -> tuple[dict[str, str], dict[str, str]]:
    """The variables and the headers, with what they take from our environment."""
    problems: list[Problem] = []

    def value(key: str, said: object) -> str:
        if not isinstance(said, EnvName):
            return str(said)
        if said.name not in os.environ:
            words = f"adapter {name}: the environment variable {said.name} is not set ({key})"
            problems.append(Problem(words, hint=f"export {said.name}=… before the run"))
        return os.environ.get(said.name, "")

    read = (
        {key: value(f"env: {key}", said) for key, said in env.items()},
        {key: value(f"headers: {key}", said) for key, said in headers.items()},
    )
    if problems:
        raise WorkbenchError(problems)
    return read


def _transport(
    server: ToolServer,
    env: Mapping[str, str],
    headers: Mapping[str, str],
    folder: Path,
    root: Path,
    log: IO[bytes],
) -> AbstractAsyncContextManager[Any]:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    if server.url is not None:
        return _web(server.url, headers)
    program, *arguments = server.argv
    if "/" in program or os.sep in program:
        program = os.path.abspath(root / Path(program).expanduser())  # noqa: PTH100 (keeps links)
    started = StdioServerParameters(command=program, args=arguments, env=dict(env), cwd=folder)
    return cast("AbstractAsyncContextManager[Any]", stdio_client(started, errlog=cast("TextIO", log)))


@asynccontextmanager
async def _web(url: str, headers: Mapping[str, str]) -> AsyncIterator[Any]:
    """The SDK's transport over HTTP, with headers of ours."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    limits = httpx2.Timeout(_CONNECTED, read=None)  # the whole has one limit
    async with (
        httpx2.AsyncClient(headers=dict(headers), timeout=limits) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams


async def _all_pages(client: Client) -> tuple[Tool, ...]:
    tools: list[Tool] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += [Tool(tool.name, tool.description or "", tool.input_schema) for tool in page.tools]
        cursor = page.next_cursor
        if not cursor:
            return tuple(tools)
        if cursor in seen:
            break
        seen.add(cursor)
    raise ValueError(f"its list of tools has no end: after {len(tools)} of them it goes on at {cursor!r:.60}")


def _told(problem: BaseException) -> str:
    """The cause in words; the SDK's task groups wrap it."""
    while isinstance(problem, BaseExceptionGroup) and problem.exceptions:
        problem = problem.exceptions[0]
    words = str(problem) or type(problem).__name__
    plain = isinstance(problem, ValueError | OSError) or type(problem).__name__ == "MCPError"
    return (words if plain else f"{type(problem).__name__}: {words}")[:_SHOWN]


def _end_of(log: IO[bytes]) -> str:
    log.seek(0)
    return log.read()[-_LOG_SHOWN:].decode("utf-8", "backslashreplace").strip()


def _problem(name: str, server: ToolServer, masker: Masker, error: str, log: str) -> Problem:
    what = server.url if server.url is not None else " ".join(server.argv)
    last = f"; the last that it printed: {log.splitlines()[-1][:_SHOWN]}" if log else ""
    return Problem(masker.said(f"adapter {name}: the tools of the MCP server {what}: {error}{last}"))
