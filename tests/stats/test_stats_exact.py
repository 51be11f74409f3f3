"""Boschloo's test against scipy's, and with the figures that the study has."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, boschloo_exact

from workbench.stats.exact import boschloo, boschloo_rise

TRIED = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=40, deadline=None)
@given(TRIED, TRIED)
def test_against_scipy(counts: tuple[int, int], others: tuple[int, int]) -> None:
    (k, n), (other_k, other_n) = counts, others
    table = [[k, other_k], [n - k, other_n - other_k]]
    assert boschloo(k, n, other_k, other_n) == pytest.approx(boschloo_exact(table, n=64).pvalue, rel=1e-5)
    one_sided = boschloo_exact(table, alternative="less", n=64).pvalue
    assert boschloo_rise(k, n, other_k, other_n) == pytest.approx(one_sided, rel=1e-5)


@pytest.mark.parametrize("n", [60, 150])
def test_larger_tables_against_scipy(n: int) -> None:
    for k, other_k in ((0, 4), (3, 12), (n // 3, n // 2), (n, n - 5)):
        oracle = boschloo_exact([[k, other_k], [n - k, n - other_k]], n=64).pvalue
        assert boschloo(k, n, other_k, n) == pytest.approx(oracle, rel=1e-5)


@pytest.mark.parametrize(
    ("n", "p"), [(3, 0.031), (4, 0.0078), (5, 0.0020), (6, 4.9e-4), (8, 3.1e-5), (10, 1.9e-6)]
)
def test_the_smallest_p_value(n: int, p: float) -> None:
    assert boschloo(0, n, n, n) == pytest.approx(p, rel=0.03)


@pytest.mark.parametrize(("n", "fewest"), [(10, 4), (20, 5), (30, 5)])
def test_how_many_calls_are_significant_against_none(n: int, fewest: int) -> None:
    assert next(k for k in range(n + 1) if boschloo(0, n, k, n) < 0.05) == fewest


@pytest.mark.parametrize(
    ("bare", "variant", "n", "power"),
    [(0.05, 0.35, 10, 0.32), (0.05, 0.35, 15, 0.56), (0.02, 0.5, 12, 0.85)],
)
def test_power_by_all_outcomes(bare: float, variant: float, n: int, power: float) -> None:
    found = sum(
        binom.pmf(k, n, bare) * binom.pmf(other, n, variant)
        for k in range(n + 1)
        for other in range(n + 1)
        if boschloo(k, n, other, n) < 0.05
    )
    assert found == pytest.approx(power, abs=0.02)


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3, 0.5])
def test_no_more_false_alarms_than_it_says(rate: float) -> None:
    n = 15
    chances = [binom.pmf(k, n, rate) for k in range(n + 1)]
    wrong = sum(
        chances[k] * chances[other]
        for k in range(n + 1)
        for other in range(n + 1)
        if boschloo(k, n, other, n) <= 0.05
    )
    assert wrong <= 0.05


def test_an_arm_without_a_trial_says_nothing() -> None:
    assert boschloo(0, 0, 3, 5) == boschloo(3, 5, 0, 0) == boschloo_rise(0, 0, 3, 5) == 1
    with pytest.raises(ValueError, match="no such counts"):
        boschloo(4, 3, 0, 3)
