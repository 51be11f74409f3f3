"""Several uses in a row: by all ways to choose them, and without bias."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from workbench.stats.reuse import all_of, any_of


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_by_all_ways_to_choose(counts: tuple[int, int, int]) -> None:
    c, n, k = counts
    ways = list(combinations([True] * c + [False] * (n - c), k))
    assert all_of(c, n, k) == pytest.approx(sum(all(way) for way in ways) / len(ways))
    assert any_of(c, n, k) == pytest.approx(sum(any(way) for way in ways) / len(ways))


@pytest.mark.parametrize(
    ("rate", "n", "k", "true", "plugged"), [(0.9, 10, 10, 0.349, 0.506), (0.9, 4, 4, 0.656, 0.751)]
)
def test_no_bias_as_in_the_study(rate: float, n: int, k: int, true: float, plugged: float) -> None:
    chances = [float(binom.pmf(c, n, rate)) for c in range(n + 1)]
    averaged = sum(chance * (all_of(c, n, k) or 0) for c, chance in enumerate(chances))
    assert averaged == pytest.approx(true, abs=1e-3) == pytest.approx(rate**k, abs=1e-3)
    assert sum(chance * (c / n) ** k for c, chance in enumerate(chances)) == pytest.approx(plugged, abs=1e-3)


def test_more_uses_than_trials_are_not_known() -> None:
    assert all_of(5, 5, 6) is None
    assert any_of(0, 5, 6) is None
    with pytest.raises(ValueError, match="no such counts"):
        all_of(6, 5, 1)
