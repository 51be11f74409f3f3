"""A provider whose model calls a tool with a known probability, and whose line is as bad as a test wants it.

As a program it serves until its standard input ends: `python tests/model_server.py --delay 0.05`.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from aiohttp import web

__all__ = ["DOUBLED_PIECES", "FAULTS", "ModelServer", "every", "one_in"]

Body = Mapping[str, Any]

FAULTS = (
    "429",
    "429-after",
    "500",
    "529",
    "reset",
    "stall",
    "half-json",
    "half-event",
    "wrong-type",
    "doubled-event",
    "200-error",
)
"""Ways in which a call can go wrong. `doubled-event` sends the last events of a stream twice."""

DOUBLED_PIECES = "doubled-pieces"
"""All events twice: in a format whose events have no numbers, nobody can tell."""


def every(count: int) -> Callable[[int], bool]:
    """True for the first of every `count`, which is a rate without chance in it."""
    return lambda number: number % count == 0


def one_in(count: int, faults: Iterable[str] = FAULTS) -> Iterator[str | None]:
    """Each of the faults in turn, one in `count` requests, without end."""
    for fault in itertools.cycle(faults):
        yield from [None] * (count - 1)
        yield fault


@dataclass
class ModelServer:
    """`calls` says, by a marker that stands in the body, whether the nth answer to such a body calls a tool.

    The first marker that stands there counts, so the empty one, which always does, comes last. Answers that
    a fault spoils do not count: with faults and without, the same answers are given in the end.
    """

    calls: Mapping[str, Callable[[int], bool]] = field(default_factory=lambda: {"": every(2)})
    faults: Iterator[str | None] = field(default_factory=lambda: itertools.repeat(None))
    delay: float = 0.0
    key: str | None = None
    room: int | None = None
    """More requests at once than this are turned away with 429."""
    model: str = "mock-1"
    bodies: list[Body] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    """The ids of the answers that were given whole."""
    seen: Counter[str] = field(default_factory=Counter)
    """How often each fault happened."""
    most: int = 0
    """How many requests were under way at once, at most."""
    first: float = 0.0
    last: float = 0.0
    _numbers: Counter[str] = field(default_factory=Counter)
    _under_way: int = 0
    _runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> str:
        """Serves on the loopback; returns the base URL."""
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/moved/chat/completions", self._moved)
        app.router.add_get("/measured", self._measured)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        assert site._server is not None
        host, bound = site._server.sockets[0].getsockname()[:2]  # type: ignore[attr-defined]
        return f"http://{host}:{bound}/v1"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> ModelServer:
        self.url = await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def _measured(self, request: web.Request) -> web.Response:
        """Seconds from the first request to the last answer since this was last asked, and how many."""
        seconds, count = self.last - self.first, len(self.bodies)
        self.first, self.bodies, self.headers = 0.0, [], []
        return web.json_response({"seconds": seconds, "calls": count})

    async def _moved(self, request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect("/v1/chat/completions")

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self.first = self.first or perf_counter()
        self._under_way += 1
        self.most = max(self.most, self._under_way)
        try:
            return await self._answer(request)
        finally:
            self._under_way -= 1
            self.last = perf_counter()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if self.room is not None and self._under_way > self.room:
            self.seen["full"] += 1
            return _error(429, "Too many requests", "rate_limit_exceeded")
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        if self.delay:
            await asyncio.sleep(self.delay)
        if self.key is not None and request.headers.get("Authorization") != f"Bearer {self.key}":
            return _error(401, "Incorrect API key provided", "invalid_api_key")
        if body.get("model") != self.model:
            return _error(404, f"The model `{body.get('model')}` does not exist", "model_not_found")
        fault = next(self.faults, None)
        if fault is not None:
            self.seen[fault] += 1
            if not fault.startswith("doubled") or not body.get("stream"):
                return await self._spoiled(request, body, fault)
        answer = self._decided(body)
        self.answered.append(answer["id"])
        if body.get("stream"):
            events = _events(answer)
            from_here = {"doubled-event": len(events) - 2, DOUBLED_PIECES: 0}.get(fault or "", len(events))
            return await _streamed(request, events, lambda number: number >= from_here)
        return web.json_response(answer)

    def _decided(self, body: Body) -> dict[str, Any]:
        text = json.dumps(body["messages"])
        marker = next(marker for marker in self.calls if marker in text)
        number = self._numbers[marker]
        self._numbers[marker] += 1
        message: dict[str, Any] = {"role": "assistant", "content": "No tool is needed."}
        finish = "stop"
        if self.calls[marker](number) and body.get("tools"):
            name = body["tools"][0]["function"]["name"]
            function = {"name": name, "arguments": json.dumps({"title": "lunch"})}
            message = {"role": "assistant", "content": None}
            message["tool_calls"] = [{"id": f"call_{number}", "type": "function", "function": function}]
            finish = "tool_calls"
        return {
            "id": f"answer-{len(self.answered)}",
            "object": "chat.completion",
            "created": 1,
            "model": self.model,
            "system_fingerprint": "fp_1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }

    async def _spoiled(self, request: web.Request, body: Body, fault: str) -> web.StreamResponse:
        match fault:
            case "429":
                return _error(429, "Rate limit reached", "rate_limit_exceeded")
            case "429-after":
                return _error(429, "Rate limit reached", "rate_limit_exceeded", {"Retry-After": "0.05"})
            case "500":
                return _error(500, "The server had an error", "server_error")
            case "529":
                return _error(529, "Overloaded", "overloaded_error")
            case "wrong-type":
                return web.Response(text="<html><title>Welcome</title></html>", content_type="text/html")
            case "200-error":
                return _error(200, "Overloaded", "overloaded_error")
            case "reset":
                assert request.transport is not None
                request.transport.abort()
                return web.Response()
            case "stall":
                await asyncio.sleep(30)
                return web.Response()
        return await _half(request, body, fault)


async def _half(request: web.Request, body: Body, fault: str) -> web.StreamResponse:
    """An answer that ends in the middle although the connection is closed as it should be."""
    arguments = '{"title": "lu'
    event = {"choices": [{"index": 0, "delta": {"content": "No to"}, "finish_reason": None}]}
    whole = {"choices": [{"message": {"tool_calls": [{"function": {"arguments": arguments}}]}}]}
    text = (
        f"data: {json.dumps(event)}\n\ndata: {json.dumps(event)[:40]}"
        if body.get("stream")
        else json.dumps(whole)[:-20]
    )
    return web.Response(
        text=text, content_type="text/event-stream" if body.get("stream") else "application/json"
    )


async def _streamed(
    request: web.Request, events: list[Body], doubled: Callable[[int], bool]
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for number, event in enumerate(events):
        for _ in range(2 if doubled(number) else 1):
            await response.write(f"data: {json.dumps(event)}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


def _events(answer: dict[str, Any]) -> list[Body]:
    """The answer as chunks: its text or arguments in two pieces, then the reason, then the usage."""
    same = {key: answer[key] for key in ("id", "created", "model", "system_fingerprint")}
    choice = answer["choices"][0]
    message = choice["message"]
    deltas: list[Body] = []
    if message.get("tool_calls"):
        call = message["tool_calls"][0]
        arguments = call["function"]["arguments"]
        first = {**call, "index": 0, "function": {**call["function"], "arguments": arguments[:5]}}
        deltas = [{"role": "assistant", "tool_calls": [first]}]
        deltas.append({"tool_calls": [{"index": 0, "function": {"arguments": arguments[5:]}}]})
    else:
        deltas = [
            {"role": "assistant", "content": message["content"][:7]},
            {"content": message["content"][7:]},
        ]
    chunks = [{**same, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**same, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    return [*chunks, {**same, "choices": [], "usage": answer["usage"]}]


def _error(http: int, message: str, kind: str, headers: Mapping[str, str] | None = None) -> web.Response:
    body = {"error": {"message": message, "type": kind, "code": kind}}
    return web.json_response(body, status=http, headers=headers)


async def _serve(delay: float) -> None:
    chance = random.Random(7)
    server = ModelServer({"": lambda number: chance.random() < 0.3}, delay=delay)
    print(await server.start(), flush=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.read)
    await server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    asyncio.run(_serve(parser.parse_args().delay))
