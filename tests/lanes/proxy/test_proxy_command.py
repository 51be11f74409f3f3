"""`workbench lanes proxy` by the real command: real clients, load, and every way to end it."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import os
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, Bench
from load import calls, serve
from proxy_parts import Reader, Writer, answer, read_request, upstream

WITHIN = 60.0
KEY = "sk-proj-abcdefgh1234567890abcdefgh"
CHAT = {
    "id": "c1", "object": "chat.completion", "created": 1, "model": "mock-1",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}}],
}  # fmt: skip


class Running:
    """The command, begun; `listening` is the first line that it wrote."""

    def __init__(self, process: subprocess.Popen[bytes], listening: dict[str, Any]) -> None:
        self.process = process
        self.port: int = listening["port"]
        self.url: str = listening["url"]
        self.variables: dict[str, str] = listening["variables"]
        self.recording = Path(listening["recording"])
        self.out = b""
        self.said = ""

    async def end(self, *signs: signal.Signals) -> int:
        for sign in signs:
            self.process.send_signal(sign)
            await asyncio.sleep(0.2)
        self.out, said = await asyncio.to_thread(self.process.communicate, timeout=WITHIN)
        self.said = said.decode()
        return self.process.returncode

    async def entries(self, count: int) -> list[dict[str, Any]]:
        end = time.monotonic() + WITHIN
        while (data := self.recording.read_bytes()).count(b"\n") < count:
            assert time.monotonic() < end, data.count(b"\n")
            await asyncio.sleep(0.05)
        return [json.loads(line) for line in data.splitlines()]


@asynccontextmanager
async def running(folder: Path, url: str, *more: str, **env: str) -> AsyncIterator[Running]:
    command = [str(COMMAND), "lanes", "proxy", "--upstream", url, "--format", "json", *more]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **env},
    )
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), WITHIN)
        yield Running(process, json.loads(line)["listening"])
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


async def chat(reader: Reader, writer: Writer) -> None:
    while True:
        _, body = await read_request(reader)
        writer.write(answer(json.dumps({**CHAT, "echo": body.decode()}).encode(), JSON))


JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.mark.slow
async def test_two_thousand_streamed_calls_at_64_at_a_time(tmp_path: Path) -> None:
    server = await serve(0, 20, 0.002)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with running(tmp_path, url, "--record", "rec.jsonl") as proxy:
        proxy.recording = tmp_path / "rec.jsonl"
        await calls(proxy.port, 2000, 64, 20)
        assert await proxy.end(signal.SIGINT) == 0
        entries = await proxy.entries(2000)
    server.close()
    assert len(entries) == 2000
    numbers = set()
    for entry in entries:
        number = next(int(f["value"]) for f in entry["request"]["headers"] if f["name"] == "X-Call")
        numbers.add(number)
        assert f"lunch number {number} into" in entry["request"]["postData"]["text"]
        words = [
            json.loads(line[6:])["choices"][0]["delta"]["content"]
            for line in entry["response"]["content"]["text"].splitlines()
            if line
        ]
        assert words == [f"word {number}-{place} " for place in range(20)]
        assert entry["_complete"] is True
    assert numbers == set(range(2000))
    summary = json.loads(proxy.out.splitlines()[-1])["summary"]
    assert summary == {"calls": 2000, "recorded": 2000, "cut": 0, "faults": 0}


async def test_killed_at_once_it_loses_no_call_that_ended(tmp_path: Path) -> None:
    server = await serve(0, 20, 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with running(tmp_path, url, "--record", str(tmp_path / "rec.jsonl")) as proxy:
        await calls(proxy.port, 300, 32, 20)
        proxy.process.kill()
        assert len({entry["_id"] for entry in await proxy.entries(300)}) == 300
    server.close()
    assert [path.name for path in tmp_path.iterdir()] == ["rec.jsonl"]


async def test_a_recorder_that_dies_is_replaced(tmp_path: Path) -> None:
    server = await serve(0, 20, 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with running(tmp_path, url, "--record", str(tmp_path / "rec.jsonl")) as proxy:
        await calls(proxy.port, 50, 8, 20)
        for child in _children(proxy.process.pid):
            os.kill(child, signal.SIGKILL)
        await calls(proxy.port, 50, 8, 20)
        assert await proxy.end(signal.SIGINT) == 0
    lines = (tmp_path / "rec.jsonl").read_bytes().splitlines()
    found = []
    for line in lines:
        try:
            found.append(json.loads(line)["_id"])
        except ValueError:
            assert lines.count(line) == 1  # torn by the kill; the call is written again
    server.close()
    assert len(found) == len(set(found)) == 100


def _children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, check=True)
    return [int(number) for number in listed.stdout.split()]


async def test_interrupted_it_waits_for_the_call_on_its_way(tmp_path: Path) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def serve_one(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
        asked.set()
        await go.wait()
        writer.write(b"cd")

    async with upstream(serve_one) as url, running(tmp_path, url, "--record", str(tmp_path / "r")) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: me\r\n\r\n")
        await asked.wait()
        ending = asyncio.create_task(proxy.end(signal.SIGINT))
        await asyncio.sleep(0.5)
        assert not ending.done()
        go.set()
        assert (await reader.read()).endswith(b"abcd")
        assert await ending == 0
        writer.close()
    assert "1 call is still on the way" in proxy.said
    assert json.loads((tmp_path / "r").read_bytes())["_complete"] is True


async def test_interrupted_twice_it_cuts_it(tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def hang(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        asked.set()
        await reader.read()

    async with upstream(hang) as url, running(tmp_path, url, "--record", str(tmp_path / "r")) as proxy:
        _, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: me\r\n\r\n")
        await asked.wait()
        assert await proxy.end(signal.SIGINT, signal.SIGINT) == 130
        writer.close()
    assert json.loads((tmp_path / "r").read_bytes())["_error"] == "the proxy was ended"


async def test_no_key_stands_anywhere_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": f"my key {KEY}"}]})
    secret = "quite-a-long-value-17"
    packed = f"{secret} in words".encode() + b"\xff"
    async with upstream(chat) as url, running(tmp_path, url, "--record", "r", MY_API_KEY=secret) as proxy:
        proxy.recording = tmp_path / "r"
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port)
        headers = {"Authorization": f"Bearer {KEY}", "Cookie": "a=crumbly", "x-api-key": "k-12345"}

        def ask(path: str, data: bytes) -> bytes:
            connection.request("POST", path, data, headers)
            return connection.getresponse().read()

        got = await asyncio.to_thread(ask, f"/v1/chat/completions?key={KEY}&q=1", body.encode())
        assert KEY in got.decode()
        await asyncio.to_thread(ask, "/x", secret.encode())
        with pytest.raises(http.client.RemoteDisconnected):  # the upstream fails over what is no text
            await asyncio.to_thread(ask, "/x", packed)
        entries = await proxy.entries(3)
        connection.close()
        assert await proxy.end(signal.SIGINT) == 0
    raw = (tmp_path / "r").read_bytes() + proxy.out + proxy.said.encode()
    for hidden in (KEY, "crumbly", "k-12345", secret):
        assert hidden.encode() not in raw
    assert base64.b64decode(entries[2]["request"]["postData"]["text"]) == b"[secret] in words\xff"
    assert entries[0]["request"]["postData"]["_masked"] is True
    assert entries[0]["request"]["url"].endswith("?key=[secret]&q=1")
    assert stat.S_IMODE((tmp_path / "r").stat().st_mode) == 0o600


async def test_what_it_records_is_read_by_capture_audit_and_ledger(bench: Bench) -> None:
    bench.write("workbench.yaml", "adapters: {}\n")
    async with upstream(chat) as url, running(bench.folder, url) as proxy:
        for number in range(3):
            connection = http.client.HTTPConnection("127.0.0.1", proxy.port)
            text = f"<in from='u{number}'>\nplease count to {number}\n</in>"
            body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]})
            connection.request("POST", "/v1/chat/completions", body)
            assert json.loads((await asyncio.to_thread(connection.getresponse)).read())["echo"] == body
            connection.close()
        assert await proxy.end(signal.SIGTERM) == 0
    recording = proxy.recording
    assert recording.parent == bench.folder / ".workbench" / "proxy"
    assert (bench.folder / ".workbench" / ".gitignore").read_text() == "*\n"
    assert bench("audit", str(recording)).text.startswith("3 turns of 1 log")
    assert bench("capture", str(recording), "-o", "learnt").text.startswith("3 turns")
    rows = bench("lanes", "ledger", str(recording), "--format", "json").json["requests"]
    assert [row["sent"] for row in rows] == [len("<in from='u0'>\nplease count to 0\n</in>")] * 3


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
async def test_curl(tmp_path: Path) -> None:
    server = await serve(0, 5, 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with running(tmp_path, url, "--record", str(tmp_path / "r")) as proxy:
        done = await asyncio.to_thread(
            subprocess.run,
            ["curl", "-sN", "-H", "X-Call: 7", "-d", "{}", f"{proxy.url}/v1/chat/completions"],
            capture_output=True,
            check=True,
        )
        assert done.stdout.count(b"word 7-") == 5
    server.close()


async def test_the_client_of_openai(tmp_path: Path) -> None:
    openai = pytest.importorskip("openai", reason="the client of OpenAI is not installed")
    server = await serve(0, 5, 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with running(tmp_path, f"{url}/v1", "--record", str(tmp_path / "r")) as proxy:
        client = openai.AsyncOpenAI(
            api_key=KEY, base_url=proxy.variables["OPENAI_BASE_URL"], default_headers={"X-Call": "9"}
        )
        messages = [{"role": "user", "content": "hi"}]
        stream = await client.chat.completions.create(model="m", messages=messages, stream=True)
        words = [event.choices[0].delta.content async for event in stream]
        await client.close()
        entry = (await proxy.entries(1))[0]
    server.close()
    assert words == [f"word 9-{place} " for place in range(5)]
    assert entry["request"]["url"] == f"{url}/v1/chat/completions"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--upstream", "nowhere"), "no URL of a host"),
        (("--upstream", "http://127.0.0.1:1", "--port", "70000"), "no port"),
        (("--upstream", "http://127.0.0.1:1", "--record", "notes.txt"), "something else"),
        (("--upstream", "http://127.0.0.1:1", "--record", "no/such/folder"), "No such file"),
        ((), "--upstream"),
    ],
)
def test_usage(arguments: tuple[str, ...], words: str, bench: Bench) -> None:
    bench.write("notes.txt", "mine\n")
    done = bench("lanes", "proxy", *arguments)
    assert done.code == 2
    assert words in done.said
    assert (bench.folder / "notes.txt").read_text() == "mine\n"


async def test_two_proxies_do_not_share_a_file_or_a_port(bench: Bench) -> None:
    url = "http://127.0.0.1:1"
    async with running(bench.folder, url, "--record", "r") as proxy:
        same = await asyncio.to_thread(bench, "lanes", "proxy", "--upstream", url, "--record", "r")
        port = str(proxy.port)
        taken = await asyncio.to_thread(
            bench, "lanes", "proxy", "--upstream", url, "--record", "s", "--port", port
        )
    assert (same.code, taken.code) == (2, 2)
    assert "another proxy" in same.said
    assert f"cannot listen on port {port}" in taken.said
