"""What a plan can decide, and whether the number of trials that is said to be missing is the right one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stats_runs import log_evidence, pairs, stops

from workbench.stats.intervals import lower_bound, newcombe, upper_bound
from workbench.stats.planning import (
    clean_trials,
    detectable_rate,
    fewest_blocks,
    growth,
    more_for_bound,
    more_for_drift,
    more_for_same,
    reach,
    trials_for_same,
)


@given(st.floats(0.001, 0.9), st.sampled_from([0.8, 0.95, 0.99]))
def test_clean_trials_are_the_fewest(rate: float, level: float) -> None:
    n = clean_trials(rate, level)
    assert upper_bound(0, n, level) <= rate
    assert n == 1 or upper_bound(0, n - 1, level) > rate * (1 - 1e-9)


@pytest.mark.parametrize(("rate", "n"), [(0.05, 59), (0.02, 149), (0.01, 299)])
def test_clean_trials_of_the_design(rate: float, n: int) -> None:
    assert clean_trials(rate) == n
    with pytest.raises(ValueError, match="no rate"):
        clean_trials(0)


@pytest.mark.parametrize(
    ("k", "n", "limit"),
    [(0, 20, 0.05), (2, 60, 0.05), (1, 60, 0.1), (5, 60, 0.05), (50, 60, 0.75), (60, 60, 0.99)],
)
def test_more_for_a_bound(k: int, n: int, limit: float) -> None:
    """At the rate seen the limit is settled with that many more, but for the rounding to whole trials."""
    more = more_for_bound(k, n, limit)
    assert more is not None
    total = n + more
    below, share = k / n < limit, k / n

    def settled(total: int, slack: int) -> bool:
        count = share * total
        if below:
            return upper_bound(max(0, int(count) - slack), total) <= limit
        return lower_bound(min(total, int(count) + slack), total) > limit

    assert settled(total, 1)
    assert not settled(max(n, int(0.9 * total) - 3), -2) or more < 5


def test_on_the_limit_no_number_settles_it() -> None:
    assert more_for_bound(3, 60, 0.05) is None
    assert more_for_bound(0, 60, 0.0) is None
    assert more_for_bound(0, 0, 0.05) == 59
    assert more_for_bound(0, 59, 0.05) == 0


def test_trials_for_the_same() -> None:
    n = trials_for_same(0.3, 0.3, 0.1)
    assert n is not None and n > 100  # as the design says
    whole = -(-n // 10) * 10
    assert newcombe(whole * 3 // 10, whole, whole * 3 // 10, whole).within(-0.1, 0.1)
    assert not newcombe(30, 100, 30, 100).within(-0.1, 0.1)
    assert trials_for_same(0.3, 0.5, 0.1) is None
    assert trials_for_same(0.3, 0.1, 0.1) is None
    assert trials_for_same(0.3, 0.1, 0.1, rise=True) is not None
    assert more_for_same(0, 0, 60, 0.1) == 0


@pytest.mark.parametrize(("bare", "variant"), [(0.0, 0.1), (0.05, 0.2), (0.3, 0.45), (0.1, 0.02)])
def test_more_for_drift_is_right_about_half_the_time(bare: float, variant: float) -> None:
    """Of runs that 60 blocks left open, where the rates seen are the true ones."""
    n, threshold = 60, 20.0
    found = log_evidence(*pairs(21, 2_000, 2_500, bare, variant))
    stopped = stops(found, threshold)
    open_runs = np.flatnonzero(stopped > n)[:300]
    k, other = round(bare * n), round(variant * n)
    in_time = []
    for run in open_runs:
        more = more_for_drift(k, other, n, float(found[run, n - 1]), threshold)
        assert more is not None
        in_time.append(stopped[run] <= n + more)
    assert 0.4 <= np.mean(in_time) <= 0.75


def test_no_drift_is_in_sight_between_equal_rates() -> None:
    assert more_for_drift(6, 6, 60, 0.0, 20) is None
    assert more_for_drift(0, 0, 0, 0.0, 20) is None
    assert more_for_drift(9, 3, 60, 0.0, 20, rise=True) is None
    assert more_for_drift(9, 3, 60, 0.0, 20) is not None


def test_growth_is_what_a_block_adds() -> None:
    found = log_evidence(*pairs(22, 500, 2_000, 0.1, 0.4))
    assert (found[:, -1] - found[:, 999]).mean() / 1_000 == pytest.approx(growth(0.1, 0.4), rel=0.05)
    assert growth(0.2, 0.2) == 0


@pytest.mark.parametrize("m", [1, 6, 240])
def test_the_fewest_blocks_that_find_anything(m: int) -> None:
    least = fewest_blocks(m / 0.05)
    assert least is not None
    always = np.ones((1, 40), bool)
    assert stops(log_evidence(~always, always), m / 0.05)[0] == least
    assert fewest_blocks(m / 0.05, least - 1) is None


@pytest.mark.parametrize(("n", "m"), [(20, 1), (60, 1), (60, 6), (200, 1)])
def test_what_a_plan_is_said_to_find_it_finds(n: int, m: int) -> None:
    rate = detectable_rate(n, m / 0.05)
    assert rate is not None
    found = stops(log_evidence(*pairs(23, 3_000, n, 0.0, rate)), m / 0.05)
    assert 0.4 <= (found <= n).mean() <= 0.9


def test_what_a_plan_cannot_decide() -> None:
    small = reach(5, 0.1, 240)
    assert (small.same_rate, small.detectable) == (None, None)
    assert small.blocks_needed is not None and small.blocks_needed > 5
    assert small.zero_bound == pytest.approx(0.45, abs=0.005)
    usual = reach(60, 0.1, 3)
    assert usual.zero_bound < 0.05 and usual.zero_needed == 59
    assert usual.same_rate is not None and 0.05 < usual.same_rate < 0.3
    assert usual.same_needed is not None and usual.same_needed > 100
    assert usual.blocks_needed is not None and usual.blocks_needed < 60
    assert reach(400, 0.1, 1).same_rate == 0.5
    assert reach(60, 0.1, 1, max_rate=0.0).zero_needed is None
