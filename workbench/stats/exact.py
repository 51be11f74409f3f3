"""Boschloo's test of two rates with a fixed number of trials, for tables of any size met here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

__all__ = ["boschloo", "boschloo_rise"]

_GRID = 500  # places of the unknown common rate that are tried first
_ROUNDS = 6
_NEAR = 1e-7  # p-values of tables that are equal but for rounding


@lru_cache(maxsize=20_000)
def boschloo_rise(k: int, n: int, other_k: int, other_n: int) -> float:
    """The one-sided p-value, for the other's rate being the higher one. 1 where an arm has no trial."""
    _check(k, n, other_k, other_n)
    return _one_sided(k, n, other_k, other_n) if n and other_n else 1.0


@lru_cache(maxsize=20_000)
def boschloo(k: int, n: int, other_k: int, other_n: int) -> float:
    """The two-sided p-value of k of n against other_k of other_n. 1 where an arm has no trial.

    Fisher's p-value is the statistic; how often one as small comes up is looked for at the worst common
    rate. Twice the smaller of both sides.
    """
    _check(k, n, other_k, other_n)
    if n == 0 or other_n == 0:
        return 1.0
    less = _one_sided(k, n, other_k, other_n)
    greater = _one_sided(other_k, other_n, k, n)
    return min(1.0, 2 * min(less, greater))


def _one_sided(k: int, n: int, other_k: int, other_n: int) -> float:
    """That the first rate is the lower one."""
    import numpy as np

    extreme = _as_extreme(k, n, other_k, other_n)
    if extreme.all():
        return 1.0
    rates = np.linspace(0.0, 1.0, _GRID + 1)
    for _ in range(_ROUNDS):
        chances = _chances(extreme, rates)
        best = int(chances.argmax())
        low, high = rates[max(best - 1, 0)], rates[min(best + 1, len(rates) - 1)]
        largest = float(chances[best])
        rates = np.linspace(low, high, 21)
    return min(1.0, largest)


def _as_extreme(k: int, n: int, other_k: int, other_n: int) -> Any:
    """Which tables, by first and second count, have a Fisher p-value at most that of the one seen."""
    import numpy as np
    from scipy.special import gammaln

    ones, others = np.arange(n + 1), np.arange(other_n + 1)

    def ways(total: int, chosen: Any) -> Any:
        return gammaln(total + 1) - gammaln(chosen + 1) - gammaln(total - chosen + 1)

    sums = np.add.outer(ones, others)
    single = np.exp(
        np.add.outer(ways(n, ones), ways(other_n, others)) - ways(n + other_n, sums)
    )  # of a table, given its sum
    tails = np.zeros_like(single)
    tails[0, :] = single[0, :]
    for one in range(1, n + 1):  # the table before it with the same sum has one less here, one more there
        tails[one, :] = single[one, :]
        tails[one, :-1] += tails[one - 1, 1:]
    return tails <= tails[k, other_k] * (1 + _NEAR)


def _chances(extreme: Any, rates: Any) -> Any:
    """How often a table of that kind comes up, for each common rate."""
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    def masses(total: int) -> Any:
        counts = np.arange(total + 1)
        ways = gammaln(total + 1) - gammaln(counts + 1) - gammaln(total - counts + 1)
        rate = rates[:, None]
        return np.exp(ways + xlogy(counts, rate) + xlog1py(total - counts, -rate))

    n, other_n = extreme.shape[0] - 1, extreme.shape[1] - 1
    return ((masses(n) @ extreme) * masses(other_n)).sum(axis=1)


def _check(k: int, n: int, other_k: int, other_n: int) -> None:
    if not (0 <= k <= n and 0 <= other_k <= other_n):
        raise ValueError(f"{k} of {n} against {other_k} of {other_n}: no such counts")
