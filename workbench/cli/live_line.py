"""A line on stderr that says how far something is: redrawn on a terminal, written anew in a log."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

from workbench.cli.streams import has_terminal
from workbench.core.text import SafeText

__all__ = ["LiveLine"]

_WIPE = "\r\x1b[2K"


class LiveLine:
    """`live`: it stands on a terminal. `drawn`: something stands there now."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.live = has_terminal(self._stream)
        self.drawn = False

    def write(self, line: SafeText) -> None:
        """Say it, in the place of what was said before where that can be."""
        if self.live:
            width = shutil.get_terminal_size().columns  # a longer line would be wrapped, and stay
            self._stream.write(f"{_WIPE}{line[: max(20, width - 1)]}")
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()
        self.drawn = True

    def clear(self) -> None:
        """Take it off a terminal, so that something else can be said."""
        if self.live and self.drawn:
            self._stream.write(_WIPE)
            self._stream.flush()
            self.drawn = False
