"""Whose turn it is: calls wait in line for the service's limits, which it may tell while the run goes on."""

from __future__ import annotations

import asyncio
from collections import deque

from workbench.adapters.calls.metering import Meter

__all__ = ["Pace", "Turn"]


class Turn:
    """One call's place among those under way."""

    __slots__ = ("began", "tokens")

    def __init__(self, tokens: float, began: float) -> None:
        self.tokens, self.began = tokens, began


class Pace:
    """At most `most` calls at once, fewer while the service is overloaded: halved on each complaint, one
    more for each round of calls without one. First come, first served.
    """

    def __init__(
        self, most: int, requests_per_minute: float | None = None, tokens_per_minute: float | None = None
    ) -> None:
        self._most = most
        self._room = float(most)
        self._cut_at = self._not_before = float("-inf")
        self._under_way = 0
        self._requests = Meter(requests_per_minute) if requests_per_minute else None
        self._tokens = Meter(tokens_per_minute) if tokens_per_minute else None
        self._line: deque[tuple[asyncio.Future[Turn], float]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def room(self) -> int:
        """How many calls may be under way now."""
        return max(1, int(self._room))

    async def enter(self, tokens: float) -> Turn:
        """Waits for its turn; `tokens` is what the call is likely to use."""
        now = asyncio.get_running_loop().time()
        if not self._line and self._under_way < self.room and self._wait(now) <= 0:
            return self._begin(now, tokens)
        place: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self._line.append((place, tokens))
        self._call_up()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave(place.result())
            else:
                self._line = deque(item for item in self._line if item[0] is not place)
            raise

    def leave(self, turn: Turn, used: float | None = None) -> None:
        """A call is over, in which `used` tokens went; None: that is not known."""
        self._under_way -= 1
        if used is not None and self._tokens is not None:
            self._tokens.correct(used - turn.tokens)
        self._call_up()

    def went_well(self) -> None:
        """The service had room for a call."""
        if self._room < self._most:
            self._room = min(float(self._most), self._room + 1.0 / self._room)
            self._call_up()

    def complained(self, turn: Turn, wait: float | None) -> None:
        """The service has no room: fewer at once, and nobody begins for `wait` seconds.

        Calls that were under way when the room was last cut say nothing new.
        """
        now = asyncio.get_running_loop().time()
        if turn.began >= self._cut_at:
            self._room = max(1.0, self._room / 2)
            self._cut_at = now
        if wait is not None:
            self._not_before = max(self._not_before, now + wait)

    def _begin(self, now: float, tokens: float) -> Turn:
        self._under_way += 1
        if self._requests is not None:
            self._requests.take(now, 1)
        if self._tokens is not None:
            self._tokens.take(now, tokens)
        return Turn(tokens, now)

    def _wait(self, now: float) -> float:
        wait = self._not_before - now
        for meter in (self._requests, self._tokens):
            if meter is not None:
                wait = max(wait, meter.wait(now))
        return wait

    def _call_up(self) -> None:
        """Whoever may go now, goes; for the first who has to wait for the clock, it is set."""
        while self._line and self._under_way < self.room:
            place, tokens = self._line[0]
            loop = place.get_loop()
            now = loop.time()
            wait = self._wait(now)
            if wait > 0:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = loop.call_later(wait, self._call_up)
                return
            self._line.popleft()
            if not place.done():
                place.set_result(self._begin(now, tokens))
