"""Marker texts looked for in every request: the cheap proof of which writer owns a span."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.lanes.ledger.measured import Measured

__all__ = ["Marked", "Markers"]


@dataclass(slots=True)
class Marked:
    """A marker in one lane (None: in text that no lane owns). `where` is its first place there."""

    marker: str
    lane: str | None
    first: int
    where: str
    requests: int = 0
    times: int = 0
    receipt: bool = True


class Markers:
    """Counts each marker by the lane that it stands in."""

    def __init__(self, markers: Sequence[str]) -> None:
        self.markers = tuple(dict.fromkeys(markers))
        self._found: dict[tuple[str, str | None, bool], Marked] = {}

    def take(self, measured: Measured) -> list[Marked]:
        """What was found in this request."""
        here: dict[tuple[str, str | None, bool], Marked] = {}
        compared = measured.compared
        for marker in self.markers:
            for at in _places(measured.text, marker):
                lane = next((s.lane for s in measured.spans if s.start <= at < s.end), None)
                key = (marker, lane, compared)
                where = measured.where(at)
                total = self._found.setdefault(
                    key, Marked(marker, lane, measured.number, where, receipt=compared)
                )
                one = here.setdefault(key, Marked(marker, lane, measured.number, where, 1, receipt=compared))
                total.requests += not one.times
                total.times += 1
                one.times += 1
        return list(here.values())

    def found(self) -> list[Marked]:
        return sorted(self._found.values(), key=lambda one: self.markers.index(one.marker))

    def absent(self) -> list[str]:
        """The markers that stand in no request."""
        there = {one.marker for one in self._found.values()}
        return [marker for marker in self.markers if marker not in there]


def _places(text: str, marker: str) -> Iterator[int]:
    at = text.find(marker) if marker else -1
    while at >= 0:
        yield at
        at = text.find(marker, at + len(marker))
