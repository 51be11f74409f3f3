"""How near a scored decision is to another one: checked against every change of one score."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.compare.margin_shift import margin_shifts
from workbench.compare.margins import Flip, Spread, flip, lead, spread, top_two
from workbench.core.cell import CellKey
from workbench.core.decision import Score


def choice(scores: list[Score]) -> str | None:
    """The best route that is not below its threshold, the first of equals."""
    passing = [score for score in scores if score.margin is None or score.margin >= 0]
    return max(passing, key=lambda score: score.deciding).route if passing else None


def moved(scores: list[Score], route: str, by: float) -> list[Score]:
    return [Score(s.route, s.value + by, s.threshold) if s.route == route else s for s in scores]


def told(found: Flip | None) -> tuple[float, str, str] | None:
    return None if found is None else (round(found.distance, 9), found.route, found.how)


def test_a_choice_falls_or_is_overtaken() -> None:
    near = told(flip([Score("a", 0.6, 0.5), Score("b", 0.3, 0.5)]))
    assert near == (0.1, "a", "would fall below its threshold")
    rival = told(flip([Score("a", 0.6, 0.1), Score("b", 0.55, 0.1)]))
    assert rival == (0.05, "b", "would overtake a")
    # A rival that is near but below a threshold of its own has further to go.
    held = told(flip([Score("a", 0.9, 0.1), Score("b", 0.85, 0.99)]))
    assert held == (0.14, "b", "would overtake a")


def test_no_choice_waits_for_the_one_that_is_nearest_to_pass() -> None:
    assert told(flip([Score("a", 0.4, 0.5), Score("b", 0.45, 0.9)])) == (0.1, "a", "would pass")


def test_what_no_change_of_one_score_can_move() -> None:
    assert flip([]) is None
    assert flip([Score("a", 0.4)]) is None
    assert flip([Score("a", math.nan, 0.5), Score("b", math.inf, 0.5)]) is None


def test_what_the_router_went_by_counts() -> None:
    used = [Score("a", 0.2, 0.5, 0.6), Score("b", 0.4, 0.5)]
    assert lead(used) == pytest.approx(0.1)
    assert top_two(used) == ("a", "b")
    assert told(flip(used)) == (0.1, "a", "would fall below its threshold")


numbers = st.integers(-100, 100).map(lambda n: n / 100)
routes = st.lists(st.tuples(numbers, st.none() | numbers), min_size=1, max_size=5).map(
    lambda pairs: [Score(f"r{n}", value, limit) for n, (value, limit) in enumerate(pairs)]
)


@settings(deadline=None)
@given(routes)
def test_a_little_more_flips_and_a_little_less_does_not(scores: list[Score]) -> None:
    nearest = flip(scores)
    before = choice(scores)
    steps = range(-300, 301)
    if nearest is None:
        assert all(choice(moved(scores, s.route, by / 100)) == before for s in scores for by in steps)
        return
    less, more = nearest.distance - 0.004, nearest.distance + 0.004
    if less > 0:
        for score in scores:
            for by in (less, -less):
                assert choice(moved(scores, score.route, by)) == before
    assert before != choice(moved(scores, nearest.route, more)) or before != choice(
        moved(scores, nearest.route, -more)
    )


def test_the_lead_is_the_best_margin() -> None:
    assert lead(None) is None
    assert lead([Score("a", 0.5)]) is None
    assert lead([Score("a", 0.9, 0.8), Score("b", 0.5, 0.2), Score("c", math.nan, 0.1)]) == pytest.approx(0.3)


def test_a_spread() -> None:
    assert spread([]) is None
    assert spread([3.0, 1.0, 2.0, 9.0]) == Spread(4, 1.0, 2.5, 9.0)


def test_the_shift_from_run_to_run() -> None:
    def key(prompt: str, adapter: str = "a") -> CellKey:
        return CellKey("s", prompt, "bare", adapter)

    (shift,) = margin_shifts(
        [
            (key("1"), 0.1, 0.2),
            (key("2"), 0.3, 0.0),
            (key("3"), 0.2, 0.2),
            (key("1", "still"), 0.1, 0.1 + 1e-12),
        ]
    )
    assert (shift.scenario, shift.adapter, shift.farthest) == ("s", "a", key("2"))
    assert shift.before == Spread(3, 0.1, 0.2, 0.3)
    assert shift.after == Spread(3, 0.0, 0.2, 0.2)
    assert shift.moved.least == pytest.approx(-0.3)
    assert shift.moved.middle == 0.0
    assert margin_shifts([]) == ()
