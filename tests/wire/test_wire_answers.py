"""One answer in all formats: two calls and a text, streamed and not."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_kit import (
    BERGEN,
    FINISH,
    FORMATS,
    IDS,
    OSLO,
    PLAIN,
    STREAM,
    calls_of,
    flags_in,
    read,
    streamed,
    texts,
)

from workbench.core.decision import Outcome
from workbench.core.exchange import Usage
from workbench.core.trial import Status
from workbench.wire.codec import Reply
from workbench.wire.registry import codec


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("streaming", [False, True])
def test_calls_come_in_order_with_their_ids(name: str, streaming: bool) -> None:
    reply = streamed(name, STREAM[name]) if streaming else read(name, PLAIN[name])
    first, second = IDS[name]
    assert calls_of(reply) == [("weather", OSLO, first), ("weather", BERGEN, second)]
    assert reply.decision is not None
    assert reply.decision.outcome is Outcome.FIRE
    assert reply.decision.note == "Grüße 👋"
    assert reply.decision.flags == ()
    assert (reply.finish, reply.model) == (FINISH[name], "m-1")
    assert reply.fingerprint == ("fp_1" if name == "openai-chat" else None)
    assert reply.usage == Usage(82, 17, None if name == "ollama" else 64)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("streaming", [False, True])
def test_the_calls_are_kept_as_they_came(name: str, streaming: bool) -> None:
    reply = streamed(name, STREAM[name]) if streaming else read(name, PLAIN[name])
    assert reply.decision is not None and reply.decision.raw is not None
    kept = json.loads(reply.decision.raw)
    assert [call["name"] for call in kept] == ["weather", "weather"]
    if name == "openai-responses":
        assert [(call["id"], call["item"]) for call in kept] == [("call_1", "fc_1"), ("call_2", "fc_2")]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("streaming", [False, True])
def test_an_answer_of_text_alone_is_a_pass(name: str, streaming: bool) -> None:
    body = texts(name, "Which city?", streaming)
    reply = streamed(name, body) if streaming else read(name, body)
    assert reply.decision is not None
    assert (reply.decision.outcome, reply.decision.calls) == (Outcome.PASS, ())
    assert reply.decision.note == "Which city?"
    assert reply.decision.flags == ()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("streaming", [False, True])
def test_an_empty_answer_is_told(name: str, streaming: bool) -> None:
    body = texts(name, "", streaming)
    reply = streamed(name, body) if streaming else read(name, body)
    assert flags_in(reply) == ("the answer is empty",)


def cuts(length: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, length), max_size=40).map(sorted)


def split(body: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *places, len(body)]
    return [body[start:end] for start, end in pairwise(edges)]


@pytest.mark.parametrize("name", FORMATS)
@settings(deadline=None)
@given(data=st.data())
def test_any_split_of_a_stream_gives_the_same_reply(name: str, data: st.DataObject) -> None:
    """Also within a character, a line end, a byte order mark; of a stream that is whole or breaks off."""
    body = STREAM[name]
    line_end = data.draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    mark = data.draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    body = mark + body.replace(b"\n", line_end)
    body = body[: data.draw(st.one_of(st.just(len(body)), st.integers(0, len(body))))]
    expected = streamed(name, body)
    assert streamed(name, split(body, data.draw(cuts(len(body))))) == expected
    assert streamed(name, [bytes([byte]) for byte in body]) == expected


@pytest.mark.parametrize("name", FORMATS)
def test_line_ends_and_a_byte_order_mark_change_nothing(name: str) -> None:
    whole = streamed(name, STREAM[name])
    for line_end in (b"\r\n", b"\r"):
        assert streamed(name, b"\xef\xbb\xbf" + STREAM[name].replace(b"\n", line_end)) == whole


@pytest.mark.parametrize("name", FORMATS)
def test_a_stream_that_breaks_off_never_says_that_nothing_was_called(name: str) -> None:
    """Wherever it breaks off before its end was told, it is no decision, and may be asked again."""
    body = STREAM[name]
    whole = streamed(name, body)
    places = range(0, len(body), 5)
    replies = [streamed(name, body[:place]) for place in places]
    for reply in replies:
        if reply.decision is None:
            assert reply.status in (Status.ERROR, Status.MALFORMED)
            assert reply.again and not reply.fatal
            assert reply.error
        else:
            assert reply.decision == whole.decision
    decided = [reply for reply in replies if reply.decision is not None]
    assert len(decided) < len(places) / 4  # the tail: counts of tokens, and the last blank line


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_body_that_breaks_off_may_be_asked_for_again(name: str, ascii_only: bool) -> None:
    body = json.dumps(PLAIN[name], ensure_ascii=ascii_only).encode()
    for place in range(1, len(body)):
        reply = read(name, body[:place])
        assert reply.status is Status.MALFORMED, body[:place]
        assert reply.again and reply.error and reply.error.startswith("the body cannot be read")


@pytest.mark.parametrize("name", FORMATS)
def test_a_stream_that_breaks_off_within_a_call_is_malformed(name: str) -> None:
    body = STREAM[name]
    reply = streamed(name, body[: body.rindex(b"Bergen")])
    assert reply.status is Status.MALFORMED
    assert reply.raw is not None and "weather" in reply.raw


@pytest.mark.parametrize("name", FORMATS)
def test_a_stream_without_its_last_blank_line_is_whole(name: str) -> None:
    assert calls_of(streamed(name, STREAM[name].rstrip(b"\n"))) == calls_of(streamed(name, STREAM[name]))


@pytest.mark.parametrize("name", FORMATS)
def test_comments_and_fields_that_are_not_known_are_passed_over(name: str) -> None:
    if name == "ollama":
        body = STREAM[name].replace(b"\n", b"\n\n \n")
    else:
        noise = b": keep-alive\n\nid: 7\nretry: 3000\nfoo: bar\nfoo\n\n"
        body = noise + STREAM[name].replace(b"data: ", b": hm\ndata:")
    assert streamed(name, body) == streamed(name, STREAM[name])


@pytest.mark.parametrize("name", FORMATS)
def test_a_server_that_does_not_stream_is_read_all_the_same(name: str) -> None:
    whole = json.dumps(PLAIN[name], indent=1).encode()
    reply = streamed(name, whole)
    assert calls_of(reply) == calls_of(read(name, PLAIN[name]))
    assert flags_in(reply) == ("answered without streaming",)


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_that_are_not_utf8_are_malformed(name: str) -> None:
    for reply in (
        read(name, json.dumps(PLAIN[name]).encode().replace(b"Oslo", b"Osl\xff")),
        streamed(name, STREAM[name].replace(b"Bergen", b"Berg\xff")),
    ):
        assert reply.status is Status.MALFORMED
        assert reply.raw is not None and "\udcff" in reply.raw


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("routes", [(), ("a", "b")])
@settings(deadline=None)
@given(data=st.data())
def test_reading_is_total(name: str, routes: tuple[str, ...], data: st.DataObject) -> None:
    """Any JSON in any place of an answer is read to a reply, and never raises."""
    body = _spoiled(PLAIN[name], data)
    _sound(read(name, body, routes=routes))
    parts = [part for part in STREAM[name].decode().split("\n") if part]
    place = data.draw(st.integers(0, len(parts) - 1))
    head, found, value = parts[place].rpartition("data: ") if name != "ollama" else ("", "", parts[place])
    if value.startswith("{"):
        parts[place] = head + found + json.dumps(_spoiled(json.loads(value), data))
    end = "\n" if name == "ollama" else "\n\n"
    _sound(streamed(name, end.join(parts).encode() + b"\n\n", routes=routes))


@pytest.mark.parametrize("name", FORMATS)
@settings(deadline=None)
@given(body=st.binary(max_size=200), http=st.sampled_from([200, 204, 301, 400, 401, 404, 429, 500, 529]))
def test_reading_takes_any_bytes(name: str, body: bytes, http: int) -> None:
    for lead in (b"", b"data: ", b'{"error":', b"{"):
        for reply in (read(name, lead + body, http), streamed(name, lead + body, http)):
            _sound(reply)
            assert reply.decision is None or http < 300


def _sound(reply: Reply) -> None:
    assert (reply.decision is not None) == (reply.status is Status.OK)
    assert (reply.error is None) == (reply.status is Status.OK)
    assert not (reply.again and reply.fatal)
    assert reply.wait is None or reply.again


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 10**20) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", " ", "x", "{}", '{"a":1}', "tool_calls", "function_call", "stop", "text"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["name", "type", "text", "index", "id"]), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip


def _spoiled(value: Any, data: st.DataObject) -> Any:
    """The value with one part of it replaced or taken away."""
    places = list(_places(value, ()))
    path = data.draw(st.sampled_from(places))
    return _with(value, path, data.draw(VALUES), data.draw(st.booleans()))


def _places(value: Any, path: tuple[Any, ...]) -> Any:
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from _places(inner, (*path, key))


def _with(value: Any, path: tuple[Any, ...], new: Any, drop: bool) -> Any:
    if not path:
        return new
    copy = value.copy()
    if len(path) == 1 and drop and isinstance(copy, dict):
        del copy[path[0]]
    else:
        copy[path[0]] = _with(copy[path[0]], path[1:], new, drop)
    return copy


def test_every_format_is_found_by_its_name() -> None:
    assert [codec(name).name for name in FORMATS] == list(FORMATS)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "ollama"])
def test_a_stream_that_a_gateway_ends_as_the_chat_format_does(name: str) -> None:
    assert streamed(name, STREAM[name] + b"data: [DONE]\n\n") == streamed(name, STREAM[name])
