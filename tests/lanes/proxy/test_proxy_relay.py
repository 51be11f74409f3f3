"""Bytes through the proxy: each as it came, when it came, and broken where it was broken."""

from __future__ import annotations

import asyncio
import base64
import gzip
import os
import socket
from pathlib import Path

import aiohttp
import pytest
from proxy_parts import POST, WITHIN, Reader, Writer, answer, proxied, read_request, upstream

GET = b"GET /a HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n"

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
WIRE = {
    "fields": answer(b"", b"HTTP/1.1 200 \r\nX-A: 1\r\nx-a:2\r\nSet-Cookie: a=1\r\nSet-Cookie: b\r\n"),
    "trailer": CHUNKED + b"3;ext=1\r\nabc\r\n00\r\nX-Trailer: 1\r\n\r\n",
    "1xx": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer(b"ok"),
    "204": b"HTTP/1.1 204 No Content\r\n\r\n",
    "304": b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n",
    "until closed": OK + b"Content-Type: x\r\n\r\nuntil the end",
    "1.0": answer(b"ok", b"HTTP/1.0 200 OK\r\n"),
    "no gzip": answer(b"\0\xff\xfe", b"HTTP/1.1 500 Broken\r\nContent-Encoding: gzip\r\n"),
    "all bytes": answer(bytes(range(256)) * 256),
}


@pytest.mark.parametrize("wire", WIRE.values(), ids=WIRE)
async def test_an_answer_comes_byte_for_byte(wire: bytes, tmp_path: Path) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        for at in range(0, len(wire), 7 if len(wire) < 1000 else 1 << 20):
            writer.write(wire[at : at + (7 if len(wire) < 1000 else 1 << 20)])
            await asyncio.sleep(0)

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        assert await proxy.exchange(GET) == wire
        entry = (await proxy.recorded(1))[0]
    assert entry["_complete"] is True
    assert "_error" not in entry
    assert entry["response"]["status"] == int(
        wire.split(b"\r\n\r\n")[-2 if b" 103 " in wire else 0].split(b" ")[1]
    )


async def test_a_request_goes_byte_for_byte(tmp_path: Path) -> None:
    seen = bytearray()

    async def serve(reader: Reader, writer: Writer) -> None:
        while not seen.endswith(b"0\r\nX-T: 1\r\n\r\n"):
            seen.extend(await reader.read(1 << 16))
        writer.write(answer())

    head = b"PATCH /a//b%%2f?c=%%zz HTTP/1.1\r\nX-B: 1\r\nHost: %b\r\nx-b: 2\r\n"
    head += b"Transfer-Encoding: chunked\r\n\r\n"
    body = b"5;a=b\r\nhello\r\n1\r\n\x00\r\n0\r\nX-T: 1\r\n\r\n"
    async with upstream(serve) as url, proxied(url + "/base/", tmp_path) as proxy:
        reader, writer = await proxy.connect()
        for byte in head % b"me" + body:
            writer.write(bytes((byte,)))
            await writer.drain()
        assert await reader.readuntil(b"{}") == answer()
        entry = (await proxy.recorded(1))[0]
        writer.close()
    host = url.removeprefix("http://").encode()
    assert bytes(seen) == (head % host).replace(b"/a//", b"/base/a//") + body
    assert entry["request"]["url"] == url + "/base/a//b%2f?c=%zz"
    assert entry["request"]["postData"]["text"] == "hello\x00"


async def test_a_piece_is_passed_on_before_the_next_one_comes(tmp_path: Path) -> None:
    heard = asyncio.Event()

    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for number in range(20):
            writer.write(b"7\r\ndata:%02d\r\n" % number)
            await asyncio.wait_for(heard.wait(), WITHIN)
            heard.clear()
        writer.write(b"0\r\n\r\n")

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        reader, writer = await proxy.connect()
        writer.write(POST)
        for number in range(20):
            await asyncio.wait_for(reader.readuntil(b"data:%02d\r\n" % number), WITHIN)
            heard.set()
        assert await reader.readuntil(b"0\r\n\r\n") == b"0\r\n\r\n"
        entry = (await proxy.recorded(1))[0]
        writer.close()
    assert entry["response"]["content"]["text"] == "".join(f"data:{number:02}" for number in range(20))
    assert len(entry["_pieces"]) == 20


async def test_a_body_is_asked_for_and_one_connection_serves_many(tmp_path: Path) -> None:
    connections = 0

    async def serve(reader: Reader, writer: Writer) -> None:
        nonlocal connections
        connections += 1
        while head := await reader.readuntil(b"\r\n\r\n"):
            if b"100-continue" in head:
                writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                await reader.readexactly(5)
            writer.write(answer(head.split(b" ")[1]))

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        reader, writer = await proxy.connect()
        writer.write(b"POST /0 HTTP/1.1\r\nHost: me\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"hello")
        assert await reader.readexactly(len(answer(b"/0"))) == answer(b"/0")
        many = [b"/%d" % number for number in range(1, 200)]
        writer.write(b"".join(b"\r\nGET %b HTTP/1.1\r\nHost: me\r\n\r\n" % path for path in many))
        wanted = b"".join(map(answer, many))
        assert await asyncio.wait_for(reader.readexactly(len(wanted)), WITHIN) == wanted
        entries = await proxy.recorded(200)
        writer.close()
    assert connections == 1
    assert [entry["response"]["content"]["text"] for entry in entries] == [f"/{n}" for n in range(200)]


async def test_methods_without_a_body(tmp_path: Path) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        while True:
            head, _ = await read_request(reader)
            writer.write(answer(b"" if head.startswith(b"HEAD") else head.split(b" ")[1]))
            if head.startswith(b"HEAD"):
                writer.write(b"")

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy, aiohttp.ClientSession() as client:
        base = f"http://127.0.0.1:{proxy.port}"
        async with client.head(f"{base}/h") as head, client.options(f"{base}/o") as options:
            assert (head.status, await options.read()) == (200, b"/o")
        entries = await proxy.recorded(2)
    assert {entry["request"]["method"] for entry in entries} == {"HEAD", "OPTIONS"}


async def test_what_is_packed_stays_packed_and_is_readable_in_the_recording(tmp_path: Path) -> None:
    packed = gzip.compress(b'{"a": "\xc3\xa9"}', mtime=0)
    wire = answer(packed, b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\n")

    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(wire)

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        request = b"POST / HTTP/1.1\r\nHost: me\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
        assert await proxy.exchange(request % len(packed) + packed) == wire
        entry = (await proxy.recorded(1))[0]
    for part in (entry["request"]["postData"], entry["response"]["content"]):
        assert part["text"] == '{"a": "é"}'
        assert (part["_packed"], part["_unpacked"]) == ("gzip", True)
    assert entry["response"]["bodySize"] == len(packed)


async def test_nobody_listens_there(tmp_path: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        async with proxied(url, tmp_path) as proxy:
            got = await proxy.exchange(POST)
            entry = (await proxy.recorded(1))[0]
    assert got.startswith(b"HTTP/1.1 502 Bad Gateway\r\n")
    assert b"cannot connect to " + url.encode() + b": Connection refused" in got
    assert entry["_answered_by"] == "proxy"
    assert entry["_complete"] is False
    assert entry["request"]["postData"]["text"] == "{}"


async def test_an_app_that_leaves_ends_its_call_upstream(tmp_path: Path) -> None:
    ended = asyncio.Event()

    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        assert await reader.read() == b""
        ended.set()

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        reader, writer = await proxy.connect()
        writer.write(POST)
        await reader.readuntil(b"abc\r\n")
        writer.close()
        await asyncio.wait_for(ended.wait(), WITHIN)
        entry = (await proxy.recorded(1))[0]
    assert entry["_error"] == "the app left"
    assert entry["response"]["content"]["text"] == "abc"


async def test_an_app_that_leaves_before_there_is_a_connection(tmp_path: Path) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        _, writer = await proxy.connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: me\r\nContent-Length: 100\r\n\r\nhalf")
        writer.close()
        entry = (await proxy.recorded(1))[0]
    assert entry["_error"] == "the app left"
    assert entry["request"]["postData"]["text"] == "half"


async def test_a_slow_app_slows_the_upstream(tmp_path: Path) -> None:
    size, sent = 60_000_000, 0

    async def serve(reader: Reader, writer: Writer) -> None:
        nonlocal sent
        await read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        while sent < size:
            writer.write(b"x" * 100_000)
            await writer.drain()
            sent += 100_000

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        with socket.socket() as app:
            app.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            app.setblocking(False)
            await asyncio.get_running_loop().sock_connect(app, ("127.0.0.1", proxy.port))
            await asyncio.get_running_loop().sock_sendall(app, POST)
            before = -1
            while sent != before:  # until nothing moves any more
                before = sent
                await asyncio.sleep(0.3)
            assert sent < 20_000_000  # what the buffers of two connections hold
            got = 0
            while got < size:
                got += len(await asyncio.get_running_loop().sock_recv(app, 1 << 20))
        entry = (await proxy.recorded(1))[0]
    assert entry["response"]["content"]["size"] == size
    assert entry["_complete"] is True


async def test_bodies_of_twenty_megabytes(tmp_path: Path) -> None:
    body = os.urandom(1 << 20) * 20

    async def serve(reader: Reader, writer: Writer) -> None:
        _, came = await read_request(reader)
        writer.write(answer(came))
        await writer.drain()

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy, aiohttp.ClientSession() as client:
        async with client.post(f"http://127.0.0.1:{proxy.port}/x", data=body) as response:
            assert await response.read() == body
        entry = (await proxy.recorded(1))[0]
    for part in (entry["request"]["postData"], entry["response"]["content"]):
        assert base64.b64decode(part["text"]) == body


async def test_an_answer_before_the_request_is_whole_reaches_the_app(tmp_path: Path) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer(b"too large", b"HTTP/1.1 413 Too Large\r\nConnection: close\r\n"))
        await writer.drain()
        writer.write_eof()
        while await reader.read(1 << 16):
            pass

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        reader, writer = await proxy.connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: me\r\nContent-Length: 5000000\r\n\r\n" + b"x" * 3_000_000)
        assert (await asyncio.wait_for(reader.readuntil(b"too large"), WITHIN)).startswith(b"HTTP/1.1 413")
        writer.close()
        entry = (await proxy.recorded(1))[0]
    assert entry["response"]["status"] == 413
    assert (
        "before the request was whole" in entry["_error"] or "before its request was whole" in entry["_error"]
    )


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        (
            b"GET /w HTTP/1.1\r\nHost: m\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            501,
            b"no websocket",
        ),
        (b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 501, b"base URL"),
        (b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 300_000, 431, b"head"),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400, b"no request"),
        (b"POST / HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n", 400, b"size"),
    ],
    ids=["websocket", "connect", "long head", "tls", "no chunk size"],
)
async def test_what_is_refused_is_told_and_recorded(
    request_: bytes, status: int, words: bytes, tmp_path: Path
) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        await reader.read()

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        got = await proxy.exchange(request_)
        entry = (await proxy.recorded(1))[0]
    assert got.startswith(b"HTTP/1.1 %d " % status)
    assert words in got
    assert entry["response"]["status"] == status
    assert entry["_answered_by"] == "proxy"


@pytest.mark.parametrize(
    "wire",
    [
        b"SSH-2.0-x\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    ],
    ids=["ssh", "101", "length"],
)
async def test_an_upstream_that_speaks_otherwise_is_passed_on_and_named(wire: bytes, tmp_path: Path) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(wire)
        await reader.read()

    async with upstream(serve) as url, proxied(url, tmp_path) as proxy:
        assert await proxy.exchange(POST) == wire
        entry = (await proxy.recorded(1))[0]
    assert "no HTTP/1.1" in entry["_error"]
    assert entry["response"]["status"] == 0
