"""Answers that report an error."""

from __future__ import annotations

import json
import time
from email.utils import formatdate
from typing import Any

import pytest
from wire_kit import FORMATS, lines, read, sse, streamed

from workbench.core.trial import Status
from workbench.wire.codec import Reply

OPENAI = {
    "error": {"message": "as the vendor says", "type": "invalid_request_error", "param": None, "code": None}
}
ANTHROPIC = {"type": "error", "error": {"type": "invalid_request_error", "message": "as the vendor says"}}
GEMINI = {"error": {"code": 400, "message": "as the vendor says", "status": "INVALID_ARGUMENT"}}
BODIES: dict[str, Any] = {
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
    "ollama": {"error": "as the vendor says"},
    "openai-chat": OPENAI,
    "openai-responses": OPENAI,
}


def kind(reply: Reply) -> str:
    """What is to be done about it."""
    assert reply.decision is None and reply.error
    return "fatal" if reply.fatal else "again" if reply.again else reply.status.value


@pytest.mark.parametrize("name", FORMATS)
def test_a_status_says_whether_to_try_again(name: str) -> None:
    found = {http: kind(read(name, BODIES[name], http)) for http in (400, 401, 403, 404, 408, 413, 422, 429)}
    assert found == {400: "error", 401: "fatal", 403: "fatal", 404: "fatal", 408: "again", 413: "error",
                     422: "error", 429: "again"}  # fmt: skip
    for http in (500, 502, 503, 504, 524, 529):
        assert kind(read(name, BODIES[name], http)) == "again"
        assert kind(streamed(name, json.dumps(BODIES[name]).encode(), http)) == "again"


@pytest.mark.parametrize("name", FORMATS)
def test_the_vendors_words_are_kept(name: str) -> None:
    reply = read(name, BODIES[name], 400)
    assert reply.error == "HTTP 400: as the vendor says"
    assert reply.raw == json.dumps(BODIES[name])
    assert streamed(name, json.dumps(BODIES[name]).encode(), 400) == reply


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"detail": "Not authenticated"}, "Not authenticated"),
        ({"detail": [{"loc": ["body"], "msg": "field required"}, {"msg": "b"}]}, "field required; b"),
        ({"message": "no"}, "no"),
        ({"error": {"error": {"message": "inner"}}}, "inner"),
        ([{"error": {"message": "in a list", "code": 400}}], "in a list"),
        ({"error": {"code": 3}}, '{"code": 3}'),
        (b"", "no message"),
        (b"upstream \x1b[31m gone", "upstream \x1b[31m gone"),
        (b"<html><head><title>502\n Bad</title></head></html>", 'a page of HTML or XML titled "502 Bad"'),
        (b"{half", "{half"),
    ],
)
def test_a_message_is_found_wherever_it_stands(body: Any, message: str) -> None:
    assert read("openai-chat", body, 400).error == f"HTTP 400: {message}"


@pytest.mark.parametrize(
    ("http", "error", "expected"),
    [
        (429, {"code": "insufficient_quota", "message": "m"}, "fatal"),
        (400, {"code": "model_not_found", "message": "m"}, "fatal"),
        (400, {"message": "x/y is not a valid model ID", "code": 400}, "fatal"),
        (400, {"message": "The model `x` does not exist", "code": None}, "fatal"),
        (400, {"message": "API key not valid.", "details": [{"reason": "API_KEY_INVALID"}]}, "fatal"),
        (400, {"message": "m", "code": "content_filter"}, "refused"),
        (400, {"message": "m", "innererror": {"code": "ResponsibleAIPolicyViolation"}}, "refused"),
        (403, {"message": "flagged", "metadata": {"reasons": ["x"], "flagged_input": "y"}}, "refused"),
        (402, {"message": "no credit"}, "fatal"),
        (400, {"message": "This model does not support tools"}, "error"),
        (501, {"message": "m"}, "error"),
    ],
)
def test_what_an_error_is_about_counts_more_than_its_status(http: int, error: Any, expected: str) -> None:
    assert kind(read("openai-chat", {"error": error}, http)) == expected


@pytest.mark.parametrize(
    ("http", "error"),
    [
        (
            400,
            {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "<f"},
        ),
        (
            500,
            {"message": "Failed to parse input at pos 12: <tool_call>{", "type": "server_error", "code": 500},
        ),
        (500, 'error parsing tool call: raw=\'{"city": "Os\', err=unexpected end of JSON input'),
        (200, "error parsing tool call: raw='{', err=x"),
    ],
)
def test_a_call_that_the_server_could_not_read_is_the_models_doing(http: int, error: Any) -> None:
    """It is not asked for again, which would hide it."""
    for reply in (read("ollama", {"error": error}, http), streamed("ollama", lines({"error": error}), http)):
        assert kind(reply) == "malformed"
        assert reply.raw is not None and "error" in reply.raw


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("something broke", "again"),
        ("model 'x' not found", "fatal"),
        ({"message": "m", "code": 502}, "again"),
        ({"message": "m", "code": 401}, "fatal"),
        ({"message": "m", "type": "overloaded_error"}, "again"),
        ({"message": "m", "type": "authentication_error"}, "fatal"),
        ({"message": "m", "code": 503, "status": "UNAVAILABLE"}, "again"),
        ({"message": "m", "type": "invalid_request_error"}, "error"),
    ],
)
def test_an_error_that_comes_as_a_success_is_one(name: str, error: Any, expected: str) -> None:
    whole = {"type": "error", "error": error} if name == "anthropic" else {"error": error}
    assert kind(read(name, whole)) == expected
    event = (json.dumps(whole) + "\n").encode() if name == "ollama" else sse(json.dumps(whole))
    assert kind(streamed(name, event)) == expected


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", Status.ERROR),
        (b" \n", Status.ERROR),
        (b"<!DOCTYPE html><title>Log in</title>", Status.ERROR),
        (b"ok", Status.ERROR),
        (b"{", Status.MALFORMED),
    ],
)
def test_a_body_that_is_no_answer_may_be_asked_for_again(name: str, body: bytes, status: Status) -> None:
    for reply in (read(name, body), streamed(name, body)):
        assert (reply.status, reply.again, reply.fatal) == (status, True, False)
        assert reply.raw is not None


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("body", [[], "text", None, 3, [{"a": 1}]])
def test_a_body_that_is_no_object_is_malformed(name: str, body: Any) -> None:
    reply = read(name, body)
    assert reply.status is Status.MALFORMED
    assert reply.error


def test_a_redirect_is_not_followed_and_says_where_to() -> None:
    reply = read("openai-chat", b"", 308, location="https://elsewhere.example/v1")
    assert reply.fatal
    assert reply.error == (
        "HTTP 308: the server sends on to https://elsewhere.example/v1; put that address into `url`"
    )


DATE = "Wed, 21 Oct 2026 07:28:00 GMT"


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "20"}, 20.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": DATE}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:00 GMT", "date": DATE}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], wait: float | None) -> None:
    from workbench.wire.registry import codec

    for http in (429, 503, 529):
        assert codec("anthropic").read(http, headers, b"{}").wait == wait
    assert codec("anthropic").read(400, headers, b"{}").wait is None


def test_a_date_without_the_servers_clock_is_held_against_ours() -> None:
    then = formatdate(time.time() + 60, usegmt=True)
    wait = read("openai-chat", b"", 429, retry_after=then).wait
    assert wait is not None and 50 < wait <= 60


def test_google_says_it_in_the_body() -> None:
    details = [{"@type": "x"}, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]
    body = {"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED", "details": details}}
    assert read("gemini", body, 429).wait == 34.5
    assert read("gemini", body, 429, retry_after="2").wait == 2.0


@pytest.mark.parametrize("name", FORMATS)
def test_an_error_with_a_good_status_is_no_malformed_call(name: str) -> None:
    for error in ({"type": "error", "message": "no"}, {"object": "error", "message": "no"}):
        assert (read(name, error).status, read(name, error).error) == (Status.ERROR, "the server says: no")
    assert read(name, [{"error": {"message": "no"}}]).status is Status.ERROR


def test_an_account_without_credit_is_not_asked_on() -> None:
    words = "Your credit balance is too low to access the Anthropic API."
    reply = read(
        "anthropic", {"type": "error", "error": {"type": "invalid_request_error", "message": words}}, 400
    )
    assert reply.fatal and not reply.again
