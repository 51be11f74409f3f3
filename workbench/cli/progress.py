"""Progress on stderr: n of N, rate, time left, live counts; one line that is redrawn on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from workbench.cli.live_line import LiveLine
from workbench.cli.live_rates import LiveRates, live_rates
from workbench.core.text import SafeText, safe, visible
from workbench.replay.events import Event, RunFinished, RunStarted, TrialFinished

__all__ = ["Progress", "clock_words"]


_ARMS = 4
"""How many arms are counted on the line; a run with more shows the first ones."""


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
        self._told = LiveLine(stream)
        self._every = 0.1 if self._told.live else 10.0
        self._quiet = quiet
        self._clock = clock
        self._started = self._drawn = clock()
        self._most = self._done = self._resumed = self._failed = 0
        self._cost: float | None = None
        self._rates: LiveRates | None = None

    def __call__(self, event: Event) -> None:
        if self._quiet:
            return
        now = self._clock()
        if isinstance(event, RunStarted):
            self._most, self._done, self._resumed = event.total, event.done, event.done
            self._rates = live_rates(event.deliveries)
            self._started = self._drawn = now
        elif isinstance(event, TrialFinished):
            self._count(event)
            if now - self._drawn >= self._every:
                self._drawn = now
                self._told.write(self._line(now))
        elif isinstance(event, RunFinished):
            self.clear()

    def clear(self) -> None:
        """Takes the line off a terminal, so that something else can be said."""
        self._told.clear()

    def _count(self, event: TrialFinished) -> None:
        self._done += 1
        self._failed += not event.trial.ok
        if event.most is not None:
            self._most = event.most
        exchange = event.trial.exchange
        if exchange is not None and exchange.cost is not None:
            self._cost = (self._cost or 0.0) + exchange.cost
        if self._rates is not None:
            self._rates.count(event)

    def _line(self, now: float) -> SafeText:
        spent = max(now - self._started, 1e-9)
        rate = (self._done - self._resumed) / spent
        left = (self._most - self._done) / rate if rate else 0.0
        most = "at most " if self._rates is not None else ""
        failed = f", {self._failed:,} failed" if self._failed else ""
        cost = f", ${self._cost:.2f} so far" if self._cost is not None else ""
        rates = f"; {self._rates.words(_ARMS)}" if self._rates is not None else ""
        pace = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
        return safe(
            f"{self._done:,} of {most}{self._most:,} trials{failed}, {pace}, {clock_words(left)} left"
            f"{cost}{rates}"
        )


def clock_words(seconds: float) -> SafeText:
    """Seconds as a person says them: `8 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return visible(f"{whole} s")
    if whole < 3600:
        return visible(f"{whole // 60} min {whole % 60} s")
    return visible(f"{whole // 3600} h {whole % 3600 // 60} min")
