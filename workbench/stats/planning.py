"""Before any trial: what a number of trials can show, and how many more what was seen would take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, expm1, log, log1p, sqrt

from workbench.stats.intervals import upper_bound, wilson
from workbench.stats.sequential import EProcess

__all__ = [
    "Reach",
    "clean_trials",
    "detectable_rate",
    "fewest_blocks",
    "growth",
    "more_for_bound",
    "more_for_drift",
    "more_for_same",
    "reach",
    "trials_for_same",
]

FAR = 1_000_000
"""More trials than this are as good as never."""


def clean_trials(rate: float, level: float = 0.95) -> int:
    """How many trials without one event bound its rate by `rate`: 59 for 0.05."""
    if not 0 < rate < 1:
        raise ValueError(f"{rate} is no rate that clean trials can bound")
    least = max(1, ceil(log1p(-level) / log1p(-rate) - 1e-9))
    return least if -expm1(log1p(-level) / least) <= rate else least + 1


def more_for_bound(k: int, n: int, limit: float, level: float = 0.95) -> int | None:
    """How many more trials at this rate bound it on one side of `limit`, above or below.

    None where the rate seen stands on the limit, or where no number in sight would do.
    """
    if n == 0:
        return clean_trials(limit, level) if 0 < limit < 1 else None
    rate = k / n
    if rate == limit:
        return None
    if k == 0 and limit < 1:
        return max(0, clean_trials(limit, level) - n)
    if rate < limit:
        return _first(n, lambda total: _upper(rate, total, level) <= limit)
    return _first(n, lambda total: 1 - _upper(1 - rate, total, level) > limit)


def trials_for_same(
    bare: float, variant: float, delta: float, *, rise: bool = False, start: int = 1
) -> int | None:
    """How many trials an arm, no fewer than `start`, at those rates put the 90 % interval of their
    difference within `delta`: on both sides, or with `rise` below it alone. None where none would.
    """
    if abs(variant - bare) >= delta and not (rise and variant < bare):
        return None

    def within(total: int) -> bool:
        low, high = _difference(bare, variant, total)
        return high < delta and (rise or low > -delta)

    more = _first(start, within)
    return None if more is None else start + more


def more_for_same(k: int, other_k: int, n: int, delta: float, *, rise: bool = False) -> int | None:
    """How many more trials an arm would call two arms of n trials each the same, at the rates seen."""
    if n == 0:
        return trials_for_same(0.0, 0.0, delta)
    total = trials_for_same(k / n, other_k / n, delta, rise=rise, start=n)
    return None if total is None else total - n


def more_for_drift(
    k: int, other_k: int, n: int, log_e: float, threshold: float, *, rise: bool = False
) -> int | None:
    """How many more blocks at the rates seen take the evidence of `EProcess` to its threshold, in half
    of all cases. None where the rates seen say that none would.
    """
    if n == 0 or k == other_k or (rise and other_k < k):
        return None
    each, missing = growth(k / n, other_k / n), log(threshold) - log_e
    return _first(0, lambda more: each * more - log((n + more) / n) / 2 >= missing)


def growth(bare: float, variant: float) -> float:
    """What a block adds to the logarithm of the evidence, on average, at those two rates."""
    both = (bare + variant) / 2
    return _divergence(bare, both) + _divergence(variant, both)


def fewest_blocks(threshold: float, most: int = 10_000) -> int | None:
    """After how many blocks the evidence is enough where an event never happens bare and always does in
    the arm: no plan with fewer can find any drift.
    """
    evidence = EProcess()
    for blocks in range(1, most + 1):
        evidence.add(False, True)
        if evidence.value >= threshold:
            return blocks
    return None


def detectable_rate(n: int, threshold: float) -> float | None:
    """The lowest rate that n blocks find, about as often as not or more, where bare's is 0; None: none."""
    least = fewest_blocks(threshold, n)
    if least is None:
        return None
    needed = log(threshold) + log(n) / 2
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if growth(0.0, middle) * n >= needed else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class Reach:
    """What n trials an arm can decide, with m arms held against bare.

    `zero_bound`: the rate that n clean trials exclude; `zero_needed`: how many would exclude the one
    wanted, None where no number does. `same_rate`: up to which rate, on both arms, n trials can call them
    the same (from 1 - rate upwards too); None: not even where the event never happens. `same_needed`:
    trials an arm for that at a rate of 0.3. `blocks_needed`: fewer blocks than this find no drift at all.
    `detectable`: the lowest rate that they find about as often as not, or more, where bare's is 0; None:
    none.
    """

    n: int
    m: int
    zero_bound: float
    zero_needed: int | None
    same_rate: float | None
    same_needed: int | None
    blocks_needed: int | None
    detectable: float | None


def reach(n: int, delta: float, m: int, max_rate: float = 0.05, alpha: float = 0.05) -> Reach:
    """What a plan can decide, and with it what it cannot."""
    threshold = m / alpha
    return Reach(
        n=n,
        m=m,
        zero_bound=upper_bound(0, n),
        zero_needed=clean_trials(max_rate) if 0 < max_rate < 1 else None,
        same_rate=_same_rate(n, delta),
        same_needed=trials_for_same(0.3, 0.3, delta),
        blocks_needed=fewest_blocks(threshold),
        detectable=detectable_rate(n, threshold),
    )


def _same_rate(n: int, delta: float) -> float | None:
    def within(rate: float) -> bool:
        low, high = _difference(rate, rate, n)
        return -delta < low and high < delta

    if not within(0.0):
        return None
    if within(0.5):
        return 0.5
    near, far = 0.0, 0.5
    for _ in range(40):
        middle = (near + far) / 2
        near, far = (middle, far) if within(middle) else (near, middle)
    return near


def _first(start: int, holds: Callable[[int], bool]) -> int | None:
    """How far above `start` it first holds, of what holds from some number on."""
    if holds(start):
        return 0
    near, far = start, max(start, 1) + 1
    while not holds(far):
        near, far = far, far * 2
        if far > FAR:
            return None
    while far - near > 1:
        middle = (near + far) // 2
        near, far = (near, middle) if holds(middle) else (middle, far)
    return far - start


def _upper(rate: float, n: int, level: float) -> float:
    """`upper_bound` at a rate that need not be a whole number of n."""
    if rate >= 1:
        return 1.0
    if rate <= 0:
        return upper_bound(0, n, level)
    from scipy.special import betaincinv

    return float(betaincinv(rate * n + 1, n - rate * n, level))


def _difference(bare: float, variant: float, n: int) -> tuple[float, float]:
    """The 90 % Newcombe interval at rates that need not be whole numbers of n."""
    low, high = _score(bare, n)
    other_low, other_high = _score(variant, n)
    down = sqrt((variant - other_low) ** 2 + (high - bare) ** 2)
    up = sqrt((other_high - variant) ** 2 + (bare - low) ** 2)
    return variant - bare - down, variant - bare + up


def _score(rate: float, n: int) -> tuple[float, float]:
    whole = rate * n
    if whole.is_integer():
        found = wilson(int(whole), n, 0.90)
        return found.low, found.high
    z = 1.6448536269514722
    centre, spread = rate + z * z / (2 * n), z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return (centre - spread) / (1 + z * z / n), (centre + spread) / (1 + z * z / n)


def _divergence(rate: float, other: float) -> float:
    """Of one rate from another, in nats."""
    happens = rate * log(rate / other) if rate else 0.0
    return happens + ((1 - rate) * log((1 - rate) / (1 - other)) if rate < 1 else 0.0)
