"""Ollama's own chat."""

from __future__ import annotations

import json
from typing import Any

import pytest
from wire_kit import OLLAMA_STREAM, calls_of, flags_in, lines, ollama, ollama_call, read, streamed

from workbench.core.trial import Status

NAME = "ollama"


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("stop", Status.OK),
        ("length", Status.TRUNCATED),
        ("load", Status.ERROR),
        ("unload", Status.ERROR),
        ("a new reason", Status.ERROR),
        (None, Status.OK),
    ],
)
def test_the_reason_of_an_answer_without_calls(reason: str | None, status: Status) -> None:
    answer = ollama(reason=reason, content="hi")
    for reply in (read(NAME, answer), streamed(NAME, lines(answer))):
        assert (reply.status, reply.finish) == (status, reason)
        if reply.decision is not None:
            assert flags_in(reply) == (() if reason else ("finish reason not reported",))


@pytest.mark.parametrize(
    "message",
    [None, "x", {"tool_calls": "f"}, {"tool_calls": [{}]}, {"tool_calls": [{"function": {"arguments": {}}}]},
     {"tool_calls": [ollama_call([1])]}, {"tool_calls": [ollama_call("x")]}, {"content": 3}],
)  # fmt: skip
def test_messages_that_cannot_be_read_are_malformed(message: Any) -> None:
    answer = {**ollama(), "message": message}
    if message is None:
        del answer["message"]
    assert read(NAME, answer).status is Status.MALFORMED


def test_arguments_as_text_are_told() -> None:
    reply = read(NAME, ollama(tool_calls=[ollama_call('{"city": "Oslo"}')]))
    assert calls_of(reply) == [("weather", {"city": "Oslo"}, None)]
    assert flags_in(reply) == ("arguments came as text, not as an object",)


def test_an_answer_that_is_not_done_is_no_answer() -> None:
    assert read(NAME, ollama(False, content="hi")).status is Status.MALFORMED
    reply = streamed(NAME, lines(ollama(False, content="hi")))
    assert (reply.status, reply.again) == (Status.ERROR, True)


@pytest.mark.parametrize("place", range(OLLAMA_STREAM.count(b"\n")))
def test_a_line_that_comes_twice_is_read_once(place: int) -> None:
    parts = OLLAMA_STREAM.splitlines(keepends=True)
    parts.insert(place, parts[place])
    reply = streamed(NAME, b"".join(parts))
    assert calls_of(reply) == calls_of(streamed(NAME, OLLAMA_STREAM))
    assert flags_in(reply) == ("a line came twice; it is read once",)


def test_an_error_in_the_middle_of_a_stream_is_one() -> None:
    reply = streamed(NAME, lines(ollama(False, content="hi"), {"error": "the runner has died"}))
    assert (reply.status, reply.error, reply.again) == (
        Status.ERROR,
        "the server says: the runner has died",
        True,
    )


def test_half_a_line_is_malformed() -> None:
    body = lines(ollama(False, content="hi", made="1")) + json.dumps(ollama()).encode()[:-9]
    reply = streamed(NAME, body)
    assert (reply.status, reply.again) == (Status.MALFORMED, True)


def test_a_message_that_is_null_is_no_answer() -> None:
    reply = read(NAME, {**ollama(), "message": None})
    assert (reply.status, reply.error) == (Status.MALFORMED, "no message came")
