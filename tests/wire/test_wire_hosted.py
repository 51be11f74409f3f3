"""Calls of tools that the provider offers itself: the model picked them, so they are calls."""

from __future__ import annotations

from typing import Any

import pytest
from wire_kit import calls_of, content, flags_in, message, message_stream, partial, read, response, streamed

from workbench.core.trial import Status
from workbench.wire.draft import HOSTED

RESPONSES = "openai-responses"


@pytest.mark.parametrize("kind", ["server_tool_use", "mcp_tool_use"])
def test_a_tool_that_anthropic_runs(kind: str) -> None:
    used = {"type": kind, "id": "s", "name": "web_search", "input": {"query": "x"}}
    reply = read("anthropic", message([used, {"type": "text", "text": "found"}]))
    assert calls_of(reply) == [("web_search", {"query": "x"}, "s")]
    assert flags_in(reply) == (HOSTED,)


def test_a_tool_that_anthropic_runs_streamed() -> None:
    start = {"type": "server_tool_use", "id": "s", "name": "f", "input": {}}
    blocks = [
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": partial('{"query":"x"}')},
        {"type": "content_block_stop", "index": 0},
    ]
    reply = streamed("anthropic", message_stream(blocks))
    assert calls_of(reply) == [("f", {"query": "x"}, "s")]


@pytest.mark.parametrize(
    ("item", "call"),
    [
        ({"type": "web_search_call", "action": {"type": "search"}}, ("web_search", {"type": "search"})),
        ({"type": "file_search_call", "queries": ["x"]}, ("file_search", {"queries": ["x"]})),
        ({"type": "code_interpreter_call", "code": "1"}, ("code_interpreter", {"code": "1"})),
        ({"type": "mcp_call", "name": "send", "arguments": '{"to":"a"}'}, ("send", {"to": "a"})),
    ],
)
def test_a_tool_that_openai_runs(item: dict[str, Any], call: tuple[str, Any]) -> None:
    reply = read(RESPONSES, response([item]))
    assert [found[:2] for found in calls_of(reply)] == [call]
    assert flags_in(reply) == (HOSTED,)


@pytest.mark.parametrize(
    ("item", "call"),
    [
        ({"type": "local_shell_call", "action": {"command": ["ls"]}}, ("local_shell", {"command": ["ls"]})),
        ({"type": "computer_call", "action": {"type": "click"}}, ("computer", {"type": "click"})),
        ({"type": "apply_patch_call", "operation": {"path": "a"}}, ("apply_patch", {"path": "a"})),
        ({"type": "mcp_approval_request", "name": "send", "arguments": "{}"}, ("send", {})),
    ],
)
def test_a_tool_of_openai_that_waits_for_the_app(item: dict[str, Any], call: tuple[str, Any]) -> None:
    reply = read(RESPONSES, response([item]))
    assert [found[:2] for found in calls_of(reply)] == [call]
    assert HOSTED not in flags_in(reply)


def test_a_call_of_such_a_tool_that_was_cut_is_malformed() -> None:
    reply = read(RESPONSES, response([{"type": "web_search_call", "status": "incomplete"}]))
    assert reply.status is Status.MALFORMED


def test_code_that_gemini_runs() -> None:
    reply = read("gemini", content([{"executableCode": {"language": "PYTHON", "code": "1"}}]))
    assert calls_of(reply) == [("code_execution", {"language": "PYTHON", "code": "1"}, None)]
    assert flags_in(reply) == (HOSTED,)
