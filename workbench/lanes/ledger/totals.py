"""Sums over all requests: by lane, and by route, provider and model."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.capture.turns import Place
from workbench.lanes.ledger.measured import Measured

__all__ = ["LaneTotal", "RouteTotal", "Totals"]


@dataclass(slots=True)
class LaneTotal:
    """One lane over all requests. `most` is the most that it had in one of them, `first` where it was."""

    name: str
    first: Place
    requests: int = 0
    chars: int = 0
    most: int = 0
    missing: int = 0


@dataclass(slots=True)
class RouteTotal:
    """Requests of one kind. `dark` and `owned` are of those with receipts; `dark_in` is how many have any."""

    route: str
    provider: str
    model: str | None
    requests: int = 0
    receipts: int = 0
    sent: int = 0
    owned: int = 0
    dark: int = 0
    dark_in: int = 0
    double: int = 0


class Totals:
    """Adds up requests as they come."""

    def __init__(self) -> None:
        self._lanes: dict[str, LaneTotal] = {}
        self._routes: dict[tuple[str, str, str | None], RouteTotal] = {}

    def take(self, measured: Measured) -> None:
        call = measured.call
        key = (call.route, call.provider, call.model)
        route = self._routes.setdefault(key, RouteTotal(*key))
        route.requests += 1
        route.sent += measured.sent
        if measured.compared:
            route.receipts += 1
            route.owned += measured.owned
            route.dark += measured.dark
            route.dark_in += measured.dark > 0
            route.double += measured.double
        for row in measured.lanes.values():
            lane = self._lanes.setdefault(row.name, LaneTotal(row.name, call.place))
            lane.requests += 1
            lane.chars += row.chars
            lane.most = max(lane.most, row.measured or row.chars)
            lane.missing += row.missing

    def lanes(self) -> list[LaneTotal]:
        """The largest first."""
        return sorted(self._lanes.values(), key=lambda lane: (-lane.chars, lane.name))

    def routes(self) -> list[RouteTotal]:
        """The one with most dark text first."""
        return sorted(self._routes.values(), key=lambda route: (-route.dark, -route.requests, route.route))
