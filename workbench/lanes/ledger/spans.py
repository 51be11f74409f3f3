"""Requests out of traces: the messages that spans and events keep, put together as a body."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.capture.readers.fields import at, number, parsed, plain, text
from workbench.capture.readers.otlp import Signal, fits, indexed, signals
from workbench.capture.sources.record import Record
from workbench.lanes.ledger.answer import Answer
from workbench.lanes.ledger.call import Call, Passed

__all__ = ["SpanReader", "fits"]

_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE = "gen_ai.choice"
_MOST_OPEN = 1_000
_TOKENS = (
    "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt",
    "ai.usage.promptTokens",
)  # fmt: skip


class SpanReader:
    """Reads the spans and events of one file in their order."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, list[dict[str, Any]]] = OrderedDict()

    def take(self, record: Record) -> Iterator[Call | Passed]:
        """The requests that a record completes."""
        for signal in signals(record.value):
            role = _EVENTS.get(signal.name)
            if not signal.span and role is not None:
                self._tell(signal, role)
            elif (made := self._made(signal)) is not None:
                yield _call(made, signal, record)
            elif signal.span:
                yield Passed(record.place)

    def _tell(self, signal: Signal, role: str) -> None:
        """One message of a request, from the event that tells it."""
        body = parsed(signal.body)
        source = body if isinstance(body, dict) else signal.attributes
        key = signal.id or signal.trace or ""
        self._open.setdefault(key, []).append(_message({**source, "role": role}))
        self._open.move_to_end(key)
        while len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)

    def _made(self, signal: Signal) -> dict[str, Any] | None:
        """The body that a span, or the event that ends a request, tells of."""
        values = dict(signal.attributes)
        body = parsed(signal.body)
        if not signal.span and isinstance(body, dict):
            values |= body
        messages = _messages(values)
        key = signal.id or signal.trace or ""
        told = self._open.pop(key, None) if signal.span or signal.name == _CHOICE else None
        if messages is None:
            messages = told
        if messages is None:
            return None
        made: dict[str, Any] = {}
        if model := _first(values, "gen_ai.request.model", "llm.model_name", "gen_ai.response.model"):
            made["model"] = model
        system = parsed(values.get("gen_ai.system_instructions"))
        if isinstance(system, list):
            messages = [_message({"role": "system", "parts": system}), *messages]
        elif isinstance(system, str):
            messages = [{"role": "system", "content": system}, *messages]
        made["messages"] = messages
        tools = parsed(values.get("gen_ai.tool.definitions"))
        if isinstance(tools, list):
            made["tools"] = [_tool(tool) for tool in tools if isinstance(tool, dict)]
        return made


def _call(body: Mapping[str, Any], signal: Signal, record: Record) -> Call:
    values = signal.attributes
    tokens = next((found for key in _TOKENS if (found := number(values.get(key))) is not None), None)
    replies = _messages({"gen_ai.input.messages": values.get("gen_ai.output.messages")}) or []
    words = [words for reply in replies for words in _texts(reply.get("content"))]
    ids = (
        plain(values.get("workbench.request")), plain(values.get("gen_ai.response.id")),
        signal.id, plain(at(record.value, "id")),
    )  # fmt: skip
    return Call(
        record.place,
        body,
        "otel",
        ids=tuple(dict.fromkeys(found for found in ids if found)),
        turn=plain(values.get("workbench.turn")) or signal.trace,
        conversation=_first(values, "gen_ai.conversation.id", "session.id"),
        host=_first(values, "server.address"),
        model=plain(body.get("model")),
        answer=Answer(tokens, "\n".join(words)) if tokens is not None or words else None,
        rebuilt=True,
    )


def _first(values: Mapping[str, Any], *keys: str) -> str | None:
    return next((found for key in keys if (found := plain(values.get(key)))), None)


def _messages(values: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The messages that a span's attributes hold, in any of the spellings; None where there are none."""
    found = parsed(values.get("gen_ai.input.messages"))
    if not isinstance(found, list):
        found = indexed(values, "gen_ai.prompt") or indexed(values, "llm.input_messages")
        found = [at(item, "message") or item for item in found]
    if not found:
        found = parsed(values.get("ai.prompt.messages"))
    if not isinstance(found, list) or not found:
        return None
    return [_message(item) for item in found if isinstance(item, dict)]


def _message(item: Mapping[str, Any]) -> dict[str, Any]:
    """A message as chat bodies have it."""
    made: dict[str, Any] = {"role": text(item.get("role")) or "user"}
    parts = parsed(item.get("parts"))
    if not isinstance(parts, list):
        content = parsed(item.get("content"))
        made["content"] = content if isinstance(content, list) else item.get("content")
        calls = parsed(item.get("tool_calls"))
        if isinstance(calls, list):
            made["tool_calls"] = [at(call, "tool_call") or call for call in calls]
        return made
    content, calls = [], []
    for part in parts:
        kind = at(part, "type")
        if kind == "tool_call":
            given = part.get("arguments")
            spelled = given if isinstance(given, str) else _spelled(given)
            calls.append({"function": {"name": part.get("name"), "arguments": spelled}})
        elif kind == "tool_call_response":
            said = part.get("response", part.get("result"))
            content.append({"type": "text", "text": said if isinstance(said, str) else _spelled(said)})
        elif isinstance(said := at(part, "content") or at(part, "text"), str):
            content.append({"type": "text", "text": said})
        elif isinstance(part, str):
            content.append({"type": "text", "text": part})
        else:
            content.append({"type": "image_url"})
    made["content"] = content
    if calls:
        made["tool_calls"] = calls
    return made


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    return dict(tool) if isinstance(tool.get("function"), dict) else {"type": "function", "function": tool}


def _spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value is not None else ""


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if isinstance(said := at(block, "text"), str):
            yield said
