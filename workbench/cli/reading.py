"""Tells on a terminal how far a log has been read."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable

from workbench.cli.streams import has_terminal
from workbench.core.text import safe, visible

__all__ = ["told"]

_EVERY = 0.2
_AFTER = 1.0


def told(*, quiet: bool) -> Callable[[str, int, int | None], None] | None:
    """For `LogOptions.progress`; None where nobody would see it."""
    if quiet or not has_terminal(sys.stderr):
        return None
    began = last = time.monotonic()
    drawn = False

    def tell(file: str, done: int, total: int | None) -> None:
        nonlocal last, drawn
        now = time.monotonic()
        if total is not None and done >= total:
            if drawn:
                sys.stderr.write("\r\x1b[2K")
                sys.stderr.flush()
                drawn = False
            return
        if now - began < _AFTER or now - last < _EVERY:
            return
        last, drawn = now, True
        share = f"{done / total:.0%}" if total else f"{done / 1e6:,.0f} MB"
        line = safe(f"{share} of {visible(file)}" if total else f"{share} read of {visible(file)}")
        width = shutil.get_terminal_size().columns
        sys.stderr.write(f"\r\x1b[2K{line[: max(20, width - 1)]}")
        sys.stderr.flush()

    return tell
