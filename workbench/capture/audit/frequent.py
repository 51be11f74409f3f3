"""What comes most often in a stream of any length, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Frequent"]

K = TypeVar("K", bound=Hashable)
G = TypeVar("G")


class Frequent(Generic[K, G]):
    """Groups by key. Beyond twice `most` the smaller half is forgotten; `floor` says how much that may cost.

    A count is too low by `floor` at most; what came more often than that is in it for sure.
    """

    def __init__(self, make: Callable[[], G], size: Callable[[G], int], most: int = 20_000) -> None:
        self._make = make
        self._size = size
        self._most = most
        self._groups: dict[K, G] = {}
        self.floor = 0

    def __getitem__(self, key: K) -> G:
        """The group of a key, made where there is none; to be counted up by the caller."""
        found = self._groups.get(key)
        if found is None:
            if len(self._groups) >= 2 * self._most:
                self._forget()
            found = self._groups[key] = self._make()
        return found

    def get(self, key: K) -> G | None:
        """The group of a key, if there is one."""
        return self._groups.get(key)

    def top(self, count: int) -> list[tuple[K, G]]:
        """The largest groups, the largest first; of equal ones the first that came."""
        return sorted(self._groups.items(), key=lambda item: -self._size(item[1]))[:count]

    def _forget(self) -> None:
        ranked = self.top(len(self._groups))
        self._groups = dict(ranked[: self._most])
        self.floor += self._size(ranked[self._most][1])
