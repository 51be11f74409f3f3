"""What was observed, as the value that freezing writes."""

from __future__ import annotations

import pytest

from workbench.core.cell import BARE, Cell, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.scenario import Expectation
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare
from workbench.files.edit.expectation import spell_expectation
from workbench.tui.observed import expectation_of, in_short, observed, same_expectation


def calls(*names: str) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(name) for name in names)


@pytest.mark.parametrize(
    ("decision", "spelled", "short"),
    [
        (Decision(Outcome.HOLD), "hold", "hold"),
        (Decision(Outcome.HOLD, calls("a")), "hold", "hold"),
        (Decision(Outcome.PASS), "pass", "pass"),
        (Decision(Outcome.FIRE), "fire", "fire"),
        (Decision(Outcome.FIRE, calls("mail::send")), "fire mail::send", "fire mail::send"),
        (Decision(Outcome.FIRE, calls("a", "a")), "fire a", "fire a"),
        (Decision(Outcome.FIRE, calls("a", "b")), "{outcome: fire, any_of: [a, b]}", "fire one of a, b"),
    ],
)
def test_a_decision_becomes_an_expectation(decision: Decision, spelled: str, short: str) -> None:
    expect = expectation_of(decision)
    assert spell_expectation(expect, flow=False) == spelled
    assert in_short(expect) == short


def cell(arm: str, *decisions: Decision | None) -> Cell:
    trials = tuple(
        Trial(number, Status.OK, decision) if decision else Trial(number, Status.TIMEOUT)
        for number, decision in enumerate(decisions)
    )
    return Cell(Delivery(CellKey("s", "p", arm, "a"), "t", bare("t")), trials)


HOLD, PASS = Decision(Outcome.HOLD), Decision(Outcome.PASS)


def test_arms_that_agree_are_one_choice_and_bare_comes_first() -> None:
    found = observed([cell("chat", PASS, PASS), cell(BARE, HOLD, HOLD), cell("mail", HOLD)])
    assert [(in_short(one.expect), one.arms, one.steady) for one in found] == [
        ("hold", (BARE, "mail"), True),
        ("pass", ("chat",), True),
    ]


def test_what_has_no_decision_gives_nothing_and_doubt_is_kept() -> None:
    found = observed([cell(BARE, None, None), cell("chat", HOLD, PASS, HOLD), cell("mail", HOLD)])
    assert [(in_short(one.expect), one.arms, one.steady) for one in found] == [
        ("hold", ("chat", "mail"), False)
    ]
    assert observed([]) == ()


def test_the_same_is_the_same_however_it_is_spelled() -> None:
    both = Expectation(Outcome.FIRE, any_of=("a", "b"), spelled="x")
    assert same_expectation(both, Expectation(Outcome.FIRE, any_of=("b", "a")))
    assert not same_expectation(both, Expectation(Outcome.FIRE, any_of=("a",)))
    assert not same_expectation(Expectation(Outcome.HOLD), Expectation(Outcome.HOLD, max_rate=0.1))
    assert not same_expectation(Expectation(no_calls=True), Expectation(Outcome.PASS))
