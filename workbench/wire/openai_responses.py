"""OpenAI's responses: items in, items out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from workbench.core.decision import Json
from workbench.core.exchange import Usage
from workbench.wire.asking import given, merged, offered, parameters, route_schema, turns
from workbench.wire.codec import ModelCall, Reply, StreamReader, WireRequest
from workbench.wire.draft import HOSTED, MISSING, Draft, Ending, FoundCall, count, usage
from workbench.wire.events import ServerSentEvents
from workbench.wire.streamed import Streamed
from workbench.wire.strict import kind_of, mapping, strings
from workbench.wire.whole import read_whole

__all__ = ["ENDINGS", "OpenAIResponses", "gathered"]

# The status of the response, and for an incomplete one the reason that it gives.
ENDINGS: Mapping[str, Ending] = {
    "completed": Ending.DONE,
    "max_output_tokens": Ending.CUT,
    "max_tokens": Ending.CUT,
    "incomplete": Ending.CUT,
    "content_filter": Ending.REFUSED,
    "failed": Ending.FAILED,
    "cancelled": Ending.FAILED,
    "in_progress": Ending.FAILED,
    "queued": Ending.FAILED,
}
_ASKED = ("action", "operation", "arguments")  # what the vendor's own tools are called with
_RUN_BY_US = ("computer_call", "local_shell_call", "shell_call", "apply_patch_call", "mcp_approval_request")
_OWN = "a call of one of the provider's own tools"
_PARTIAL = ("incomplete", "in_progress")


class OpenAIResponses:
    """`/responses`. Nothing is stored at the vendor unless `body` says so."""

    name: ClassVar[str] = "openai-responses"
    base: ClassVar[str] = "https://api.openai.com/v1"
    key_variable: ClassVar[str | None] = "OPENAI_API_KEY"
    tool_names: ClassVar[str] = "[A-Za-z0-9_-]{1,64}"

    def request(self, call: ModelCall) -> WireRequest:
        body = given(
            model=call.model,
            instructions=call.system,
            input=_input(call),
            tools=[_tool(tool.name, tool.description, parameters(tool)) for tool in offered(call)] or None,
            tool_choice=_choice(call.tool_choice) if offered(call) else None,
            text={"format": _format(call.routes)} if call.routes else None,
            temperature=call.temperature,
            max_output_tokens=call.max_tokens,
            stream=True if call.stream else None,
            store=False,
        )
        return WireRequest("/responses", merged(body, call.body))

    def authorise(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def read(self, http: int, headers: Mapping[str, str], body: bytes, routes: Sequence[str] = ()) -> Reply:
        return read_whole(http, headers, body, routes, gathered, ENDINGS)

    def stream(self, http: int, headers: Mapping[str, str], routes: Sequence[str] = ()) -> StreamReader:
        from workbench.wire.openai_responses_stream import ResponseFold

        return Streamed(self, http, headers, routes, ServerSentEvents(), ResponseFold(), ENDINGS)


def _input(call: ModelCall) -> list[Json]:
    if call.verbatim:
        return list(call.messages)
    return [{"role": role, "content": text} for role, text in turns(call, system=True)]


def _tool(name: str, description: str, schema: Mapping[str, Json]) -> Json:
    """Not `strict`, which this format assumes where it is not said, and which would turn the schema."""
    found: dict[str, Json] = {
        "type": "function",
        "name": name,
        "description": description,
        "parameters": schema,
    }
    return {**{key: value for key, value in found.items() if value != ""}, "strict": False}


def _choice(choice: str | None) -> Json:
    return choice if choice in (None, "auto", "none", "required") else {"type": "function", "name": choice}


def _format(routes: Sequence[str]) -> Json:
    return {"type": "json_schema", "name": "route", "strict": True, "schema": route_schema(routes)}


def gathered(answer: Mapping[str, Any]) -> Draft:
    """A whole response."""
    draft = Draft(str, model=strings(answer.get("model")), usage=_usage(answer.get("usage")))
    draft.finish = strings(answer.get("status"))
    if draft.finish == "incomplete":
        draft.finish = strings(mapping(answer.get("incomplete_details")).get("reason")) or draft.finish
    output = answer.get("output")
    if not isinstance(output, list):
        draft.problems.append(f"output is {kind_of(output)}; expected a list")
        return draft
    for item in output:
        _item(draft, item)
    return draft


def _item(draft: Draft, item: Any) -> None:
    kind = mapping(item).get("type")
    if not isinstance(item, dict):
        draft.problems.append(f"an item is {kind_of(item)}; expected an object")
    elif kind in ("function_call", "custom_tool_call"):
        _call(draft, item, free=kind == "custom_tool_call")
    elif kind == "mcp_approval_request" or (isinstance(kind, str) and kind.endswith("_call")):
        _hosted(draft, item, kind)
    elif kind == "message" or (kind is None and "content" in item):
        _message(draft, item.get("content"))
    elif kind != "reasoning":
        draft.flag(f"an item of a type that is not read: {kind}")


def _call(draft: Draft, item: Mapping[str, Any], *, free: bool) -> None:
    """A call. Its id is the one that an answer to it would name, `call_id`; the item's own is kept too."""
    arguments = item.get("input" if free else "arguments", MISSING)
    named = item.get("name", MISSING)
    call = FoundCall(named, arguments, strings(item.get("call_id")), strings(item.get("id")), free)
    draft.calls.append(call)
    if item.get("status") in _PARTIAL:
        draft.problems.append(f"call {len(draft.calls)} is not complete: its status is {item['status']}")


def _hosted(draft: Draft, item: Mapping[str, Any], kind: str) -> None:
    """A call of one of the vendor's own tools, web search, a shell and others, or of a server it asks."""
    draft.flag(_OWN if kind in _RUN_BY_US else HOSTED)
    arguments = next((item[key] for key in _ASKED if item.get(key) is not None), None)
    if arguments is None:
        arguments = {key: item[key] for key in ("queries", "code") if item.get(key) is not None}
    if isinstance(arguments, dict):  # these come as objects where a function's come as text
        arguments = json.dumps(arguments)
    name = strings(item.get("name")) or kind.removesuffix("_call")
    draft.calls.append(FoundCall(name, arguments, strings(item.get("call_id")), strings(item.get("id"))))
    if item.get("status") == "incomplete":
        draft.problems.append(f"call {len(draft.calls)} is not complete: its status is incomplete")


def _message(draft: Draft, content: Any) -> None:
    if not isinstance(content, list):
        draft.add_text(content)
        return
    for part in content:
        kind = mapping(part).get("type")
        if kind in ("output_text", "text"):
            draft.add_text(part.get("text"))
        elif kind == "refusal":
            draft.add_text(part.get("refusal"), draft.refusal)
        else:
            draft.flag(f"a part of a kind that is not read: {kind}")


def _usage(counts: Any) -> Usage | None:
    details = mapping(mapping(counts).get("input_tokens_details"))
    return usage(counts, "input_tokens", "output_tokens", count(details.get("cached_tokens")))
