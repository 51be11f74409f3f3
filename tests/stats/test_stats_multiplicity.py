"""Holm and e-BH against statsmodels, and how often they are wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stats_runs import log_evidence, pairs
from statsmodels.stats.multitest import multipletests

from workbench.stats.multiplicity import e_bh, holm

P_VALUES = st.lists(st.floats(1e-6, 1), min_size=1, max_size=30)


@settings(max_examples=15, deadline=None)  # the oracle is slow
@given(P_VALUES)
def test_holm_against_statsmodels(p_values: list[float]) -> None:
    _, adjusted, _, _ = multipletests(p_values, method="holm")
    assert holm(p_values) == pytest.approx(list(adjusted), rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(P_VALUES, st.sampled_from([0.01, 0.05, 0.2]))
def test_e_bh_is_bh_of_the_inverted_values(p_values: list[float], alpha: float) -> None:
    rejected, _, _, _ = multipletests(p_values, alpha=alpha, method="fdr_bh")
    near = [p * len(p_values) / (alpha * rank) for p in p_values for rank in range(1, len(p_values) + 1)]
    if min(abs(share - 1) for share in near) > 1e-9:  # else rounding decides
        assert e_bh([1 / p for p in p_values], alpha) == tuple(bool(one) for one in rejected)


def test_e_bh_by_hand() -> None:
    assert e_bh([]) == ()
    assert e_bh([20.0]) == (True,)
    assert e_bh([19.9]) == (False,)
    assert e_bh([30, 26, 1, 30]) == (False,) * 4  # 80 is needed alone, 40 for two, 26.7 for three
    assert e_bh([30, 27, 1, 30]) == (True, True, False, True)
    assert e_bh([30, 1], m=4) == (False, False)  # those that are missing count too
    assert e_bh([80, 1], m=4) == (True, False)


def test_holm_by_hand() -> None:
    assert holm([]) == ()
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.5, 0.9]) == pytest.approx((1, 1))


def test_few_discoveries_are_false() -> None:
    """Of ten arms three drift, each stopped at its first crossing."""
    runs, blocks, m = 300, 60, 10
    finals = []
    for arm in range(m):
        found = log_evidence(*pairs(100 + arm, runs, blocks, 0.1, 0.5 if arm < 3 else 0.1))
        enough = found >= np.log(m / 0.05)
        stop = np.where(enough.any(axis=1), enough.argmax(axis=1), blocks - 1)
        finals.append(np.exp(found[np.arange(runs), stop]))
    false, power = [], []
    for values in np.array(finals).T:
        called = e_bh([float(value) for value in values])
        false.append(sum(called[3:]) / max(1, sum(called)))
        power.append(sum(called[:3]) / 3)
    assert np.mean(false) <= 0.05
    assert np.mean(power) > 0.8
