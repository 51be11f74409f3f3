"""MCP servers of our own for the tests, built with the SDK, over pipes and over HTTP."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

# Low-level, since it is the one that gives out its list in pages.
SERVER = """
import json, os, sys, time
import mcp_types as types
from mcp.server.lowlevel import Server

with open("pids", "a") as pids:
    pids.write(f"{os.getpid()}\\n")
with open("environment.json", "w") as seen:
    json.dump(dict(os.environ), seen)

NAMES = [f"tool_{number}" for number in range(7)]
HOW = sys.argv[1]
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}

async def list_tools(context, params):
    if HOW == "stall":
        import asyncio
        await asyncio.sleep(60)
    if HOW == "empty":
        return types.ListToolsResult(tools=[])
    if HOW == "raise":
        raise RuntimeError("the shelf is locked, " + os.environ.get("SHELF_TOKEN", ""))
    start = int(params.cursor) if params is not None and params.cursor else 0
    names = NAMES[start:start + 3]
    tools = [types.Tool(name=name, description=f"The {name}", input_schema=SCHEMA) for name in names]
    more = str(start + 3) if start + 3 < len(NAMES) else None
    return types.ListToolsResult(tools=tools, next_cursor="0" if HOW == "endless" else more)

async def call_tool(context, params):
    with open("called", "w") as note:
        note.write(params.name)
    raise RuntimeError("a tool was called")

server = Server("seven", on_list_tools=list_tools, on_call_tool=call_tool)

async def pipes():
    from mcp.server.stdio import stdio_server
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

if HOW == "crash":
    sys.exit("no shelf here")
if HOW == "child":
    import subprocess
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    with open("pids", "a") as pids:
        pids.write(f"{child.pid}\\n")
if HOW == "deaf":
    time.sleep(60)
if HOW == "http":
    import uvicorn
    app = server.streamable_http_app()
    async def guarded(scope, receive, send):
        if scope["type"] == "http":
            with open("headers", "w") as seen:
                seen.write(json.dumps([[k.decode(), v.decode()] for k, v in scope["headers"]]))
        await app(scope, receive, send)
    uvicorn.run(guarded, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
else:
    import anyio
    anyio.run(pipes)
"""


def mcp_server(folder: Path, how: str = "whole") -> tuple[str, ...]:
    """The command line of an MCP server of seven tools that notes its process in `folder`."""
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    return (sys.executable, "server.py", how)


@contextlib.contextmanager
def mcp_over_http(folder: Path) -> Iterator[str]:
    """The same server on a port of the loopback; its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    argv = [*mcp_server(folder, "http"), str(port)]
    environment = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    process = subprocess.Popen(argv, cwd=folder, env=environment)
    try:
        for _ in range(400):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()
