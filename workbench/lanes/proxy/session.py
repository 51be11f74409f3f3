"""A proxy from its first connection to the last written line."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from workbench.lanes.proxy.recording import Recording, Told
from workbench.lanes.proxy.relay import Relay
from workbench.lanes.proxy.upstream import Upstream

__all__ = ["Listener", "Outcome", "run_proxy"]

_GRACE = 5.0
"""Seconds that calls on their way are given after a request to terminate."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told: of the port once it listens, of each call that is recorded, of trouble, and of how many
    calls are still on their way when it is asked to end. None of them may block.
    """

    began: Callable[[Relay], None]
    call: Callable[[Told], None]
    trouble: Callable[[str], None]
    ending: Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`cut`: calls that were on their way when it was ended the hard way."""

    calls: int
    recorded: int
    cut: int


async def run_proxy(upstream: Upstream, path: Path, port: int, listener: Listener) -> Outcome:
    """Until it is interrupted: the first time it lets calls end, the second time it cuts them.

    Raises WorkbenchError where it cannot record or listen.
    """
    asked = asyncio.Event()
    now = asyncio.Event()
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        (now if asked.is_set() else asked).set()

    def terminated() -> None:
        if asked.is_set():
            now.set()
        asked.set()
        loop.call_later(_GRACE, now.set)

    recording = Recording(path, upstream.origin, on_call=listener.call, on_trouble=listener.trouble)
    relay = Relay(upstream, recording)
    cut = 0
    try:
        await relay.begin(port)
        for sign, handler in ((signal.SIGINT, interrupted), (signal.SIGTERM, terminated)):
            loop.add_signal_handler(sign, handler)
        listener.began(relay)
        await asked.wait()
        ending = asyncio.create_task(relay.end())
        if relay.busy:
            listener.ending(relay.busy)
        hard = asyncio.create_task(now.wait())
        await asyncio.wait((ending, hard), return_when=asyncio.FIRST_COMPLETED)
        if not ending.done():
            cut = relay.busy
            relay.cut()
            await ending
        hard.cancel()
    finally:
        await recording.close()
    return Outcome(recording.ended, recording.recorded, cut)
