"""Where a message ends, however its bytes are cut on the way."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.lanes.proxy.framing import Framing, of_answer, of_request
from workbench.lanes.proxy.head import BadMessage, end_of_head, read_head


def fed(framing: Framing, data: bytes, cuts: list[int]) -> int:
    """How much of `data` belongs to the body, given to it in pieces."""
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for start, end in pairwise(places):
        stop = framing.feed(data[start:end], 0)
        if framing.done:
            return start + stop
    return len(data)


CUTS = st.lists(st.integers(0, 400), max_size=30)


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=8), st.binary(max_size=20), CUTS, st.booleans())
def test_chunks_end_where_they_say(pieces: list[bytes], after: bytes, cuts: list[int], trailer: bool) -> None:
    wire = b"".join(b"%X;x=1\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    wire += b"0\r\n" + (b"X-Sum: 1\r\n" if trailer else b"") + b"\r\n"
    found: list[bytes] = []
    framing = of_request(read_head(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), found.append)
    assert fed(framing, wire + after, cuts) == len(wire)
    assert framing.done
    assert b"".join(found) == b"".join(pieces)


@given(st.binary(max_size=60), st.binary(max_size=20), CUTS)
def test_a_length_ends_where_it_says(body: bytes, after: bytes, cuts: list[int]) -> None:
    found: list[bytes] = []
    framing = of_request(
        read_head(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body)), found.append
    )
    if not framing.done:
        assert fed(framing, body + after, cuts) == len(body)
    assert framing.done
    assert b"".join(found) == body


@given(st.integers(0, 60))
def test_a_head_ends_however_it_is_cut(cut: int) -> None:
    raw = b"GET /a HTTP/1.1\r\nHost: a\r\nX: \r\n\r\nrest"
    seen = bytearray()
    looked, end = 0, None
    for part in (raw[:cut], raw[cut:]):
        seen += part
        end = end_of_head(seen, looked)
        looked = len(seen)
        if end is not None:
            break
    assert end == raw.index(b"rest")


@pytest.mark.parametrize(
    ("head", "status", "method", "done", "open_ended"),
    [
        (b"Content-Length: 3", 200, b"GET", False, False),
        (b"Content-Length: 3", 200, b"HEAD", True, False),
        (b"Transfer-Encoding: chunked", 204, b"GET", True, False),
        (b"Content-Length: 3", 304, b"GET", True, False),
        (b"Content-Length: 0", 200, b"GET", True, False),
        (b"Transfer-Encoding: gzip", 200, b"GET", False, True),
        (b"X: y", 200, b"GET", False, True),
        (b"Content-Length: 3\r\nTransfer-Encoding: chunked", 200, b"GET", False, False),
    ],
)
def test_which_answers_have_a_body(
    head: bytes, status: int, method: bytes, done: bool, open_ended: bool
) -> None:
    framing = of_answer(
        read_head(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n"), status, method, lambda _: None
    )
    assert (framing.done, framing.open_ended) == (done, open_ended)


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 3\r\nContent-Length: 4",
        b"Content-Length: +3",
        b"Content-Length: 3\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: chunked, gzip",
        b"no field",
        b"Content Length: 3",
    ],
)
def test_a_request_that_ends_in_two_places_is_refused(head: bytes) -> None:
    with pytest.raises(BadMessage):
        of_request(read_head(b"POST / HTTP/1.1\r\n" + head + b"\r\n\r\n"), lambda _: None)


@pytest.mark.parametrize("wire", [b"x\r\n", b"-1\r\n", b"2\r\nabc\r\n", b"\r\n", b"1" * 20_000])
def test_a_chunk_without_a_size_is_refused(wire: bytes) -> None:
    framing = of_request(read_head(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), lambda _: None)
    with pytest.raises(BadMessage):
        framing.feed(wire, 0)
