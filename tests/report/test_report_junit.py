"""JUnit XML: what the common readers take, and every character as XML 1.0 allows it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from report_runs import CREATE, Told, cell_of, finding_of, run_of, seed_run, written

from workbench.core.cell import CellKey
from workbench.core.decision import Decision, Outcome
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.trial import Status
from workbench.core.turn import bare

KEY = CellKey("s", "1", "channel", "a")
PASS = Decision(Outcome.PASS)
TOLD = Told("channel", "pass")


def parsed(*args: object, **kwargs: object) -> ET.Element:
    return ET.fromstring(written("junit", *args, **kwargs))  # type: ignore[arg-type]


def found(kind: Kind, severity: Severity, key: CellKey = KEY) -> Finding:
    return finding_of(kind, severity, key, f"HEAD {kind.value}", None, TOLD)


def case_of(*findings: Finding, answers: tuple[Decision | Status, ...] = (PASS,)) -> ET.Element:
    root = parsed(run_of([cell_of(KEY, bare("x"), *answers, error="went away")]), findings)
    (case,) = root.iter("testcase")
    return case


def test_a_suite_per_scenario_and_a_case_per_cell() -> None:
    run, findings = seed_run()
    root = parsed(run, findings)
    suites = {suite.get("name"): suite for suite in root.iter("testsuite")}
    assert list(suites) == ["envelope-replay", "canary"]
    replay = suites["envelope-replay"]
    counts = {name: replay.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "2", "errors": "0", "skipped": "0"}
    assert suites["canary"].get("errors") == "1"
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("7", "3", "1")
    assert replay.get("timestamp") == "2026-08-11T01:13:00"
    cases = [(case.get("classname"), case.get("name")) for case in replay.iter("testcase")]
    assert cases[1] == ("envelope-replay.held", "build @ channel")
    properties = {item.get("name"): item.get("value") for item in replay.iter("property")}
    assert properties["run"] == "r1"
    assert properties["adapter held"] == "python f00d"


def test_an_error_finding_is_a_failure_with_its_evidence() -> None:
    run, findings = seed_run()
    failure = next(parsed(run, findings).iter("failure"))
    assert failure.get("type") == "drift"
    assert (failure.get("message") or "").startswith("ENVELOPE DRIFT [channel]")
    assert "53 characters bare, 52 on channel" in (failure.text or "")
    assert "workbench run 'envelope-replay#build' --adapter held" in (failure.text or "")


def test_a_warning_passes_and_is_told() -> None:
    case = case_of(found(Kind.LEAK, Severity.WARNING), found(Kind.CALL_DRIFT, Severity.NOTE))
    assert [child.tag for child in case] == ["system-out"]
    assert case[0].text == "warning leak: HEAD leak\nnote call-drift: HEAD call-drift"


def test_no_verdict_is_an_error_and_undecided_is_skipped() -> None:
    assert [child.tag for child in case_of(found(Kind.NO_VERDICT, Severity.WARNING))] == ["error"]
    case = case_of(found(Kind.UNDECIDED, Severity.WARNING))
    assert [child.tag for child in case] == ["skipped"]
    assert case[0].get("message") == "HEAD undecided"


def test_a_case_never_ends_in_two_ways() -> None:
    findings = [found(Kind.NO_VERDICT, Severity.WARNING), found(Kind.UNDECIDED, Severity.WARNING)]
    case = case_of(found(Kind.DRIFT, Severity.ERROR), *findings)
    assert [child.tag for child in case] == ["failure", "system-out"]
    assert "warning no-verdict" in (case[1].text or "")
    assert [child.tag for child in case_of(*findings)] == ["error", "system-out"]


def test_failed_trials_without_a_finding() -> None:
    case = case_of(answers=(Status.TIMEOUT, Status.TIMEOUT))
    assert [child.tag for child in case] == ["error"]
    assert case[0].get("message") == "trial 1 failed: timeout: went away; trial 2 failed: timeout: went away"
    case = case_of(answers=(PASS, PASS, PASS, PASS, PASS, Status.ERROR))
    assert [child.tag for child in case] == ["system-out"]
    assert case[0].text == "trial 6 failed: error: went away"


def test_a_cell_that_was_not_run_is_skipped() -> None:
    case = case_of(answers=())
    assert [(child.tag, child.get("message")) for child in case] == [("skipped", "not run")]


def test_a_finding_about_a_whole_scenario_has_a_case_of_its_own() -> None:
    vacuous = Finding(Kind.VACUOUS, Severity.WARNING, "s", None, None, "a", "VACUOUS s")
    stale = Finding(Kind.STALE_ACCEPT, Severity.ERROR, "s", "1", None, "a", "STALE")
    root = parsed(run_of([cell_of(KEY, bare("x"), PASS)]), [vacuous, stale])
    cases = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert cases == {
        "1 @ channel": [],
        "every prompt @ every arm": ["system-out"],
        "1 @ every arm": ["failure"],
    }
    assert root.get("tests") == "3"


@pytest.mark.parametrize("started", ["", "soon", "2026-08-11 01:13"])
def test_a_strange_start_time_is_left_out(started: str) -> None:
    run = run_of([cell_of(KEY, bare("x"), PASS)])
    root = parsed(type(run)(run.id, started, 0.0, run.adapters, run.cells))
    assert next(root.iter("testsuite")).get("timestamp") is None


def test_the_bytes_are_ascii_and_time_is_the_trials() -> None:
    fire = Decision(Outcome.FIRE, (CREATE,))
    text = written("junit", run_of([cell_of(KEY, bare("日本\x1b"), fire, fire)]), [])
    assert text.isascii()
    assert 'time="0.020"' in text
