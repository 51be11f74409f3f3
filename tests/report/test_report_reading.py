"""A JSON report read back says what the run says; what differs between two is drawn without harm."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from report_runs import seed_run, written
from test_report_hostile import HOSTILE, clean, hostile_run

from workbench.compare.run_diff import RunFacts, diff_runs, facts_of
from workbench.core.errors import WorkbenchError
from workbench.report.as_diff import FORMATS, write_diff
from workbench.report.reading import read_report
from workbench.report.writer import Style


def reread(run: Any, findings: Any) -> RunFacts:
    return read_report(written("json", run, findings), "r.json")


def test_a_report_says_what_its_run_says() -> None:
    run, findings = seed_run()
    facts, back = facts_of(run, findings), reread(run, findings)
    assert (back.id, back.started, back.findings) == (facts.id, facts.started, facts.findings)
    for kept, cell in zip(back.cells, facts.cells, strict=True):
        window = replace(cell.window, text=None) if cell.window else None
        assert replace(kept, endings=dict(kept.endings)) == replace(
            cell, window=window, endings=dict(cell.endings)
        )
    assert not diff_runs(facts, back).any
    assert not diff_runs(back, facts).any


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_comes_back_and_is_drawn_visible(text: str) -> None:
    run, findings = hostile_run(text)
    back = reread(run, findings)
    assert [finding.headline for finding in back.findings] == [finding.headline for finding in findings]
    empty = RunFacts("other", "")
    changed = replace(back, cells=tuple(replace(cell, typed="x", outcome=text) for cell in back.cells))
    for diff in (diff_runs(back, empty), diff_runs(empty, back), diff_runs(back, changed)):
        assert diff.any
        for name in FORMATS:
            for style in (Style(), Style(ascii=True)):
                out = io.StringIO()
                write_diff(name, diff, out, style)
                assert clean(out.getvalue())


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (["run"], 3, "run: an object"),
        (["run", "id"], None, "run.id: text"),
        (["cells"], {}, "cells: a list"),
        (["cells", 0], "x", "cells[0]: an object"),
        (["cells", 1, "arm"], 7, "cells[1].arm: text"),
        (["cells", 0, "outcomes", "hold"], "many", "cells[0].outcomes.hold: a whole number"),
        (["cells", 0, "decision"], [], "cells[0].decision: an object"),
        (["cells", 0, "decision", "calls"], None, "cells[0].decision.calls: a list"),
        (["cells", 0, "window", "length"], True, "cells[0].window.length: a whole number"),
        (["cells", 0, "window", "spans"], [[1]], "cells[0].window.spans: a list of [start, end]"),
        (["cells", 0, "window", "user_coverage"], "all", "cells[0].window.user_coverage: a number"),
        (["findings", 0, "severity"], "fatal", "findings[0].severity: error, warning or note"),
    ],
)
def test_what_is_no_report_says_where(path: list[Any], value: Any, where: str) -> None:
    run, findings = seed_run()
    report = json.loads(written("json", run, findings))
    at = report
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    with pytest.raises(WorkbenchError) as caught:
        read_report(json.dumps(report), "r.json")
    (problem,) = caught.value.problems
    assert problem.message.startswith(where)
    assert problem.mark is not None and problem.mark.file == "r.json"


def test_fields_of_a_later_report_are_passed_over() -> None:
    run, findings = seed_run()
    report = json.loads(written("json", run, findings))
    report["more"] = report["run"]["more"] = report["cells"][0]["more"] = [1]
    assert read_report(json.dumps(report), "r.json") == reread(run, findings)
