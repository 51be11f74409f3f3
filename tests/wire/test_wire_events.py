"""Streams cut into events, as the specification of server-sent events has it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.wire.events import Event, EventParser, JsonLines, ServerSentEvents


def events(parser: EventParser, *chunks: bytes) -> list[tuple[str, str]]:
    found: list[Event] = []
    for chunk in chunks:
        found.extend(parser.feed(chunk))
    found.extend(parser.end())
    return [(event.name, event.data) for event in found]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"data: a\n\ndata: b\n\n", [("", "a"), ("", "b")]),
        (b"data: a\r\rdata: b\r\r", [("", "a"), ("", "b")]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [("", "a"), ("", "b")]),
        (b"\xef\xbb\xbfdata: a\n\n", [("", "a")]),
        (b"data: a\ndata: b\ndata\n\n", [("", "a\nb\n")]),
        (b"data:a\n\ndata:  b\n\n", [("", "a"), ("", " b")]),
        (b": comment\n\n:\n\ndata: a\n: more\n\n", [("", "a")]),
        (b"event: x\ndata: a\n\ndata: b\n\n", [("x", "a"), ("", "b")]),
        (b"event: x\n\ndata: b\n\n", [("", "b")]),
        (b"data: a\nevent: x\nevent: y\n\n", [("y", "a")]),
        (b"id: 1\nretry: 2\nfoo: 3\nDATA: 4\ndata : 5\n\n", []),
        (b"data: a:b: c\n\n", [("", "a:b: c")]),
        (b"data\n\n", [("", "")]),
        (b"error: {}\n\n", [("error", "{}")]),
        (b"data: a", [("", "a")]),
        (b"data: a\n", [("", "a")]),
        (b"event: x\ndata: a\r", [("x", "a")]),
        (b"", []),
        (b"\n\n\n", []),
        ("data: é👋\u2028x\n\n".encode(), [("", "é👋\u2028x")]),
    ],
)
def test_a_stream_is_cut_into_events(stream: bytes, expected: list[tuple[str, str]]) -> None:
    assert events(ServerSentEvents(), stream) == expected
    assert events(ServerSentEvents(), *(bytes([byte]) for byte in stream)) == expected


def test_bytes_that_are_no_utf8_are_kept() -> None:
    assert events(ServerSentEvents(), b"data: \xc3\n\n") == [("", "\udcc3")]


def test_lines_of_json_are_events() -> None:
    stream = b'\xef\xbb\xbf{"a": 1}\r\n\n  \n{"b":\t2}\r[3]'
    assert events(JsonLines(), stream) == [("", '{"a": 1}'), ("", '{"b":\t2}'), ("", "[3]")]


PIECES = (b"data: x", b"\n", b"\r", b"\r\n", b":", b"event: e", b"\xef\xbb\xbf", b"\xc3", b"\xa9")


@settings(deadline=None)
@given(
    parts=st.lists(st.sampled_from(PIECES)),
    size=st.integers(1, 7),
    kind=st.sampled_from([ServerSentEvents, JsonLines]),
)
def test_the_chunks_do_not_matter(parts: list[bytes], size: int, kind: type[EventParser]) -> None:
    stream = b"".join(parts)
    chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert events(kind(), *chunks) == events(kind(), stream)


def test_a_long_line_comes_in_many_chunks() -> None:
    parser = ServerSentEvents()
    found = [event for chunk in (b"data: ", *[b"x" * 100] * 20_000) for event in parser.feed(chunk)]
    assert not found
    assert events(parser, b"\n\ndata: a") == [("", "x" * 2_000_000), ("", "a")]
