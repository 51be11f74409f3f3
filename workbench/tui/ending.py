"""Signals that ask the program to end while the screen is open: the terminal is given back first."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from textual.app import App

__all__ = ["ending_in_order"]

_NUMBERS = tuple(number for name in ("SIGHUP", "SIGTERM") if (number := getattr(signal, name, None)))


@contextmanager
def ending_in_order(app: App[Any] | None = None) -> Iterator[None]:
    """Nothing is left behind where the program is politely killed, or its terminal is closed.

    Asked to end, `app` leaves as by its key; the exit code is the shell's for a signal: 128 and its number.
    The event loop takes the wish between two callbacks: an exception raised by a handler may come up
    anywhere inside the app, also where it is swallowed or leaves a thread waiting. Only where the terminal
    is gone, or there is no app that runs, it is SystemExit: whoever writes to a terminal that is gone may
    wait for ever. What comes after the first signal is passed over: a terminal that closes sends several.
    """
    asked: list[int] = []

    def leave(number: int, frame: FrameType | None) -> None:
        if asked:
            return
        asked.append(number)
        loop = _running()
        if app is None or loop is None or number != signal.SIGTERM:
            sys.exit(128 + number)
        loop.call_soon_threadsafe(lambda: app.exit(return_code=128 + number))

    before = {number: signal.signal(number, leave) for number in _NUMBERS}
    try:
        yield
    finally:
        if not asked:
            for number, handler in before.items():
                signal.signal(number, handler)


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
