"""An upstream that streams what it is asked for, and an app that checks every byte.

`python load.py PIECES PAUSE PORT` is the upstream. Each is a process of its own in the benchmark. The answer
to call N is made of N alone, so that nothing that is lost, doubled or put in the wrong place goes unseen.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

__all__ = ["asked", "calls", "serve", "served", "streamed"]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def asked(number: int) -> bytes:
    text = f"Put lunch number {number} into my calendar. " * 20
    body = json.dumps({"model": "mock-1", "stream": True, "messages": [{"role": "user", "content": text}]})
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: mock\r\nX-Call: {number}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode("ascii")


def streamed(number: int, pieces: int) -> list[bytes]:
    """The events of an answer, each a chunk."""
    events = []
    for place in range(pieces):
        delta = {"content": f"word {number}-{place} "}
        chunk = {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}
        data = b"data: %b\n\n" % json.dumps(chunk).encode("ascii")
        events.append(b"%x\r\n%b\r\n" % (len(data), data))
    return [*events, b"0\r\n\r\n"]


async def serve(port: int, pieces: int, pause: float) -> asyncio.Server:
    loop = asyncio.get_running_loop()

    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                await reader.readexactly(int(head.partition(b"content-length:")[2].partition(b"\r\n")[0]))
                number = int(head.partition(b"x-call:")[2].partition(b"\r\n")[0])
                writer.write(HEAD)
                due = loop.time()
                for event in streamed(number, pieces):
                    writer.write(event)
                    await writer.drain()
                    if pause:  # by the clock: who reads must not slow down who makes
                        due += pause
                        await asyncio.sleep(due - loop.time())
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    return await asyncio.start_server(serving, "127.0.0.1", port, backlog=1024)


async def calls(port: int, count: int, at_once: int, pieces: int) -> list[float]:
    """Milliseconds of each call. Raises AssertionError on the first byte that is not as it should be."""
    left = iter(range(count))
    taken: list[float] = []

    async def worker() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in left:
            wanted = HEAD + b"".join(streamed(number, pieces))
            request = asked(number)
            began = time.perf_counter()
            writer.write(request)
            got = await reader.readexactly(len(wanted))
            taken.append((time.perf_counter() - began) * 1000)
            assert got == wanted, number
        writer.close()

    await asyncio.gather(*(worker() for _ in range(at_once)))
    return taken


async def served(pieces: int, pause: float, port: int) -> None:
    server = await serve(port, pieces, pause)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(served(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
