"""Google's Gemini."""

from __future__ import annotations

from typing import Any

import pytest
from wire_kit import CONTENT_STREAM, calls_of, content, flags_in, gemini_call, read, sse, streamed

from workbench.core.exchange import Usage
from workbench.core.trial import Status

NAME = "gemini"


@pytest.mark.parametrize(
    ("finish", "status"),
    [
        ("STOP", Status.OK),
        ("MAX_TOKENS", Status.TRUNCATED),
        ("SAFETY", Status.REFUSED),
        ("RECITATION", Status.REFUSED),
        ("PROHIBITED_CONTENT", Status.REFUSED),
        ("BLOCKLIST", Status.REFUSED),
        ("SPII", Status.REFUSED),
        ("MALFORMED_FUNCTION_CALL", Status.MALFORMED),
        ("UNEXPECTED_TOOL_CALL", Status.MALFORMED),
        ("OTHER", Status.ERROR),
        ("FINISH_REASON_UNSPECIFIED", Status.ERROR),
    ],
)
def test_the_finish_of_an_answer_without_calls(finish: str, status: Status) -> None:
    for parts in ([{"text": "hi"}], [], None):
        answer = content(parts, finish)
        for reply in (read(NAME, answer), streamed(NAME, sse(answer))):
            assert (reply.status, reply.finish) == (status, finish)


def test_a_call_that_the_vendor_could_not_read_is_kept() -> None:
    answer = content([], "MALFORMED_FUNCTION_CALL")
    answer["candidates"][0]["finishMessage"] = "Malformed function call: weather(city="
    reply = read(NAME, answer)
    assert reply.raw is not None and "weather(city=" in reply.raw
    assert not reply.again


def test_a_prompt_that_was_blocked_is_refused() -> None:
    answer = {
        "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": {"promptTokenCount": 3},
    }
    for reply in (read(NAME, answer), streamed(NAME, sse(answer))):
        assert (reply.status, reply.error) == (Status.REFUSED, "the prompt was blocked: PROHIBITED_CONTENT")
        assert reply.usage == Usage(3)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"candidates": []},
        {"candidates": None},
        {"candidates": [3]},
        content([3]),
        content("x"),
        content([{"functionCall": None}]),
    ],
)
def test_no_candidate_is_malformed(body: Any) -> None:
    assert read(NAME, body).status is Status.MALFORMED


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"args": {}}, "has no name"),
        ({"name": "f", "args": [1]}, "are a list"),
        ({"name": "f", "args": "x"}, "no JSON"),
        (
            {"name": "f", "partialArgs": [{"jsonPath": "$.a", "stringValue": "x"}], "willContinue": True},
            "in pieces",
        ),
    ],
)
def test_calls_that_cannot_be_read_are_malformed(call: Any, words: str) -> None:
    for reply in (
        read(NAME, content([{"functionCall": call}])),
        streamed(NAME, sse(content([{"functionCall": call}]))),
    ):
        assert reply.status is Status.MALFORMED
        assert reply.error is not None and words in reply.error


def test_arguments_that_are_left_out_are_none() -> None:
    reply = read(NAME, content([{"functionCall": {"name": "ping"}}]))
    assert calls_of(reply) == [("ping", {}, None)]
    assert flags_in(reply) == ()


@pytest.mark.parametrize("place", range(4))
def test_an_event_that_comes_twice_is_read_once(place: int) -> None:
    events = CONTENT_STREAM.split(b"\n\n")
    events.insert(place, events[place])
    reply = streamed(NAME, b"\n\n".join(events))
    assert calls_of(reply) == calls_of(streamed(NAME, CONTENT_STREAM))
    assert flags_in(reply) == ("an event came twice; it is read once",)


def test_the_same_call_twice_is_two_calls() -> None:
    one, two = ({"usageMetadata": {"candidatesTokenCount": count}} for count in (5, 9))
    events = sse(
        content([gemini_call({})], None, **one), content([gemini_call({})], None, **two), content([])
    )
    assert len(calls_of(streamed(NAME, events))) == 2
    assert len(calls_of(read(NAME, content([gemini_call({}), gemini_call({})])))) == 2


def test_parts_of_other_kinds_are_listed() -> None:
    reply = read(NAME, content([{"codeExecutionResult": {"output": "1"}}, {"text": "hi"}]))
    assert flags_in(reply) == ("a part of a kind that is not read: codeExecutionResult",)


def test_of_several_candidates_the_first_is_read() -> None:
    answer = content([{"text": "hi"}])
    answer["candidates"].insert(0, {**content([gemini_call({})])["candidates"][0], "index": 1})
    reply = read(NAME, answer)
    assert calls_of(reply) == []
    assert flags_in(reply) == ("2 candidates came; the first is read",)


def test_of_a_stream_s_several_candidates_the_first_is_read() -> None:
    call = content([gemini_call({})], None)
    other = {"candidates": [{**call["candidates"][0], "index": 1}]}
    reply = streamed(NAME, sse(content([{"text": "hi"}], None), other, content([])))
    assert calls_of(reply) == []
    assert flags_in(reply) == ("another candidate than the first came; it is not read",)


def test_a_call_is_one_in_a_part_of_a_thought_and_under_the_older_key() -> None:
    call = gemini_call({})["functionCall"]
    for part in ({"functionCall": call, "thought": True}, {"function_call": call}):
        assert len(calls_of(read(NAME, content([part])))) == 1


def test_a_candidate_that_says_nothing_is_no_answer() -> None:
    assert read(NAME, {"candidates": [{}]}).status is Status.MALFORMED
