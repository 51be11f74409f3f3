"""OpenAI's chat completions, and what other servers make of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from wire_kit import CHAT_STREAM, calls_of, chat, chat_call, chunk, flags_in, piece, read, sse, streamed

from workbench.core.decision import Outcome
from workbench.core.exchange import Usage
from workbench.core.trial import Status
from workbench.wire.codec import Reply

NAME = "openai-chat"


def one(arguments: Any, **more: Any) -> Reply:
    return read(NAME, chat(tool_calls=[{**chat_call("f", arguments), **more}]))


@pytest.mark.parametrize(
    ("finish", "status"),
    [
        ("stop", Status.OK),
        ("tool_calls", Status.MALFORMED),  # it says that it called, and no call is there
        ("length", Status.TRUNCATED),
        ("content_filter", Status.REFUSED),
        ("max_tokens", Status.TRUNCATED),
        ("abort", Status.ERROR),
        ("a new reason", Status.ERROR),
        (None, Status.OK),
        ("", Status.OK),
    ],
)
def test_the_finish_of_an_answer_without_calls(finish: str | None, status: Status) -> None:
    for reply in (
        read(NAME, chat(content="hi", finish=finish)),
        streamed(NAME, sse(chunk({"content": "hi"}, finish), "[DONE]")),
    ):
        assert reply.status is status
        assert reply.finish == (finish or None)
        assert reply.again is (finish == "abort")
        if reply.decision is not None:
            assert flags_in(reply) == (() if finish else ("finish reason not reported",))


@pytest.mark.parametrize("finish", ["stop", "tool_calls", "function_call", "a new reason"])
def test_a_call_counts_from_what_stands_there(finish: str) -> None:
    reply = read(NAME, chat(finish=finish, tool_calls=[chat_call("f", "{}")]))
    assert calls_of(reply) == [("f", {}, "c")]
    known = finish != "a new reason"
    assert flags_in(reply) == (() if known else ("finish reason not known: a new reason",))


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_calls_of_an_answer_that_was_cut_or_filtered_do_not_count(finish: str) -> None:
    reply = read(NAME, chat(finish=finish, tool_calls=[chat_call("f", "{}"), chat_call("g", '{"a"')]))
    assert reply.status is (Status.TRUNCATED if finish == "length" else Status.REFUSED)
    assert reply.error is not None and finish in reply.error
    assert reply.raw is not None and [call["name"] for call in json.loads(reply.raw)] == ["f", "g"]
    assert not reply.again


def test_a_refusal() -> None:
    for reply in (
        read(NAME, chat(refusal="I can't do that.")),
        read(NAME, chat(content=[{"type": "refusal", "refusal": "I can't do that."}])),
        streamed(
            NAME, sse(chunk({"refusal": "I can't "}), chunk({"refusal": "do that."}), chunk({}, "stop"))
        ),
    ):
        assert reply.status is Status.REFUSED
        assert reply.error == "I can't do that. (finish reason: stop)"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"a": 1', "JSON that breaks off"),
        ('{"a": 1, "a": 2}', 'the key "a" stands twice'),
        ("[1]", "are a list; expected an object"),
        ('"{}"', "encoded twice"),
        ("null", "are null; expected an object"),
        ("3", "are a number"),
        (3, "are a number"),
        ([], "are a list"),
        ("{'a': 1}", "no JSON"),
        ('{"a": NaN}', "NaN"),
    ],
)
def test_arguments_that_are_no_object_are_malformed(arguments: Any, words: str) -> None:
    reply = one(arguments)
    assert reply.status is Status.MALFORMED
    assert (
        reply.error is not None and reply.error.startswith("call 1 (f): arguments") and words in reply.error
    )
    assert reply.raw is not None and json.loads(reply.raw) == [
        {"id": "c", "name": "f", "arguments": arguments}
    ]
    assert not reply.again, "what the model wrote is not asked for again"


def test_arguments_as_an_object_are_told() -> None:
    reply = one({"a": 1})
    assert calls_of(reply) == [("f", {"a": 1}, "c")]
    assert flags_in(reply) == ("arguments came as an object, not as text",)


@pytest.mark.parametrize("name", [None, "", " ", 3, ["f"]])
def test_a_call_without_a_name_is_malformed(name: Any) -> None:
    reply = read(NAME, chat(tool_calls=[chat_call("f", "{}"), chat_call(name, "{}")]))
    assert reply.status is Status.MALFORMED
    assert reply.error is not None and reply.error.startswith("call 2 has no name")


@pytest.mark.parametrize("calls", ["weather", {"name": "f"}, 3, [None], ["f"], [[]], [{"function": "f"}]])
def test_calls_that_are_none_are_malformed(calls: Any) -> None:
    assert read(NAME, chat(tool_calls=calls)).status is Status.MALFORMED


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": None}, {"choices": {}}, {"choices": [{}]},
                                  {"choices": [None]}, {"choices": [{"message": None}]}])  # fmt: skip
def test_no_choice_is_malformed(body: Any) -> None:
    assert read(NAME, body).status is Status.MALFORMED


def test_of_several_choices_the_first_is_read() -> None:
    body = chat(content="no")
    second = {**body["choices"][0], "index": 1, "message": {"tool_calls": [chat_call("f", "{}")]}}
    body["choices"] = [second, *body["choices"]]
    reply = read(NAME, body)
    assert reply.decision is not None and reply.decision.outcome is Outcome.PASS
    assert flags_in(reply) == ("2 choices came; the first is read",)
    stream = sse(chunk({"content": "no"}), {**chunk({}), "choices": [second]}, chunk({}, "stop"))
    assert flags_in(streamed(NAME, stream)) == ("several choices came; the first is read",)


def test_hidden_reasoning_is_passed_over() -> None:
    call = '{"name": "f", "arguments": {}}'
    reply = read(NAME, chat(content=[{"type": "thinking", "thinking": call}, {"type": "text", "text": "hi"}],
                            reasoning_content=call, reasoning=call))  # fmt: skip
    assert reply.decision is not None and reply.decision.note == "hi"
    assert flags_in(reply) == ()
    stream = sse(chunk({"reasoning_content": call}), chunk({"content": "hi"}), chunk({}, "stop"))
    assert streamed(NAME, stream).decision == reply.decision


def test_a_call_in_the_older_shape() -> None:
    older = {"name": "f", "arguments": '{"a": 1}'}
    reply = read(NAME, chat(finish="function_call", function_call=older))
    assert calls_of(reply) == [("f", {"a": 1}, None)]
    assert flags_in(reply) == ("a call in the older shape, function_call",)
    parts = ({"name": "f", "arguments": ""}, {"arguments": '{"a":'}, {"arguments": " 1}"})
    stream = sse(*(chunk({"function_call": part}) for part in parts), chunk({}, "function_call"))
    assert streamed(NAME, stream).decision == reply.decision


def test_the_last_event_holds_usage_and_fingerprint() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 3}
    stream = sse(
        chunk({"content": "a"}), chunk({}, "stop"), chunk(usage=usage, system_fingerprint="fp_2"), "[DONE]"
    )
    reply = streamed(NAME, stream)
    assert (reply.usage, reply.fingerprint, reply.model) == (Usage(5, 3), "fp_2", "m-1")


# Pieces of calls


def stream(*pieces: Any, finish: str = "tool_calls") -> Reply:
    return streamed(NAME, sse(*pieces, chunk({}, finish), "[DONE]"))


def test_pieces_are_put_together_by_their_index_whatever_their_order() -> None:
    reply = stream(
        piece(1, '{"b"', id="b", name="g"),
        piece(0, '{"a"', id="a", name="f"),
        piece(1, ": 2}"),
        piece(0, ": 1}"),
    )
    assert calls_of(reply) == [("f", {"a": 1}, "a"), ("g", {"b": 2}, "b")]


def test_a_server_that_repeats_id_and_name_means_one_call() -> None:
    reply = stream(piece(0, '{"a"', id="a", name="f"), piece(0, ": 1}", id="a", name="f"))
    assert calls_of(reply) == [("f", {"a": 1}, "a")]


def test_a_whole_call_in_one_piece() -> None:
    assert calls_of(stream(piece(0, '{"a": 1}', id="a", name="f"))) == [("f", {"a": 1}, "a")]


def test_an_id_that_comes_late() -> None:
    assert calls_of(stream(piece(0, "{", name="f"), piece(0, "}", id="a"))) == [("f", {}, "a")]


def test_several_calls_under_one_index_are_told_apart_by_their_ids() -> None:
    reply = stream(piece(0, "{}", id="a", name="f"), piece(0, '{"b": 2}', id="b", name="f"))
    assert calls_of(reply) == [("f", {}, "a"), ("f", {"b": 2}, "b")]
    assert flags_in(reply) == ("several calls came under one index; told apart by their ids",)


def test_without_index_ids_tell_calls_apart() -> None:
    reply = stream(
        piece(None, "{", id="a", name="f"),
        piece(None, '{"b": 2}', id="b", name="g"),
        piece(None, "}", id="a"),
    )
    assert calls_of(reply) == [("f", {}, "a"), ("g", {"b": 2}, "b")]
    assert flags_in(reply) == ("no index came with the pieces of calls; inferred",)


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ((piece(None, "{}", id="a", name="f"), piece(None, "", id="b", name="g"), piece(None, "{}")),
         "could belong to several calls"),
        ((piece(0, "{}", name="f"), piece(0, "", name="g")), "the name of one call came as f and as g"),
        ((piece(0, "{}", id="a", name="f"), piece(0, "{}")), "trailing characters after JSON"),
        ((piece(0, "{}", id="a"),), "call 1 has no name"),
        ((chunk({"tool_calls": [{"index": "0", "function": {"name": "f", "arguments": "{}"}}]}),), "index"),
        ((chunk({"tool_calls": {"name": "f"}}),), "tool_calls is an object"),
        ((chunk({"tool_calls": ["f"]}),), "a piece of a call is text"),
        ((chunk({"tool_calls": [{"index": 0, "function": {"name": ["f"]}}]}),), "the name of a call is"),
        (({**chunk(), "choices": [{"index": 0, "message": {"content": "x"}}]},), "a message where a delta"),
    ],
)  # fmt: skip
def test_pieces_that_cannot_be_put_together_are_malformed(pieces: tuple[Any, ...], words: str) -> None:
    reply = stream(*pieces)
    assert reply.status is Status.MALFORMED
    assert reply.error is not None and words in reply.error


@pytest.mark.parametrize("place", range(CHAT_STREAM.count(b"\n\n")))
def test_an_event_that_comes_twice_never_makes_another_call(place: int) -> None:
    """Either it does no harm, or what came of it cannot be read."""
    events = CHAT_STREAM.split(b"\n\n")
    events.insert(place, events[place])
    reply = streamed(NAME, b"\n\n".join(events))
    if reply.decision is not None:
        assert calls_of(reply) == calls_of(streamed(NAME, CHAT_STREAM))
    else:
        assert reply.status is Status.MALFORMED


def test_a_stream_without_any_choice_is_malformed() -> None:
    assert streamed(NAME, sse(chunk(usage={}), "[DONE]")).status is Status.MALFORMED


def test_an_error_in_the_middle_of_a_stream_is_one() -> None:
    error = {"error": {"message": "overloaded", "type": "overloaded_error", "code": 529}}
    for event in (error, "{}"):
        body = sse(piece(0, "{}", id="a", name="f")) + b"event: error\n" + sse(json.dumps(event))
        reply = streamed(NAME, body)
        assert reply.status is Status.ERROR and reply.again


def test_the_counts_of_tokens_are_those_of_the_vendor_or_none() -> None:
    for usage, expected in (
        ({}, Usage()),
        ({"prompt_tokens": True, "completion_tokens": -1}, Usage()),
        (None, None),
    ):
        assert read(NAME, {**chat(content="x"), "usage": usage}).usage == expected


def test_a_stream_may_report_an_error_in_a_field_of_its_own() -> None:
    reply = streamed(
        NAME, b'error: {"code": 503, "message": "Loading model", "type": "unavailable_error"}\n\n'
    )
    assert (reply.status, reply.error, reply.again) == (Status.ERROR, "the server says: Loading model", True)
