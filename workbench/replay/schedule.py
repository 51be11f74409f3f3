"""Which trial of an adapter is next: for one that is deterministic, passes over its cells."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from workbench.core.cell import CellKey
from workbench.core.trial import Trial

__all__ = ["Passes", "PlannedTrial", "Schedule"]


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One call to make. `index` counts the trials of its cell from 0."""

    key: CellKey
    index: int
    seed: int


class Schedule(Protocol):
    """Gives the draws of one adapter and takes their results. A value of its own, without a clock."""

    @property
    def left(self) -> int:
        """How many results are still to come at most, those of draws that were given included."""

    def whole(self) -> Sequence[CellKey]:
        """The cells of which nothing is to come, asked before the first draw."""

    def next(self) -> PlannedTrial | None:
        """The next draw; None where there is none, at least not before a result comes in."""

    def put_back(self, planned: PlannedTrial) -> None:
        """A draw that is not made yet: it is the next one again, while it is wanted."""

    def take(self, key: CellKey, trial: Trial) -> Sequence[CellKey]:
        """The result of a draw. Returns the cells of which, from now on, no more is to come."""

    def close(self) -> Sequence[PlannedTrial]:
        """Ends it: no draw is given any more, and `left` tells no more than before. Returns one draw for
        each cell that lacks some; their results are taken like any other.
        """


class Passes:
    """A fixed order of draws, each of them once. `done` counts the trials that are stored already."""

    def __init__(
        self, order: Iterable[PlannedTrial], repeats: Mapping[CellKey, int], done: Mapping[CellKey, int]
    ) -> None:
        self._waiting = deque(order)
        self._missing = Counter({key: count - done.get(key, 0) for key, count in repeats.items()})
        self.left = len(self._waiting)

    def whole(self) -> Sequence[CellKey]:
        """See Schedule."""
        return [key for key, missing in self._missing.items() if not missing]

    def next(self) -> PlannedTrial | None:
        """See Schedule."""
        return self._waiting.popleft() if self._waiting else None

    def put_back(self, planned: PlannedTrial) -> None:
        """See Schedule."""
        self._waiting.appendleft(planned)

    def take(self, key: CellKey, trial: Trial) -> Sequence[CellKey]:
        """See Schedule."""
        self.left -= 1
        self._missing[key] -= 1
        return () if self._missing[key] else (key,)

    def close(self) -> Sequence[PlannedTrial]:
        """See Schedule."""
        first: dict[CellKey, PlannedTrial] = {}
        for planned in self._waiting:
            if planned.key in first:
                self._missing[planned.key] -= 1
            first.setdefault(planned.key, planned)
        self._waiting.clear()
        return tuple(first.values())
