"""Blocks of bare and an arm: in their order, with redraws, and stopped as soon as the evidence is enough."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rate_kit import FIRE_MAIL, Answer, fire, said, sampled

from workbench.compare.blocks import Members, Progress, block_of, draw_of, families, redraw_of
from workbench.core.cell import BARE, Cell
from workbench.core.decision import Decision
from workbench.core.relation import Relation
from workbench.core.scenario import Samples
from workbench.core.trial import Status, Trial

MOST = 10
PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12)


def trial(index: int, answer: Answer) -> Trial:
    if isinstance(answer, Decision):
        return Trial(index, Status.OK, answer)
    return Trial(index, answer, error="it broke")


def arm(most: int = MOST, relation: Relation = Relation.EQUAL) -> Cell:
    return sampled("w", [], samples=Samples(most), relation=relation)


def progress_of(
    bare: Sequence[Answer], variant: Sequence[Answer], relation: Relation = Relation.EQUAL, m: int = 1
) -> Progress:
    most = len(variant)
    members = [Members(most, [trial(i, one) for i, one in enumerate(side)]) for side in (bare, variant)]
    return Progress(arm(most, relation).delivery, members[0], members[1], m)


def test_an_index_names_block_and_draw() -> None:
    assert [(block_of(i, 4), draw_of(i, 4)) for i in (0, 3, 4, 9)] == [(0, 0), (3, 0), (0, 1), (1, 2)]
    assert [redraw_of(i, 4) for i in (1, 5, 9, 13)] == [5, 9, 13, None]


def test_a_failed_member_is_drawn_three_times_more() -> None:
    members = Members(MOST)
    for index in (2, 12, 22):
        members.add(trial(index, Status.TIMEOUT))
        assert not members.done(2)
    members.add(trial(32, Status.TIMEOUT))
    assert members.done(2) and members.answer(2) is None
    members.add(trial(3, Status.MALFORMED))
    members.add(trial(13, fire("mail")))
    assert members.done(3) and members.answer(3) == fire("mail")


def test_blocks_are_read_in_their_order_and_not_before_all_earlier_ones_are_done() -> None:
    bare, variant = Members(MOST), Members(MOST)
    progress = Progress(arm().delivery, bare, variant)
    for block in (1, 2, 3):
        bare.add(trial(block, said()))
        variant.add(trial(block, fire("mail")))
        progress.update()
    assert (progress.blocks, progress.e) == (0, 1)
    variant.add(trial(0, said()))
    progress.update()
    assert progress.blocks == 0
    bare.add(trial(0, said()))
    progress.update()
    assert progress.blocks == 4


@given(
    st.randoms(use_true_random=False),
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12),
)
def test_the_order_in_which_answers_come_does_not_matter(
    order: random.Random, seen: list[tuple[bool, bool]]
) -> None:
    answers = [[fire("mail") if one else said() for one in side] for side in zip(*seen, strict=True)]
    whole = progress_of(answers[0], answers[1])
    bare, variant = Members(len(seen)), Members(len(seen))
    progress = Progress(arm(len(seen)).delivery, bare, variant)
    coming = [(side, i) for side in (0, 1) for i in range(len(seen))]
    order.shuffle(coming)
    for side, i in coming:
        (bare, variant)[side].add(trial(i, answers[side][i]))
        progress.update()
    assert (progress.e, progress.crossed, progress.blocks) == (whole.e, whole.crossed, whole.blocks)


def test_it_stops_at_the_first_crossing_and_stays_there() -> None:
    progress = progress_of([said()] * 10, [fire("mail")] * 4 + [said()] * 6)
    assert progress.crossed == progress.blocks == 4
    assert progress.settled and progress.e >= progress.threshold == 20
    later = progress_of([said()] * 10, [fire("mail")] * 10, m=6)
    assert later.threshold == pytest.approx(120) and later.crossed is not None and later.crossed > 4


def test_a_block_with_a_lost_member_is_no_evidence() -> None:
    bare, variant = Members(3), Members(3)
    for index in (0, 3, 6, 9):
        bare.add(trial(index, Status.ERROR))
    for index in range(3):
        variant.add(trial(index, fire("mail")))
    for index in (1, 2):
        bare.add(trial(index, said()))
    progress = Progress(arm(3).delivery, bare, variant)
    assert (progress.blocks, progress.pairs, progress.lost, progress.settled) == (3, 2, 1, True)


def test_two_failures_are_no_evidence_that_two_arms_are_alike() -> None:
    lost = Members(1, [trial(index, Status.ERROR) for index in range(4)])
    progress = Progress(arm(1).delivery, lost, lost)
    assert (progress.pairs, progress.lost, progress.e) == (0, 1, 1)


def test_without_a_bare_turn_an_arm_is_settled_when_all_of_it_is_there() -> None:
    variant = Members(2, [trial(0, fire("mail"))])
    progress = Progress(arm(2).delivery, None, variant)
    assert not progress.settled
    variant.add(trial(1, said()))
    progress.update()
    assert progress.settled and progress.crossed is None


def test_under_no_stronger_a_drop_is_no_evidence() -> None:
    drop = [fire("mail")] * 20, [said()] * 20
    assert progress_of(*drop).crossed is not None
    assert progress_of(*drop, relation=Relation.NO_STRONGER).crossed is None
    rise = [said()] * 20, [fire("mail")] * 20
    assert progress_of(*rise, relation=Relation.NO_STRONGER).crossed is not None


def test_under_no_new_tools_it_is_what_bare_has_not_called_that_counts() -> None:
    relation = Relation.NO_NEW_TOOLS
    more_of_the_same = [fire("mail")] + [said()] * 29, [fire("mail")] * 30
    assert progress_of(*more_of_the_same).crossed is not None
    assert progress_of(*more_of_the_same, relation=relation).crossed is None
    another = [fire("mail")] * 30, [fire("mail", "pay")] * 30
    assert progress_of(*another).crossed is None
    assert progress_of(*another, relation=relation).crossed is not None


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_under_no_new_tools_bare_against_itself_raises_no_alarm(rate: float) -> None:
    """What is new is said before each block, so both arms are as likely to come up with it."""
    dice = random.Random(5)
    tools = [fire(f"tool {number}") for number in range(40)]

    def arm_of() -> list[Answer]:
        return [dice.choice(tools) if dice.random() < rate else said() for _ in range(60)]

    runs = [progress_of(arm_of(), arm_of(), Relation.NO_NEW_TOOLS) for _ in range(400)]
    assert sum(run.crossed is not None for run in runs) <= 0.05 * len(runs)


def test_a_family_is_the_arms_of_one_scenario_adapter_and_event() -> None:
    cells = [
        *(sampled(name, [], prompt="p") for name in (BARE, "v", "w")),
        *(sampled(name, [], prompt="q") for name in (BARE, "w")),
        *(sampled(name, [], prompt="r", expect=FIRE_MAIL) for name in (BARE, "w")),
        sampled("w", [], prompt="alone"),
    ]
    found = families(cell.delivery for cell in cells)
    assert {(key.prompt, key.arm): (family.event, family.m) for key, family in found.items()} == {
        ("p", "v"): ("calls any tool", 3),
        ("p", "w"): ("calls any tool", 3),
        ("q", "w"): ("calls any tool", 3),
        ("r", "w"): ("calls mail", 1),
    }
