"""Events: what counts as one, and which are shown of a prompt."""

from __future__ import annotations

import pytest
from rate_kit import FIRE_MAIL, HOLD, NO_CALLS, fire, said, sampled

from workbench.compare.events import (
    Event,
    any_tool,
    calls,
    declared_event,
    must_be_none,
    new_tool,
    same_twice,
    seen_events,
    several,
)
from workbench.compare.rates import rates_of
from workbench.core.cell import BARE
from workbench.core.decision import Decision, Json, Outcome, ToolCall
from workbench.core.relation import Relation
from workbench.core.scenario import Expectation

HELD = Decision(Outcome.HOLD, (ToolCall("mail", {}),))
ORDERS: list[Json] = [{"to": "a", "n": 1}, {"n": 1, "to": "a"}, {}]
MAILS = [ToolCall("mail", arguments) for arguments in ORDERS]
TWICE = Decision(Outcome.FIRE, (MAILS[0], MAILS[1]))
OTHERS = Decision(Outcome.FIRE, (MAILS[0], MAILS[2]))


@pytest.mark.parametrize(
    ("event", "decision", "happened"),
    [
        (any_tool(), fire("mail"), True),
        (any_tool(), fire(), True),
        (any_tool(), HELD, False),
        (any_tool(), said("I would call mail"), False),
        (calls("mail"), fire("pay", "mail"), True),
        (calls("mail"), HELD, False),
        (calls("mail", "pay"), fire("pay"), True),
        (calls("mail"), fire("email"), False),
        (several(), fire("mail", "pay"), True),
        (several(), fire("mail"), False),
        (same_twice(), TWICE, True),
        (same_twice(), fire("mail", "pay"), False),
        (same_twice(), OTHERS, False),
        (new_tool(), fire("mail"), True),
    ],
)
def test_what_counts(event: Event, decision: Decision, happened: bool) -> None:
    assert event.happened(decision) is happened


def test_a_tool_is_new_where_bare_is_not_known_to_call_it() -> None:
    assert not new_tool().happened(fire("mail"), {"mail"})
    assert new_tool().happened(fire("mail", "pay"), {"mail"})


@pytest.mark.parametrize(
    ("expect", "relation", "name"),
    [
        (None, Relation.EQUAL, "calls any tool"),
        (NO_CALLS, Relation.EQUAL, "calls any tool"),
        (HOLD, Relation.NO_STRONGER, "calls any tool"),
        (Expectation(Outcome.HOLD, tool="mail"), Relation.EQUAL, "calls any tool"),
        (FIRE_MAIL, Relation.EQUAL, "calls mail"),
        (Expectation(tool="mail", max_rate=0.1), Relation.EQUAL, "calls mail"),
        (Expectation(Outcome.FIRE, any_of=("mail", "pay")), Relation.EQUAL, "calls mail or pay"),
        (FIRE_MAIL, Relation.NO_NEW_TOOLS, "calls a tool that bare never calls"),
    ],
)
def test_the_scenario_declares_the_event(expect: Expectation | None, relation: Relation, name: str) -> None:
    assert declared_event(sampled("w", [], expect=expect, relation=relation).delivery).name == name


def test_of_what_samples_hold_and_pass_are_alike() -> None:
    assert all(must_be_none(one) for one in (NO_CALLS, HOLD, Expectation(Outcome.PASS)))
    assert not any(must_be_none(one) for one in (FIRE_MAIL, Expectation(max_rate=0.1)))
    assert not must_be_none(Expectation(Outcome.HOLD, min_rate=0.9))


def test_the_events_beside_are_those_that_were_seen() -> None:
    bare = sampled(BARE, [said("x"), fire("mail", to="a"), fire("mail", to="a")])
    other = sampled("w", [fire("mail", to="b"), fire("pay", "pay", sum=3), said("y")])
    names = [event.name for event in seen_events((bare, other))]
    assert names == [
        "calls any tool",
        "calls mail",
        "calls pay",
        "several calls",
        "same call twice",
        'mail(to) other than "a"',
    ]
    quiet = seen_events((sampled(BARE, [said("x")]), sampled("w", [said("y")])))
    assert [event.name for event in quiet] == ["calls any tool"]


def test_an_argument_varies_against_the_most_frequent_value_of_bare() -> None:
    usual, once = fire("mail", to={"name": "a", "tags": [1, 2]}), fire("mail", to={"name": "c"})
    bare = sampled(BARE, [usual, usual, usual, once])
    other = sampled("w", [fire("mail", to={"name": "b", "tags": [1, 3]})] * 4)
    varied = {rate.event: (rate.k, rate.n) for rate in rates_of(other, (bare, other))}
    assert varied['mail(to.name) other than "a"'] == (4, 4)
    assert varied["mail(to.tags[1]) other than 2"] == (4, 4)
    assert "mail(to.tags[0]) other than 1" not in varied
    ours = {rate.event: (rate.k, rate.n) for rate in rates_of(bare, (bare, other))}
    assert ours['mail(to.name) other than "a"'] == (1, 4)


def test_all_cells_of_a_prompt_show_the_same_events() -> None:
    bare, other = sampled(BARE, [said("x")] * 3), sampled("w", [fire("mail"), fire("pay"), said("y")])
    shown = [[rate.event for rate in rates_of(cell, (bare, other))] for cell in (bare, other)]
    assert shown[0] == shown[1] == ["calls any tool", "calls mail", "calls pay"]


def test_many_arguments_and_deep_ones_are_no_trouble() -> None:
    deep: Json = 1
    for _ in range(3_000):
        deep = {"d": deep}
    wide: Json = {f"key {number}": number for number in range(2_000)}
    calls = [fire("mail", deep=value, wide=wide) for value in (deep, 2)]
    cells = [sampled(arm, [call]) for arm, call in zip((BARE, "w"), calls, strict=True)]
    assert len(seen_events(cells)) < 60
