"""Known findings: which entries are about which, how long they hold, and when they are stale."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.compare.accepted import holds, matches
from workbench.compare.findings import find
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.errors import Mark
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.scenario import Accept, Expectation
from workbench.core.trial import Status, Trial
from workbench.core.turn import bare

FIRE = Decision(Outcome.FIRE, (ToolCall("t"),))
PASS = Decision(Outcome.PASS)


def accept(kind: str = "drift", **more: Any) -> Accept:
    return Accept(kind, more.pop("reason", "known"), Mark("scenarios/s.yaml", 30, 5), **more)


def cell(arm: str, answer: Decision | Status, adapter: str = "a", prompt: str = "p") -> Cell:
    trial = (
        Trial(0, Status.OK, answer) if isinstance(answer, Decision) else Trial(0, answer, error="it broke")
    )
    delivery = Delivery(CellKey("s", prompt, arm, adapter), "stop", bare("stop"), file="scenarios/s.yaml")
    return Cell(delivery, (trial,))


DRIFTS = (cell(BARE, FIRE), cell("w", PASS))
SAME = (cell(BARE, FIRE), cell("w", FIRE))


def run_of(*cells: Cell, entries: tuple[Accept, ...], **more: Any) -> Run:
    adapters = {made.key.adapter: AdapterInfo(made.key.adapter, "python") for made in cells}
    settings: dict[str, Any] = {"whole": frozenset({"s"}), "accept": {"s": entries}, **more}
    return Run("r", "2026-08-11T22:10:00.000+00:00", 1.0, adapters, cells, **settings)


def found(*cells: Cell, entries: tuple[Accept, ...] = (), **more: Any) -> list[tuple[str, str]]:
    return [(f.kind.value, f.severity.value) for f in find(run_of(*cells, entries=entries, **more))]


def only(*cells: Cell, entries: tuple[Accept, ...], **more: Any) -> Finding:
    (finding,) = find(run_of(*cells, entries=entries, **more))
    return finding


def test_a_known_drift_becomes_a_note_that_says_what_it_was() -> None:
    (before,) = find(run_of(*DRIFTS, entries=()))
    note = only(*DRIFTS, entries=(accept(arm="w", adapter="a", prompt="p", until="2027-01-01"),))
    assert (note.kind, note.severity, note.accepts) == (Kind.ACCEPTED, Severity.NOTE, Kind.DRIFT)
    assert note.headline == f"ACCEPTED {before.headline}: known, until 2027-01-01"
    assert note.baseline == before.baseline and note.variant == before.variant
    assert note.evidence == {
        **before.evidence,
        "accepted_kind": "drift",
        "accepted_severity": "error",
        "accepted_headline": before.headline,
        "reason": "known",
        "until": "2027-01-01",
        "accepted_at": "scenarios/s.yaml:30",
    }
    assert note.id != before.id


@pytest.mark.parametrize(
    ("entry", "about"),
    [
        (accept(), True),
        (accept(arm="w"), True),
        (accept(arm="v"), False),
        (accept(adapter="a"), True),
        (accept(adapter="b"), False),
        (accept(prompt="p"), True),
        (accept(prompt="q"), False),
        (accept("leak"), False),
    ],
)
def test_what_an_entry_does_not_name_is_any(entry: Accept, about: bool) -> None:
    (drift,) = find(run_of(*DRIFTS, entries=()))
    assert matches(entry, drift) is about
    kinds = [kind for kind, _ in found(*DRIFTS, entries=(entry,), whole=frozenset())]
    assert kinds == (["accepted"] if about else ["drift"])


def test_a_finding_about_a_whole_scenario_has_no_prompt_to_name() -> None:
    silent = (cell(BARE, PASS),)
    assert found(*silent) == [("vacuous", "warning")]
    assert found(*silent, entries=(accept("vacuous"),)) == [("accepted", "note")]
    assert found(*silent, entries=(accept("vacuous", prompt="p"),), whole=frozenset({"s"}))[0] != (
        "accepted",
        "note",
    )


@pytest.mark.parametrize(
    ("until", "holding"),
    [(None, True), ("2026-08-10", False), ("2026-08-11", True), ("2026-08-12", True), ("2027-01-01", True)],
)
def test_an_entry_holds_to_the_end_of_its_last_day(until: str | None, holding: bool) -> None:
    assert holds(accept(until=until), "2026-08-11T22:10:00.000+00:00") is holding


def test_a_run_of_an_unknown_start_is_not_too_late() -> None:
    assert holds(accept(until="2026-08-10"), "")


def test_after_its_last_day_the_finding_stands_and_says_so() -> None:
    (before,) = find(run_of(*DRIFTS, entries=()))
    after = only(*DRIFTS, entries=(accept(until="2026-08-10", reason="the parser"),))
    assert (after.kind, after.severity, after.id) == (before.kind, before.severity, before.id)
    assert after.headline == f"{before.headline} (accepted until 2026-08-10, which is over: the parser)"
    assert after.evidence["until"] == "2026-08-10"


def test_one_that_holds_counts_beside_one_that_does_not() -> None:
    entries = (accept(until="2026-08-10", reason="old"), accept(arm="w", reason="new"))
    assert only(*DRIFTS, entries=entries).headline.endswith(": new")


def test_what_is_gone_is_stale_and_points_at_its_line() -> None:
    entry = accept(arm="w", adapter="a", prompt="p", reason="a parser", until="2027-01-01")
    stale = only(*SAME, entries=(entry,))
    assert (stale.kind, stale.severity, stale.accepts) == (Kind.STALE_ACCEPT, Severity.ERROR, Kind.DRIFT)
    assert (stale.scenario, stale.prompt, stale.arm, stale.adapter) == ("s", "p", "w", "a")
    assert stale.headline == "STALE ACCEPT drift [w] a, prompt p: it is gone, take the entry away (a parser)"
    assert (stale.evidence["file"], stale.evidence["line"]) == ("scenarios/s.yaml", 30)


def test_an_entry_past_its_last_day_that_meets_nothing_is_stale_too() -> None:
    assert found(*SAME, entries=(accept(until="2026-08-10"),)) == [("stale-accept", "error")]


def test_an_entry_without_an_adapter_is_stale_for_all_that_ran() -> None:
    cells = (*SAME, cell(BARE, FIRE, "b"), cell("w", FIRE, "b"))
    assert only(*cells, entries=(accept(),)).adapter == "a, b"


@pytest.mark.parametrize(
    ("cells", "more"),
    [
        (SAME, {"whole": frozenset()}),
        (SAME, {"interrupted": True}),
        (SAME, {"arguments": {"envelope": ["w"]}}),
        (SAME, {"arguments": {"adapter": ["a"]}}),
        ((*SAME, cell("v", Status.TIMEOUT)), {}),
        ((cell(BARE, Status.ERROR), cell("w", FIRE)), {}),
    ],
    ids=["a part", "interrupted", "some envelopes", "some adapters", "failed", "bare failed"],
)
def test_what_was_not_looked_for_everywhere_is_not_stale(cells: tuple[Cell, ...], more: Any) -> None:
    kinds = [kind for kind, _ in found(*cells, entries=(accept(),), **more)]
    assert "stale-accept" not in kinds


@pytest.mark.parametrize("entry", [accept(arm="v"), accept(adapter="b"), accept(prompt="q")])
def test_an_arm_adapter_or_prompt_that_did_not_run_makes_nothing_stale(entry: Accept) -> None:
    assert found(*SAME, entries=(entry,)) == []


def test_a_run_of_that_very_arm_and_adapter_tells() -> None:
    arguments = {"envelope": ["w"], "adapter": ["a"]}
    assert found(*SAME, entries=(accept(arm="w", adapter="a"),), arguments=arguments) == [
        ("stale-accept", "error")
    ]


def test_two_known_findings_of_one_cell_are_two() -> None:
    wanted = Delivery(
        CellKey("s", "p", "w", "a"), "stop", bare("stop"), expect=Expectation(Outcome.FIRE, spelled="fire")
    )
    cells = (cell(BARE, FIRE), Cell(wanted, (Trial(0, Status.OK, PASS),)))
    findings = find(run_of(*cells, entries=(accept(), accept("expectation"))))
    assert [finding.kind for finding in findings] == [Kind.ACCEPTED, Kind.ACCEPTED]
    assert len({finding.id for finding in findings}) == 2


def test_errors_come_before_what_is_accepted_within_a_cell() -> None:
    wanted = Delivery(
        CellKey("s", "p", "w", "a"), "stop", bare("stop"), expect=Expectation(Outcome.FIRE, spelled="fire")
    )
    cells = (cell(BARE, FIRE), Cell(wanted, (Trial(0, Status.OK, PASS),)))
    assert found(*cells, entries=(accept("expectation"),)) == [("drift", "error"), ("accepted", "note")]
