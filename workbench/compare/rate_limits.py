"""Whether the rate of a sampled cell is what its scenario expects: must be none, at most, at least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from workbench.compare.blocks import most_of
from workbench.compare.events import Event, any_tool, as_expected, must_be_none, unwanted, wanted_event
from workbench.compare.rates import drawn_to_the_end, too_many_failed
from workbench.core.cell import Cell
from workbench.core.decision import Outcome
from workbench.core.scenario import Expectation
from workbench.core.trial import Status
from workbench.stats.intervals import confidence_sequence, lower_bound, upper_bound
from workbench.stats.planning import more_for_bound

__all__ = ["MAX_RATE", "MIN_RATE", "Gate", "Held", "gate_of", "percent"]

MAX_RATE = 0.05
"""The rate that clean trials must exclude where none is wanted."""

MIN_RATE = 0.9
"""How often a tool that is wanted is called at least."""

_LIKE_CALLS = (Status.MALFORMED, Status.TRUNCATED)
"""What cannot be read may have been a call, and where none is wanted counts as one."""


class Held(StrEnum):
    """Whether an expectation holds; `undecided` where the trials do not say."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Gate:
    """One rate held against its limits: `k` of `n`, of which `counted_as_calls` could not be read.

    `low` and `high` are one-sided 95 % bounds, by `method`. `max_rate` and `min_rate` are the limits, None
    where there is none; `none`: not one call is wanted. `more`: about how many more trials, at the rate
    seen, would settle it; None where it is settled, or no number in sight would.
    """

    event: str
    k: int
    n: int
    counted_as_calls: Mapping[str, int]
    low: float
    high: float
    method: str
    held: Held
    none: bool
    max_rate: float | None
    min_rate: float | None
    more: int | None
    words: str


def gate_of(cell: Cell) -> Gate | None:
    """The expectation of a sampled cell, judged; None where there is none, or too much failed to judge it."""
    expect = cell.delivery.expect
    if expect is None:
        return None
    if must_be_none(expect):
        return _none_wanted(cell, expect)
    if too_many_failed(cell):
        return None
    event, most, least = _limits(expect)
    k = sum(count for decision, count in cell.answers if event.happened(decision))
    n = len(cell.ok)
    low, high, method = _bounds(cell, k, n)
    broken = (most is not None and low > most) or (least is not None and high < least)
    kept = (most is None or high <= most) and (least is None or low >= least)
    held = Held.NO if broken else Held.YES if kept else Held.UNDECIDED
    more = _more(k, n, most, least) if held is Held.UNDECIDED else None
    return Gate(
        event.name, k, n, {}, low, high, method, held, False, most, least, more,
        f"{event.name} in {k} of {n}, {_so(low, high, most, least)}",
    )  # fmt: skip


def _limits(expect: Expectation) -> tuple[Event, float | None, float | None]:
    """The event, the highest and the lowest rate. A wish without a rate is kept at MIN_RATE."""
    if unwanted(expect) and expect.min_rate is not None:  # at least so often not to call: at most the rest
        return any_tool(), 1 - expect.min_rate, None
    event = as_expected(expect) if expect.arguments is not None else wanted_event(expect)
    if expect.max_rate is None and expect.min_rate is None:
        return event, None, MIN_RATE
    return event, expect.max_rate, expect.min_rate


def _none_wanted(cell: Cell, expect: Expectation) -> Gate | None:
    """One call is one too many. Without any, the bound of the trials that were planned decides."""
    unread = {status.value: cell.statuses.get(status.value, 0) for status in _LIKE_CALLS}
    unread = {status: count for status, count in unread.items() if count}
    event, most = any_tool(), MAX_RATE if expect.max_rate is None else expect.max_rate
    fired = cell.outcomes.get(Outcome.FIRE.value, 0)
    k, n = fired + sum(unread.values()), len(cell.ok) + sum(unread.values())
    low, high, method = _bounds(cell, k, n)
    if not k and too_many_failed(cell):
        return None
    held = Held.NO if k else Held.YES if high <= most else Held.UNDECIDED
    more = more_for_bound(0, n, most) if held is Held.UNDECIDED else None
    if more is not None and not drawn_to_the_end(cell):  # what was planned is needed in any case
        more = max(more, most_of(cell) - n)
    names = Counter(tool for d, count in cell.answers for tool in set(d.called) for _ in range(count))
    which = ", ".join(name for name, _ in names.most_common())
    why = f" ({which})" if which else ""
    if unread:
        why += f" ({', '.join(f'{count} {status}' for status, count in unread.items())}, counted as calls)"
    words = f"{event.name} in {k} of {n}"
    words += why if k else f", so in at most {percent(high)}; at most {percent(most)} was to be shown"
    return Gate(event.name, k, n, unread, low, high, method, held, True, most, None, more, words)


def _bounds(cell: Cell, k: int, n: int) -> tuple[float, float, str]:
    """Exact where the planned trials are all there; else what holds at whatever point they ended."""
    if drawn_to_the_end(cell):
        return lower_bound(k, n), upper_bound(k, n), "clopper-pearson"
    found = confidence_sequence(k, n)
    return found.low, found.high, found.method


def _more(k: int, n: int, most: float | None, least: float | None) -> int | None:
    """Until every limit that is open is settled."""
    ways = [more_for_bound(k, n, most) if most is not None else 0]
    ways.append(more_for_bound(n - k, n, 1 - least) if least is not None else 0)
    needed = [way for way in ways if way is not None]
    return max(needed) if len(needed) == len(ways) else None


def _so(low: float, high: float, most: float | None, least: float | None) -> str:
    seen = f"so between {percent(low)} and {percent(high)}"
    wanted = [f"at most {percent(most)}"] if most is not None else []
    wanted += [f"at least {percent(least)}"] if least is not None else []
    return f"{seen}; {' and '.join(wanted)} is wanted"


def percent(rate: float) -> str:
    """A rate to a tenth of a percent; what is not 0 or 1 is not written as if it were."""
    spelled = f"{100 * rate:.1f}".removesuffix(".0")
    if spelled == "0" and rate > 0:
        return "under 0.1%"
    return "over 99.9%" if spelled == "100" and rate < 1 else f"{spelled}%"
