"""Progress on stderr: n of N, rate and time left; one line that is redrawn on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from workbench.cli.streams import has_terminal
from workbench.core.text import SafeText, safe, visible
from workbench.replay.events import Event, RunFinished, RunStarted, TrialFinished

__all__ = ["Progress"]


class Progress:
    """Listens to the engine. On a terminal it redraws a line at most ten times a second; in a log
    it writes a line every ten seconds, so that a long run is seen to live."""

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = has_terminal(self._stream)
        self._every = 0.1 if self._live else 10.0
        self._quiet = quiet
        self._clock = clock
        self._started = self._drawn = clock()
        self._total = self._done = self._resumed = self._failed = 0

    def __call__(self, event: Event) -> None:
        if self._quiet:
            return
        now = self._clock()
        if isinstance(event, RunStarted):
            self._total, self._done, self._resumed = event.total, event.done, event.done
            self._started = self._drawn = now
        elif isinstance(event, TrialFinished):
            self._done += 1
            self._failed += not event.trial.ok
            if now - self._drawn >= self._every:
                self._drawn = now
                self._write(self._line(now))
        elif isinstance(event, RunFinished) and self._live and self._drawn != self._started:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()

    def _line(self, now: float) -> SafeText:
        spent = max(now - self._started, 1e-9)
        rate = (self._done - self._resumed) / spent
        left = (self._total - self._done) / rate if rate else 0.0
        failed = f", {self._failed} failed" if self._failed else ""
        return safe(
            f"{self._done:,} of {self._total:,} trials{failed}, {rate:,.0f}/s, {clock_words(left)} left"
        )

    def _write(self, line: SafeText) -> None:
        if self._live:
            self._stream.write(f"\r\x1b[2K{line}")
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()


def clock_words(seconds: float) -> SafeText:
    """Seconds as a person says them: `8 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return visible(f"{whole} s")
    if whole < 3600:
        return visible(f"{whole // 60} min {whole % 60} s")
    return visible(f"{whole // 3600} h {whole % 3600 // 60} min")
