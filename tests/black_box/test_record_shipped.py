"""The samples of a real model that ship: a rate verdict with no server, no key and no network."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command import Bench, Done

ARMS = {
    "question": {"bare", "attached"},
    "bare-file": {"attached", "substitute"},
    "control": {"bare", "attached"},
}
FAILURES = {"truncated", "malformed", "refused"}


def run(shipped: Bench, *more: str) -> Done:
    done = shipped("run", "scenarios/canary.yaml", "--adapter", "smollm-recorded", "--format", "json", *more)
    assert done.code in (0, 1, 4), done.said
    return done


@pytest.fixture
def lines(shipped: Bench) -> list[dict[str, Any]]:
    file = shipped.folder / "scenarios" / "recordings" / "smollm-canary.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]


def test_every_trial_has_its_recording_and_the_verdict_is_one_of_rates(shipped: Bench) -> None:
    done = run(shipped)
    cells = {(cell["prompt"], cell["arm"]): cell for cell in done.json["cells"]}
    assert set(cells) == {(prompt, arm) for prompt, arms in ARMS.items() for arm in arms}
    for cell in cells.values():
        assert set(cell["statuses"]) <= {"ok", *FAILURES}
        assert cell["rates"][0]["n"] == cell["statuses"]["ok"]
    for arm in ARMS["question"]:
        rate = cells["question", arm]["rates"][0]
        assert (rate["event"], rate["n"]) == ("calls any tool", 60)
        assert 0 < rate["k"] < 60
    kinds = done.json["summary"]["findings"]
    assert done.code == 1 and done.json["summary"]["verdict"] == "failed"
    assert "no-verdict" not in kinds
    assert "rate-drift" in kinds or "undecided" in kinds


def test_it_is_the_same_each_time_and_needs_no_trust(shipped: Bench) -> None:
    first, second = run(shipped), run(shipped, "--no-save")
    assert "not trusted" not in first.said
    assert first.json["cells"] == second.json["cells"]
    assert first.json["findings"] == second.json["findings"]


@pytest.mark.parametrize("prompt", ARMS)
def test_one_prompt_alone_has_its_recordings_too(shipped: Bench, prompt: str) -> None:
    done = shipped("run", f"canary#{prompt}", "--adapter", "smollm-recorded", "--format", "json")
    assert {status for cell in done.json["cells"] for status in cell["statuses"]} <= {"ok", *FAILURES}


def test_it_costs_nothing_so_no_cost_is_told(shipped: Bench) -> None:
    assert "calls" not in run(shipped).said.partition("\n")[0]
    plan = shipped("run", "canary", "--adapter", "smollm-recorded", "--plan")
    assert "cost" not in plan.text and "a call" not in plan.text


def test_a_changed_document_is_a_miss_that_shows_the_change(shipped: Bench) -> None:
    file = shipped.folder / "scenarios" / "canary.txt"
    file.write_text(file.read_text().replace("takes a minute", "takes an hour"))
    done = shipped("run", "canary#question", "--adapter", "smollm-recorded", "--samples", "2")
    assert "has no recording of this body" in done.text
    assert "messages changed" in done.text
    assert "takes a minute" in done.text and "takes an hour" in done.text


def test_the_file_is_small_and_says_what_made_it(shipped: Bench, lines: list[dict[str, Any]]) -> None:
    file = shipped.folder / "scenarios" / "recordings" / "smollm-canary.jsonl"
    assert file.stat().st_size < 2_000_000
    head = lines[0]
    assert {"model", "weights", "server", "template", "sampling", "seed", "by"} <= set(head["note"])
    assert (file.parent / head["note"]["template"].split()[0]).is_file()
    call = head["adapters"]["smollm"]["recipe"]["call"]
    assert call["temperature"] == 1
    offered = {tool["name"] for tool in call["tools"]}
    called = {
        one["name"]
        for line in lines
        for one in (line.get("answer", {}).get("decision") or {}).get("calls", ())
    }
    assert called and called <= offered


def test_the_tools_are_those_of_the_workspace(shipped: Bench, lines: list[dict[str, Any]]) -> None:
    """What ships as tools.yaml is what the model was offered."""
    from workbench.files.tools import load_tools

    tools = load_tools(shipped.folder / "scenarios" / "tools.yaml")
    recorded = lines[0]["adapters"]["smollm"]["recipe"]["call"]["tools"]
    assert [(tool.name, tool.description, tool.parameters) for tool in tools] == [
        (tool["name"], tool["description"], tool["parameters"]) for tool in recorded
    ]
