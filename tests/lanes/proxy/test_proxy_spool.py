"""The way from the proxy to its recording: bounded, and never in the way of a call."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from load import calls, serve
from proxy_parts import POST, Reader, Writer, answer, proxied, read_request, upstream

from workbench.lanes.proxy.call import Call
from workbench.lanes.proxy.spool import Reel, Spool, ended_in

PIECES = st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.binary(max_size=80_000)), max_size=12)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES)
def test_calls_that_pass_at_once_are_read_apart(
    pieces: list[tuple[int, bool, bytes]], tmp_path: Path
) -> None:
    spool = Spool.make(tmp_path)
    try:
        made = [Call(f"c{n}", b"POST", b"/", b"", spool.begin()) for n in range(3)]
        wanted = {call.id: (bytearray(), bytearray()) for call in made}
        for number, is_answer, data in pieces:
            (made[number].came if is_answer else made[number].sent)(data)
            wanted[f"c{number}"][is_answer].extend(data)
        for call in made:
            call.end(None)
        found = {call.told["id"]: (call.request, call.answer) for call in ended_in(spool.reels[0].handle, 0)}
    finally:
        spool.close()
    assert found == {name: (bytes(sent), bytes(came)) for name, (sent, came) in wanted.items()}
    assert not list(tmp_path.iterdir())


async def test_the_spool_does_not_grow_for_ever(tmp_path: Path) -> None:
    server = await serve(0, 50, 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with proxied(url, tmp_path) as proxy:
        spool = proxy.recording._spool
        spool.most = 100_000
        taken = set()
        for _ in range(12):
            await calls(proxy.port, 40, 8, 50)
            taken.add(spool.current)
            await proxy.recorded(0)
            await asyncio.sleep(0.05)
        entries = await proxy.recorded(480)
        assert sum(reel.end for reel in spool.reels) < 2_500_000  # of over 3 MB that passed
    server.close()
    assert taken == {0, 1}
    assert len({entry["_id"] for entry in entries}) == 480


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
async def test_a_full_disk_stops_no_call(tmp_path: Path) -> None:
    body = b"x" * 200_000

    async def serve_one(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(answer(body))

    async with upstream(serve_one) as url, proxied(url, tmp_path) as proxy:
        full = os.open("/dev/full", os.O_RDWR)
        proxy.recording._spool.reels = (Reel(full), Reel(os.dup(full)))
        reader, writer = await proxy.connect()
        writer.write(POST)
        assert await reader.readexactly(len(answer(body))) == answer(body)
        writer.close()
    assert proxy.troubles == ["a call is not recorded: No space left on device"]
    assert proxy.recording.ended == 1
    assert proxy.recording.recorded == 0


async def test_what_was_torn_stays_and_spoils_nothing_after_it(tmp_path: Path) -> None:
    (tmp_path / "rec.jsonl").write_bytes(b'{"startedDateTime":"20')

    async def serve_one(reader: Reader, writer: Writer) -> None:
        await read_request(reader)
        writer.write(answer())

    async with upstream(serve_one) as url, proxied(url, tmp_path) as proxy:
        reader, writer = await proxy.connect()
        writer.write(POST)
        await reader.readuntil(b"{}")
        writer.close()
    torn, whole = (tmp_path / "rec.jsonl").read_bytes().splitlines()
    assert torn == b'{"startedDateTime":"20'
    assert b'"_complete":true' in whole


def test_recording_imports_no_event_loop() -> None:
    """The process that writes begins quickly: the first call may follow at once."""
    code = "import sys, workbench.lanes.proxy.recorder as r; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"asyncio", "aiohttp", "yaml", "scipy"} & set(done.stdout.split())
