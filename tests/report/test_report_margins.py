"""Margins of a scenario in a report, and how they moved from one run to another."""

from __future__ import annotations

import io
import json

import pytest
from report_runs import cell_of, run_of, written

from workbench.compare.findings import find
from workbench.compare.run_diff import RunFacts, diff_runs, facts_of
from workbench.core.cell import CellKey, Run
from workbench.core.decision import Decision, Outcome, Score, ToolCall
from workbench.core.turn import bare
from workbench.report.as_diff import write_diff
from workbench.report.reading import read_report
from workbench.report.writer import Style


def scored(*best: float, used: float | None = None) -> Run:
    """A run in which mail wins each prompt by one of these scores against 0.5."""
    cells = []
    for number, value in enumerate(best, 1):
        scores = (Score("mail", value, 0.5, used), Score("web", 0.2, 0.5))
        decision = Decision(Outcome.FIRE, (ToolCall("mail"),), scores=scores)
        cells.append(cell_of(CellKey("s", str(number), "bare", "r"), bare(f"send {number}"), decision))
    return run_of(cells)


def facts(run: Run) -> RunFacts:
    return facts_of(run, find(run))


def told(before: Run, after: Run, name: str, style: Style | None = None) -> str:
    out = io.StringIO()
    write_diff(name, diff_runs(facts(before), facts(after)), out, style or Style())
    return out.getvalue()


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_a_scenario_tells_its_margins_and_the_thinnest_cell(name: str) -> None:
    line = (
        "  r: best margin +0.020 to +0.400, median +0.100, 3 cells;"
        " thinnest 2@bare: by 0.020, mail would fall below its threshold"
    )
    assert line in written(name, scored(0.6, 0.52, 0.9)).splitlines()
    assert "margin" not in written(name, scored(0.6))  # one cell is no distribution
    assert "margin" not in written(name, run_of([cell_of(CellKey("s", "1", "bare", "r"), bare("x"))]))


def test_a_route_named_by_a_stranger_is_shown_inert() -> None:
    scores = (Score("\x1b[31m", 0.6, 0.5),)
    decision = Decision(Outcome.FIRE, (ToolCall("t"),), scores=scores)
    cells = [cell_of(CellKey("s", n, "bare", "r"), bare(n), decision) for n in ("1", "2")]
    assert "\x1b" not in written("text", run_of(cells))


def test_what_was_used_stands_beside_the_score() -> None:
    report = json.loads(written("json", scored(0.3, used=0.6)))
    (mail, web) = report["cells"][0]["scores"]
    assert (mail["value"], mail["used"]) == (0.3, 0.6)
    assert "used" not in web
    assert "used" not in json.loads(written("json", scored(0.3)))["cells"][0]["scores"][0]


def test_a_table_ranks_by_what_was_used_and_shows_both() -> None:
    cells = []
    for arm, used, outcome in (("bare", 0.6, Outcome.FIRE), ("w", 0.45, Outcome.PASS)):
        calls = (ToolCall("mail"),) if outcome is Outcome.FIRE else ()
        scores = (Score("web", 0.4, 0.5), Score("mail", 0.3, 0.5, used))
        cells.append(cell_of(CellKey("s", "1", arm, "r"), bare("x"), Decision(outcome, calls, scores=scores)))
    run = run_of(cells)
    lines = [line.strip() for line in written("text", run, find(run)).splitlines()]
    assert "mail   0.300 (used 0.600)  #1  +0.100  0.300 (used 0.450)  #1  -0.050" in "\n".join(lines)
    assert any(line.startswith("web    0.400  #2  -0.100 ") for line in lines)


def test_a_report_read_back_has_the_margins_of_its_run() -> None:
    run = scored(0.6, 0.3, used=0.55)
    read = read_report(written("json", run, find(run)), "r.json")
    assert [cell.margin for cell in read.cells] == [cell.margin for cell in facts(run).cells]
    odd = Decision(Outcome.PASS, scores=(Score("a", float("nan"), 0.5), Score("b", 0.1)))
    run = run_of([cell_of(CellKey("s", "1", "bare", "r"), bare("x"), odd)])
    assert [cell.margin for cell in read_report(written("json", run), "r.json").cells] == [None]
    assert [cell.margin for cell in facts(run).cells] == [None]


def test_margins_that_moved_are_a_difference_though_no_decision_is() -> None:
    before, after = scored(0.6, 0.7, 0.8), scored(0.6, 0.65, 0.51)
    line = (
        "  ~ s:r  median +0.200 → +0.100, least +0.100 → +0.010, most +0.300 → +0.150"
        " (3 cells, 3@bare moved by -0.290)"
    )
    assert line in told(before, after, "text").splitlines()
    assert line.replace("→", "->") in told(before, after, "text", Style(ascii=True)).splitlines()
    assert "### Margins of the best route" in told(before, after, "markdown")
    view = json.loads(told(before, after, "json"))
    assert view["summary"]["differs"] is True
    assert view["changed"] == []
    (shift,) = view["margins"]
    assert (shift["scenario"], shift["adapter"], shift["cells"], shift["farthest"]) == (
        "s",
        "r",
        3,
        "s#3@bare:r",
    )
    assert shift["after"] == {
        "least": pytest.approx(0.01),
        "median": pytest.approx(0.1),
        "most": pytest.approx(0.15),
    }


def test_margins_that_stand_still_are_none() -> None:
    view = json.loads(told(scored(0.6, 0.7), scored(0.6, 0.7), "json"))
    assert "margins" not in view
    assert view["summary"]["differs"] is False
