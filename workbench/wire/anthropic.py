"""Anthropic's messages: content in blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from workbench.core.decision import Json
from workbench.core.exchange import Usage
from workbench.wire.asking import given, merged, offered, parameters, route_schema, system_of, turns
from workbench.wire.codec import ModelCall, Reply, StreamReader, WireRequest
from workbench.wire.draft import HOSTED, MISSING, Draft, Ending, FoundCall, count
from workbench.wire.events import ServerSentEvents
from workbench.wire.streamed import Streamed
from workbench.wire.strict import kind_of, mapping, strings
from workbench.wire.whole import read_whole

__all__ = ["ENDINGS", "Anthropic", "gathered"]

ENDINGS: Mapping[str, Ending] = {
    "end_turn": Ending.DONE,
    "stop_sequence": Ending.DONE,
    "tool_use": Ending.CALLS,
    "max_tokens": Ending.CUT,
    "model_context_window_exceeded": Ending.CUT,
    "pause_turn": Ending.CUT,  # the vendor paused it, and would go on if asked
    "refusal": Ending.REFUSED,
}
_VERSION = "2023-06-01"
_MOST_TOKENS = 4096  # the format wants a limit; every model of the vendor allows this one
_HIDDEN = ("thinking", "redacted_thinking")
_HOSTED = ("server_tool_use", "mcp_tool_use")  # the vendor runs these tools itself


class Anthropic:
    """`/messages`. The format has no seed."""

    name: ClassVar[str] = "anthropic"
    base: ClassVar[str] = "https://api.anthropic.com/v1"
    key_variable: ClassVar[str | None] = "ANTHROPIC_API_KEY"
    tool_names: ClassVar[str] = "[A-Za-z0-9_-]{1,128}"

    def request(self, call: ModelCall) -> WireRequest:
        body = given(
            model=call.model,
            max_tokens=call.max_tokens or _MOST_TOKENS,
            system=system_of(call),
            messages=_messages(call),
            tools=[_tool(tool.name, tool.description, parameters(tool)) for tool in offered(call)] or None,
            tool_choice=_choice(call.tool_choice) if offered(call) else None,
            output_config={"format": _format(call.routes)} if call.routes else None,
            temperature=call.temperature,
            stream=True if call.stream else None,
        )
        return WireRequest("/messages", merged(body, call.body), {"anthropic-version": _VERSION})

    def authorise(self, key: str) -> Mapping[str, str]:
        return {"x-api-key": key}

    def read(self, http: int, headers: Mapping[str, str], body: bytes, routes: Sequence[str] = ()) -> Reply:
        return read_whole(http, headers, body, routes, gathered, ENDINGS)

    def stream(self, http: int, headers: Mapping[str, str], routes: Sequence[str] = ()) -> StreamReader:
        from workbench.wire.anthropic_stream import MessageFold

        return Streamed(self, http, headers, routes, ServerSentEvents(), MessageFold(), ENDINGS)


def _messages(call: ModelCall) -> list[Json]:
    if call.verbatim:
        return list(call.messages)
    return [{"role": role, "content": text} for role, text in turns(call, system=False)]


def _tool(name: str, description: str, schema: Mapping[str, Json]) -> Json:
    found: dict[str, Json] = {"name": name, "description": description, "input_schema": schema}
    return {key: value for key, value in found.items() if value != ""}


def _choice(choice: str | None) -> Json:
    if choice is None:
        return None
    words = {"auto": "auto", "none": "none", "required": "any", "any": "any"}
    return {"type": words[choice]} if choice in words else {"type": "tool", "name": choice}


def _format(routes: Sequence[str]) -> Json:
    return {"type": "json_schema", "schema": route_schema(routes)}


def gathered(answer: Mapping[str, Any]) -> Draft:
    """A whole message."""
    draft = Draft(dict, model=strings(answer.get("model")), usage=_usage(answer.get("usage")))
    draft.finish = strings(answer.get("stop_reason"))
    content = answer.get("content")
    if isinstance(content, str):
        draft.add_text(content)
    elif not isinstance(content, list):
        draft.problems.append(f"content is {kind_of(content)}; expected a list of blocks")
    else:
        for block in content:
            _block(draft, block)
    return draft


def _block(draft: Draft, block: Any) -> None:
    kind = mapping(block).get("type")
    if not isinstance(block, dict):
        draft.problems.append(f"a block is {kind_of(block)}; expected an object")
    elif kind == "tool_use" or kind in _HOSTED:
        if kind in _HOSTED:
            draft.flag(HOSTED)
        arguments = block.get("input", MISSING)
        draft.calls.append(FoundCall(block.get("name", MISSING), arguments, strings(block.get("id"))))
    elif kind == "text":
        draft.add_text(block.get("text"))
    elif kind not in _HIDDEN:
        draft.flag(f"a block of a type that is not read: {kind}")


def _usage(counts: Any) -> Usage | None:
    """The vendor counts what it read from a cache, and wrote to one, apart from the rest."""
    if not isinstance(counts, dict):
        return None
    fresh, read = count(counts.get("input_tokens")), count(counts.get("cache_read_input_tokens"))
    written = count(counts.get("cache_creation_input_tokens"))
    total = None if fresh is None else fresh + (read or 0) + (written or 0)
    return Usage(total, count(counts.get("output_tokens")), read)
