"""`workbench diff` and `run --baseline`: two runs, stored or as reports."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command import Bench

TABLE = """
keywords:
  - {phrases: [restart the box], tool: ops::restart}
  - {phrases: [call me], tool: ops::call}
scan: all
"""

SCENARIO = """\
scenario: box
prompts:
  - {text: restart the box}
  - {id: call, text: call me}
"""


@pytest.fixture
def box(bench: Bench) -> Bench:
    bench.write("workbench.yaml", "adapters:\n  table: {use: keyword, table: keywords.yaml}\n")
    bench.write("keywords.yaml", TABLE)
    bench.write("envelopes/tagged.yaml", 'envelope: tagged\ningress: channel\ntemplate: "<chat>\\n{text}"\n')
    bench.write("scenarios/box.yaml", SCENARIO)
    assert bench("run", "box", "-q", "--format", "json", "-o", "before.json").code == 0
    return bench


def break_it(box: Bench) -> None:
    box.write("keywords.yaml", TABLE.replace("scan: all", "scan: first-line"))
    assert box("run", "box", "-q", "--format", "json", "-o", "after.json").code == 1


def newest(box: Bench) -> str:
    return str(box("runs", "--format", "json").json[0]["run"])


def test_nothing_differs(box: Bench) -> None:
    assert box("run", "box", "-q").code == 0
    done = box("diff", "last~1", "last", "--exit-code")
    assert (done.code, done.text.splitlines()[-1]) == (0, "nothing differs: 4 cells are the same")


def test_what_a_change_did(box: Bench) -> None:
    break_it(box)
    done = box("diff", "last~1", "last", "--format", "json")
    assert done.code == 0
    found = done.json
    assert [(cell["prompt"], cell["arm"]) for cell in found["changed"]] == [
        ("1", "tagged"),
        ("call", "tagged"),
    ]
    assert found["changed"][0]["differences"][:2] == [
        {"what": "outcome", "before": "fire", "after": "pass"},
        {"what": "tools", "before": "ops::restart", "after": "none"},
    ]
    assert {(f["kind"], f["prompt"]) for f in found["new_findings"]} == {
        (kind, prompt) for kind in ("drift", "miss") for prompt in ("1", "call")
    }
    assert found["summary"]["differs"] is True
    assert box("diff", "last~1", "last", "--exit-code").code == 1


def test_runs_and_reports_of_them_differ_alike(box: Bench) -> None:
    break_it(box)
    names = {
        "before": ["last~1", "before.json", "./before.json"],
        "after": ["last", newest(box), "after.json"],
    }
    told: list[Any] = []
    for before in names["before"]:
        for after in names["after"]:
            done = box("diff", before, after, "--format", "json")
            assert done.code == 0, done.said
            told.append(done.json)
    assert all(one == told[0] for one in told)
    assert box("diff", "last", "after.json", "--exit-code").code == 0
    back = box("diff", "after.json", "before.json", "--format", "json").json
    assert len(back["gone_findings"]) == 4 and back["new_findings"] == []


def test_prompts_go_by_id_else_by_text(box: Bench) -> None:
    box.write("scenarios/box.yaml", SCENARIO.replace("prompts:\n", "prompts:\n  - {text: be quiet}\n"))
    assert box("run", "box", "-q").code == 0
    found = box("diff", "last~1", "last", "--format", "json").json
    assert (found["changed"], found["only_before"]) == ([], [])
    assert {(cell["prompt"], cell["typed"]) for cell in found["only_after"]} == {("1", "be quiet")}
    assert "box#1@tagged:table" in box("diff", "last~1", "last").text


def test_the_formats(box: Bench) -> None:
    break_it(box)
    text = box("diff", "last~1", "last").text
    assert "~ box#1@tagged:table  restart the box" in text
    assert "outcome        fire → pass" in text
    assert "2 cells changed, 2 the same · findings: 4 new (2 errors), 0 gone" in text
    markdown = box("diff", "last~1", "last", "--format", "markdown", "-o", "diff.md")
    assert (markdown.code, markdown.out) == (0, b"")
    written = (box.folder / "diff.md").read_text()
    assert "- `box#1@tagged:table`\n  - outcome: `fire` → `pass`\n" in written
    assert box("diff", "last~1", "last", "--format", "json").out.isascii()
    ascii_only = box("diff", "last~1", "last", env={"PYTHONIOENCODING": "ascii"}).out
    assert ascii_only.isascii() and b"fire -> pass" in ascii_only


def test_foreign_text_is_made_visible(box: Bench) -> None:
    report = json.loads((box.folder / "before.json").read_text())
    for cell in report["cells"]:
        cell["typed"] += "\x1b]0;x\x07`|"
        cell["decision"]["calls"] = [{"name": "\x1b[2J<b>", "arguments": None}]
    (box.folder / "evil.json").write_text(json.dumps(report))
    for name in ("text", "markdown", "json"):
        done = box("diff", "before.json", "evil.json", "--format", name, "--color", "never")
        assert done.code == 0, done.said
        assert b"\x1b" not in done.out and b"\x07" not in done.out


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("no-such-run", None, "there is no run no-such-run"),
        ("last~7", None, "there is no run last~7: 1 are stored"),
        ("missing.json", None, "cannot be read"),
        ("text.json", "hello", "text.json:1:1: this is not JSON"),
        ("other.json", '{"a": 1}', "no report of the workbench"),
        ("newer.json", '{"workbench": 2}', "of version 2, and version 1 is read"),
        ("half.json", '{"workbench": 1, "run": {"id": "x"}}', "run.started: text was expected"),
        (
            "bad.json",
            '{"workbench": 1, "run": {"id": "x", "started": ""}, "cells": [{"statuses": 3}], "findings": []}',
            "cells[0].statuses: an object was expected",
        ),
        pytest.param("deep.json", "[" * 100_000, "not JSON", id="deep.json"),
    ],
)
def test_a_run_that_cannot_be_had(box: Bench, name: str, content: str | None, why: str) -> None:
    if content is not None:
        box.write(name, content)
    for arguments in (["diff", name, "last"], ["run", "box", "--baseline", name]):
        done = box(*arguments)
        assert (done.code, done.out) == (2, b""), done.said
        assert why in done.said


def kinds(report: Any) -> set[tuple[str, str]]:
    return {(finding["kind"], finding["severity"]) for finding in report["findings"]}


@pytest.mark.parametrize("name", ["after.json", "last"])
def test_only_what_the_baseline_has_not_fails(box: Bench, name: str) -> None:
    break_it(box)
    done = box("run", "box", "--baseline", name, "--format", "json")
    assert done.code == 0, done.text
    assert ("drift", "note") in kinds(done.json)
    assert {severity for _, severity in kinds(done.json)} == {"note"}
    assert all("in run" in finding["evidence"]["known"] for finding in done.json["findings"])
    assert done.json["summary"]["verdict"] == "ok"
    assert "baseline" not in done.json["run"]["arguments"]


def test_what_is_new_fails(box: Bench) -> None:
    break_it(box)
    box.write(
        "scenarios/box.yaml",
        SCENARIO.replace("{id: call, text: call me}", "{id: call, text: call me, expect: hold}"),
    )
    done = box("run", "box", "--baseline", "after.json", "--format", "json")
    assert done.code == 1
    assert {kind for kind, severity in kinds(done.json) if severity == "error"} == {"expectation"}
    assert "KNOWN ENVELOPE DRIFT" in box("run", "box", "--baseline", "after.json").text


def test_the_stored_run_is_what_it_is_without_a_baseline(box: Bench) -> None:
    break_it(box)
    assert box("run", "box", "--baseline", "after.json", "-q").code == 0
    assert box("diff", "after.json", "last", "--exit-code").code == 0
    assert box("run", "box", "--only-failing", "-q").code == 1
