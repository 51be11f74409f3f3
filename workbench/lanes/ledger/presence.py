"""Lanes that most requests of a kind have, and some have not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.ledger.call import line_of
from workbench.lanes.ledger.measured import Measured

__all__ = ["Presence"]

_LEAST = 5
_MOST_PART = 0.8
_WHOLE_ROUTE = 3
"""So many requests of a route say that a lane is never there."""

Group = tuple[str, str, str, bool]
"""Route, provider, model, and whether the conversation goes on: a first turn has no history."""


@dataclass(slots=True)
class _Seen:
    requests: int = 0
    lanes: Counter[str] = field(default_factory=Counter)
    first: tuple[str, int | None] | None = None
    places: dict[str, tuple[str, int | None, int]] = field(default_factory=dict)


class Presence:
    """Counts, by route, provider and model, which lanes requests with a receipt had."""

    def __init__(self) -> None:
        self._groups: dict[Group, _Seen] = defaultdict(_Seen)

    def take(self, measured: Measured) -> None:
        if measured.receipt is None:
            return
        call = measured.call
        goes_on = any(part.role == "assistant" for part in measured.parts)
        seen = self._groups[call.route, call.provider, call.model or "", goes_on]
        place = (call.place.file, line_of(call.place), measured.number)
        had = {name for name, row in measured.lanes.items() if row.chars or row.measured or row.claimed}
        if seen.first is None:
            seen.first = place[:2]
            seen.places[""] = place
        for name in seen.lanes.keys() - had:
            seen.places.setdefault(name, place)
        for name in had - seen.lanes.keys():
            if seen.requests:
                seen.places.setdefault(name, seen.places[""])
        seen.requests += 1
        seen.lanes.update(had)

    def faults(self) -> Iterator[LaneFault]:
        """Of a group: lanes of most of its requests. Between groups: lanes that all others always have."""
        for group, seen in self._groups.items():
            for name, count in seen.lanes.items():
                if seen.requests >= _LEAST and _MOST_PART * seen.requests <= count < seen.requests:
                    file, line, number = seen.places[name]
                    message = (
                        f"{count} of {seen.requests} requests of {_told(group)} have it,"
                        f" {seen.requests - count} have not, first request {number}"
                    )
                    yield LaneFault(LaneKind.MISSING, Severity.WARNING, message, name, file, line)
        yield from self._between()

    def _between(self) -> Iterator[LaneFault]:
        enough = {group: seen for group, seen in self._groups.items() if seen.requests >= _WHOLE_ROUTE}
        names = dict.fromkeys(name for seen in enough.values() for name in seen.lanes)
        for name in names:
            for goes_on in (False, True):
                alike = {group: seen for group, seen in enough.items() if group[3] is goes_on}
                without = [group for group, seen in alike.items() if not seen.lanes[name]]
                always = [group for group, seen in alike.items() if seen.lanes[name] == seen.requests]
                if len(without) != 1 or len(always) != len(alike) - 1 or not always:
                    continue
                seen = alike[without[0]]
                others = ", ".join(_told(group) for group in always)
                message = (
                    f"none of {seen.requests} requests of {_told(without[0])} has it; all of {others} have"
                )
                file, line = seen.first or (None, None)
                yield LaneFault(LaneKind.MISSING, Severity.WARNING, message, name, file, line)


def _told(group: Group) -> str:
    route, provider, model, _ = group
    return " ".join(part for part in (route, provider if provider != route else "", model) if part)
