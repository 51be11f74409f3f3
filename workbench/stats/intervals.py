"""Intervals for a rate, and for the difference of two; each right at 0 of n and at n of n."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import expm1, lgamma, log, log1p, sqrt

__all__ = [
    "Interval",
    "clopper_pearson",
    "confidence_sequence",
    "lower_bound",
    "newcombe",
    "upper_bound",
    "wilson",
]

_CACHED = 20_000


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both included. `method` names how it was found."""

    low: float
    high: float
    method: str

    def within(self, low: float, high: float) -> bool:
        """Whether all of it lies strictly between the two."""
        return low < self.low and self.high < high


@lru_cache(maxsize=_CACHED)
def wilson(k: int, n: int, level: float = 0.95) -> Interval:
    """Score interval of a rate: to show one. With no trial it is all of 0 to 1."""
    _check(k, n)
    if n == 0:
        return Interval(0.0, 1.0, "wilson")
    z = _quantile(1 - (1 - level) / 2)
    centre = (k + z * z / 2) / (n + z * z)
    half = z * sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    low = 0.0 if k == 0 else max(0.0, centre - half)
    high = 1.0 if k == n else min(1.0, centre + half)
    return Interval(low, high, "wilson")


@lru_cache(maxsize=_CACHED)
def clopper_pearson(k: int, n: int, level: float = 0.95) -> Interval:
    """Exact two-sided interval of a rate: covers it at least as often as it says."""
    half = (1 + level) / 2
    return Interval(lower_bound(k, n, half), upper_bound(k, n, half), "clopper-pearson")


@lru_cache(maxsize=_CACHED)
def upper_bound(k: int, n: int, level: float = 0.95) -> float:
    """One-sided exact bound: the rate is at most this. 1 with no trial. For gates and claims."""
    _check(k, n)
    if k == n:
        return 1.0
    if k == 0:
        return -expm1(log1p(-level) / n)
    from scipy.special import betaincinv

    return float(betaincinv(k + 1, n - k, level))


def lower_bound(k: int, n: int, level: float = 0.95) -> float:
    """One-sided exact bound: the rate is at least this. 0 with no trial. For gates and claims."""
    _check(k, n)
    return 1.0 - upper_bound(n - k, n, level)


def newcombe(k: int, n: int, other_k: int, other_n: int, level: float = 0.90) -> Interval:
    """Hybrid score interval of the difference of two rates: the other's minus the first's."""
    if n == 0 or other_n == 0:
        return Interval(-1.0, 1.0, "newcombe")
    rate, other = k / n, other_k / other_n
    first, second = wilson(k, n, level), wilson(other_k, other_n, level)
    down = sqrt((other - second.low) ** 2 + (first.high - rate) ** 2)
    up = sqrt((second.high - other) ** 2 + (rate - first.low) ** 2)
    return Interval(max(-1.0, other - rate - down), min(1.0, other - rate + up), "newcombe")


@lru_cache(maxsize=_CACHED)
def confidence_sequence(k: int, n: int, level: float = 0.95) -> Interval:
    """Beta-binomial interval of a rate that may be looked at after every trial, and be the reason to stop.

    With that level it holds the rate at all looks together. It mixes over the rate evenly.
    """
    _check(k, n)
    if n == 0:
        return Interval(0.0, 1.0, "beta-binomial")
    least = lgamma(k + 1) + lgamma(n - k + 1) - lgamma(n + 2) + log1p(-level)

    def inside(rate: float) -> bool:
        return (k * log(rate) if k else 0.0) + ((n - k) * log1p(-rate) if k < n else 0.0) > least

    middle = k / n
    low = 0.0 if k == 0 else _edge(inside, middle, 0.0)
    high = 1.0 if k == n else _edge(inside, middle, 1.0)
    return Interval(low, high, "beta-binomial")


def _edge(inside: Callable[[float], bool], near: float, far: float) -> float:
    """Where `inside` stops to hold on the way from `near`, where it does, to `far`, where it does not."""
    for _ in range(60):
        middle = (near + far) / 2
        if inside(middle):
            near = middle
        else:
            far = middle
    return far


@lru_cache(maxsize=64)
def _quantile(level: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(level)


def _check(k: int, n: int) -> None:
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no count of trials")
