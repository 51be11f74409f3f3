"""Captures of every kind come to the same requests, and receipts to the request that they are of."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.capture.turns import Place, Skipped
from workbench.lanes.ledger.answer import read_answer
from workbench.lanes.ledger.call import Call, Passed
from workbench.lanes.ledger.conversations import Conversations
from workbench.lanes.ledger.faults import faults_of
from workbench.lanes.ledger.joining import known_of
from workbench.lanes.ledger.measuring import measure
from workbench.lanes.ledger.reading import read_capture
from workbench.lanes.ledger.row import row_of

CHAT: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"}],
}
PLACE = Place("x", 1)


def entry(body: Any, **more: Any) -> dict[str, Any]:
    return {
        "request": {
            "method": "POST",
            "url": "http://127.0.0.1:9/v1/chat/completions",
            "headers": [{"name": "X-Request-Id", "value": "r-7"}],
            "postData": {"mimeType": "application/json", "text": json.dumps(body)},
        },
        "response": {"status": 200, "content": {"text": json.dumps({"usage": {"prompt_tokens": 9}})}},
        **more,
    }


def calls(path: Path) -> list[Call]:
    return [found for found in read_capture(path) if isinstance(found, Call)]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CHAT),
        json.dumps(CHAT, indent=2),
        json.dumps([CHAT]),
        json.dumps({"request": CHAT, "response": None}),
        json.dumps({"body": CHAT, "response": {}}),
        json.dumps({"request": {"url": "http://h/v1/chat/completions", "body": json.dumps(CHAT)}}),
        json.dumps(entry(CHAT)),
        json.dumps({"log": {"entries": [entry(CHAT)]}}),
        json.dumps({"log": {"version": "1.2", "entries": [entry(CHAT)]}}, indent=1),
        json.dumps({"key": "abc", "sent": CHAT}),
    ],
)
def test_one_body_in_every_wrapping(tmp_path: Path, text: str) -> None:
    path = tmp_path / "capture"
    path.write_text(text + "\n")
    (call,) = calls(path)
    assert call.body == CHAT
    assert call.model == "m"


def test_a_packed_capture_is_read(tmp_path: Path) -> None:
    path = tmp_path / "capture.jsonl.gz"
    path.write_bytes(gzip.compress((json.dumps(CHAT) + "\n").encode() * 3))
    assert len(calls(path)) == 3


def test_an_entry_tells_its_path_its_ids_and_the_servers_count(tmp_path: Path) -> None:
    path = tmp_path / "capture.jsonl"
    path.write_text(json.dumps(entry(CHAT, _id="a-1")) + "\n")
    (call,) = calls(path)
    assert call.ids == ("a-1", "r-7")
    assert (call.host, call.path) == ("127.0.0.1:9", "/v1/chat/completions")
    assert call.answer is not None and call.answer.tokens == 9
    assert call.digests == (sha256(json.dumps(CHAT).encode()).hexdigest(),)


def test_torn_lines_are_told_and_stop_nothing(tmp_path: Path) -> None:
    path = tmp_path / "capture.jsonl"
    path.write_text(
        json.dumps(CHAT) + "\n" + json.dumps(CHAT)[:40] + "\n\n" + json.dumps(CHAT) + '\n{"a": 1}\n'
    )
    found = list(read_capture(path))
    assert [type(item) for item in found] == [Call, Skipped, Call, Skipped]
    skipped = [item for item in found if isinstance(item, Skipped)]
    assert [item.place.number for item in skipped] == [2, 5]
    assert skipped[0].reason.startswith("torn")


def test_other_traffic_of_a_browser_is_passed_over(tmp_path: Path) -> None:
    other = {"request": {"method": "GET", "url": "http://h/"}, "response": {}}
    path = tmp_path / "c.har"
    path.write_text(json.dumps({"log": {"entries": [other, entry(CHAT), entry({"q": 1})]}}, indent=1))
    assert [type(item) for item in read_capture(path)] == [Passed, Call, Passed]


OTEL = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "traceId": "ab" * 16,
                            "spanId": "cd" * 8,
                            "name": "chat m",
                            "attributes": [
                                {"key": "gen_ai.request.model", "value": {"stringValue": "m"}},
                                {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "12"}},
                                {
                                    "key": "gen_ai.system_instructions",
                                    "value": {
                                        "stringValue": json.dumps([{"type": "text", "content": "be brief"}])
                                    },
                                },
                                {
                                    "key": "gen_ai.input.messages",
                                    "value": {
                                        "stringValue": json.dumps(
                                            [{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]
                                        )
                                    },
                                },
                                {
                                    "key": "gen_ai.output.messages",
                                    "value": {
                                        "stringValue": json.dumps(
                                            [
                                                {
                                                    "role": "assistant",
                                                    "parts": [{"type": "text", "content": "yo"}],
                                                }
                                            ]
                                        )
                                    },
                                },
                            ],
                        }
                    ]
                }
            ]
        }
    ]
}


def test_a_span_is_put_together_as_a_body(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"
    path.write_text(json.dumps(OTEL) + "\n")
    (call,) = calls(path)
    assert call.rebuilt and call.provider == "otel"
    assert [message["role"] for message in call.body["messages"]] == ["system", "user"]
    assert call.turn == "ab" * 16
    assert call.answer is not None and (call.answer.tokens, call.answer.text) == (12, "yo")


def test_older_events_are_gathered_until_their_span(tmp_path: Path) -> None:
    span = {
        "name": "chat",
        "context": {"trace_id": "0x" + "ab" * 16, "span_id": "0x" + "cd" * 8},
        "attributes": {"gen_ai.request.model": "m"},
        "events": [
            {"name": "gen_ai.system.message", "attributes": {"content": "be brief"}},
            {"name": "gen_ai.user.message", "attributes": {"content": "hi"}},
        ],
    }
    path = tmp_path / "spans.jsonl"
    path.write_text(json.dumps(span) + "\n")
    (call,) = calls(path)
    assert [message["content"] for message in call.body["messages"]] == ["be brief", "hi"]


CHAT_STREAM = (
    'data: {"choices":[{"delta":{"content":"y"}}]}\n\ndata: {"choices":[{"delta":{"content":"es"}}]}\n\n'
    'data: {"choices":[],"usage":{"prompt_tokens":4}}\n\ndata: [DONE]\n'
)
ANTHROPIC = {
    "usage": {"input_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5},
    "content": [{"type": "text", "text": "yes"}],
}
ANTHROPIC_STREAM = (
    "event: message_start\n"
    'data: {"type":"message_start","message":{"content":[],"usage":{"input_tokens":4}}}\n\n'
    'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"yes"}}\n'
)
OLLAMA_STREAM = (
    '{"message":{"content":"y"},"done":false}\n'
    '{"message":{"content":"es"},"done":true,"prompt_eval_count":2}\n'
)
RESPONSES = {"output": [{"content": [{"type": "output_text", "text": "yes"}]}], "usage": {"input_tokens": 7}}
RESPONSES_STREAM = (
    'data: {"type":"response.output_text.delta","delta":"yes"}\n\n'
    'data: {"type":"response.completed","response":{"usage":{"input_tokens":8},"output":[]}}'
)
GEMINI = {
    "usageMetadata": {"promptTokenCount": 3},
    "candidates": [{"content": {"parts": [{"text": "yes"}]}}],
}


@pytest.mark.parametrize(
    ("answer", "tokens", "text"),
    [
        ({"usage": {"prompt_tokens": 5}, "choices": [{"message": {"content": "yes"}}]}, 5, "yes"),
        (ANTHROPIC, 100, "yes"),
        ({"prompt_eval_count": 16, "done": True, "message": {"content": "yes"}}, 16, "yes"),
        ({"prompt_eval_count": 16387, "done_reason": "stop"}, 16387, ""),
        (GEMINI, 3, "yes"),
        (RESPONSES, 7, "yes"),
        ({"reply": "yes"}, None, "yes"),
        (CHAT_STREAM, 4, "yes"),
        (ANTHROPIC_STREAM, 4, "yes"),
        (OLLAMA_STREAM, 2, "yes"),
        (RESPONSES_STREAM, 8, "yes"),
        ("plain words", None, "plain words"),
    ],
)
def test_answers_of_every_provider(answer: Any, tokens: int | None, text: str) -> None:
    found = read_answer(answer)
    assert found is not None
    assert (found.tokens, found.text) == (tokens, text)


def test_no_answer_is_none() -> None:
    assert read_answer(None) is None


def test_what_stands_beside_a_request_is_its_receipt(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"request": CHAT, "turn": "t", "lanes": [{"name": "a", "chars": 1}]}) + "\n")
    (call,) = calls(path)
    assert call.receipt is not None and call.receipt.turn == "t"
    assert known_of(call).beside


KEYS = (
    *(
        "request",
        "response",
        "body",
        "url",
        "method",
        "postData",
        "text",
        "headers",
        "messages",
        "role",
        "content",
    ),
    *(
        "model",
        "input",
        "prompt",
        "contents",
        "parts",
        "system",
        "tools",
        "lanes",
        "name",
        "chars",
        "start",
        "turn",
    ),
    *(
        "log",
        "entries",
        "attributes",
        "traceId",
        "gen_ai.input.messages",
        "options",
        "num_ctx",
        "usage",
        "sent",
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


BASES: tuple[Any, ...] = (
    CHAT,
    {
        "request": CHAT,
        "response": ANTHROPIC,
        "lanes": [{"name": "a", "text": "hi", "estimate": 1}],
        "turn": "t",
    },
    entry(CHAT),
    {"log": {"entries": [entry(CHAT)]}},
    OTEL,
    {"model": "m", "input": [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}]},
    {"contents": [{"role": "user", "parts": [{"text": "hi"}]}], "tools": [{"functionDeclarations": [{}]}]},
    {"unit": "bytes", "lanes": [{"name": "a", "bytes": 1, "start": 0}]},
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in a value with each of its keys or indexes."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from places(inner)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(BASES), st.lists(st.tuples(st.integers(0, 999), JSON), max_size=3))
def test_no_record_breaks_the_reading_or_the_sum(tmp_path: Path, base: Any, changes: list[Any]) -> None:
    value = copy.deepcopy(base)
    for at, other in changes:
        all_places = list(places(value))
        if all_places:
            container, key = all_places[at % len(all_places)]
            container[key] = other
    path = tmp_path / "any.jsonl"
    path.write_text(json.dumps(value) + "\n" + json.dumps(CHAT) + "\n")
    calls = [found for found in read_capture(path) if isinstance(found, Call)]
    assert calls
    for number, call in enumerate(calls, 1):
        measured = measure(number, call, call.receipt, None, Conversations())
        assert measured.owned + measured.dark == measured.sent
        list(faults_of(measured, None))
        row_of(measured, [])
        known_of(call)
