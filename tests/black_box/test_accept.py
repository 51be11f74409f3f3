"""`accept` of a scenario, from the file to the exit code, through the store and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import Bench

FIRST_LINE = """
adapters:
  first: {use: keyword, table: keywords.yaml}
"""

TABLE = """
keywords:
  - {phrases: [restart the box], tool: ops::restart}
scan: first-line
"""

ENVELOPE = 'envelope: tagged\ningress: channel\ntemplate: "<chat>\\n{text}"\n'

SCENARIO = """\
scenario: box
prompts:
  - {id: now, text: restart the box}
"""


@pytest.fixture
def box(bench: Bench) -> Bench:
    bench.write("workbench.yaml", FIRST_LINE)
    bench.write("keywords.yaml", TABLE)
    bench.write("envelopes/tagged.yaml", ENVELOPE)
    return bench


def accepting(box: Bench, *entries: str) -> Path:
    listed = "".join(f"  - {entry}\n" for entry in entries)
    return box.write("scenarios/box.yaml", f"{SCENARIO}accept:\n{listed}" if entries else SCENARIO)


def kinds(report: Any) -> list[tuple[str, str]]:
    return [(finding["kind"], finding["severity"]) for finding in report["findings"]]


def test_a_known_drift_does_not_fail_and_is_still_told(box: Bench) -> None:
    accepting(box)
    assert box("run", "box").code == 1
    accepting(box, '{kind: drift, arm: tagged, adapter: first, reason: "a parser lands in May"}')
    done = box("run", "box", "--format", "json")
    assert done.code == 0, done.text
    assert ("accepted", "note") in kinds(done.json)
    assert done.json["summary"]["verdict"] == "ok"
    (note,) = [finding for finding in done.json["findings"] if finding["kind"] == "accepted"]
    assert note["evidence"]["accepted_kind"] == "drift"
    assert note["evidence"]["reason"] == "a parser lands in May"
    assert note["evidence"]["accepted_at"] == "scenarios/box.yaml:5"
    text = box("run", "box").text
    assert "ACCEPTED ENVELOPE DRIFT [tagged]" in text and "a parser lands in May" in text


def test_past_its_date_it_fails_and_says_why(box: Bench) -> None:
    accepting(box, "{kind: drift, until: 2020-01-31, reason: later}")
    done = box("run", "box", "--format", "json")
    assert done.code == 1
    (drift,) = [finding for finding in done.json["findings"] if finding["kind"] == "drift"]
    assert drift["headline"].endswith("(accepted until 2020-01-31, which is over: later)")


def test_an_entry_whose_drift_is_gone_fails(box: Bench) -> None:
    accepting(box, "{kind: drift, arm: tagged, reason: later}")
    box.write("keywords.yaml", TABLE.replace("first-line", "all"))
    done = box("run", "box", "--format", "json")
    assert done.code == 1
    (stale,) = [finding for finding in done.json["findings"] if finding["severity"] == "error"]
    assert stale["kind"] == "stale-accept"
    assert (stale["evidence"]["file"], stale["evidence"]["line"]) == ("scenarios/box.yaml", 5)
    assert "scenarios/box.yaml:5" in box("run", "box").text
    assert box("run", "box#now").code == 1, "it is every prompt of the scenario"
    assert box("run", "box", "--envelope", "tagged").code == 1


def test_part_of_a_scenario_makes_nothing_stale(box: Bench) -> None:
    accepting(box, "{kind: drift, reason: later}")
    box.write("keywords.yaml", TABLE.replace("first-line", "all"))
    assert box("run", "box").code == 1
    assert box("run", "box", "--adapter", "first").code == 0
    assert box("run", "box", "--envelope", "tagged").code == 0


def test_what_is_accepted_is_not_run_again_until_it_is_accepted_no_more(box: Bench) -> None:
    accepting(box, "{kind: drift, reason: later}")
    assert box("run", "box").code == 0
    nothing = box("run", "box", "--only-failing")
    assert (nothing.code, nothing.out) == (0, b"")
    assert "nothing to run again" in nothing.said
    accepting(box)
    assert box("run", "box", "--only-failing").code == 1
