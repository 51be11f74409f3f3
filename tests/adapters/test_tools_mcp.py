"""Tools of a real MCP server, built with the SDK, over pipes and over HTTP. None is ever called."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from process_kit import left, until_noted
from tools_kit import mcp_over_http, mcp_server

from workbench.adapters.protocol import Place
from workbench.adapters.tools.offered import tools_of
from workbench.adapters.tools.source import ToolServer
from workbench.core.decision import Json
from workbench.core.errors import WorkbenchError
from workbench.core.tool import Tool
from workbench.files.node import EnvName

pytest.importorskip("mcp", reason="the extra [mcp] is not installed")
pytestmark = pytest.mark.slow

SCHEMA: dict[str, Json] = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
SEVEN = tuple(Tool(f"tool_{number}", f"The tool_{number}", SCHEMA) for number in range(7))


async def listed(folder: Path, how: str = "whole", **options: Any) -> tuple[Tool, ...]:
    """The tools of the server in `folder`."""
    source = ToolServer(mcp_server(folder, how))
    return await tools_of(source, Place(folder), name="local", **{"timeout": 30, **options})


async def refused(folder: Path, how: str, **options: Any) -> str:
    """What is said of a server that gives no tools."""
    with pytest.raises(WorkbenchError) as caught:
        await listed(folder, how, **options)
    return str(caught.value)


async def test_all_pages_over_pipes_and_the_server_is_ended(tmp_path: Path) -> None:
    assert await listed(tmp_path) == SEVEN
    assert not (tmp_path / "called").exists()
    assert not left(tmp_path)


async def test_all_pages_over_http_with_our_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELF", "Bearer of-the-shelf")
    with mcp_over_http(tmp_path) as url:
        source = ToolServer((), url, {"Authorization": EnvName("SHELF"), "X-Team": "blue"})
        assert await tools_of(source, Place(tmp_path), name="local") == SEVEN
    headers = dict(json.loads((tmp_path / "headers").read_text()))
    assert headers["authorization"] == "Bearer of-the-shelf"
    assert headers["x-team"] == "blue"
    assert not (tmp_path / "called").exists()


async def test_a_server_gets_what_env_says_and_none_of_our_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-user")
    monkeypatch.setenv("DATABASE", "not asked for")
    monkeypatch.setenv("VAULT", "shelf-token")
    await listed(tmp_path, env={"SHELF_TOKEN": EnvName("VAULT"), "MODE": "x"})
    seen = json.loads((tmp_path / "environment.json").read_text())
    assert seen["SHELF_TOKEN"] == "shelf-token"
    assert seen["MODE"] == "x"
    assert not seen.keys() & {"OPENAI_API_KEY", "DATABASE", "VAULT"}


async def test_a_stalled_server_is_ended_in_time(tmp_path: Path) -> None:
    began = time.monotonic()
    assert "no list of its tools within 2 s" in await refused(tmp_path, "stall", timeout=2)
    assert time.monotonic() - began < 10
    assert not left(tmp_path)


async def test_a_server_that_ignores_the_end_of_its_input_is_killed(tmp_path: Path) -> None:
    assert "no list of its tools within 1.5 s" in await refused(tmp_path, "deaf", timeout=1.5)
    assert not left(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="processes that left their group are found on Linux only")
async def test_what_a_server_started_is_ended_with_it(tmp_path: Path) -> None:
    assert await listed(tmp_path, "child") == SEVEN
    assert not left(tmp_path)


async def test_a_cancelled_listing_leaves_nothing_running(tmp_path: Path) -> None:
    task = asyncio.create_task(listed(tmp_path, "stall"))
    await until_noted(tmp_path, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not left(tmp_path)


async def test_errors_name_the_server_and_what_it_printed(tmp_path: Path) -> None:
    crashed = await refused(tmp_path, "crash")
    assert crashed.startswith("adapter local: the tools of the MCP server ")
    assert crashed.endswith("the last that it printed: no shelf here")
    assert "there are none" in await refused(tmp_path, "empty")
    assert "its list of tools has no end: after 6 of them" in await refused(tmp_path, "endless")


async def test_secrets_stand_in_no_error_and_nothing_on_our_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VAULT", "shelf-token-of-mine")
    said = await refused(tmp_path, "raise", env={"SHELF_TOKEN": EnvName("VAULT")})
    assert "shelf-token" not in said
    assert logging.getLogger("mcp").handlers
    assert capfd.readouterr() == ("", "")


async def test_what_cannot_be_reached_or_started(tmp_path: Path) -> None:
    async def words(source: ToolServer) -> str:
        with pytest.raises(WorkbenchError) as caught:
            await tools_of(source, Place(tmp_path), name="local", timeout=10)
        return str(caught.value)

    assert "No such file" in await words(ToolServer(("no-such-program",)))
    assert "connect" in (await words(ToolServer((), "http://127.0.0.1:9/mcp"))).lower()
    missing = await words(ToolServer((), "http://127.0.0.1:9/mcp", {"A": EnvName("NO_SUCH_VARIABLE")}))
    assert "NO_SUCH_VARIABLE is not set (headers: A)" in missing


async def test_a_program_with_a_slash_lies_in_the_workspace(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "serve"
    program.parent.mkdir()
    argv = mcp_server(tmp_path)
    program.write_text(f'#!/bin/sh\nexec "{argv[0]}" server.py whole\n', encoding="utf-8")
    program.chmod(0o755)
    assert await tools_of(ToolServer(("bin/serve",)), Place(tmp_path), name="local") == SEVEN


@pytest.mark.parametrize("sdk", [None, "old"])
async def test_without_the_sdk_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sdk: str | None
) -> None:
    if sdk is None:
        monkeypatch.setitem(sys.modules, "mcp", None)
    else:
        monkeypatch.delattr(sys.modules["mcp"], "Client")
    said = await refused(tmp_path, "whole")
    assert "pip install 'route-workbench[mcp]'" in said
    assert ("older than version 2" in said) == (sdk == "old")
