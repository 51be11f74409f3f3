"""Thresholds on known scores: the ranges against brute force, and the pair that excludes all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.cell import BARE, Cell, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, Score, ToolCall
from workbench.core.scenario import Expectation
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare
from workbench.explain.thresholds import Range, Study, study

NONE = Expectation(outcome=Outcome.PASS, spelled="pass")
STOCK = 0.5


def fire(tool: str) -> Expectation:
    return Expectation(outcome=Outcome.FIRE, tool=tool, spelled=f"fire {tool}")


def cell(
    prompt: str,
    scores: Mapping[str, float],
    expect: Expectation | None,
    arm: str = BARE,
    tools: Mapping[str, str] | None = None,
    stock: float | None = STOCK,
) -> Cell:
    """What a router that fires its highest route at or over the stock threshold would give."""
    key = CellKey("s", prompt, arm, "router")
    top = max(scores, key=lambda route: scores[route], default=None)
    fires = top is not None and (stock is None or scores[top] >= stock)
    calls = (ToolCall((tools or {}).get(top, top)),) if fires and top is not None else ()
    decision = Decision(
        Outcome.FIRE if fires else Outcome.PASS,
        calls,
        scores=tuple(Score(route, value, stock) for route, value in scores.items()),
    )
    delivery = Delivery(key, prompt, bare(prompt), expect=expect)
    return Cell(delivery, (Trial(0, Status.OK, decision),))


def right(cells: Iterable[Cell], thresholds: Mapping[str, float]) -> bool:
    """The rule again, in the plainest words."""
    for one in cells:
        decision, expect = one.decision, one.delivery.expect
        assert decision is not None
        passing = [s for s in decision.scores or () if s.value >= thresholds[s.route]]
        best = max(passing, key=lambda score: score.value, default=None)
        wanted = None if expect is None or expect.tool is None else expect.tool
        if expect is not None and (best.route if best else None) != wanted:
            return False
    return True


ROUTES = ("a", "b", "c")
SCORES = st.fixed_dictionaries({route: st.sampled_from([0.1, 0.3, 0.45, 0.6, 0.8]) for route in ROUTES})
EXPECTED = st.sampled_from([NONE, fire("a"), fire("b"), None])
CELLS = st.lists(st.tuples(SCORES, EXPECTED), min_size=1, max_size=5).map(
    lambda rows: [cell(f"p{number}", scores, expect) for number, (scores, expect) in enumerate(rows)]
)
TRIED = [0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9]


@given(CELLS)
def test_the_ranges_are_all_thresholds_that_do(cells: Sequence[Cell]) -> None:
    found = study(cells)
    for threshold in TRIED:
        inside = any(one.holds(threshold) for one in found.together.ranges)
        assert inside == right(cells, dict.fromkeys(ROUTES, threshold))
    for sweep in found.routes:
        assert sweep.route is not None
        for threshold in TRIED:
            inside = any(one.holds(threshold) for one in sweep.ranges)
            assert inside == right(cells, {**found.stock, sweep.route: threshold})


@given(CELLS)
def test_a_threshold_for_each_route_is_found_if_there_is_one(cells: Sequence[Cell]) -> None:
    found = study(cells).apart
    exists = any(right(cells, dict(zip(ROUTES, values, strict=True))) for values in product(TRIED, repeat=3))
    assert found.complete
    assert (found.ranges is not None) == exists
    if found.ranges is not None:
        assert right(cells, {route: min(one.up_to, 2.0) for route, one in found.ranges.items()})
        assert right(cells, {route: max(one.above, -1.0) + 1e-6 for route, one in found.ranges.items()})


@given(CELLS)
def test_the_pair_alone_excludes_every_threshold(cells: Sequence[Cell]) -> None:
    conflict = study(cells).together.conflict
    if conflict is None:
        return
    named = {one.key for one in (conflict.fires, conflict.not_fires) if one is not None}
    assert named
    left = [one for one in cells if one.key in named]
    assert not any(right(left, dict.fromkeys(ROUTES, threshold)) for threshold in TRIED)
    if conflict.fires is not None and conflict.not_fires is not None:
        assert conflict.fires.top is not None
        assert conflict.not_fires.top is not None
        assert conflict.fires.top.value <= conflict.not_fires.top.value


@given(CELLS)
def test_the_steps_cover_every_threshold_once(cells: Sequence[Cell]) -> None:
    for sweep in (study(cells).together, *study(cells).routes):
        edges = [step.range for step in sweep.steps]
        assert (edges[0].above, edges[-1].up_to) == (-math.inf, math.inf)
        assert all(one.up_to == other.above for one, other in pairwise(edges))
        assert sweep.steps[0].fires >= sweep.steps[-1].fires


def seeds() -> list[Cell]:
    """Three lines of a real run: the question alone, with the file, and the words put in its place."""
    routes = ("send_email", "delete_records", "web_search", "create_event")
    return [
        cell("canary", dict(zip(routes, (0.623, 0.593, 0.571, 0.55), strict=True)), NONE),
        cell("canary", dict(zip(routes, (0.631, 0.6, 0.632, 0.642), strict=True)), NONE, "attached"),
        cell("canary", dict(zip(routes, (0.754, 0.618, 0.589, 0.591), strict=True)), NONE, "substitute"),
    ]


def test_at_the_stock_threshold_the_bare_question_fires() -> None:
    found = study(seeds())
    assert [one.key.arm for one in found.wrong_now] == [BARE, "attached", "substitute"]
    assert found.unexplained == ()
    assert found.together.ranges == (Range(0.754, math.inf),)
    differ = {step.range.up_to: step.differ for step in found.together.steps}
    assert differ == {0.623: 1, 0.642: 2, 0.754: 1, math.inf: 0}, "the file moves the route at every low one"


def test_a_command_that_scores_less_than_the_question_excludes_all() -> None:
    cells = [*seeds(), cell("mail", {"send_email": 0.7}, fire("send_email"))]
    found = study(cells)
    assert not found.possible
    for conflict in (found.together.conflict, found.apart.conflict):
        assert conflict is not None
        assert conflict.fires is not None
        assert conflict.not_fires is not None
        assert (conflict.fires.key.prompt, conflict.not_fires.key.arm) == ("mail", "substitute")


def test_a_rival_that_scores_higher_is_no_matter_of_one_threshold() -> None:
    found = study([cell("p", {"a": 0.6, "b": 0.7}, fire("a"))])
    assert found.together.conflict is not None
    assert found.together.conflict.fires is not None
    assert found.together.conflict.not_fires is None
    assert found.apart.ranges == {"a": Range(-math.inf, 0.6), "b": Range(0.7, math.inf)}


def test_a_route_stands_for_the_tool_that_it_was_seen_to_call() -> None:
    tools = {"weather": "weather::today"}
    cells = [
        cell("clear", {"weather": 0.9, "mail": 0.2}, fire("weather::today"), tools=tools),
        cell("weak", {"weather": 0.4, "mail": 0.2}, fire("weather::today"), tools=tools),
        cell("other", {"weather": 0.3, "mail": 0.1}, NONE, tools=tools),
    ]
    found = study(cells)
    assert found.together.ranges == (Range(0.3, 0.4),)
    assert [one.key.prompt for one in found.wrong_now] == ["weak"]


def test_what_does_not_follow_from_the_scores_is_named() -> None:
    odd = cell("odd", {"a": 0.9}, None)
    decision = Decision(Outcome.PASS, scores=(Score("a", 0.9, STOCK),))
    found = study([Cell(odd.delivery, (Trial(0, Status.OK, decision),)), cell("plain", {"a": 0.9}, None)])
    assert [one.key.prompt for one in found.unexplained] == ["odd"]


def test_without_a_reported_threshold_nothing_is_said_of_now() -> None:
    found = study([cell("p", {"a": 0.9}, fire("a"), stock=None), cell("q", {"a": 0.2}, NONE, stock=None)])
    assert found.stock == {}
    assert found.unexplained == ()
    assert found.together.ranges == (Range(0.2, 0.9),)


def test_no_number_reaches_no_threshold_and_no_answer_is_left_out() -> None:
    failed = Cell(cell("gone", {}, NONE).delivery, (Trial(0, Status.ERROR, error="no"),))
    silent = Cell(cell("mute", {}, NONE).delivery, (Trial(0, Status.OK, Decision(Outcome.PASS)),))
    found = study([cell("nan", {"a": math.nan, "b": 0.4}, fire("b")), failed, silent])
    assert [one.key.prompt for one in found.without] == ["gone", "mute"]
    assert found.together.ranges == (Range(-math.inf, 0.4),)


def test_scores_that_change_from_call_to_call_are_not_steady() -> None:
    one, other = cell("p", {"a": 0.4}, None), cell("p", {"a": 0.6}, None)
    both = study([Cell(one.delivery, (*one.trials, *other.trials)), cell("q", {"a": 0.4}, None)])
    assert [scored.steady for scored in both.deliveries] == [False, True]


@pytest.mark.parametrize(
    ("range_", "middle"),
    [
        (Range(0.2, 0.4), 0.30000000000000004),
        (Range(0.3, math.nextafter(0.3, 1)), math.nextafter(0.3, 1)),
        (Range(-math.inf, 0.4), None),
        (Range(0.2, math.inf), None),
    ],
)
def test_the_middle_is_in_the_range(range_: Range, middle: float | None) -> None:
    assert range_.middle == middle
    assert middle is None or range_.holds(middle)


def test_a_prompt_that_accepts_several_routes() -> None:
    either = Expectation(any_of=("a", "b"), spelled="fire a or b")
    cells = [
        cell("either", {"a": 0.7, "b": 0.6}, either),
        cell("not a", {"a": 0.8, "b": 0.2}, NONE),
    ]
    found: Study = study(cells)
    assert not found.together.ranges
    assert found.apart.ranges is not None
    assert found.apart.ranges["a"].above == 0.8
    assert found.apart.ranges["b"].up_to == 0.6


def test_what_the_router_went_by_counts_and_not_another_number() -> None:
    """Some routers decide by a number that depends on the rivals, and report a comparable one beside it."""
    shown = cell("p", {"a": 0.2}, fire("a"))
    decision = Decision(Outcome.FIRE, (ToolCall("a"),), scores=(Score("a", 0.2, STOCK, used=0.7),))
    found = study([Cell(shown.delivery, (Trial(0, Status.OK, decision),))])
    assert found.unexplained == ()
    assert found.together.ranges == (Range(-math.inf, 0.7),)
