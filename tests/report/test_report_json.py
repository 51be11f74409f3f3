"""The JSON report, version 1: the fields that checks outside the repository read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_runs import (
    BUILD,
    CREATE,
    LIST,
    QUESTION,
    cell_of,
    finding_of,
    run_of,
    seed_run,
    turn_of,
    window,
    written,
)

from workbench.core.cell import CellKey
from workbench.core.decision import Decision, Match, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.trial import Status
from workbench.core.turn import Author, bare
from workbench.report.plain import MAX_DEPTH, dumped, spelled

KEY = CellKey("s", "1", "bare", "a")


def report_of(*cells: Any, findings: tuple[Finding, ...] = ()) -> dict[str, Any]:
    text = written("json", run_of(cells), findings)
    assert text.isascii()
    return dict(json.loads(text, parse_constant=lambda name: pytest.fail(f"no JSON: {name}")))


def test_the_whole_of_a_small_run() -> None:
    decision = Decision(
        Outcome.HOLD, (LIST,), window(BUILD), (Score("r", 0.62, 0.5),), (Match("hold", "workflow", 11, 19),)
    )
    report = report_of(cell_of(KEY, bare(BUILD), decision, decision))
    assert report == {
        "workbench": 1,
        "run": {
            "id": "r1",
            "started": "2026-08-11T01:13:00+00:00",
            "seconds": 1.25,
            "adapters": {"a": {"use": "python", "fingerprint": "f00d"}},
            "arguments": {},
            "interrupted": False,
            "halted": {},
        },
        "cells": [
            {
                "scenario": "s",
                "prompt": "1",
                "typed": BUILD,
                "arm": "bare",
                "adapter": "a",
                "trials": 2,
                "failed": 0,
                "statuses": {"ok": 2},
                "outcomes": {"hold": 2},
                "tools": {"google-calendar::list-events": 0},
                "decision": {
                    "outcome": "hold",
                    "calls": [{"name": "google-calendar::list-events", "arguments": {}}],
                    "note": None,
                },
                "window": {
                    "source": "reported",
                    "length": 53,
                    "head": BUILD,
                    "spans": [[0, 53]],
                    "user_coverage": 1.0,
                    "foreign_share": 0.0,
                    "found": "exact",
                    "ambiguous": False,
                },
                "scores": [{"route": "r", "value": 0.62, "threshold": 0.5}],
                "matches": [{"rule": "hold", "text": "workflow", "start": 11, "end": 19}],
                "flags": [],
                "errors": [],
            }
        ],
        "findings": [],
        "summary": {
            "cells": 1,
            "trials": 2,
            "failed": 0,
            "findings": {},
            "verdict": "ok",
            "audit": {
                "a": {
                    "answers": 2,
                    "failed": 0,
                    "held": 2,
                    "fired": 0,
                    "tools": {
                        "google-calendar::list-events": {
                            "fired": 0,
                            "held": 2,
                            "arguments_not_reported": 0,
                            "arguments_empty": 0,
                            "guessed": [],
                        }
                    },
                }
            },
        },
    }


def test_a_window_of_the_transport() -> None:
    turn = turn_of(QUESTION, ("<tag>\n", Author.TRANSPORT), (QUESTION, Author.USER))
    cell = report_of(cell_of(KEY, turn, Decision(Outcome.PASS, windows=window("<tag>"))))["cells"][0]
    assert cell["window"]["spans"] == [[0, 5]]
    assert (cell["window"]["user_coverage"], cell["window"]["foreign_share"]) == (0.0, 1.0)


def test_the_head_is_eighty_code_points() -> None:
    text = "\U0001f4c5" * 100
    seen = report_of(cell_of(KEY, bare(text), Decision(Outcome.PASS, windows=window(text))))
    assert seen["cells"][0]["window"]["head"] == text[:80]
    assert seen["cells"][0]["window"]["length"] == 100


def test_tools_of_any_arm_and_adapter_are_named_and_declined_ones_count_nothing() -> None:
    hold = Decision(Outcome.HOLD, (LIST,))
    fire = Decision(Outcome.FIRE, (CREATE, CREATE))
    cells = [
        cell_of(CellKey("s", "1", "bare", "a"), bare("x"), hold, hold),
        cell_of(CellKey("s", "1", "bare", "b"), bare("x"), fire, Status.TIMEOUT, fire),
        cell_of(CellKey("s", "2", "bare", "a"), bare("y"), Decision(Outcome.PASS)),
    ]
    seen = [cell["tools"] for cell in report_of(*cells)["cells"]]
    assert seen == [{LIST.name: 0, CREATE.name: 0}, {LIST.name: 0, CREATE.name: 2}, {}]


def test_three_kinds_of_nothing() -> None:
    silent = cell_of(CellKey("s", "1", "a1", "a"), bare("x"), Decision(Outcome.PASS))
    empty = Decision(Outcome.PASS, windows=window(""), scores=(), matches=())
    reported = cell_of(CellKey("s", "1", "a2", "a"), bare("x"), empty)
    failed = cell_of(
        CellKey("s", "1", "a3", "a"), bare("x"), Status.TIMEOUT, Status.TIMEOUT, error="no answer"
    )
    one, two, three = report_of(silent, reported, failed)["cells"]
    assert (one["window"], one["scores"], one["matches"], one["failed"]) == (None, None, None, 0)
    assert (two["window"]["length"], two["scores"], two["matches"]) == (0, [], [])
    assert two["window"]["foreign_share"] == 0.0
    assert (three["decision"], three["window"], three["scores"], three["failed"]) == (None, None, None, 2)
    assert three["errors"] == [{"status": "timeout", "error": "no answer", "count": 2}]


def test_the_most_frequent_decision_stands_for_the_cell() -> None:
    fire, hold = Decision(Outcome.FIRE, (LIST,)), Decision(Outcome.HOLD, (LIST,))
    cell = report_of(cell_of(KEY, bare("x"), hold, fire, fire))["cells"][0]
    assert cell["decision"]["outcome"] == "fire"
    assert cell["outcomes"] == {"hold": 1, "fire": 2}
    assert cell["tools"] == {LIST.name: 2}


def test_windows_of_several_tap_calls() -> None:
    taps = tuple(Window(text, WindowSource.CAPTURED, tap="app:route") for text in ("one", "x"))
    cell = report_of(cell_of(KEY, bare("x"), Decision(Outcome.PASS, windows=taps)))["cells"][0]
    assert [seen["head"] for seen in cell["windows"]] == ["one", "x"]
    assert cell["window"] == cell["windows"][-1]
    assert cell["window"]["tap"] == "app:route"
    single = report_of(cell_of(KEY, bare("x"), Decision(Outcome.PASS, windows=taps[1:])))["cells"][0]
    assert "windows" not in single


def test_nothing_typed_has_no_shares() -> None:
    turn = turn_of("", ("file text", Author.ATTACHMENT))
    seen = report_of(cell_of(KEY, turn, Decision(Outcome.PASS, windows=window("file text"))))
    assert seen["cells"][0]["window"]["user_coverage"] is None
    assert seen["cells"][0]["window"]["foreign_share"] is None


def test_findings_and_summary() -> None:
    run, findings = seed_run()
    report = json.loads(written("json", run, findings))
    assert report["findings"][0]["id"] == findings[0].id
    assert list(report["findings"][0]) == [
        *("id", "kind", "severity", "scenario", "prompt", "arm", "adapter", "headline"),
        *("baseline", "variant", "evidence"),
    ]
    audit = report["summary"].pop("audit")
    assert {name: (one["fired"], one["held"], one["failed"]) for name, one in audit.items()} == {
        "held": (0, 4, 0),
        "naive": (2, 0, 0),
        "dead": (0, 0, 2),
    }
    assert report["summary"] == {
        "cells": 7,
        "trials": 14,
        "failed": 2,
        "findings": {"drift": 3, "miss": 2, "no-verdict": 1},
        "verdict": "failed",
    }


def test_what_json_cannot_say_is_said_and_listed() -> None:
    call = ToolCall("t", {"n": float("nan"), "s": "NaN"})
    decision = Decision(Outcome.FIRE, (call,), scores=(Score("r", float("-inf"), float("inf")),))
    cell = report_of(cell_of(KEY, bare("x"), decision))["cells"][0]
    assert cell["decision"]["calls"][0]["arguments"] == {"n": "NaN", "s": "NaN"}
    assert cell["scores"] == [{"route": "r", "value": "-Infinity", "threshold": "Infinity"}]
    assert cell["replaced"] == [
        "decision.calls[0].arguments.n",
        "scores[0].value",
        "scores[0].threshold",
    ]


def test_deep_nesting_does_not_end_the_report() -> None:
    deep: Any = "bottom"
    for _ in range(5000):
        deep = {"k": deep}
    cell = report_of(cell_of(KEY, bare("x"), Decision(Outcome.FIRE, (ToolCall("t", deep),))))["cells"][0]
    assert len(cell["replaced"]) == 1
    assert spelled(deep).count("{") == MAX_DEPTH


def test_lone_surrogates_survive() -> None:
    text = "a\ud800b\udfff\x7f\x00\u2028"
    raw = written("json", run_of([cell_of(KEY, bare(text), Decision(Outcome.PASS))]))
    assert "\\ud800" in raw
    assert json.loads(raw)["cells"][0]["typed"] == text


def test_jsonl_has_the_same_records_one_per_line() -> None:
    run, findings = seed_run()
    whole = json.loads(written("json", run, findings))
    lines = [json.loads(line) for line in written("jsonl", run, findings).splitlines()]
    assert [line.pop("type") for line in lines] == ["run", *["cell"] * 7, *["finding"] * 6, "summary"]
    assert lines[0].pop("workbench") == 1
    assert lines == [whole["run"], *whole["cells"], *whole["findings"], whole["summary"]]


def test_a_run_without_cells_is_no_verdict() -> None:
    assert report_of()["summary"]["verdict"] == "no-verdict"


@pytest.mark.parametrize(
    ("kinds", "verdict"),
    [
        ([(Kind.LEAK, Severity.WARNING), (Kind.CALL_DRIFT, Severity.NOTE)], "ok"),
        ([(Kind.UNDECIDED, Severity.WARNING)], "undecided"),
        ([(Kind.UNDECIDED, Severity.WARNING), (Kind.NO_VERDICT, Severity.WARNING)], "no-verdict"),
        ([(Kind.NO_VERDICT, Severity.WARNING), (Kind.LEAK, Severity.ERROR)], "failed"),
    ],
)
def test_the_verdict_is_the_first_that_applies(kinds: list[tuple[Kind, Severity]], verdict: str) -> None:
    findings = tuple(finding_of(kind, severity, KEY, "h", None, None) for kind, severity in kinds)
    cell = cell_of(KEY, bare("x"), Decision(Outcome.PASS))
    assert report_of(cell, findings=findings)["summary"]["verdict"] == verdict


def test_an_adapter_without_an_answer_is_no_verdict() -> None:
    good = cell_of(KEY, bare("x"), Decision(Outcome.PASS))
    dead = cell_of(CellKey("s", "1", "bare", "dead"), bare("x"), Status.ERROR)
    assert report_of(good, dead)["summary"]["verdict"] == "no-verdict"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=60)
@given(VALUES)
def test_every_json_value_comes_back(value: Any) -> None:
    line = dumped({"value": value})
    assert line.isascii()
    assert "\n" not in line
    back = json.loads(line, parse_constant=lambda name: pytest.fail(name))
    if "replaced" not in back:
        assert back == {"value": value}
