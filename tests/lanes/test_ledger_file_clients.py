"""The ledger with real clients, against a server on loopback: what it measures is what arrived."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from ledger_receipts import caught

from workbench.ledger import audit, claim, configure, readable, turn, watch

SYSTEM, USER = "Be short.\r\n## Größe", "hi 🙂"
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]
BODY = {"model": "m", "messages": MESSAGES}
SIZE = len(SYSTEM) + len(USER)

CHAT = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}],
}
RESPONSE = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "output": [],
    "parallel_tool_calls": False,
    "tool_choice": "auto",
    "tools": [],
}
MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


class Server(ThreadingHTTPServer):
    """Answers as a provider does, and keeps each body that came. `failing`: so many answers are 500."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[bytes] = []
        self.failing = 0
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.bodies.append(body)
        moved = self.path.startswith("/moved")
        answer = MESSAGE if "messages" in self.path else RESPONSE if "responses" in self.path else CHAT
        raw = json.dumps(answer).encode()
        status = 307 if moved else 500 if self.server.failing else 200
        self.server.failing -= 1 if status == 500 else 0
        self.send_response(status)
        if moved:
            self.send_header("Location", self.path.removeprefix("/moved"))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def receipts() -> Iterator[list[dict[str, Any]]]:
    with caught() as found:
        yield found


def assembled() -> None:
    claim("policy", SYSTEM)
    claim("user_text", USER)


def agree(receipts: list[dict[str, Any]], server: Server, turns: list[str | None], dark: int = 0) -> None:
    """Each receipt is of a body that arrived, in the same order, and its sum is that body's."""
    assert [each["turn"] for each in receipts] == turns
    assert len(server.bodies) == len(receipts)
    for receipt, raw in zip(receipts, server.bodies, strict=True):
        assert receipt["sent"] == len(readable(json.loads(raw)).text) >= SIZE
        assert (receipt["dark"], receipt["double"], receipt["missing"]) == (dark, 0, 0)


def test_openai(server: Server, receipts: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    openai = pytest.importorskip("openai")
    configure(to=receipts.append, print_dark=True)
    with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1") as made:
        client = watch(watch(made))
        assert client is made
        with turn("t-1"):
            assembled()
            client.chat.completions.create(**BODY)
            client.responses.create(model="m", instructions=SYSTEM, input=USER)
    agree(receipts, server, ["t-1", "t-1"])
    assert [each["format"] for each in receipts] == ["openai-chat", "openai-responses"]
    assert capsys.readouterr().out == f"sent={SIZE} owned={SIZE} dark=0\n" * 2


def test_openai_as_the_seed_writes_it_and_with_a_retry(
    server: Server, receipts: list[dict[str, Any]]
) -> None:
    openai, httpx = pytest.importorskip("openai"), pytest.importorskip("httpx")
    http = httpx.Client(event_hooks={"request": [audit]})
    server.failing = 1
    with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1", http_client=http) as client:
        assembled()
        client.chat.completions.create(**BODY)
    agree(receipts, server, [None, None])


def test_a_late_append_is_dark_on_the_wire(server: Server, receipts: list[dict[str, Any]]) -> None:
    """Added below the assembler, where the client's own middleware would."""
    httpx = pytest.importorskip("httpx")
    with watch(httpx.Client()) as client, turn("t"):
        assembled()
        late = [*MESSAGES, {"role": "system", "content": "scope: project"}]
        client.post(f"{server.url}/v1/chat/completions", json={**BODY, "messages": late})
    agree(receipts, server, ["t"], dark=len("scope: project"))
    assert receipts[0]["dark_at"] == [["messages[2].content+0", 14]]


async def test_openai_async(server: Server, receipts: list[dict[str, Any]]) -> None:
    openai = pytest.importorskip("openai")
    async with watch(openai.AsyncOpenAI(api_key="k", base_url=f"{server.url}/v1")) as client:
        with turn("t"):
            assembled()
            await client.chat.completions.create(**BODY)
    agree(receipts, server, ["t"])


def test_anthropic(server: Server, receipts: list[dict[str, Any]]) -> None:
    anthropic = pytest.importorskip("anthropic")
    tools = [{"name": "f", "description": "does", "input_schema": {"type": "object", "properties": {}}}]
    with watch(anthropic.Anthropic(api_key="k", base_url=server.url)) as client, turn("t"):
        assembled()
        claim("tools", tools)
        client.messages.create(model="m", max_tokens=9, system=SYSTEM, messages=MESSAGES[1:], tools=tools)
    agree(receipts, server, ["t"])
    assert receipts[0]["format"] == "anthropic"


async def test_anthropic_async(server: Server, receipts: list[dict[str, Any]]) -> None:
    anthropic = pytest.importorskip("anthropic")
    async with watch(anthropic.AsyncAnthropic(api_key="k", base_url=server.url)) as client:
        assembled()
        await client.messages.create(model="m", max_tokens=9, system=SYSTEM, messages=MESSAGES[1:])
    agree(receipts, server, [None])


def test_requests(server: Server, receipts: list[dict[str, Any]]) -> None:
    requests = pytest.importorskip("requests")
    with watch(watch(requests.Session())) as session, turn("t"):
        assembled()
        session.post(f"{server.url}/v1/chat/completions", json=BODY)
        session.post(f"{server.url}/moved/v1/chat/completions", json=BODY)
    agree(receipts, server, ["t", "t", "t"])


def test_requests_multipart_and_streams_are_not_measured(
    server: Server, receipts: list[dict[str, Any]]
) -> None:
    requests = pytest.importorskip("requests")
    url = f"{server.url}/v1/chat/completions"
    raw = json.dumps(BODY).encode()
    with watch(requests.Session()) as session:
        session.post(url, files={"file": raw})
        session.post(url, data=iter([raw]))
        session.post(url, data=gzip.compress(raw), headers={"Content-Encoding": "gzip"})
    assert [each["unmeasured"] for each in receipts] == [
        "the body is multipart",
        "the body is a stream",
        "the body is compressed: gzip",
    ]
    assert server.bodies[1] == raw
    assert {each["sent"] for each in receipts} == {None}


def test_httpx_streams_arrive_untouched(server: Server, receipts: list[dict[str, Any]]) -> None:
    httpx = pytest.importorskip("httpx")
    raw = json.dumps(BODY).encode()
    with watch(httpx.Client()) as client:
        client.post(f"{server.url}/v1/chat/completions", content=iter([raw[:5], raw[5:]]))
        client.post(f"{server.url}/v1/chat/completions", files={"file": raw})
    assert [each["unmeasured"] for each in receipts] == ["the body is a stream", "the body is multipart"]
    assert server.bodies[0] == raw


async def test_httpx_async_streams_arrive_untouched(server: Server, receipts: list[dict[str, Any]]) -> None:
    httpx = pytest.importorskip("httpx")
    raw = json.dumps(BODY).encode()

    async def pieces() -> AsyncIterator[bytes]:
        yield raw

    async with watch(httpx.AsyncClient()) as client:
        await client.post(f"{server.url}/v1/chat/completions", content=pieces())
    assert [each["unmeasured"] for each in receipts] == ["the body is a stream"]
    assert server.bodies == [raw]


async def test_aiohttp(server: Server, receipts: list[dict[str, Any]]) -> None:
    """Also where it is redirected, sent in chunks, or compressed by aiohttp: its hook sees it before."""
    aiohttp = pytest.importorskip("aiohttp")
    raw = json.dumps(BODY).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(raw), 7):
            yield raw[at : at + 7]

    url = f"{server.url}/v1/chat/completions"
    async with watch(watch(aiohttp.ClientSession())) as session:
        with turn("t"):
            assembled()
            for path, options in (
                (url, {"json": BODY}),
                (url, {"data": pieces()}),
                (f"{server.url}/moved/v1/chat/completions", {"json": BODY}),
            ):
                async with session.post(path, **options) as answer:
                    await answer.read()
    agree(receipts, server, ["t"] * 4)


async def test_aiohttp_compressed_by_the_app_and_cut_off(
    server: Server, receipts: list[dict[str, Any]]
) -> None:
    aiohttp = pytest.importorskip("aiohttp")
    raw, gone = gzip.compress(json.dumps(BODY).encode()), "http://127.0.0.1:9/v1/chat/completions"
    async with watch(aiohttp.ClientSession()) as session:
        headers = {"Content-Encoding": "gzip"}
        async with session.post(f"{server.url}/v1/chat/completions", data=raw, headers=headers) as answer:
            await answer.read()
        with pytest.raises(aiohttp.ClientError):
            await session.post(gone, json=BODY)
    assert [each["sent"] for each in receipts] == [None, None]
    assert [each["unmeasured"] for each in receipts] == [
        "the body is compressed: gzip",
        "the body is empty",
    ]
