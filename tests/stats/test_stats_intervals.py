"""Intervals against scipy, statsmodels and their own promise: how often they hold the rate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import confint_proportions_2indep

from workbench.stats.intervals import (
    Interval,
    clopper_pearson,
    confidence_sequence,
    lower_bound,
    newcombe,
    upper_bound,
    wilson,
)

COUNTS = st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
TRIED = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.sampled_from([0.8, 0.9, 0.95, 0.99])


@given(TRIED, LEVELS)
def test_against_scipy(counts: tuple[int, int], level: float) -> None:
    k, n = counts
    oracle = scipy_stats.binomtest(k, n)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = oracle.proportion_ci(level, method=method)
        found = ours(k, n, level)
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(TRIED, LEVELS)
def test_one_sided_bounds_against_scipy(counts: tuple[int, int], level: float) -> None:
    k, n = counts
    upper = scipy_stats.binomtest(k, n, alternative="less").proportion_ci(level).high
    lower = scipy_stats.binomtest(k, n, alternative="greater").proportion_ci(level).low
    assert upper_bound(k, n, level) == pytest.approx(upper, abs=1e-9)
    assert lower_bound(k, n, level) == pytest.approx(lower, abs=1e-9)


@given(TRIED, TRIED, LEVELS)
def test_newcombe_against_statsmodels(counts: tuple[int, int], others: tuple[int, int], level: float) -> None:
    (k, n), (other_k, other_n) = counts, others
    low, high = confint_proportions_2indep(
        other_k, other_n, k, n, compare="diff", method="newcomb", alpha=1 - level
    )
    found = newcombe(k, n, other_k, other_n, level)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


@given(COUNTS)
def test_an_interval_holds_what_was_seen_and_mirrors(counts: tuple[int, int]) -> None:
    k, n = counts
    for method in (wilson, clopper_pearson, confidence_sequence):
        found, mirrored = method(k, n), method(n - k, n)
        assert 0 <= found.low < found.high <= 1
        assert found.low <= (k / n if n else 0.5) <= found.high
        assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-9)


@given(COUNTS)
def test_what_may_be_looked_at_all_along_is_wider(counts: tuple[int, int]) -> None:
    anytime, once = confidence_sequence(*counts), clopper_pearson(*counts)
    assert anytime.low <= once.low + 1e-9
    assert anytime.high >= once.high - 1e-9


@pytest.mark.parametrize("method", [wilson, clopper_pearson, confidence_sequence])
def test_no_trial_says_nothing(method: Callable[[int, int], Interval]) -> None:
    found = method(0, 0)
    assert (found.low, found.high) == (0, 1)
    assert newcombe(0, 0, 3, 5).within(-1.1, 1.1)
    assert (upper_bound(0, 0), lower_bound(0, 0)) == (1, 0)


@pytest.mark.parametrize("counts", [(-1, 5), (6, 5)])
def test_impossible_counts(counts: tuple[int, int]) -> None:
    for method in (wilson, clopper_pearson, confidence_sequence, upper_bound):
        with pytest.raises(ValueError, match="is no count of trials"):
            method(*counts)


@pytest.mark.parametrize(
    ("k", "n", "shown", "exact", "anytime"),
    [
        (0, 5, (0, 0.434), (0, 0.522), (0, 0.616)),
        (0, 10, (0, 0.278), (0, 0.308), (0, 0.417)),
        (0, 20, (0, 0.161), (0, 0.168), (0, 0.261)),
        (0, 50, (0, 0.071), (0, 0.071), (0, 0.129)),
        (3, 20, (0.052, 0.360), (0.032, 0.379), (0.014, 0.471)),
        (10, 10, (0.722, 1), (0.692, 1), (0.583, 1)),
    ],
)
def test_the_table_of_the_study(
    k: int,
    n: int,
    shown: tuple[float, float],
    exact: tuple[float, float],
    anytime: tuple[float, float],
) -> None:
    wanted = ((wilson, shown), (clopper_pearson, exact), (confidence_sequence, anytime))
    for method, (low, high) in wanted:
        found = method(k, n)
        assert (found.low, found.high) == pytest.approx((low, high), abs=6e-4)


@pytest.mark.parametrize(
    ("n", "bound"),
    [(3, 0.63), (5, 0.45), (10, 0.26), (20, 0.14), (30, 0.095), (59, 0.05), (149, 0.02), (299, 0.01)],
)
def test_what_clean_trials_prove(n: int, bound: float) -> None:
    assert upper_bound(0, n) == pytest.approx(bound, abs=5e-3)


def coverage(method: Callable[[int, int], Interval], n: int, rate: float) -> float:
    """Exactly, by all outcomes."""
    chances = scipy_stats.binom.pmf(np.arange(n + 1), n, rate)
    held = [(found := method(k, n)).low <= rate <= found.high for k in range(n + 1)]
    return float(chances @ np.array(held))


@pytest.mark.parametrize(
    ("n", "rate", "shown", "exact"),
    [(10, 0.05, 0.914, 0.988), (10, 0.01, 0.904, 0.996), (20, 0.05, 0.925, 0.984)],
)
def test_coverage_as_in_the_study(n: int, rate: float, shown: float, exact: float) -> None:
    assert coverage(wilson, n, rate) == pytest.approx(shown, abs=1e-3)
    assert coverage(clopper_pearson, n, rate) == pytest.approx(exact, abs=1e-3)


RATES = (0.005, 0.02, 0.05, 0.1, 0.3, 0.5, 0.77, 0.97)


@pytest.mark.parametrize("n", [5, 20, 60])
def test_exact_intervals_hold_the_rate_as_often_as_they_say(n: int) -> None:
    for rate in RATES:
        assert coverage(clopper_pearson, n, rate) >= 0.95
        chances = scipy_stats.binom.pmf(np.arange(n + 1), n, rate)
        assert chances @ np.array([rate <= upper_bound(k, n) for k in range(n + 1)]) >= 0.95
        assert chances @ np.array([rate >= lower_bound(k, n) for k in range(n + 1)]) >= 0.95
    assert np.mean([coverage(wilson, n, rate) for rate in np.linspace(0.02, 0.98, 49)]) >= 0.94


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3, 0.5, 0.9])
def test_a_confidence_sequence_holds_the_rate_at_every_look(rate: float) -> None:
    random, runs, looks = np.random.default_rng(7), 1_500, 120
    counts = np.cumsum(random.random((runs, looks)) < rate, axis=1)
    low, high = np.ones((looks, looks + 1)), np.zeros((looks, looks + 1))
    for n in range(1, looks + 1):
        for k in range(n + 1):
            found = confidence_sequence(k, n)
            low[n - 1, k], high[n - 1, k] = found.low, found.high
    at = np.arange(looks)
    missed = (rate < low[at, counts]) | (rate > high[at, counts])
    assert missed.any(axis=1).mean() <= 0.05
    peeked = [[wilson(int(k), n + 1) for n, k in enumerate(row)] for row in counts[:300]]
    wrong = [any(not found.low <= rate <= found.high for found in row[4:]) for row in peeked]
    assert np.mean(wrong) > 0.08  # what is meant for one look does not hold for many


@pytest.mark.parametrize(("bare", "variant"), [(0.0, 0.2), (0.05, 0.05), (0.3, 0.3), (0.1, 0.4), (0.9, 0.95)])
def test_newcombe_holds_the_difference(bare: float, variant: float) -> None:
    n = 60
    ours = scipy_stats.binom.pmf(np.arange(n + 1), n, bare)
    theirs = scipy_stats.binom.pmf(np.arange(n + 1), n, variant)
    held = np.zeros((n + 1, n + 1))
    for k in np.flatnonzero(ours > 1e-9):
        for other in np.flatnonzero(theirs > 1e-9):
            found = newcombe(int(k), n, int(other), n)
            held[k, other] = found.low <= variant - bare <= found.high
    assert ours @ held @ theirs >= 0.88
