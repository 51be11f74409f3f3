"""The draws of an adapter that samples, as a value: no event loop, no adapter, no store."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.compare.blocks import Members, Progress
from workbench.core.cell import BARE, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.scenario import Samples
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare
from workbench.replay.sampling import Sampling
from workbench.replay.schedule import PlannedTrial

Answers = Callable[[PlannedTrial], Trial]

CALL = Decision(Outcome.FIRE, (ToolCall("send"),))
NO_CALL = Decision(Outcome.PASS)


def deliveries(prompts: int = 1, arms: tuple[str, ...] = (BARE, "channel"), most: int = 20) -> list[Delivery]:
    return [
        Delivery(CellKey("s", str(number), arm, "model"), "do it", bare("do it"), samples=Samples(most))
        for number in range(1, prompts + 1)
        for arm in arms
    ]


def answer(planned: PlannedTrial, called: bool = False) -> Trial:
    return Trial(planned.index, Status.OK, CALL if called else NO_CALL, seed=planned.seed)


def failure(planned: PlannedTrial) -> Trial:
    return Trial(planned.index, Status.ERROR, error="x", seed=planned.seed)


def quiet(planned: PlannedTrial) -> Trial:
    return answer(planned)


def drawn(schedule: Sampling, answers: Answers = quiet, at_once: int = 1) -> Iterator[PlannedTrial]:
    """All draws, with so many under way; what was asked first is answered first."""
    flying: list[PlannedTrial] = []
    while True:
        while len(flying) < at_once and (planned := schedule.next()):
            yield planned
            flying.append(planned)
        if not flying:
            return
        first = flying.pop(0)
        schedule.take(first.key, answers(first))


def test_every_block_of_all_prompts_comes_before_the_next() -> None:
    draws = list(drawn(Sampling(deliveries(prompts=3), {})))
    assert [planned.index for planned in draws] == [block for block in range(20) for _ in range(6)]
    assert len(set(draws)) == 120
    for block in range(20):
        prompts = [planned.key.prompt for planned in draws if planned.index == block]
        assert prompts == ["1", "1", "2", "2", "3", "3"]


def test_the_order_within_a_block_varies_and_stays_the_same_from_run_to_run() -> None:
    made = deliveries(arms=(BARE, "a", "b"), most=60)
    draws = list(drawn(Sampling(made, {})))
    assert draws == list(drawn(Sampling(made, {})))
    first = Counter(draws[at].key.arm for at in range(0, 180, 3))
    assert set(first) == {BARE, "a", "b"}
    assert min(first.values()) > 8


def test_an_arm_that_differs_is_drawn_no_more_and_bare_goes_on_for_the_others() -> None:
    made = deliveries(arms=(BARE, "loud", "quiet"), most=60)
    draws = list(drawn(Sampling(made, {}), lambda planned: answer(planned, planned.key.arm == "loud")))
    counts = Counter(planned.key.arm for planned in draws)
    assert counts[BARE] == counts["quiet"] == 60
    assert 4 < counts["loud"] < 20


def test_bare_ends_with_the_last_arm() -> None:
    made = deliveries(arms=(BARE, "loud"), most=60)
    draws = list(drawn(Sampling(made, {}), lambda planned: answer(planned, planned.key.arm == "loud")))
    counts = Counter(planned.key.arm for planned in draws)
    assert abs(counts[BARE] - counts["loud"]) <= 1
    assert counts[BARE] < 20


def test_more_arms_need_more_evidence() -> None:
    def blocks(arms: tuple[str, ...]) -> int:
        draws = drawn(
            Sampling(deliveries(arms=arms, most=200), {}),
            lambda planned: answer(planned, planned.key.arm == "loud"),
        )
        return sum(planned.key.arm == "loud" for planned in draws)

    assert blocks((BARE, "loud")) < blocks((BARE, "loud", *(f"quiet {number}" for number in range(20))))


def test_without_bare_or_without_arms_all_blocks_are_drawn() -> None:
    for arms in ((BARE,), ("attach",), ("attach", "substitute")):
        draws = list(drawn(Sampling(deliveries(arms=arms), {}), lambda planned: answer(planned, True)))
        assert Counter(planned.key.arm for planned in draws) == dict.fromkeys(arms, 20)


def test_a_failed_member_alone_is_drawn_again_at_most_three_times() -> None:
    def fails_in_block_4(planned: PlannedTrial) -> Trial:
        lost = planned.key.arm == "channel" and planned.index % 20 == 4
        return failure(planned) if lost else answer(planned)

    draws = list(drawn(Sampling(deliveries(), {}), fails_in_block_4))
    counts = Counter((planned.key.arm, planned.index) for planned in draws)
    assert set(counts.values()) == {1}
    assert [index for arm, index in counts if arm == "channel" and index % 20 == 4] == [4, 24, 44, 64]
    assert sum(arm == BARE for arm, _ in counts) == 20
    assert sum(arm == "channel" for arm, _ in counts) == 23


def test_a_redraw_comes_before_the_next_block() -> None:
    failed = [0]

    def fails_once(planned: PlannedTrial) -> Trial:
        failed[0] += planned.index == 0
        return failure(planned) if planned.index == 0 and failed[0] == 1 else answer(planned)

    draws = list(drawn(Sampling(deliveries(prompts=2), {}), fails_once))
    assert draws[1].index == 20
    assert draws[1].key == draws[0].key
    assert draws[1].seed != draws[0].seed


def crossed(made: list[Delivery], trials: Iterable[Trial], draws: Iterable[PlannedTrial]) -> int:
    """After how many blocks the evidence was enough."""
    cells = {delivery.key.arm: Members(60) for delivery in made}
    for planned, trial in zip(draws, trials, strict=True):
        cells[planned.key.arm].add(trial)
    ended = Progress(made[1], cells[BARE], cells["channel"]).crossed
    assert ended is not None
    return ended


def test_late_answers_change_nothing_of_when_an_arm_ends() -> None:
    """Answers that call take longer: if they were read in the order they come in, that would be a bias."""
    made = deliveries(most=60)
    chance = random.Random(5)
    wanted = {(key.arm, block): chance.random() < 0.5 for key in (d.key for d in made) for block in range(60)}

    def told(planned: PlannedTrial) -> Trial:
        return answer(planned, planned.key.arm == "channel" or wanted[planned.key.arm, planned.index % 60])

    one_by_one = set(drawn(Sampling(made, {}), told))
    schedule, flying, got = Sampling(made, {}), list[PlannedTrial](), set[PlannedTrial]()
    while True:
        while len(flying) < 8 and (planned := schedule.next()):
            flying.append(planned)
        if not flying:
            break
        flying.sort(key=lambda planned: told(planned).decision == CALL)  # quiet ones overtake
        first = flying.pop(0)
        got.add(first)
        schedule.take(first.key, told(first))
    assert one_by_one <= got
    assert crossed(made, map(told, one_by_one), one_by_one) == crossed(made, map(told, got), got)


def test_a_prompt_waits_for_an_answer_that_is_long_in_coming_and_the_others_go_on() -> None:
    """What lies far behind it may not be wanted, and each draw costs."""
    schedule = Sampling(deliveries(prompts=2, most=60), {}, at_once=4)
    slow = schedule.next()
    assert slow is not None
    made = [slow]
    while planned := schedule.next():
        made.append(planned)
        schedule.take(planned.key, answer(planned))
    blocks = Counter(planned.key.prompt for planned in made)
    assert blocks[slow.key.prompt] < 20
    assert sorted(blocks.values())[1] == 120
    schedule.take(slow.key, answer(slow))
    made += drawn(schedule)
    assert len(made) == len(set(made)) == 240
    assert schedule.left == 0


def test_where_nothing_can_end_early_nothing_waits() -> None:
    schedule = Sampling(deliveries(arms=("attach", "substitute"), most=60), {}, at_once=4)
    slow = schedule.next()
    assert slow is not None
    while planned := schedule.next():
        schedule.take(planned.key, answer(planned))
    assert schedule.left == 1


def test_what_is_left_is_told_at_most_and_ends_at_nothing() -> None:
    schedule = Sampling(deliveries(arms=(BARE, "loud"), most=60), {})
    assert schedule.left == 120
    made = 0
    flying: list[PlannedTrial] = []
    while True:
        while len(flying) < 5 and (planned := schedule.next()):
            flying.append(planned)
        if not flying:
            break
        planned = flying.pop(0)
        made += 1
        before = schedule.left
        schedule.take(planned.key, answer(planned, planned.key.arm == "loud"))
        assert schedule.left < before
        assert schedule.left + made <= 120
    assert schedule.left == 0
    assert made < 40


def test_a_failure_is_one_more_to_come() -> None:
    schedule = Sampling(deliveries(), {})
    planned = schedule.next()
    assert planned is not None
    before = schedule.left
    schedule.take(planned.key, failure(planned))
    assert schedule.left == before


def test_each_cell_is_told_whole_once_and_only_when_nothing_of_it_is_under_way() -> None:
    schedule = Sampling(deliveries(prompts=3, arms=(BARE, "loud", "quiet"), most=30), {})
    told: Counter[CellKey] = Counter()
    flying: list[PlannedTrial] = []
    while True:
        while len(flying) < 7 and (planned := schedule.next()):
            assert planned.key not in told
            flying.append(planned)
        if not flying:
            break
        planned = flying.pop(len(flying) // 2)
        for key in schedule.take(planned.key, answer(planned, planned.key.arm == "loud")):
            told[key] += 1
            assert key not in {other.key for other in flying}
    assert told == Counter(dict.fromkeys((d.key for d in deliveries(3, (BARE, "loud", "quiet"))), 1))


def test_a_draw_that_was_put_back_is_the_next_one() -> None:
    schedule = Sampling(deliveries(), {})
    one = schedule.next()
    assert one is not None
    left = schedule.left
    schedule.put_back(one)
    assert schedule.left == left
    assert schedule.next() == one


def test_closing_gives_one_draw_for_each_cell_that_lacks_some() -> None:
    schedule = Sampling(deliveries(prompts=2, arms=(BARE, "channel")), {})
    for planned in (schedule.next(), schedule.next()):
        assert planned is not None
        schedule.take(planned.key, answer(planned))
    last = schedule.close()
    assert schedule.next() is None
    assert Counter(planned.key for planned in last) == Counter(d.key for d in deliveries(2))
    assert {planned.index for planned in last if planned.key.prompt == "1"} == {1}
    told = [key for planned in last for key in schedule.take(planned.key, failure(planned))]
    assert sorted(told) == sorted(d.key for d in deliveries(2))
    assert schedule.next() is None


Stored = Mapping[CellKey, tuple[Trial, ...]]


@settings(deadline=None, max_examples=80)
@given(
    cut=st.integers(0, 200),
    at_once=st.integers(1, 9),
    seed=st.integers(0, 10_000),
    loud=st.sampled_from((0.0, 0.3, 1.0)),
    faults=st.sampled_from((0.0, 0.2, 0.9)),
)
def test_a_run_cut_anywhere_goes_on_as_if_it_had_not_been(
    cut: int, at_once: int, seed: int, loud: float, faults: float
) -> None:
    """No answered trial is drawn again, and bare and arms end where they would have ended."""
    made = deliveries(prompts=2, arms=(BARE, "a", "b"), most=15)

    def told(planned: PlannedTrial) -> Trial:
        chance = random.Random(f"{seed} {planned.seed}")
        if chance.random() < faults:
            return failure(planned)
        return answer(planned, planned.key.arm == "a" and chance.random() < loud)

    whole = Sampling(made, {})
    undisturbed = set(drawn(whole, told, 1))

    first, stored = Sampling(made, {}), defaultdict[CellKey, list[Trial]](list)
    flying: list[PlannedTrial] = []
    for _ in range(cut):
        while len(flying) < at_once and (planned := first.next()):
            flying.append(planned)
        if not flying:
            break
        planned = flying.pop(random.Random(cut).randrange(len(flying)))
        trial = told(planned)
        stored[planned.key].append(trial)
        first.take(planned.key, trial)
    answered = {(key, trial.index) for key, trials in stored.items() for trial in trials}

    second = Sampling(made, {key: tuple(trials) for key, trials in stored.items()})
    again = list(drawn(second, told, at_once))
    assert not answered & {(planned.key, planned.index) for planned in again}
    assert len(set(again)) == len(again)
    assert second.left == 0
    drawn_in_all = answered | {(planned.key, planned.index) for planned in again}
    assert {(planned.key, planned.index) for planned in undisturbed} <= drawn_in_all


@pytest.mark.parametrize("faults", [0.0, 0.5])
def test_the_work_does_not_grow_with_the_square_of_the_run(faults: float) -> None:
    import sys

    def calls_for(most: int) -> float:
        count, made = [0], 0

        def tally(frame: object, event: str, argument: object) -> None:
            count[0] += event == "call"

        chance = random.Random(1)
        schedule = Sampling(deliveries(prompts=2, arms=(BARE, "a"), most=most), {})
        sys.setprofile(tally)
        try:
            for planned in drawn(
                schedule, lambda planned: failure(planned) if chance.random() < faults else answer(planned)
            ):
                made += planned is not None
        finally:
            sys.setprofile(None)
        return count[0] / made

    assert calls_for(400) < calls_for(40) * 1.3
