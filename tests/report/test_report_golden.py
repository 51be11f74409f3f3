"""The bytes of each format on one small run. `python tests/report/test_report_golden.py` writes them anew."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from report_runs import BUILD, TAG, cell_of, run_of, seed_run, turn_of, window, written
from sampled_runs import sampled_run

from workbench.compare.findings import find
from workbench.core.cell import CellKey
from workbench.core.decision import Decision, Match, Outcome, ToolCall
from workbench.core.errors import UsageError
from workbench.core.scenario import Expectation
from workbench.core.turn import Author, bare
from workbench.report.formats import FORMATS, write
from workbench.report.writer import Style

GOLDEN = Path(__file__).parent / "golden"
REPORTS = {
    "piped.txt": ("text", Style()),
    "80.txt": ("text", Style(width=80)),
    "140.txt": ("text", Style(width=140)),
    "colour.txt": ("text", Style(colour=True, width=140)),
    "ascii.txt": ("text", Style(ascii=True)),
    "report.json": ("json", Style()),
    "report.jsonl": ("jsonl", Style()),
    "junit.xml": ("junit", Style()),
    "report.md": ("markdown", Style()),
}
SAMPLED = {
    "sampled.txt": ("text", Style()),
    "sampled-80.txt": ("text", Style(width=80)),
    "sampled-ascii.txt": ("text", Style(ascii=True)),
    "sampled.json": ("json", Style()),
    "sampled.xml": ("junit", Style()),
    "sampled.md": ("markdown", Style()),
}


@pytest.mark.parametrize("name", SAMPLED)
def test_the_bytes_of_a_sampled_run_are_as_before(name: str) -> None:
    run, findings = sampled_run()
    format_name, style = SAMPLED[name]
    expected = (GOLDEN / name).read_bytes().decode("utf-8")
    assert written(format_name, run, findings, style) == expected


@pytest.mark.parametrize("name", REPORTS)
def test_the_bytes_are_as_before(name: str) -> None:
    run, findings = seed_run()
    format_name, style = REPORTS[name]
    expected = (GOLDEN / name).read_bytes().decode("utf-8")
    assert written(format_name, run, findings, style) == expected


def test_json_jsonl_and_junit_do_not_depend_on_the_style() -> None:
    run, findings = seed_run()
    for name in ("json", "jsonl", "junit"):
        assert len({written(name, run, findings, style) for _, style in REPORTS.values()}) == 1


def test_the_same_run_is_written_the_same_twice() -> None:
    run, findings = seed_run()
    for name in FORMATS:
        assert written(name, run, findings) == written(name, run, findings)


def test_an_unknown_format_names_the_known_ones() -> None:
    run, findings = seed_run()
    with pytest.raises(UsageError, match=r"no format 'yaml' \(one of text, json, jsonl, junit, markdown\)"):
        write("yaml", run, findings, io.StringIO(), Style())


def test_the_table_of_formats_costs_nothing_to_import() -> None:
    code = (
        "import sys, workbench.report.formats;"
        "print([m for m in ('deepdiff', 'rapidfuzz', 'rich', 'textual', 'yaml', 'workbench.report.as_text')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_findings_of_compare_are_told_whole() -> None:
    """The real findings of a router that reads the first line, through every format."""
    turn = turn_of(
        BUILD,
        (f"{TAG}\n", Author.TRANSPORT),
        (BUILD, Author.USER),
        ("\n</untrusted_channel_message>", Author.TRANSPORT),
    )
    call = ToolCall("google-calendar::list-events", {})
    hold = Decision(Outcome.HOLD, (call,), window(BUILD), None, (Match("hold", "workflow", 11, 19),))
    lost = Decision(Outcome.PASS, (), window(TAG), None, ())
    fired = Decision(
        Outcome.FIRE, (call,), window(BUILD), matches=(Match("my calendar", "my calendar", 32, 43),)
    )
    answers = {("held", "bare"): hold, ("held", "channel"): lost, ("naive", "bare"): fired}
    cells = [
        cell_of(
            CellKey("s", "build", arm, adapter), bare(BUILD) if arm == "bare" else turn, decision, decision
        )
        for (adapter, arm), decision in answers.items()
    ]
    expect = Expectation(outcome=Outcome.HOLD, spelled="hold")
    cells = [replace(cell, delivery=replace(cell.delivery, expect=expect)) for cell in cells]
    run = run_of(cells)
    findings = find(run)
    text = written("text", run, findings)
    for words in (
        "ENVELOPE DRIFT [channel]",
        "FIRED ON WORKFLOW",
        "53 characters bare, 52 on channel",
        f"    - U   │ {BUILD}\n          │            ^^^^^^^^\n    + T   │ {TAG}\n",
        'matched   bare  "my calendar" at 32–43, in the user\'s words\n',
        "again     workbench run 's#build' --adapter held --envelope channel\n",
        "held: hold, but pass on channel",
    ):
        assert words in text
    for name in FORMATS:
        assert "ENVELOPE DRIFT" in written(name, run, findings)


if __name__ == "__main__":
    for name, (format_name, style) in REPORTS.items():
        (GOLDEN / name).write_bytes(written(format_name, *seed_run(), style).encode("utf-8"))
    for name, (format_name, style) in SAMPLED.items():
        (GOLDEN / name).write_bytes(written(format_name, *sampled_run(), style).encode("utf-8"))
