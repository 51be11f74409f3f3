"""Arms with known rates, sampled and stopped as the engine does it: how often the verdicts are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from workbench.compare.blocks import Members, Progress, families
from workbench.compare.events import any_tool
from workbench.compare.rate_findings import sampled_alone
from workbench.compare.rates import Compared, Verdict, rate_of, readings
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.scenario import Expectation, Samples
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare

MOST = 60
CALL = Decision(Outcome.FIRE, (ToolCall("mail", {}),))
WORDS = Decision(Outcome.PASS)
INFO = AdapterInfo("a", "model", deterministic=False, router=False)
NO_CALLS = Expectation(no_calls=True, spelled="no calls")


def delivery(prompt: str, arm: str, expect: Expectation | None = None) -> Delivery:
    key = CellKey("s", prompt, arm, "a")
    return Delivery(key, "text", bare("text"), samples=Samples(MOST), expect=expect)


def trials(called: Iterable[Any]) -> tuple[Trial, ...]:
    return tuple(Trial(at, Status.OK, CALL if one else WORDS) for at, one in enumerate(called))


def stopped(random: np.random.Generator, rates: Sequence[Sequence[float]]) -> Run:
    """A run of one scenario, by prompt the rate of bare and of each arm, stopped when all are settled."""
    deliveries = [
        delivery(str(prompt), BARE if not arm else f"w{arm}")
        for prompt, row in enumerate(rates)
        for arm in range(len(row))
    ]
    m = families(deliveries)
    cells: list[Cell] = []
    for prompt, row in enumerate(rates):
        drawn = [trials(random.random(MOST) < rate) for rate in row]
        ours = [one for one in deliveries if one.key.prompt == str(prompt)]
        lengths = [
            Progress(one, Members(MOST, drawn[0]), Members(MOST, drawn[arm]), m[one.key].m).blocks
            for arm, one in enumerate(ours)
            if arm
        ]
        for one, length, made in zip(ours, (max(lengths), *lengths), drawn, strict=True):
            cells.append(Cell(one, made[:length]))
    return Run("r", "2026-01-01", 1.0, {"a": INFO}, tuple(cells))


def verdicts(run: Run) -> Counter[Verdict]:
    return Counter(reading.verdict for reading in readings(run).values())


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3, 0.5, 0.9])
def test_a_scenario_raises_a_false_alarm_in_at_most_one_of_twenty_runs(rate: float) -> None:
    """Five arms against a bare that they share, each looked at after every block."""
    random = np.random.default_rng(31)
    alarms = [verdicts(stopped(random, [[rate] * 6]))[Verdict.DRIFT] > 0 for _ in range(250)]
    assert np.mean(alarms) <= 0.05


def test_drift_is_found_and_costs_less_than_the_plan() -> None:
    random = np.random.default_rng(32)
    runs = [stopped(random, [[0.02, 0.5], [0.02, 0.3]]) for _ in range(200)]
    strong, weak = ([readings(run)[run.cells[at].key] for run in runs] for at in (1, 3))
    assert np.mean([one.verdict is Verdict.DRIFT for one in strong]) > 0.99
    assert np.mean([one.verdict is Verdict.DRIFT for one in weak]) > 0.85
    # 13 and 24 as a single arm; these are two, and need twice the evidence
    assert 13 <= np.median([one.blocks for one in strong]) <= 17
    assert 24 <= np.median([one.blocks for one in weak]) <= 31
    assert np.mean([sum(len(cell.trials) for cell in run.cells) for run in runs]) < 0.6 * 4 * MOST


def test_few_of_the_drifts_that_are_called_are_none() -> None:
    random = np.random.default_rng(33)
    wrong, found = [], []
    for _ in range(100):
        run = stopped(random, [[0.1, 0.1, 0.1], [0.1, 0.6, 0.1], [0.1, 0.1, 0.5]])
        read = readings(run)
        called = {(key.prompt, key.arm) for key, one in read.items() if one.verdict is Verdict.DRIFT}
        wrong.append(len(called - {("1", "w1"), ("2", "w2")}) / max(1, len(called)))
        found.append(len(called & {("1", "w1"), ("2", "w2")}))
    assert np.mean(wrong) <= 0.05
    assert np.mean(found) > 1.5


@pytest.mark.parametrize(("ours", "theirs"), [(0.0, 0.1), (0.05, 0.15), (0.3, 0.4), (0.9, 1.0)])
def test_what_differs_by_delta_is_seldom_called_the_same(ours: float, theirs: float) -> None:
    random = np.random.default_rng(34)
    same = [verdicts(stopped(random, [[ours, theirs]]))[Verdict.SAME] for _ in range(300)]
    assert np.mean(same) <= 0.07  # a Newcombe interval holds a difference about as often as it says


def test_what_never_happens_on_either_arm_is_the_same() -> None:
    assert verdicts(stopped(np.random.default_rng(35), [[0.0] * 4] * 3)) == {Verdict.SAME: 9}


def test_sixty_an_arm_cannot_decide_rates_of_a_third() -> None:
    random = np.random.default_rng(36)
    runs = [stopped(random, [[0.3, 0.3]]) for _ in range(100)]
    read: list[Compared] = [one for run in runs for one in readings(run).values()]
    open_ones = [one for one in read if one.verdict is Verdict.UNDECIDED]
    assert len(open_ones) > 60
    assert all(one.more is None or one.more > 0 for one in open_ones)
    near = [one.more for one in open_ones if one.bare.k == one.variant.k and one.more is not None]
    assert near and all(25 < more < 75 for more in near)  # more than 100 an arm at .3, fewer beside it


@pytest.mark.parametrize("rate", [0.05, 0.06, 0.1])
def test_a_rate_at_the_limit_is_seldom_cleared(rate: float) -> None:
    """`no calls` says that the rate is below 5 %: of those that are not, one in twenty passes."""
    random = np.random.default_rng(37)
    passed = 0
    for _ in range(600):
        cell = Cell(delivery("p", BARE, NO_CALLS), trials(random.random(MOST) < rate))
        passed += not list(sampled_alone(cell, None, None, INFO))
    assert passed / 600 <= 0.06


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5, 0.9])
def test_the_intervals_of_a_rate_hold_it(rate: float) -> None:
    """At a fixed n, and where an arm was stopped by what was seen in it."""
    random = np.random.default_rng(38)
    fixed = [
        rate_of(Cell(delivery("p", BARE), trials(random.random(MOST) < rate)), any_tool()) for _ in range(600)
    ]
    assert np.mean([one.interval.low <= rate <= one.interval.high for one in fixed]) >= 0.91
    assert np.mean([rate <= one.bound for one in fixed]) >= 0.94
    assert np.mean([rate >= one.floor for one in fixed]) >= 0.94
    early = []
    for _ in range(150):
        (reading,) = readings(stopped(random, [[0.3, rate]])).values()
        early.append(reading.variant.anytime or reading.variant.interval)
    assert np.mean([one.low <= rate <= one.high for one in early]) >= 0.93
