"""Two arms held against each other: the verdict, the words for it, and what a family does to it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rate_kit import Answer, fire, run_of, said, sampled, some

from workbench.compare.events import any_tool
from workbench.compare.rates import Reading, Verdict, beside, compared, rate_of, rates_of, readings
from workbench.core.cell import BARE, Cell
from workbench.core.relation import Relation
from workbench.core.scenario import Samples
from workbench.core.trial import Status
from workbench.stats.exact import boschloo
from workbench.stats.intervals import newcombe, upper_bound, wilson
from workbench.stats.multiplicity import holm

SIXTY = Samples(60)


def arms(
    bare: list[Answer], variant: list[Answer], arm: str = "attached", samples: Samples | None = SIXTY
) -> tuple[Cell, Cell]:
    return sampled(BARE, bare, samples=samples), sampled(arm, variant, samples=samples)


def test_a_rate_says_what_of_how_many_and_how_sure() -> None:
    (rate,) = rates_of(sampled(BARE, [*some(0, 20), Status.TIMEOUT], samples=Samples(21)))
    assert (rate.event, rate.k, rate.n, rate.failed, rate.declared) == ("calls any tool", 0, 20, 1, True)
    assert rate.interval == wilson(0, 20) and rate.interval.method == "wilson"
    assert rate.bound == upper_bound(0, 20) == pytest.approx(0.139, abs=1e-3)
    assert (rate.bound_method, rate.floor) == ("clopper-pearson", 0)


def test_while_trials_are_missing_the_rate_may_be_looked_at() -> None:
    going, done = (rate_of(sampled(BARE, some(3, n)), any_tool()) for n in (20, 60))
    assert going.anytime is not None and going.anytime.low < going.interval.low
    assert going.anytime.high > going.interval.high
    assert done.anytime is None


def test_drift_in_words() -> None:
    reading = compared(*arms(some(0, 60), some(12, 60)))
    assert reading.verdict is Verdict.DRIFT
    assert reading.words == "12 of 60 with the file, 0 of 60 without: drift"
    assert reading.difference == newcombe(0, 60, 12, 60)
    assert reading.crossed is not None and reading.e >= reading.threshold == 20
    assert reading.more is None


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        ("channel", "40 of 60 in channel, 0 of 60 bare: drift"),
        ("paste", "40 of 60 with the file pasted, 0 of 60 without: drift"),
        ("substitute", "40 of 60 with the app's own sentence, 0 of 60 as typed: drift"),
    ],
)
def test_the_arm_is_named_for_what_it_is(arm: str, words: str) -> None:
    assert compared(*arms(some(0, 60), some(40, 60), arm)).words == words


def test_the_same_only_where_the_difference_is_small_and_all_blocks_are_there() -> None:
    reading = compared(*arms(some(0, 60), some(0, 60)))
    assert (reading.verdict, reading.words) == (
        Verdict.SAME,
        "0 of 60 with the file, 0 of 60 without: the same within 0.1",
    )
    early = compared(*arms(some(0, 40), some(0, 40)))
    assert early.verdict is Verdict.UNDECIDED and early.more == 20
    wide = compared(*arms(some(18, 60), some(18, 60)))
    assert wide.verdict is Verdict.UNDECIDED
    assert wide.more is not None and 40 <= wide.more <= 60  # more than 100 an arm, at a rate of 0.3
    assert wide.words == f"18 of 60 with the file, 18 of 60 without: undecided, about {wide.more} more"


def test_equal_failures_are_not_the_same() -> None:
    broken: list[Answer] = [Status.ERROR] * 60
    reading = compared(*arms(broken, broken))
    assert reading.verdict is Verdict.NO_VERDICT
    assert reading.words == (
        "0 of 0 (60 failed) with the file, 0 of 0 (60 failed) without: no verdict, too many failed"
    )


def test_too_many_failures_void_a_difference() -> None:
    failing = [*some(40, 40), *([Status.TIMEOUT] * 20)]
    reading = compared(*arms(some(0, 60), failing))
    assert reading.verdict is Verdict.NO_VERDICT


def test_few_failures_leave_n_and_are_named() -> None:
    failing = [*some(0, 56), *([Status.TIMEOUT] * 4)]
    reading = compared(*arms(some(0, 60), failing, samples=None))
    assert reading.variant.n == 56
    assert reading.words == "0 of 56 (4 failed) with the file, 0 of 60 without: the same within 0.1"


def test_a_drop_is_drift_under_equal_alone() -> None:
    cells = [
        (sampled(BARE, some(60, 60)), sampled("w", some(0, 60), relation=relation))
        for relation in (Relation.EQUAL, Relation.NO_STRONGER)
    ]
    equal, weaker = (compared(*pair) for pair in cells)
    assert equal.verdict is Verdict.DRIFT
    assert weaker.verdict is Verdict.SAME
    assert weaker.words == "0 of 60 in w, 60 of 60 bare: no rise within 0.1"
    rise = compared(sampled(BARE, some(0, 60)), sampled("w", some(60, 60), relation=Relation.NO_STRONGER))
    assert rise.verdict is Verdict.DRIFT


def test_new_tools_are_counted_against_all_that_bare_calls() -> None:
    bare = sampled(BARE, some(30, 60, fire("mail")), relation=Relation.NO_NEW_TOOLS)
    same = sampled("w", some(60, 60, fire("mail")), relation=Relation.NO_NEW_TOOLS)
    other = sampled("w", some(30, 60, fire("pay")), relation=Relation.NO_NEW_TOOLS)
    assert compared(bare, same).verdict is Verdict.SAME
    reading = compared(bare, other)
    assert reading.verdict is Verdict.DRIFT
    assert reading.event == "calls a tool that bare never calls"
    assert (reading.bare.k, reading.variant.k) == (0, 30)


def test_more_arms_need_more_evidence_and_lend_it_to_each_other() -> None:
    def reading_of(drifting: int, quiet: int) -> list[Verdict]:
        cells = [sampled(BARE, some(0, 60))]
        cells += [sampled(f"d{at}", some(8, 60)) for at in range(drifting)]
        cells += [sampled(f"q{at}", some(0, 60)) for at in range(quiet)]
        found = readings(run_of(*cells))
        return [found[cell.key].verdict for cell in cells[1 : drifting + 1]]

    alone = compared(sampled(BARE, some(0, 60)), sampled("d", some(8, 60)))
    assert alone.verdict is Verdict.DRIFT and alone.e < 100
    assert reading_of(1, 40) == [Verdict.UNDECIDED]
    assert set(reading_of(41, 0)) == {Verdict.DRIFT}


def test_where_n_was_fixed_boschloo_and_holm_judge() -> None:
    counts = (9, 5, 0)
    cells = [sampled(BARE, some(0, 30), samples=None)]
    cells += [sampled(f"w{k}", some(k, 30), samples=None) for k in counts]
    found = [readings(run_of(*cells))[cell.key] for cell in cells[1:]]
    expected = holm([boschloo(0, 30, k, 30) for k in counts])
    assert [one.p for one in found] == pytest.approx(expected)
    assert {one.reading for one in found} == {Reading.FIXED}
    assert [one.verdict for one in found] == [Verdict.DRIFT, Verdict.UNDECIDED, Verdict.SAME]
    assert compared(cells[0], cells[2], m=3).p == pytest.approx(3 * boschloo(0, 30, 5, 30))


def test_what_was_planned_and_stopped_early_is_not_read_as_if_n_were_fixed() -> None:
    reading = compared(*arms(some(0, 60), some(12, 60)))
    assert reading.reading is Reading.SEQUENTIAL and reading.p is None


def test_other_events_are_shown_of_both_arms() -> None:
    bare, other = arms(some(0, 60), some(12, 60, fire("mail", "mail", to="a")))
    shown = {ours.event: (ours.k, theirs.k) for ours, theirs in beside(bare, other)}
    assert shown == {"calls mail": (0, 12), "several calls": (0, 12), "same call twice": (0, 12)}
    assert not any(rate.declared for pair in beside(bare, other) for rate in pair)


def test_a_deterministic_adapter_has_no_reading() -> None:
    run = run_of(sampled(BARE, [said("x")]), sampled("w", [fire("mail")]))
    info = next(iter(run.adapters.values()))
    assert readings(replace(run, adapters={"a": replace(info, deterministic=True)})) == {}
