"""OpenAI's chat completions, and the many servers that speak them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from workbench.core.decision import Json
from workbench.core.exchange import Usage
from workbench.wire.asking import chat_messages, given, merged, offered, parameters, route_schema
from workbench.wire.calls import add_calls, add_content
from workbench.wire.codec import ModelCall, Reply, StreamReader, WireRequest
from workbench.wire.draft import Draft, Ending, FoundCall, count, usage
from workbench.wire.events import ServerSentEvents
from workbench.wire.streamed import Streamed
from workbench.wire.strict import kind_of, mapping, strings
from workbench.wire.whole import read_whole

__all__ = ["ENDINGS", "OpenAIChat", "add_legacy", "take_facts"]

# The vendor's five, and what other servers are known to write in their place.
ENDINGS: Mapping[str, Ending] = {
    "stop": Ending.DONE,
    "tool_calls": Ending.CALLS,
    "function_call": Ending.CALLS,
    "length": Ending.CUT,
    "content_filter": Ending.REFUSED,
    "eos": Ending.DONE,
    "eos_token": Ending.DONE,
    "end_turn": Ending.DONE,
    "stop_sequence": Ending.DONE,
    "tool_use": Ending.CALLS,
    "max_tokens": Ending.CUT,
    "model_length": Ending.CUT,
    "refusal": Ending.REFUSED,
    "safety": Ending.REFUSED,
    "recitation": Ending.REFUSED,
    "malformed_function_call": Ending.BROKEN,
    "error": Ending.FAILED,
    "abort": Ending.FAILED,
    "insufficient_system_resource": Ending.FAILED,
}


class OpenAIChat:
    """`/chat/completions`."""

    name: ClassVar[str] = "openai-chat"
    base: ClassVar[str] = "https://api.openai.com/v1"
    key_variable: ClassVar[str | None] = "OPENAI_API_KEY"
    tool_names: ClassVar[str] = "[A-Za-z0-9_-]{1,64}"

    def request(self, call: ModelCall) -> WireRequest:
        limit = "max_tokens" if call.compatible else "max_completion_tokens"
        body = given(
            model=call.model,
            messages=chat_messages(call),
            tools=[_tool(tool.name, tool.description, parameters(tool)) for tool in offered(call)] or None,
            tool_choice=_choice(call.tool_choice) if offered(call) else None,
            response_format=_format(call.routes) if call.routes else None,
            temperature=call.temperature,
            seed=call.seed,
            stream=True if call.stream else None,
            stream_options={"include_usage": True} if call.stream else None,
            **{limit: call.max_tokens},
        )
        return WireRequest("/chat/completions", merged(body, call.body))

    def authorise(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"}

    def read(self, http: int, headers: Mapping[str, str], body: bytes, routes: Sequence[str] = ()) -> Reply:
        return read_whole(http, headers, body, routes, _gathered, ENDINGS)

    def stream(self, http: int, headers: Mapping[str, str], routes: Sequence[str] = ()) -> StreamReader:
        from workbench.wire.openai_chat_stream import ChatFold

        return Streamed(self, http, headers, routes, ServerSentEvents(), ChatFold(), ENDINGS)


def _tool(name: str, description: str, schema: Mapping[str, Json]) -> Json:
    function: dict[str, Json] = {"name": name, "description": description, "parameters": schema}
    return {"type": "function", "function": {key: value for key, value in function.items() if value != ""}}


def _choice(choice: str | None) -> Json:
    if choice in (None, "auto", "none", "required"):
        return choice
    return {"type": "function", "function": {"name": choice}}


def _format(routes: Sequence[str]) -> Json:
    named: dict[str, Json] = {"name": "route", "strict": True, "schema": route_schema(routes)}
    return {"type": "json_schema", "json_schema": named}


def _gathered(answer: Mapping[str, Any]) -> Draft:
    draft = Draft(str)
    take_facts(draft, answer)
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices:
        draft.problems.append("no choice came")
        return draft
    if len(choices) > 1:
        draft.flag(f"{len(choices)} choices came; the first is read")
    choice = next((each for each in choices if mapping(each).get("index") == 0), choices[0])
    draft.finish = strings(mapping(choice).get("finish_reason"))
    message = mapping(choice).get("message")
    if not isinstance(message, dict):
        draft.problems.append(f"the choice's message is {kind_of(message)}; expected an object")
        return draft
    add_content(draft, message.get("content"))
    draft.add_text(message.get("refusal"), draft.refusal)
    add_calls(draft, message.get("tool_calls"))
    add_legacy(draft, message.get("function_call"))
    return draft


def add_legacy(draft: Draft, value: Any) -> None:
    """The one call of the older shape, `function_call`."""
    if value is not None:
        draft.flag("a call in the older shape, function_call")
        draft.calls.append(
            FoundCall(value.get("name"), value.get("arguments"))
            if isinstance(value, dict)
            else FoundCall(arguments=value)
        )


def take_facts(draft: Draft, part: Mapping[str, Any]) -> None:
    """Model, fingerprint and usage of an answer, or of one event of it; the last said counts."""
    draft.model = strings(part.get("model")) or draft.model
    draft.fingerprint = strings(part.get("system_fingerprint")) or draft.fingerprint
    draft.usage = _usage(part.get("usage")) or draft.usage


def _usage(counts: Any) -> Usage | None:
    details = mapping(mapping(counts).get("prompt_tokens_details"))
    return usage(counts, "prompt_tokens", "completion_tokens", count(details.get("cached_tokens")))
