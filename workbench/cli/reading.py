"""Tells on a terminal how far a log has been read."""

from __future__ import annotations

import time
from collections.abc import Callable

from workbench.cli.live_line import LiveLine
from workbench.core.text import safe, visible

__all__ = ["told"]

_EVERY = 0.2
_AFTER = 1.0


def told(*, quiet: bool) -> Callable[[str, int, int | None], None] | None:
    """For `LogOptions.progress`; None where nobody would see it."""
    line = LiveLine()
    if quiet or not line.live:
        return None
    began = last = time.monotonic()

    def tell(file: str, done: int, total: int | None) -> None:
        nonlocal last
        now = time.monotonic()
        if total is not None and done >= total:
            line.clear()
            return
        if now - began < _AFTER or now - last < _EVERY:
            return
        last = now
        share = f"{done / total:.0%}" if total else f"{done / 1e6:,.0f} MB"
        line.write(safe(f"{share} of {visible(file)}" if total else f"{share} read of {visible(file)}"))

    return tell
