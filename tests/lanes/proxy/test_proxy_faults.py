"""An upstream that breaks is seen to break, after everything that it gave."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import struct
from pathlib import Path

import pytest
from proxy_parts import POST, WITHIN, Reader, Writer, proxied, read_request, upstream

BROKEN = [
    pytest.param(b"", "without an answer", id="no answer"),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-", "in the middle of its answer", id="in the head"),
    pytest.param(
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "in the middle of its answer", id="length"
    ),
    pytest.param(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "in the middle of its answer",
        id="chunks",
    ),
]


@pytest.mark.parametrize("harsh", [False, True])
@pytest.mark.parametrize(("came", "why"), BROKEN)
async def test_the_app_sees_the_upstream_break(came: bytes, why: str, harsh: bool, tmp_path: Path) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(came)
        await writer.drain()
        await asyncio.sleep(0.05)
        if harsh:
            _reset(writer)

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        got, broken = await _until_broken(*await proxy.connect())
        entry = (await proxy.recorded(1))[0]
    assert got == came
    assert broken is harsh
    assert why in entry["_error"]
    assert entry["_complete"] is False
    assert entry["response"]["content"].get("text", "") == ("abc" if b"abc" in came else "")


async def test_a_reset_never_looks_like_an_end(tmp_path: Path) -> None:
    """Of an answer that ends with its connection, nothing but the reset tells that it is not whole."""
    body = os.urandom(3_000_000)

    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + body)
        await writer.drain()
        await asyncio.sleep(0.3)
        _reset(writer)

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        got, broken = await _until_broken(*await proxy.connect())
        entry = (await proxy.recorded(1))[0]
    assert broken
    assert got.endswith(body)
    assert base64.b64decode(entry["response"]["content"]["text"]) == body


def _reset(writer: Writer) -> None:
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _until_broken(reader: Reader, writer: Writer) -> tuple[bytes, bool]:
    writer.write(POST)
    got = bytearray()
    try:
        while piece := await asyncio.wait_for(reader.read(1 << 16), WITHIN):
            got += piece
    except ConnectionResetError:
        return bytes(got), True
    finally:
        writer.close()
    return bytes(got), False
