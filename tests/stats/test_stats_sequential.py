"""The e-process: false alarms at every look, and how soon it stops, as in the study's tables."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stats_runs import log_evidence, pairs, stops

from workbench.stats.sequential import EProcess

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=80)


@given(PAIRS, st.booleans())
def test_one_pair_at_a_time_is_the_same_as_many_at_once(seen: list[tuple[bool, bool]], rise: bool) -> None:
    evidence = EProcess(rise=rise)
    for bare, variant in seen:
        evidence.add(bare, variant)
    assert evidence.pairs == len(seen)
    if seen:
        bares, variants = (np.array([side]) for side in zip(*seen, strict=True))
        assert evidence.log_value == pytest.approx(float(log_evidence(bares, variants, rise=rise)[0, -1]))
    assert evidence.value == pytest.approx(exp(evidence.log_value))


@given(PAIRS, st.sampled_from([0.01, 0.1, 0.3, 0.5, 0.8, 0.99]), st.booleans())
def test_no_bet_is_better_than_fair(seen: list[tuple[bool, bool]], rate: float, rise: bool) -> None:
    """With equal rates the next pair multiplies the evidence by at most 1 on average, whatever came."""
    average = 0.0
    for bare in (False, True):
        for variant in (False, True):
            evidence = EProcess(rise=rise)
            for pair in seen:
                evidence.add(*pair)
            before = evidence.log_value
            evidence.add(bare, variant)
            chance = (rate if bare else 1 - rate) * (rate if variant else 1 - rate)
            average += chance * exp(evidence.log_value - before)
    assert average <= 1 + 1e-9


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.1, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_false_alarms_at_every_look_together(rate: float, alpha: float) -> None:
    found = log_evidence(*pairs(11, 6_000, 150, rate, rate))
    assert (stops(found, 1 / alpha) <= 150).mean() <= alpha


@pytest.mark.parametrize(("bare", "variant"), [(0.3, 0.3), (0.5, 0.3), (0.9, 0.5), (0.05, 0.01)])
def test_a_drop_is_no_rise(bare: float, variant: float) -> None:
    found = log_evidence(*pairs(12, 6_000, 150, bare, variant), rise=True)
    assert (stops(found, 20) <= 150).mean() <= 0.05


@pytest.mark.parametrize(
    ("bare", "variant", "median"),
    [(0, 1, 4), (0.02, 0.9, 4), (0.02, 0.5, 13), (0.02, 0.3, 24)],
)
def test_how_soon_it_stops(bare: float, variant: float, median: int) -> None:
    found = pairs(13, 6_000, 200, bare, variant)
    assert np.median(stops(log_evidence(*found), 20)) == pytest.approx(median, abs=1)
    assert np.median(stops(log_evidence(*found, rise=True), 20)) == pytest.approx(median, abs=1)


def test_it_finds_what_60_blocks_are_for() -> None:
    found = log_evidence(*pairs(14, 4_000, 60, 0.0, 0.2))
    assert (stops(found, 20) <= 60).mean() > 0.95
    assert (stops(found, 5 * 20) <= 60).mean() > 0.75  # as one of five arms


def test_evidence_is_a_number_however_much_there_is() -> None:
    evidence = EProcess()
    for _ in range(2_000):
        evidence.add(False, True)
    assert evidence.log_value > 2_000 * 0.9 * log(4)
    assert evidence.value < float("inf")
