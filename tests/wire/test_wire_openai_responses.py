"""OpenAI's responses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from wire_kit import (
    OUTPUT,
    RESPONSE,
    RESPONSE_EVENTS,
    RESPONSE_STREAM,
    calls_of,
    flags_in,
    item,
    item_events,
    numbered,
    read,
    response,
    said,
    sse,
    streamed,
)

from workbench.core.trial import Status
from workbench.wire.codec import Reply

NAME = "openai-responses"


def last(answer: dict[str, Any]) -> dict[str, Any]:
    return {"type": f"response.{answer['status']}", "response": answer}


def both(answer: dict[str, Any]) -> tuple[Reply, Reply]:
    return read(NAME, answer), streamed(NAME, sse(*numbered(last(answer))))


@pytest.mark.parametrize(
    ("status", "reason", "expected", "finish"),
    [
        ("completed", None, Status.OK, "completed"),
        ("incomplete", "max_output_tokens", Status.TRUNCATED, "max_output_tokens"),
        ("incomplete", "content_filter", Status.REFUSED, "content_filter"),
        ("incomplete", None, Status.TRUNCATED, "incomplete"),
        ("failed", None, Status.ERROR, "failed"),
        ("cancelled", None, Status.ERROR, "cancelled"),
    ],
)
def test_the_status_of_a_response(status: str, reason: str | None, expected: Status, finish: str) -> None:
    details = {"reason": reason} if reason else None
    answer = response([item("f", "{}")], status, incomplete_details=details)
    for reply in both(answer):
        assert (reply.status, reply.finish) == (expected, finish)


def test_a_response_that_goes_on_in_the_background_is_no_answer() -> None:
    reply = read(NAME, response([], "queued"))
    assert reply.status is Status.ERROR and reply.again


def test_a_refusal() -> None:
    part = {"type": "refusal", "refusal": "I can't."}
    for reply in both(response([{**said(""), "content": [part]}])):
        assert (reply.status, reply.error) == (Status.REFUSED, "I can't. (finish reason: completed)")


def test_a_failed_response_says_why() -> None:
    error = {"code": "server_error", "message": "it broke"}
    for reply in both(response([], "failed", error=error)):
        assert (reply.status, reply.error, reply.again) == (Status.ERROR, "the server says: it broke", True)


def test_an_error_event() -> None:
    event = {"type": "error", "code": "rate_limit_exceeded", "message": "slow down", "param": None}
    reply = streamed(NAME, sse(*RESPONSE_EVENTS[:4], event))
    assert (reply.status, reply.error, reply.again) == (Status.ERROR, "the server says: slow down", True)


@pytest.mark.parametrize(
    ("spoiled", "words"),
    [
        (item("f", '{"a"'), "breaks off"),
        (item("", "{}"), "has no name"),
        ({**item("f", "{}"), "name": None}, "has no name"),
        (item("f", "{}", status="incomplete"), "is not complete"),
        ("f", "an item is text"),
    ],
)
def test_items_that_cannot_be_read_are_malformed(spoiled: Any, words: str) -> None:
    for reply in both(response([item("g", "{}"), spoiled])):
        assert reply.status is Status.MALFORMED
        assert reply.error is not None and words in reply.error


@pytest.mark.parametrize("output", [None, {}, "x", 3])
def test_an_output_that_is_no_list_is_malformed(output: Any) -> None:
    assert read(NAME, {**RESPONSE, "output": output}).status is Status.MALFORMED


def test_a_custom_tools_input_is_text() -> None:
    custom = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "grep", "input": "x y"}
    started = {**custom, "input": ""}
    events = (
        {"type": "response.output_item.added", "output_index": 0, "item": started},
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": "x "},
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": "y"},
        last(response([])),
    )
    for reply in (read(NAME, response([custom])), streamed(NAME, sse(*numbered(*events)))):
        assert calls_of(reply) == [("grep", "x y", "call_1")]
        assert flags_in(reply) == ("a custom tool's input, which is any text",)


@pytest.mark.parametrize("place", range(len(RESPONSE_EVENTS)))
def test_an_event_that_comes_twice_is_read_once(place: int) -> None:
    events = list(RESPONSE_EVENTS)
    events.insert(place, events[place])
    reply = streamed(NAME, sse(*events))
    assert calls_of(reply) == calls_of(streamed(NAME, RESPONSE_STREAM))
    told = () if place == 0 else ("an event came twice; it is read once",)
    assert flags_in(reply) == told


def test_a_server_that_numbers_nothing_is_read() -> None:
    events = [{**event, "sequence_number": 0} for event in RESPONSE_EVENTS]
    assert streamed(NAME, sse(*events, "[DONE]")) == streamed(NAME, RESPONSE_STREAM)


def test_a_last_event_without_output_leaves_what_was_streamed() -> None:
    bare = last(response([]))
    assert (
        streamed(NAME, sse(*RESPONSE_EVENTS[:-1], bare)).decision == streamed(NAME, RESPONSE_STREAM).decision
    )
    only_deltas = [event for event in RESPONSE_EVENTS[:-1] if not event["type"].endswith(".done")]
    assert calls_of(streamed(NAME, sse(*only_deltas, bare))) == calls_of(streamed(NAME, RESPONSE_STREAM))


def test_calls_that_were_streamed_must_be_those_of_the_last_event() -> None:
    events = (*item_events(0, item("f", '{"a": 1}'), '{"a": 1}'), last(response([item("f", '{"a": 2}')])))
    reply = streamed(NAME, sse(*numbered(*events)))
    assert reply.status is Status.MALFORMED
    assert reply.error == "the calls that were streamed are not those of the last event"
    lost = (*item_events(0, item("f", "{}"), "{}"), last(response([said("hi")])))
    assert streamed(NAME, sse(*numbered(*lost))).status is Status.MALFORMED


def test_both_ids_of_a_call_are_kept() -> None:
    reply = read(NAME, RESPONSE)
    assert reply.decision is not None and reply.decision.raw is not None
    assert [call["item"] for call in json.loads(reply.decision.raw)] == ["fc_1", "fc_2"]


def test_an_item_of_another_type_is_listed() -> None:
    reply = read(NAME, response([{"type": "mcp_list_tools", "id": "ml"}, *OUTPUT]))
    assert flags_in(reply) == ("an item of a type that is not read: mcp_list_tools",)


def test_a_refusal_that_only_the_stream_holds_is_one() -> None:
    begun = {"type": "response.output_item.added", "output_index": 0, "item": {"type": "message"}}
    no = {"type": "response.refusal.delta", "output_index": 0, "delta": "I will not."}
    last = {"type": "response.completed", "response": response([])}
    reply = streamed(NAME, sse(begun, no, last))
    assert (reply.status, reply.error) == (Status.REFUSED, "I will not. (finish reason: completed)")


def test_arguments_that_the_last_event_spells_with_other_blanks_are_the_same() -> None:
    events = item_events(0, item("weather", '{"city":"Oslo"}'), '{"city":"Oslo"}')
    last = {"type": "response.completed", "response": response([item("weather", '{"city": "Oslo"}')])}
    assert [call[:2] for call in calls_of(streamed(NAME, sse(*events, last)))] == [
        ("weather", {"city": "Oslo"})
    ]
