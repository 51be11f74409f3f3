"""Sampled cells of two runs: chance is no change, a rate that moved is."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.compare.rate_change import RateFacts, changed_rates
from workbench.compare.run_diff import CellFacts, RunFacts, diff_runs
from workbench.core.cell import CellKey
from workbench.core.decision import ToolCall

ANY = "calls any tool"


def cell(prompt: str, k: int, n: int, calls: Sequence[str] = ()) -> CellFacts:
    endings = {ending: count for ending, count in (("fire", k), ("pass", n - k)) if count}
    outcome = "fire" if k > n - k else "pass"
    return CellFacts(
        CellKey("s", prompt, "bare", "model"),
        f"prompt {prompt}",
        endings,
        outcome,
        tuple(ToolCall(name, {"n": k}) for name in calls),
        rate=RateFacts(ANY, k, n),
    )


def test_other_answers_at_the_same_rate_are_no_difference() -> None:
    before, after = cell("a", 29, 60, ["one"]), cell("a", 32, 60, ["two"])
    diff = diff_runs(RunFacts("1", "", (before,)), RunFacts("2", "", (after,)))
    assert not diff.any
    assert diff.same == 1


def test_a_rate_that_moved_is_told_with_both_counts() -> None:
    before, after = cell("a", 0, 60), cell("a", 14, 60)
    diff = diff_runs(RunFacts("1", "", (before,)), RunFacts("2", "", (after,)))
    (change,) = diff.changed
    assert [(d.what, d.before, d.after) for d in change.differences] == [
        ("rate", "calls any tool in 0 of 60", "calls any tool in 14 of 60")
    ]


def test_many_cells_are_judged_together() -> None:
    """One in forty at p = .02 is what chance brings; one alone would be a change."""
    moved = (RateFacts(ANY, 0, 30), RateFacts(ANY, 6, 30))
    still = (RateFacts(ANY, 5, 30), RateFacts(ANY, 5, 30))
    assert changed_rates([moved]) == (True,)
    assert not any(changed_rates([moved, *[still] * 39]))


def test_another_event_is_a_change_and_no_trials_are_none() -> None:
    assert changed_rates([(RateFacts(ANY, 0, 9), RateFacts("calls x", 0, 9))]) == (True,)
    assert changed_rates([(RateFacts(ANY, 0, 0), RateFacts(ANY, 9, 9))]) == (False,)
