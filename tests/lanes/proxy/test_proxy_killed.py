"""An upstream that is killed under load, again and again: each call is whole, or seen to break."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from load import HEAD, asked, streamed
from proxy_parts import proxied

PIECES = 20
LOAD = Path(__file__).with_name("load.py")


def started(port: int) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, str(LOAD), str(PIECES), "0.003", str(port)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    return server, int(server.stdout.readline())


async def app(port: int, numbers: list[int]) -> dict[int, bytes]:
    """What came of each call, on connections that are made anew when they break."""
    got: dict[int, bytes] = {}
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    for number in numbers:
        reader, writer = streams or await asyncio.open_connection("127.0.0.1", port)
        writer.write(asked(number))
        whole = len(HEAD) + sum(map(len, streamed(number, PIECES)))
        came = bytearray()
        with contextlib.suppress(ConnectionError):
            while len(came) < whole and (piece := await asyncio.wait_for(reader.read(whole - len(came)), 30)):
                came += piece
        got[number] = bytes(came)
        streams = (reader, writer) if len(came) == whole else None
        if streams is None:
            writer.close()
            await asyncio.sleep(0.02)
    if streams is not None:
        streams[1].close()
    return got


@pytest.mark.slow
async def test_killed_and_begun_anew_under_load(tmp_path: Path) -> None:
    server, port = started(0)
    try:
        async with proxied(f"http://127.0.0.1:{port}", tmp_path) as proxy:
            share = [list(range(worker, 1920, 64)) for worker in range(64)]
            load = asyncio.gather(*(app(proxy.port, numbers) for numbers in share))
            kills = 0
            while not load.done() and kills < 5:
                await asyncio.sleep(0.4)
                server.kill()
                await asyncio.to_thread(server.wait)
                await asyncio.sleep(0.1)
                server, _ = await asyncio.to_thread(started, port)
                kills += 1
            got = {number: came for part in await load for number, came in part.items()}
            entries = await proxy.recorded(proxy.recording.ended)
    finally:
        server.kill()
        server.communicate()
    assert len(got) == 1920
    recorded: dict[int, dict[str, Any]] = {}
    for entry in entries:
        number = next(int(f["value"]) for f in entry["request"]["headers"] if f["name"] == "X-Call")
        assert number not in recorded
        recorded[number] = entry
    broken = 0
    for number, came in got.items():
        events = streamed(number, PIECES)
        wire = HEAD + b"".join(events)
        text = b"".join(event.split(b"\r\n", 1)[1][:-2] for event in events[:-1]).decode()
        if number not in recorded:
            assert came == b""  # it was sent into a connection that had ended with the upstream's
            continue
        entry = recorded[number]
        if entry["_complete"]:
            assert came == wire
            assert entry["response"]["content"]["text"] == text
        else:
            broken += 1
            if entry.get("_answered_by") == "proxy":
                assert came.startswith(b"HTTP/1.1 502 ")
                continue
            assert wire.startswith(came)
            assert came != wire
            assert text.startswith(entry["response"]["content"].get("text", ""))
    assert kills >= 3
    assert broken > 50
