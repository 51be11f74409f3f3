"""Answers in the five formats, after the vendors' public documentation, streamed and not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.core.trial import Status
from workbench.wire.codec import Reply
from workbench.wire.registry import codec

FORMATS = ("anthropic", "gemini", "ollama", "openai-chat", "openai-responses")
OSLO, BERGEN = {"city": "Oslo"}, {"city": "Bergen", "days": 3}


def sse(*events: Any, end: str = "\n\n") -> bytes:
    """Objects, or text as it is, as server-sent events; an object's `type` is the event's name."""
    return "".join(_event(event) + end for event in events).encode()


def _event(event: Any) -> str:
    if isinstance(event, str):
        return f"data: {event}"
    name = f"event: {event['type']}\n" if isinstance(event.get("type"), str) else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}"


def lines(*values: Any) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def read(name: str, body: Any, http: int = 200, routes: tuple[str, ...] = (), **headers: str) -> Reply:
    """A whole body, which may be an object."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return codec(name).read(http, {k.replace("_", "-"): v for k, v in headers.items()}, data, routes)


def streamed(
    name: str, chunks: bytes | Iterable[bytes], http: int = 200, routes: tuple[str, ...] = ()
) -> Reply:
    reader = codec(name).stream(http, {"content-type": "text/event-stream"}, routes)
    for chunk in [chunks] if isinstance(chunks, bytes) else chunks:
        reader.feed(chunk)
    return reader.end()


def calls_of(reply: Reply) -> list[tuple[str, Any, str | None]]:
    assert reply.status is Status.OK, reply
    assert reply.decision is not None
    return [(call.name, call.arguments, call.id) for call in reply.decision.calls]


def flags_in(reply: Reply) -> tuple[str, ...]:
    assert reply.decision is not None, reply
    return reply.decision.flags


# One answer: the text "Grüße 👋", and two calls. What each format does with ids differs.


def chat(**message: Any) -> dict[str, Any]:
    """A chat completion of one message; `finish` is its reason."""
    finish = message.pop("finish", "stop")
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = {
        "prompt_tokens": 82,
        "completion_tokens": 17,
        "total_tokens": 99,
        "prompt_tokens_details": {"cached_tokens": 64},
    }
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-1",
        "system_fingerprint": "fp_1", "choices": [choice], "usage": usage,
    }  # fmt: skip


def chat_call(name: Any, arguments: Any, call_id: str = "c") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def chunk(delta: Mapping[str, Any] | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1",
        "system_fingerprint": "fp_1", "choices": choices, **more,
    }  # fmt: skip


def piece(index: int | None, arguments: str | None, **more: Any) -> dict[str, Any]:
    """A chunk with a piece of a call; `name` and `id` where it begins one."""
    function = {"arguments": arguments, "name": more.pop("name", None)}
    found = {"index": index, **more, "function": {k: v for k, v in function.items() if v is not None}}
    return chunk({"tool_calls": [{key: value for key, value in found.items() if value is not None}]})


CHAT = chat(
    content="Grüße 👋",
    refusal=None,
    finish="tool_calls",
    tool_calls=[
        chat_call("weather", json.dumps(OSLO), "call_1"),
        chat_call("weather", json.dumps(BERGEN), "call_2"),
    ],
)
CHAT_STREAM = sse(
    chunk({"role": "assistant", "content": None}),
    chunk({"content": "Grüße"}),
    chunk({"content": " 👋"}),
    piece(0, "", id="call_1", type="function", name="weather"),
    piece(0, '{"city": "O'),
    piece(1, "", id="call_2", type="function", name="weather"),
    piece(0, 'slo"}'),
    piece(1, '{"city": "Bergen", '),
    piece(1, '"days": 3}'),
    chunk({}, "tool_calls"),
    chunk(usage=CHAT["usage"]),
    "[DONE]",
)


def block(index: int, kind: str, *deltas: Mapping[str, Any], **start: Any) -> list[dict[str, Any]]:
    """The events of one block of an Anthropic stream."""
    begun = {"type": "content_block_start", "index": index, "content_block": {"type": kind, **start}}
    middle = [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    return [begun, *middle, {"type": "content_block_stop", "index": index}]


def partial(text: str) -> dict[str, Any]:
    return {"type": "input_json_delta", "partial_json": text}


def tool_block(index: int, call_id: str, *pieces: str, name: str = "weather") -> list[dict[str, Any]]:
    return block(index, "tool_use", *map(partial, pieces), id=call_id, name=name, input={})


def message(content: list[Any], stop: str | None = "end_turn", **more: Any) -> dict[str, Any]:
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 64,
        "cache_creation_input_tokens": 8,
        "output_tokens": 17,
    }
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": content,
        "stop_reason": stop, "stop_sequence": None, "usage": usage, **more,
    }  # fmt: skip


def message_stream(blocks: list[dict[str, Any]], stop: str | None = "end_turn") -> bytes:
    started = message([], None)
    started["usage"] = {**started["usage"], "output_tokens": 1}
    delta = {"stop_reason": stop, "stop_sequence": None}
    return sse(
        {"type": "message_start", "message": started},
        {"type": "ping"},
        *blocks,
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 17}},
        {"type": "message_stop"},
    )


MESSAGE = message(
    [
        {"type": "thinking", "thinking": '{"name": "weather", "arguments": {}}', "signature": "x"},
        {"type": "text", "text": "Grüße 👋"},
        {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": OSLO},
        {"type": "tool_use", "id": "toolu_2", "name": "weather", "input": BERGEN},
    ],
    "tool_use",
)
MESSAGE_STREAM = message_stream(
    [
        *block(0, "thinking", {"type": "thinking_delta", "thinking": "hm"}, thinking="", signature=""),
        *block(1, "text", *({"type": "text_delta", "text": text} for text in ("Grüße", " 👋")), text=""),
        *tool_block(2, "toolu_1", "", '{"city": "O', 'slo"}'),
        *tool_block(3, "toolu_2", '{"city": "Bergen", "days"', ": 3}"),
    ],
    "tool_use",
)


def content(parts: Any, finish: str | None = "STOP", **more: Any) -> dict[str, Any]:
    """One answer, or one event, of Gemini's."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    usage = {
        "promptTokenCount": 82, "cachedContentTokenCount": 64, "candidatesTokenCount": 12,
        "thoughtsTokenCount": 5, "totalTokenCount": 99,
    }  # fmt: skip
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": "m-1",
        "responseId": "r",
        **more,
    }


def gemini_call(arguments: Any, **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": "weather", "args": arguments, **more}}


CONTENT = content(
    [
        {"text": "I should call weather", "thought": True},
        {"text": "Grüße 👋", "thoughtSignature": "x"},
        gemini_call(OSLO, id="g1"),
        gemini_call(BERGEN),
    ]
)
CONTENT_STREAM = sse(
    content([{"text": "Grüße"}], None, usageMetadata={"promptTokenCount": 82}),
    content([{"text": " 👋"}], None, usageMetadata={"promptTokenCount": 82, "candidatesTokenCount": 3}),
    content([gemini_call(OSLO, id="g1")], None),
    content([gemini_call(BERGEN)]),
)


def ollama(done: bool = True, reason: str | None = "stop", **said: Any) -> dict[str, Any]:
    """One answer, or one line, of Ollama's."""
    counts = {"done_reason": reason, "prompt_eval_count": 82, "eval_count": 17} if done else {}
    made = said.pop("made", "2026-01-01T00:00:00.000001Z")
    return {
        "model": "m-1", "created_at": made, "message": {"role": "assistant", "content": "", **said},
        "done": done, **counts,
    }  # fmt: skip


def ollama_call(arguments: Any, index: int = 0) -> dict[str, Any]:
    return {"function": {"index": index, "name": "weather", "arguments": arguments}}


OLLAMA = ollama(
    content="Grüße 👋", thinking="hm", tool_calls=[ollama_call(OSLO), {**ollama_call(BERGEN, 1), "id": "o2"}]
)
OLLAMA_STREAM = lines(
    ollama(False, thinking="hm", made="1"),
    ollama(False, content="Grüße", made="2"),
    ollama(False, content=" 👋", made="3"),
    ollama(False, tool_calls=[ollama_call(OSLO)], made="4"),
    ollama(False, tool_calls=[{**ollama_call(BERGEN, 1), "id": "o2"}], made="5"),
    ollama(made="6"),
)


def item(name: str, arguments: str, number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name,
        "arguments": arguments, "status": "completed", **more,
    }  # fmt: skip


def said(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}


def response(output: list[Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 82, "input_tokens_details": {"cached_tokens": 64}, "output_tokens": 17}
    return {
        "id": "resp_1", "object": "response", "status": status, "error": None, "incomplete_details": None,
        "model": "m-1", "output": output, "usage": usage, **more,
    }  # fmt: skip


def numbered(*events: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def item_events(place: int, whole: Mapping[str, Any], *pieces: str) -> list[dict[str, Any]]:
    """The events of one call of a streamed response."""
    started = {**whole, "arguments": "", "status": "in_progress"}
    about = {"output_index": place, "item_id": whole["id"]}
    kind = "response.function_call_arguments"
    return [
        {"type": "response.output_item.added", "output_index": place, "item": started},
        *({"type": f"{kind}.delta", **about, "delta": text} for text in pieces),
        {"type": f"{kind}.done", **about, "arguments": whole["arguments"]},
        {"type": "response.output_item.done", "output_index": place, "item": whole},
    ]


OUTPUT = [
    {"type": "reasoning", "id": "rs_1", "summary": []},
    said("Grüße 👋"),
    item("weather", json.dumps(OSLO), 1),
    item("weather", json.dumps(BERGEN), 2),
]
RESPONSE = response(OUTPUT)
RESPONSE_EVENTS = numbered(
    {"type": "response.created", "response": response([], "in_progress", usage=None)},
    {"type": "response.output_item.added", "output_index": 0, "item": OUTPUT[0]},
    {"type": "response.output_item.done", "output_index": 0, "item": OUTPUT[0]},
    {"type": "response.output_item.added", "output_index": 1, "item": {**OUTPUT[1], "content": []}},
    {"type": "response.output_text.delta", "output_index": 1, "item_id": "msg_1", "delta": "Grüße 👋"},
    {"type": "response.output_item.done", "output_index": 1, "item": OUTPUT[1]},
    *item_events(2, OUTPUT[2], '{"city": "O', 'slo"}'),
    *item_events(3, OUTPUT[3], '{"city": "Bergen", "days": 3}'),
    {"type": "response.completed", "response": RESPONSE},
)
RESPONSE_STREAM = sse(*RESPONSE_EVENTS)

PLAIN: Mapping[str, Any] = {
    "anthropic": MESSAGE,
    "gemini": CONTENT,
    "ollama": OLLAMA,
    "openai-chat": CHAT,
    "openai-responses": RESPONSE,
}
STREAM: Mapping[str, bytes] = {
    "anthropic": MESSAGE_STREAM,
    "gemini": CONTENT_STREAM,
    "ollama": OLLAMA_STREAM,
    "openai-chat": CHAT_STREAM,
    "openai-responses": RESPONSE_STREAM,
}
IDS: Mapping[str, tuple[str | None, str | None]] = {
    "anthropic": ("toolu_1", "toolu_2"),
    "gemini": ("g1", None),
    "ollama": (None, "o2"),
    "openai-chat": ("call_1", "call_2"),
    "openai-responses": ("call_1", "call_2"),
}
FINISH: Mapping[str, str] = {
    "anthropic": "tool_use",
    "gemini": "STOP",
    "ollama": "stop",
    "openai-chat": "tool_calls",
    "openai-responses": "completed",
}


def texts(name: str, text: str, streaming: bool) -> bytes:
    """A whole answer that is nothing but text."""
    if name == "anthropic":
        deltas = block(0, "text", {"type": "text_delta", "text": text}, text="")
        return message_stream(deltas) if streaming else _json(message([{"type": "text", "text": text}]))
    if name == "gemini":
        return sse(content([{"text": text}])) if streaming else _json(content([{"text": text}]))
    if name == "ollama":
        return lines(ollama(False, content=text), ollama()) if streaming else _json(ollama(content=text))
    if name == "openai-chat":
        events = (chunk({"role": "assistant", "content": text}), chunk({}, "stop"), "[DONE]")
        return sse(*events) if streaming else _json(chat(content=text))
    last = {"type": "response.completed", "response": response([said(text)])}
    return sse(*numbered(last)) if streaming else _json(response([said(text)]))


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()
