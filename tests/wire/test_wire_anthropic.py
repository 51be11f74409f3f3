"""Anthropic's messages."""

from __future__ import annotations

from typing import Any

import pytest
from wire_kit import (
    MESSAGE_STREAM,
    block,
    calls_of,
    flags_in,
    message,
    message_stream,
    partial,
    read,
    sse,
    streamed,
    tool_block,
)

from workbench.core.exchange import Usage
from workbench.core.trial import Status

NAME = "anthropic"
USE = {"type": "tool_use", "id": "t", "name": "f", "input": {}}


@pytest.mark.parametrize(
    ("stop", "status"),
    [
        ("end_turn", Status.OK),
        ("stop_sequence", Status.OK),
        ("tool_use", Status.MALFORMED),  # it says that it called, and no call is there
        ("max_tokens", Status.TRUNCATED),
        ("model_context_window_exceeded", Status.TRUNCATED),
        ("pause_turn", Status.TRUNCATED),
        ("refusal", Status.REFUSED),
        ("a new reason", Status.ERROR),
    ],
)
def test_the_stop_reason_of_an_answer_without_calls(stop: str, status: Status) -> None:
    deltas = block(0, "text", {"type": "text_delta", "text": "hi"}, text="")
    whole = read(NAME, message([{"type": "text", "text": "hi"}], stop))
    assert (whole.status, whole.finish) == (status, stop)
    assert streamed(NAME, message_stream(deltas, stop)).status is status


@pytest.mark.parametrize("stop", ["max_tokens", "refusal"])
def test_calls_that_were_complete_before_the_cut_do_not_count(stop: str) -> None:
    reply = streamed(NAME, message_stream([*tool_block(0, "a", "{}"), *tool_block(1, "b", '{"x"')], stop))
    assert reply.status is (Status.TRUNCATED if stop == "max_tokens" else Status.REFUSED)
    assert reply.raw is not None and '"b"' in reply.raw


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "content is null"),
        ({}, "content is an object"),
        (["x"], "a block is text"),
        ([{**USE, "name": ""}], "has no name"),
        ([{**USE, "input": [1]}], "are a list"),
        ([{**USE, "input": 3}], "are a number"),
        ([{"type": "text", "text": 3}], "content is a number"),
    ],
)
def test_content_that_cannot_be_read_is_malformed(content: Any, words: str) -> None:
    reply = read(NAME, {**message([]), "content": content})
    assert reply.status is Status.MALFORMED
    assert reply.error is not None and words in reply.error


def test_input_as_text_is_told() -> None:
    reply = read(NAME, message([{**USE, "input": '{"a": 1}'}], "tool_use"))
    assert calls_of(reply) == [("f", {"a": 1}, "t")]
    assert flags_in(reply) == ("arguments came as text, not as an object",)


def test_a_block_of_another_type_is_listed() -> None:
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    reply = read(NAME, message([found, {"type": "text", "text": "hi"}]))
    assert flags_in(reply) == ("a block of a type that is not read: web_search_tool_result",)


def test_a_call_without_arguments_is_the_same_streamed_and_not() -> None:
    whole = read(NAME, message([USE], "tool_use"))
    for pieces in ([""], [], [" "], ["{}"]):
        reply = streamed(NAME, message_stream(tool_block(0, "t", *pieces, name="f"), "tool_use"))
        assert calls_of(reply) == calls_of(whole) == [("f", {}, "t")]
        assert flags_in(reply) == ()


def test_blocks_that_are_interleaved() -> None:
    first, second = tool_block(0, "a", '{"x"', ": 1}"), tool_block(1, "b", '{"y": ', "2}")
    mixed = [first[0], second[0], first[1], second[1], second[2], first[2], first[3], second[3]]
    assert calls_of(streamed(NAME, message_stream(mixed, "tool_use"))) == [
        ("weather", {"x": 1}, "a"),
        ("weather", {"y": 2}, "b"),
    ]


OPEN = tool_block(0, "a", "{}")


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([*OPEN[:1], *tool_block(0, "b", "{}")], "block 0 began twice"),
        ([{"type": "content_block_delta", "index": 4, "delta": partial("{}")}], "had not begun"),
        ([*OPEN, {"type": "content_block_delta", "index": 0, "delta": partial(" ")}], "which was closed"),
        (OPEN[:2], "never closed"),
        ([OPEN[0], OPEN[1], OPEN[1], OPEN[2]], "trailing characters after JSON"),
        ([OPEN[0], {"type": "content_block_delta", "index": 0, "delta": partial(None)}, OPEN[2]],  # type: ignore[arg-type]
         "is no text"),
    ],
)  # fmt: skip
def test_blocks_that_cannot_be_put_together_are_malformed(events: list[dict[str, Any]], words: str) -> None:
    reply = streamed(NAME, message_stream(events, "tool_use"))
    assert reply.status is Status.MALFORMED
    assert reply.error is not None and words in reply.error


@pytest.mark.parametrize("place", range(MESSAGE_STREAM.count(b"\n\n")))
def test_an_event_that_comes_twice_never_makes_another_call(place: int) -> None:
    events = MESSAGE_STREAM.split(b"\n\n")
    events.insert(place, events[place])
    reply = streamed(NAME, b"\n\n".join(events))
    if reply.decision is not None:
        assert calls_of(reply) == calls_of(streamed(NAME, MESSAGE_STREAM))
    else:
        assert reply.status is Status.MALFORMED


def test_an_error_event() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    reply = streamed(NAME, sse(*OPEN[:2], error))
    assert (reply.status, reply.error, reply.again) == (Status.ERROR, "the server says: Overloaded", True)


def test_the_last_count_of_tokens_is_the_one() -> None:
    assert streamed(NAME, message_stream(OPEN, "tool_use")).usage == Usage(82, 17, 64)
