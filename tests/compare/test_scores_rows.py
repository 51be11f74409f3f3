"""Scores side by side: ranks, differences, and margins that cross the threshold."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.compare.scores import ScoreRow, score_rows
from workbench.core.decision import Score


def test_rows_in_the_order_of_the_baselines_rank() -> None:
    rows = score_rows(
        [Score("mail", 0.2, 0.5), Score("calendar", 0.6, 0.5), Score("chat", 0.1)],
        [Score("news", 0.9, 0.5), Score("calendar", 0.4, 0.5), Score("mail", 0.3, 0.5), Score("art", 0.05)],
    )
    assert [(r.route, r.baseline_rank, r.variant_rank, r.crossed) for r in rows] == [
        ("calendar", 1, 2, True),
        ("mail", 2, 3, False),
        ("chat", 3, None, False),
        ("news", None, 1, False),
        ("art", None, 4, False),
    ]
    assert rows[0].delta is not None and math.isclose(rows[0].delta, -0.2)
    assert rows[2] == ScoreRow("chat", Score("chat", 0.1), None, 3, None, None, False)


def test_equal_scores_share_a_rank() -> None:
    rows = score_rows(
        [Score("a", 0.5), Score("b", 0.5), Score("c", 0.1)],
        [Score("b", 0.5), Score("a", 0.5), Score("c", 0.5)],
    )
    assert [(r.route, r.baseline_rank, r.variant_rank) for r in rows] == [
        ("a", 1, 1),
        ("b", 1, 1),
        ("c", 3, 1),
    ]


def test_at_the_threshold_is_not_below_it() -> None:
    def crossed(before: float, after: float) -> bool:
        return score_rows([Score("a", before, 0.5)], [Score("a", after, 0.5)])[0].crossed

    assert crossed(0.5, 0.4) and crossed(0.4, 0.5)
    assert not crossed(0.5, 0.6)
    assert not score_rows([Score("a", 0.9)], [Score("a", 0.1, 0.5)])[0].crossed


def test_a_threshold_that_moves_can_be_crossed() -> None:
    assert score_rows([Score("a", 0.6, 0.5)], [Score("a", 0.6, 0.7)])[0].crossed


def test_not_reported_is_no_rows_of_that_side() -> None:
    assert score_rows(None, None) == ()
    assert score_rows((), None) == ()
    (row,) = score_rows(None, [Score("a", 1.0)])
    assert (row.baseline, row.variant_rank, row.delta) == (None, 1, None)


def test_a_route_that_comes_twice_has_two_rows() -> None:
    rows = score_rows([Score("a", 0.1), Score("a", 0.9)], [Score("a", 0.8)])
    assert [(r.baseline and r.baseline.value, r.variant and r.variant.value) for r in rows] == [
        (0.9, 0.8),
        (0.1, None),
    ]


def test_no_number_is_last_and_has_no_difference() -> None:
    rows = score_rows(
        [Score("a", math.nan, 0.5), Score("b", math.inf, 0.5)],
        [Score("a", 1.0, 0.5), Score("b", math.inf, 0.5)],
    )
    assert [(r.route, r.baseline_rank, r.delta, r.crossed) for r in rows] == [
        ("b", 1, None, False),
        ("a", 2, None, False),
    ]


scores = st.lists(
    st.builds(Score, st.sampled_from("abc"), st.floats(), st.none() | st.floats(0, 1)), max_size=6
)


@settings(deadline=None)
@given(scores, scores)
def test_every_score_stands_in_one_row(baseline: list[Score], variant: list[Score]) -> None:
    rows = score_rows(baseline, variant)
    assert sorted(id(r.baseline) for r in rows if r.baseline) == sorted(map(id, baseline))
    assert sorted(id(r.variant) for r in rows if r.variant) == sorted(map(id, variant))
    ranks = [r.baseline_rank for r in rows if r.baseline_rank]
    assert ranks == sorted(ranks)
    assert all(r.delta is None or math.isfinite(r.delta) for r in rows)
