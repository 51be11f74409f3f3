"""Typed words that wait for the text that was made of them, found by time or place without a look at all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum

from workbench.capture.turns import LogTurn

__all__ = ["Waiting"]

_MOST = 50
"""Words that may have waited before a turn; those before them are out of reach."""


class _Order(Enum):
    """By what the words are in order."""

    TIME = "time"
    PLACE = "place"
    MIXED = "mixed"


class Waiting:
    """Typed halves of one session, or of all. `used` holds the ids of objects that have gone into a turn:
    several of these may share it.
    """

    def __init__(self, turns: Iterable[LogTurn], used: set[int]) -> None:
        self._turns = sorted(turns, key=lambda turn: (turn.time or 0.0, turn.place))
        self._used = used
        self._back = list(range(len(self._turns)))
        timed = [turn.time is not None for turn in self._turns]
        self._order = _Order.TIME if all(timed) else _Order.MIXED if any(timed) else _Order.PLACE
        files = {turn.file for turn in self._turns}
        self._file = files.pop() if len(files) == 1 else None

    def before(self, turn: LogTurn) -> list[LogTurn]:
        """The nearest that came before a turn and are not used yet, the nearest last."""
        if turn.time is not None and self._order is _Order.TIME:
            end = bisect_right(self._turns, turn.time, key=lambda one: one.time or 0.0)
        elif turn.file == self._file and self._order is _Order.PLACE:
            end = bisect_right(self._turns, turn.place.number + 1, key=lambda one: one.place.number)
        elif turn.time is None and turn.session is None and turn.file != self._file is not None:
            return []  # neither time nor session nor file tells which came first
        else:
            earlier = [one for one in self._turns if id(one) not in self._used and _comes_before(one, turn)]
            return earlier[-_MOST:]
        found: list[LogTurn] = []
        at = self._unused(end - 1)
        while at >= 0 and len(found) < _MOST:
            found.append(self._turns[at])
            at = self._unused(at - 1)
        return found[::-1]

    def _unused(self, at: int) -> int:
        """The last at this place or before it that is not used; -1 without any."""
        start = at
        while at >= 0:
            if self._back[at] != at:
                at = self._back[at]
            elif id(self._turns[at]) in self._used:
                self._back[at] = at - 1
            else:
                break
        while start > at:
            self._back[start], start = at, self._back[start]
        return at


def _comes_before(typed: LogTurn, wrapped: LogTurn) -> bool:
    if typed.time is not None and wrapped.time is not None:
        return typed.time <= wrapped.time
    if typed.file == wrapped.file:
        # Codex writes the two records of a turn next to each other, in either order.
        return typed.place.number <= wrapped.place.number + 1
    return typed.session is not None and typed.session == wrapped.session
