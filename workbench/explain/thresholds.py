"""Thresholds tried on scores that are known: which expectations hold under each, and what excludes all."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workbench.core.cell import BARE, Cell
from workbench.explain.scored import Scored, Tools, scored, tools_of

__all__ = ["Bounds", "Conflict", "Range", "Step", "Study", "Sweep", "study"]

_MOST_TRIES = 20_000
"""Combinations of ways to be right that are looked into, where a prompt accepts several routes."""


@dataclass(frozen=True, slots=True)
class Range:
    """Thresholds t with above < t <= up_to; either may be infinite."""

    above: float
    up_to: float

    @property
    def middle(self) -> float | None:
        """The threshold furthest from both ends; None where an end is open."""
        if not (math.isfinite(self.above) and math.isfinite(self.up_to)):
            return None
        middle = self.above + (self.up_to - self.above) / 2
        return middle if middle > self.above else self.up_to  # two neighbours have nothing between them

    def holds(self, threshold: float) -> bool:
        return self.above < threshold <= self.up_to


@dataclass(frozen=True, slots=True)
class Step:
    """A range of thresholds that all come to the same: what fires, what is not as expected, and how many
    arms differ from bare.
    """

    range: Range
    fires: int
    wrong: tuple[Scored, ...]
    differ: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why no threshold does. `route` must be at most the score of `fires`, and above that of `not_fires`.

    One of the two alone: another route wins there whatever the threshold is.
    """

    fires: Scored | None
    not_fires: Scored | None
    route: str | None = None


@dataclass(frozen=True, slots=True)
class Sweep:
    """One threshold moved, that of `route` or (None) the same for all. `ranges`: where all is as expected."""

    route: str | None
    steps: tuple[Step, ...]
    ranges: tuple[Range, ...]
    conflict: Conflict | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """A range for each route that together make all as expected; or what excludes that.

    `complete` False: not all combinations were tried, so that there may be one.
    """

    ranges: Mapping[str, Range] | None
    conflict: Conflict | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Study:
    """All of one adapter. `stock`: thresholds as reported. `unexplained`: decisions that do not follow from
    the rule "the highest route that reaches its threshold fires". `without`: cells with no scores.
    """

    deliveries: tuple[Scored, ...]
    without: tuple[Cell, ...]
    stock: Mapping[str, float]
    tools: Tools
    unexplained: tuple[Scored, ...]
    together: Sweep
    routes: tuple[Sweep, ...]
    apart: Bounds

    @property
    def expecting(self) -> int:
        """How many deliveries say what is expected of them."""
        return sum(one.expect is not None for one in self.deliveries)

    @property
    def wrong_now(self) -> tuple[Scored, ...]:
        """What is not as expected under the thresholds as they are, by the adapter's own decisions."""
        return tuple(one for one in self.deliveries if one.wrong_now)

    @property
    def possible(self) -> bool:
        """Whether some thresholds make all as expected."""
        return bool(self.together.ranges) or self.apart.ranges is not None


def study(cells: Sequence[Cell]) -> Study:
    """The study of one adapter's cells, of one scenario."""
    deliveries, without = scored(cells)
    stock: dict[str, float] = {}
    names: dict[str, None] = {}
    for one in deliveries:
        for score in one.scores:
            names.setdefault(score.route)
            if score.threshold is not None:
                stock.setdefault(score.route, score.threshold)
    tools = tools_of(deliveries, stock)
    apart = _Apart(deliveries, tools, tuple(names)).bounds()
    return Study(
        deliveries,
        without,
        stock,
        tools,
        tuple(one for one in deliveries if stock and not _explained(one, stock, tools)),
        _sweep(None, deliveries, tools, lambda t: dict.fromkeys(names, t)),
        tuple(_sweep(name, deliveries, tools, _moving(stock, name)) for name in names),
        apart,
    )


def _explained(one: Scored, stock: Mapping[str, float], tools: Tools) -> bool:
    """Whether the adapter's own decision is what the rule says."""
    route = one.fires(stock)
    return one.decision.tools == (() if route is None else tools.get(route, (route,)))


def _moving(stock: Mapping[str, float], route: str) -> Callable[[float], Mapping[str, float]]:
    return lambda threshold: {**stock, route: threshold}


def _sweep(
    route: str | None,
    deliveries: Sequence[Scored],
    tools: Tools,
    at: Callable[[float], Mapping[str, float]],
) -> Sweep:
    """A delivery changes at one threshold at most, so that what lies between two scores is one step."""
    if route is None:
        values = {one.top.deciding for one in deliveries if one.top is not None}
    else:
        values = {one.of(route) for one in deliveries} - {-math.inf}
    edges = [-math.inf, *sorted(values), math.inf]
    steps: list[Step] = []
    for above, up_to in pairwise(edges):
        fired = [one.fires(at(up_to)) for one in deliveries]
        wrong = tuple(
            one for one, name in zip(deliveries, fired, strict=True) if not one.accepts(name, tools)
        )
        differ = _differing(deliveries, fired)
        steps.append(Step(Range(above, up_to), sum(name is not None for name in fired), wrong, differ))
    ranges = _joined([step.range for step in steps if not step.wrong])
    return Sweep(route, tuple(steps), ranges, None if ranges else _conflict(route, steps))


def _differing(deliveries: Sequence[Scored], fired: Sequence[str | None]) -> int:
    """How many arms come to another route than the bare prompt does."""
    bare = {one.key.prompt: name for one, name in zip(deliveries, fired, strict=True) if one.key.arm == BARE}
    return sum(
        one.key.prompt in bare and bare[one.key.prompt] != name
        for one, name in zip(deliveries, fired, strict=True)
    )


def _joined(ranges: Sequence[Range]) -> tuple[Range, ...]:
    """Neighbours as one."""
    found: list[Range] = []
    for one in ranges:
        if found and found[-1].up_to == one.above:
            found[-1] = Range(found[-1].above, one.up_to)
        else:
            found.append(one)
    return tuple(found)


def _conflict(route: str | None, steps: Sequence[Step]) -> Conflict:
    """The delivery that asks for the lowest threshold, against the one that asks for the highest.

    One that is wrong under the lowest is wrong up to some step, and wants a threshold above; one that is
    wrong under the highest wants one below.
    """
    low, high = {id(one) for one in steps[0].wrong}, {id(one) for one in steps[-1].wrong}
    always = next((one for one in steps[0].wrong if id(one) in high), None)
    if always is not None:
        fires = not always.accepts(None, {})
        return Conflict(always if fires else None, None if fires else always, route)
    wants_less = next(one for step in steps for one in step.wrong if id(one) in high)
    wants_more = next(one for step in reversed(steps) for one in step.wrong if id(one) in low)
    return Conflict(wants_less, wants_more, route)


@dataclass(frozen=True, slots=True)
class _Bound:
    """A route's threshold must be at most (`below`) or above this score of a delivery."""

    route: str
    value: float
    below: bool
    by: Scored


class _Apart:
    """Looks for a threshold of each route's own: every way to be right is a bound on some of them."""

    def __init__(self, deliveries: Sequence[Scored], tools: Tools, routes: Sequence[str]) -> None:
        self._tools = tools
        self._routes = routes
        ways = [(one, self._ways(one)) for one in deliveries if one.expect is not None]
        self._ways_of = sorted(ways, key=lambda pair: len(pair[1]))
        self._tries = 0

    def bounds(self) -> Bounds:
        """The first combination of ways that goes together, the plainest ways first."""
        for one, ways in self._ways_of:
            if not ways:
                fires = not one.accepts(None, self._tools)
                return Bounds(None, Conflict(one if fires else None, None if fires else one))
        least = dict.fromkeys(self._routes, (-math.inf, None))
        most = dict.fromkeys(self._routes, (math.inf, None))
        self._first: Conflict | None = None
        found = self._search(0, dict(least), dict(most))
        if found is not None:
            return Bounds(found)
        return Bounds(None, self._first, complete=self._tries < _MOST_TRIES)

    def _ways(self, one: Scored) -> list[tuple[_Bound, ...]]:
        """The top route's firing, then that nothing fires, then the others'."""
        found: list[tuple[_Bound, ...]] = []
        others: list[tuple[_Bound, ...]] = []
        silent: list[_Bound] = []
        for number, score in enumerate(one.scores):
            if one.accepts(score.route, self._tools):
                way = (*silent, _Bound(score.route, score.deciding, below=True, by=one))
                (found if number == 0 else others).append(way)
            silent.append(_Bound(score.route, score.deciding, below=False, by=one))
        if one.accepts(None, self._tools):
            found.append(tuple(silent))
        return [*found, *others]

    def _search(
        self,
        number: int,
        least: dict[str, tuple[float, Scored | None]],
        most: dict[str, tuple[float, Scored | None]],
    ) -> dict[str, Range] | None:
        if number == len(self._ways_of):
            return {route: Range(least[route][0], most[route][0]) for route in self._routes}
        for way in self._ways_of[number][1]:
            self._tries += 1
            if self._tries > _MOST_TRIES:
                return None
            lower, upper = dict(least), dict(most)
            if self._add(way, lower, upper):
                found = self._search(number + 1, lower, upper)
                if found is not None:
                    return found
        return None

    def _add(
        self,
        way: Sequence[_Bound],
        least: dict[str, tuple[float, Scored | None]],
        most: dict[str, tuple[float, Scored | None]],
    ) -> bool:
        """Tightens the bounds; whether anything is left between them. The first conflict is kept."""
        for bound in way:
            if bound.below and bound.value < most[bound.route][0]:
                most[bound.route] = (bound.value, bound.by)
            if not bound.below and bound.value > least[bound.route][0]:
                least[bound.route] = (bound.value, bound.by)
            if least[bound.route][0] >= most[bound.route][0]:
                if self._first is None:
                    self._first = Conflict(most[bound.route][1], least[bound.route][1], bound.route)
                return False
        return True
