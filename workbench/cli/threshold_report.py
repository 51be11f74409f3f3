"""A study of thresholds in words and bars, and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.core.cell import BARE
from workbench.core.decision import Json
from workbench.core.text import SafeText, join, safe, visible
from workbench.explain.scored import Scored
from workbench.explain.thresholds import Conflict, Range, Study, Sweep
from workbench.report.measure import width_of
from workbench.report.writer import Line, Output, Piece, Style, Writer, glyph, own

__all__ = ["Told", "write_thresholds"]

_BAR = 40
_LABEL = 34


@dataclass(frozen=True, slots=True)
class Told:
    """One study, and whether one route's threshold alone was asked for."""

    scenario: str
    adapter: str
    route: str | None
    study: Study

    @property
    def sweep(self) -> Sweep:
        """The threshold that is drawn: the route asked for, else the one that all share."""
        return next((sweep for sweep in self.study.routes if sweep.route == self.route), self.study.together)

    @property
    def possible(self) -> bool:
        """Whether some threshold, of what may be moved, makes all as expected."""
        return bool(self.sweep.ranges) if self.route is not None else self.study.possible

    @property
    def certain(self) -> bool:
        """Whether what is said of other thresholds follows: the rule fits, all is there, all was tried."""
        study = self.study
        return not (study.unexplained or study.without) and (self.route is not None or study.apart.complete)


def write_thresholds(form: str, told: Told, out: Output, style: Style) -> None:
    """`form` is text or json."""
    if form == "json":
        out.write(json.dumps(_as_json(told), indent=2, ensure_ascii=True, allow_nan=False) + "\n")
        return
    Writer(out, colour=style.colour).lines(_lines(told, style))


# In words.


def _lines(told: Told, style: Style) -> Iterator[Line]:
    study = told.study
    yield (
        Piece(join((visible(told.adapter), safe(" on "), visible(told.scenario))), "strong"),
        Piece(own(f"  {_count(len(study.deliveries), 'delivery', 'deliveries')} with scores", style)),
    )
    yield from _bars(told, style)
    yield ()
    yield from _verdict(told, style)
    yield from _at_stock(told, style)
    yield from _doubts(study, style)


def _verdict(told: Told, style: Style) -> Iterator[Line]:
    """Where all is as expected, or what excludes it."""
    study, sweep = told.study, told.sweep
    if not study.expecting:
        yield (Piece(safe("no prompt says what is expected, so that any threshold would do"), "warning"),)
        return
    whose = _whose(told.route)
    if sweep.ranges:
        for one in sweep.ranges:
            yield Piece(safe("all is as expected for "), "good"), Piece(_spelled(one, whose, style), "strong")
    elif sweep.conflict is not None:
        yield (Piece(join((safe("no threshold does: "), _why(sweep.conflict, sweep, style))), "error"),)
    if told.route is None and not sweep.ranges:
        yield from _apart(study, style)


def _apart(study: Study, style: Style) -> Iterator[Line]:
    """What a threshold for each route comes to, where one for all does not do."""
    apart = study.apart
    if apart.ranges is not None:
        yield (Piece(safe("one for each route does:"), "good"),)
        for route, one in apart.ranges.items():
            yield (Piece(safe("  ")), Piece(_spelled(one, visible(route), style), "strong"))
    elif not apart.complete:
        yield (Piece(safe("whether one for each route does is open: too many combinations"), "warning"),)
    elif apart.conflict is not None:
        words = (safe("nor does one for each route: "), _why(apart.conflict, None, style))
        yield (Piece(join(words), "error"),)


def _why(conflict: Conflict, sweep: Sweep | None, style: Style) -> SafeText:
    """The pair that excludes every threshold, in one sentence."""
    one, other = conflict.fires, conflict.not_fires
    if one is not None and other is not None:
        value, high = _value_of(one, conflict.route), _value_of(other, conflict.route)
        route = safe("") if conflict.route is None else join((safe(" of "), visible(conflict.route)))
        return join(
            (
                _name(one),
                own(f" must fire at {_number(value)}{route}, and ", style),
                _name(other),
                own(f" must not at {_number(high)}", style),
            )
        )
    lone = one or other
    assert lone is not None
    if one is not None:
        return join((_name(lone), safe(" must fire, and "), _rival(lone), safe(" wins there whatever it is")))
    return join((_name(lone), safe(" must not fire like that, and does whatever it is")))


def _rival(one: Scored) -> SafeText:
    if one.top is None:
        return safe("no route is scored; nothing")
    return join((visible(one.top.route), safe(f" ({_number(one.top.deciding)})")))


def _at_stock(told: Told, style: Style) -> Iterator[Line]:
    """What the thresholds as they are come to."""
    study = told.study
    if not study.stock:
        yield (Piece(safe("no threshold is reported, so that nothing is said of how it is now")),)
        return
    wrong = study.wrong_now
    total = _count(study.expecting, "expectation", "expectations")
    words = f"as it is now ({_stock(study)}): {study.expecting - len(wrong)} of {total} hold"
    yield (Piece(safe(words), "warning" if wrong else "good"),)
    for one in wrong:
        if one.key.arm != BARE or not one.decision.called or not one.accepts(None, study.tools):
            continue
        score = f" ({_number(one.top.deciding)})" if one.top is not None else ""
        words = f" alone fires {visible(', '.join(one.decision.called))}{score} already: "
        why = "that another delivery of it fires tells nothing; what differs does"
        yield (Piece(join((safe("  "), _name(one), safe(words + why)))),)


def _stock(study: Study) -> str:
    values = sorted(set(study.stock.values()))
    if len(values) == 1:
        return f"threshold {_number(values[0])}"
    return ", ".join(f"{visible(route)} {_number(value)}" for route, value in study.stock.items())


def _doubts(study: Study, style: Style) -> Iterator[Line]:
    for one in study.unexplained:
        words = (safe("its own decision on "), _name(one), safe(" does not follow from its scores: "))
        got = " ".join((one.decision.outcome.value, *one.decision.tools))
        yield (Piece(join((*words, visible(got))), "warning"),)
    if study.unexplained:
        yield (Piece(safe("so what other thresholds would come to is open"), "warning"),)
    for one in study.deliveries:
        if not one.steady:
            yield (
                Piece(
                    join((safe("its scores on "), _name(one), safe(" differ from call to call"))), "warning"
                ),
            )
    for cell in study.without:
        label = visible(f"{cell.key.prompt}@{cell.key.arm}")
        why = "no answer" if not cell.ok else "no scores"
        yield (Piece(join((label, safe(f" is left out: {why}"))), "warning"),)


# Bars.


def _bars(told: Told, style: Style) -> Iterator[Line]:
    """A bar for each delivery: its score, where the threshold is now, and where all is as expected."""
    study, route = told.study, told.route
    low, high = _scale(told)
    stock = study.stock.get(route) if route is not None else None
    if route is None and len(set(study.stock.values())) == 1:
        stock = next(iter(study.stock.values()))
    ruler = f"{_number(low)}".ljust(_BAR - len(_number(high))) + _number(high)
    yield (Piece(safe(" " * (_LABEL + 2) + ruler), "dim"),)
    deliveries = study.deliveries
    for one in sorted(deliveries, key=lambda one: (not _must_fire(one, study), -_value_of(one, route))):
        value = _value_of(one, route)
        label = _fitted(_name(one), style)
        cells = "".join(_cell(at, low, high, value, stock, told.sweep.ranges) for at in range(_BAR))
        named = visible(route if route is not None else one.top.route if one.top else "")
        said = safe("") if one.expect is None else visible(f"  expected: {one.expect.spelled}")
        mark = Piece(glyph("✗", style), "error") if one.wrong_now else Piece(safe(" "))
        look = "warning" if one.wrong_now else ""
        score = safe(f" {_number(value)} ")
        yield (
            label,
            Piece(safe(" ")),
            mark,
            Piece(own(cells, style), look),
            Piece(score),
            Piece(named),
            Piece(said, "dim"),
        )


def _cell(
    at: int, low: float, high: float, value: float, stock: float | None, ranges: Sequence[Range]
) -> str:
    """One character of a bar."""
    here, after = low + (high - low) * at / _BAR, low + (high - low) * (at + 1) / _BAR
    if stock is not None and (here <= stock < after or (at == _BAR - 1 and stock == high)):
        return "│"
    if value >= (here + after) / 2:
        return "█"
    return "░" if any(one.holds((here + after) / 2) for one in ranges) else " "


def _scale(told: Told) -> tuple[float, float]:
    """From 0 to 1 where all scores lie there, else from the lowest to the highest."""
    values = [_value_of(one, told.route) for one in told.study.deliveries]
    values = [value for value in (*values, *told.study.stock.values()) if math.isfinite(value)] or [0.0]
    low, high = min(0.0, *values), max(values)
    if low == 0 and high <= 1:
        return 0.0, 1.0
    return low, high if high > low else low + 1


def _must_fire(one: Scored, study: Study) -> bool:
    return one.expect is not None and not one.accepts(None, study.tools)


def _fitted(label: SafeText, style: Style) -> Piece:
    width = width_of(label)
    if width > _LABEL:
        kept = label[: max(1, _LABEL - 3)]
        label = join((kept, glyph("…", style)))
        width = width_of(label)
    return Piece(join((label, safe(" " * max(0, _LABEL - width)))))


# Words for both.


def _value_of(one: Scored, route: str | None) -> float:
    if route is not None:
        return one.of(route)
    return one.top.deciding if one.top is not None else -math.inf


def _name(one: Scored) -> SafeText:
    return visible(f"{one.key.prompt}@{one.key.arm}")


def _whose(route: str | None) -> SafeText:
    return safe("threshold") if route is None else visible(route)


def _spelled(one: Range, whose: SafeText, style: Style) -> SafeText:
    low, high = math.isfinite(one.above), math.isfinite(one.up_to)
    if not low and not high:
        return join((whose, safe(": any")))
    if not low:
        return join((whose, own(f" ≤ {_number(one.up_to)}", style)))
    if not high:
        return join((whose, safe(f" > {_number(one.above)}")))
    numbers = [one.above, one.up_to, one.middle or one.up_to]
    above, up_to, middle = map(_number, numbers)
    if above in (up_to, middle):  # six digits do not tell them apart
        above, up_to, middle = map(repr, numbers)
    return join((safe(f"{above} < "), whose, own(f" ≤ {up_to}, the middle is {middle}", style)))


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "none"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


# As JSON.


def _as_json(told: Told) -> dict[str, Json]:
    study = told.study
    thresholds: dict[str, Json] = {
        "scenario": told.scenario,
        "adapter": told.adapter,
        "route": told.route,
        "possible": told.possible,
        "certain": told.certain,
        "expectations": study.expecting,
        "stock": {
            "thresholds": {route: _finite(value) for route, value in study.stock.items()},
            "wrong": [str(one.key) for one in study.wrong_now],
        },
        "together": _sweep(study.together),
        "routes": [_sweep(sweep) for sweep in study.routes if told.route in (None, sweep.route)],
        "apart": {
            "ranges": None
            if study.apart.ranges is None
            else {route: _range(one) for route, one in study.apart.ranges.items()},
            "excluded_by": _conflict(study.apart.conflict),
            "complete": study.apart.complete,
        },
        "deliveries": [_delivery(one) for one in study.deliveries],
        "unexplained": [str(one.key) for one in study.unexplained],
        "without_scores": [str(cell.key) for cell in study.without],
    }
    return {"workbench": 1, "thresholds": thresholds}


def _sweep(sweep: Sweep) -> dict[str, Json]:
    return {
        "route": sweep.route,
        "ranges": [_range(one) for one in sweep.ranges],
        "excluded_by": _conflict(sweep.conflict),
        "steps": [
            {
                **_range(step.range),
                "fires": step.fires,
                "differ_from_bare": step.differ,
                "wrong": [str(one.key) for one in step.wrong],
            }
            for step in sweep.steps
        ],
    }


def _range(one: Range) -> dict[str, Json]:
    return {"above": _finite(one.above), "up_to": _finite(one.up_to), "middle": one.middle}


def _conflict(conflict: Conflict | None) -> Json:
    if conflict is None:
        return None
    pair = {"must_fire": conflict.fires, "must_not_fire": conflict.not_fires}
    told: dict[str, Json] = {"route": conflict.route}
    for name, one in pair.items():
        told[name] = (
            None
            if one is None
            else {"cell": str(one.key), "typed": one.typed, "score": _finite(_value_of(one, conflict.route))}
        )
    return told


def _delivery(one: Scored) -> dict[str, Json]:
    return {
        "prompt": one.key.prompt,
        "arm": one.key.arm,
        "typed": one.typed,
        "expect": None if one.expect is None else one.expect.spelled,
        "decision": {"outcome": one.decision.outcome.value, "tools": list(one.decision.tools)},
        "scores": [
            {"route": score.route, "value": _finite(score.deciding), "threshold": _finite(score.threshold)}
            for score in one.scores
        ],
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
