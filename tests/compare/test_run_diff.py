"""Two runs side by side: how their cells are paired, and what of them differs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from workbench.compare.expect import why_not
from workbench.compare.findings import find
from workbench.compare.frozen import frozen
from workbench.compare.known import mark_known
from workbench.compare.run_diff import (
    CellFacts,
    Difference,
    FindingFacts,
    RunDiff,
    RunFacts,
    WindowFacts,
    diff_runs,
    facts_of,
)
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome, ToolCall, Window, WindowSource
from workbench.core.errors import Mark
from workbench.core.finding import Kind, Severity
from workbench.core.scenario import Accept
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare


def fire(*tools: str, arguments: Any = None, window: str | None = None) -> Decision:
    read = None if window is None else (Window(window, WindowSource.REPORTED),)
    return Decision(Outcome.FIRE, tuple(ToolCall(tool, arguments) for tool in tools), read)


PASS = Decision(Outcome.PASS)


def cell(*answers: Decision | Status, prompt: str = "p", arm: str = BARE, typed: str = "stop it") -> Cell:
    trials = tuple(
        Trial(index, Status.OK, answer) if isinstance(answer, Decision) else Trial(index, answer)
        for index, answer in enumerate(answers)
    )
    return Cell(Delivery(CellKey("s", prompt, arm, "a"), typed, bare(typed)), trials)


def run_of(*cells: Cell, **more: Any) -> RunFacts:
    run = Run("r", "2026-08-11T00:00:00+00:00", 1.0, {"a": AdapterInfo("a", "python")}, cells, **more)
    return facts_of(run, find(run))


def differences(before: Cell, after: Cell) -> list[tuple[str, str, str]]:
    diff = diff_runs(run_of(before), run_of(after))
    return [(d.what, d.before, d.after) for change in diff.changed for d in change.differences]


def test_the_same_run_differs_in_nothing() -> None:
    run = run_of(cell(fire("t")), cell(Status.TIMEOUT, prompt="q"))
    diff = diff_runs(run, run)
    assert (diff.any, diff.same) == (False, 2)
    assert diff == RunDiff(run, run, same=2)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (cell(fire("t")), cell(PASS), [("outcome", "fire", "pass"), ("tools", "t", "none")]),
        (cell(fire("t")), cell(fire("u", "u")), [("tools", "t", "u x2")]),
        (cell(fire("t", "u")), cell(fire("u", "t")), []),
        (
            cell(fire("t", arguments={"n": 1})),
            cell(fire("t", arguments={"n": "1"})),
            [("arguments", 't {"n":1}', 't {"n":"1"}')],
        ),
        (cell(fire("t"), fire("t")), cell(fire("t")), []),
        (cell(fire("t")), cell(fire("t"), fire("t"), PASS), [("outcome", "fire", "fire 2/3, pass 1/3")]),
        (cell(fire("t")), cell(Status.TIMEOUT), [("outcome", "fire", "timeout")]),
        (cell(Status.TIMEOUT), cell(Status.ERROR), [("outcome", "timeout", "error")]),
        (cell(), cell(PASS), [("outcome", "not run", "pass")]),
        (cell(fire("t")), cell(fire("t"), typed="stop that"), [("typed", "stop it", "stop that")]),
        (
            cell(fire("t", window="stop it")),
            cell(fire("t", window="stop")),
            [("window", "7 'stop it'", "4 'stop'"), ("coverage", "1.0000", "0.6667")],
        ),
        (
            cell(fire("t", window="stop it")),
            cell(fire("t", window="stop it <tag>")),
            [("window", "7 'stop it'", "13 'stop it <tag>'"), ("foreign share", "0.0000", "0.4545")],
        ),
        (cell(fire("t")), cell(fire("t", window="")), [("window", "not reported", "nothing (empty)")]),
    ],
)
def test_what_differs_in_a_cell(before: Cell, after: Cell, expected: list[tuple[str, str, str]]) -> None:
    assert differences(before, after) == expected


def test_a_window_of_which_a_report_keeps_the_head_is_compared_by_that() -> None:
    long = "stop it " * 30
    run = run_of(cell(fire("t", window=long)))
    (kept,) = run.cells
    assert kept.window is not None
    report = replace(run, cells=(replace(kept, window=replace(kept.window, text=None)),))
    assert not diff_runs(run, report).any
    assert not diff_runs(report, run).any
    longer = run_of(cell(fire("t", window=long + "x")))
    assert diff_runs(report, longer).any
    assert diff_runs(run, run_of(cell(fire("t", window=long[:-1] + "x")))).any


def test_prompts_without_an_id_go_by_their_text() -> None:
    before = run_of(cell(PASS, prompt="1", typed="one"), cell(PASS, prompt="2", typed="two"))
    after = run_of(
        cell(PASS, prompt="1", typed="zero"),
        cell(PASS, prompt="2", typed="one"),
        cell(fire("t"), prompt="3", typed="two"),
    )
    diff = diff_runs(before, after)
    assert [(c.before.key.prompt, c.after.key.prompt) for c in diff.changed] == [("2", "3")]
    assert (diff.same, [c.typed for c in diff.only_after], diff.only_before) == (1, ["zero"], ())


def test_an_id_may_come_or_go() -> None:
    diff = diff_runs(
        run_of(cell(PASS, prompt="1", typed="one"), cell(PASS, prompt="b", typed="two")),
        run_of(cell(PASS, prompt="a", typed="one"), cell(PASS, prompt="2", typed="two")),
    )
    assert (diff.any, diff.same) == (False, 2)


def test_two_prompts_of_one_text_are_two() -> None:
    before = run_of(cell(PASS, prompt="1"), cell(fire("t"), prompt="2"))
    diff = diff_runs(before, before)
    assert (diff.any, diff.same) == (False, 2)
    assert len(diff_runs(before, run_of(cell(PASS, prompt="1"))).only_before) == 1


def test_an_id_binds_more_than_a_text() -> None:
    before = run_of(cell(PASS, prompt="a", typed="x"), cell(fire("t"), prompt="b", typed="y"))
    after = run_of(cell(PASS, prompt="a", typed="y"), cell(fire("t"), prompt="b", typed="x"))
    diff = diff_runs(before, after)
    assert [[d.what for d in change.differences] for change in diff.changed] == [["typed"], ["typed"]]


def drifting(prompt: str, typed: str) -> tuple[Cell, Cell]:
    return cell(fire("t"), prompt=prompt, typed=typed), cell(PASS, prompt=prompt, arm="w", typed=typed)


def test_findings_come_and_go_with_their_prompts() -> None:
    before = run_of(*drifting("1", "one"))
    after = run_of(*drifting("1", "zero"), *drifting("2", "one"))
    diff = diff_runs(before, after)
    assert [(finding.kind, finding.prompt) for finding in diff.new] == [("drift", "1")]
    assert diff.gone == ()
    back = diff_runs(after, before)
    assert [(finding.kind, finding.prompt) for finding in back.gone] == [("drift", "1")]
    assert back.new == ()


def test_a_drift_that_is_accepted_now_is_gone_and_the_note_is_new() -> None:
    entry = Accept("drift", "known", Mark("s.yaml", 3, 1))
    before = run_of(*drifting("p", "one"))
    after = run_of(*drifting("p", "one"), accept={"s": (entry,)})
    diff = diff_runs(before, after)
    assert [(f.kind, f.severity) for f in diff.gone] == [("drift", Severity.ERROR)]
    assert [(f.kind, f.severity, f.accepts) for f in diff.new] == [("accepted", Severity.NOTE, "drift")]


def test_values_are_plain() -> None:
    facts = CellFacts(CellKey("s", "p", "w", "a"), "x", {"pass": 1}, "pass", (), WindowFacts(1, "x"))
    other = replace(facts, window=WindowFacts(2, "xy"))
    (change,) = diff_runs(RunFacts("1", "", (facts,)), RunFacts("2", "", (other,))).changed
    assert change.differences == (Difference("window", "1 'x'", "2 'xy'"),)


def known(*findings: FindingFacts) -> RunFacts:
    return RunFacts("20260811-011300-abcd", "", (), findings)


def test_what_stands_in_the_baseline_is_a_note_and_keeps_its_id() -> None:
    run = Run("r", "", 1.0, {"a": AdapterInfo("a", "python")}, drifting("p", "one"))
    (drift,) = find(run)
    baseline = facts_of(run, (drift,))
    (marked,) = mark_known((drift,), replace(baseline, id="20260811-011300-abcd"))
    assert (marked.id, marked.kind, marked.severity) == (drift.id, Kind.DRIFT, Severity.NOTE)
    assert marked.headline == f"KNOWN {drift.headline}"
    assert marked.evidence == {**drift.evidence, "known": "error in run 20260811-011300-abcd already"}
    assert mark_known((drift,), known()) == (drift,)
    again = facts_of(run, (marked,))
    assert "known_as" not in mark_known((drift,), again)[0].evidence


def test_a_known_fault_of_another_form_says_what_it_was() -> None:
    run = Run("r", "", 1.0, {"a": AdapterInfo("a", "python")}, drifting("p", "one"))
    (drift,) = find(run)
    (before,) = facts_of(run, (drift,)).findings
    (marked,) = mark_known((drift,), known(replace(before, headline="another drift")))
    assert marked.evidence["known_as"] == "another drift"


@pytest.mark.parametrize(
    "decision",
    [
        PASS,
        Decision(Outcome.HOLD, (ToolCall("t"),)),
        fire(),
        fire("t"),
        fire("t", "t"),
        fire("t", "u"),
        fire(" "),
    ],
)
def test_what_is_frozen_is_met_by_what_it_was_frozen_from(decision: Decision) -> None:
    expect = frozen(decision)
    assert why_not(expect, decision) is None
    assert why_not(expect, fire("other")) is not None or not (decision.called and decision.called[0].strip())
