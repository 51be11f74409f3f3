"""So much a minute and no more: an even flow, with a second's worth of slack for late timers."""

from __future__ import annotations

__all__ = ["Meter"]

_SLACK = 1.0  # seconds


class Meter:
    """Counts requests or tokens against a limit per minute. Times are seconds of one monotonic clock."""

    def __init__(self, per_minute: float) -> None:
        self._seconds_each = 60.0 / per_minute
        self._free_at = float("-inf")

    def wait(self, now: float) -> float:
        """Seconds until the next may go; 0: now."""
        return max(0.0, self._free_at - now)

    def take(self, now: float, amount: float) -> None:
        """`amount` goes now."""
        self._free_at = max(self._free_at, now - _SLACK) + amount * self._seconds_each

    def correct(self, more: float) -> None:
        """What was taken turns out to have been so much more, or less."""
        self._free_at += more * self._seconds_each
