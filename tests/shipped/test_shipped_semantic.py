"""The workspace of the embedding router: real library, real model, and no way out to the network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, REPOSITORY, Bench
from semantic_kit import hooked, namespace
from semantic_model import needs_the_model

from workbench.files.routes import load_routes
from workbench.files.scenario import load_scenario

SHIPPED = REPOSITORY / "scenarios" / "semantic"
ROUTES = SHIPPED / "scenarios" / "routes.yaml"


@pytest.fixture
def box(tmp_path: Path) -> Bench:
    folder = tmp_path / "semantic"
    shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns(".workbench", "__pycache__"))
    return Bench(folder)


def test_four_routes_of_five_utterances() -> None:
    routes = load_routes(ROUTES).routes
    assert len({route.name for route in routes}) == 4
    assert {len(route.utterances) for route in routes} == {5}


def test_the_typed_prompt_is_what_the_file_asks_for() -> None:
    scenario = load_scenario(SHIPPED / "scenarios" / "semantic.yaml", SHIPPED)
    typed = next(prompt.text for prompt in scenario.prompts if prompt.id == "typed")
    commands = (SHIPPED / "scenarios" / "notes.txt").read_text("utf-8").strip().splitlines()[2:]
    assert typed.splitlines() == commands
    assert scenario.adapters == ("semantic",)


def test_it_is_no_part_of_the_workspace_round_it(bench: Bench) -> None:
    """The run of everything needs no extra."""
    listed = Bench(REPOSITORY)("list", "scenarios", "--format", "json").json
    assert "semantic" not in {row["scenario"] for row in listed}


@needs_the_model
def test_it_shows_what_it_claims(box: Bench) -> None:
    done = box("run", "semantic", "--trust", "--format", "json", "-q")
    assert done.code == 1, done.said
    report = done.json
    decided = {(c["prompt"], c["arm"]): (c["decision"] or {}).get("outcome") for c in report["cells"]}
    assert decided == {
        ("question", "bare"): "pass",
        ("question", "attached"): "fire",
        ("bare-file", "bare"): "pass",
        ("bare-file", "attached"): "fire",
        ("bare-file", "substitute"): "pass",
        ("typed", "bare"): "pass",
        ("mail", "bare"): "fire",
        ("mail", "attached"): "fire",
        ("calendar", "bare"): "fire",
        ("calendar", "attached"): "fire",
    }
    assert all(len(cell["scores"]) == 4 for cell in report["cells"])
    assert {score["threshold"] for cell in report["cells"] for score in cell["scores"]} == {0.27}
    assert {cell["window"]["source"] for cell in report["cells"]} == {"reported"}
    kinds = {(f["kind"], f["prompt"], f["arm"]) for f in report["findings"]}
    assert {("drift", "question", "attached"), ("drift", "bare-file", "attached")} <= kinds
    assert not [kind for kind, _, _ in kinds if kind in ("unstable", "vacuous", "no-verdict")]


@needs_the_model
def test_nothing_is_fetched_and_nothing_sent(box: Bench, tmp_path: Path) -> None:
    """In a network namespace with nothing in it, and with every attempt written down."""
    alone, (hooks, file) = namespace(), hooked(tmp_path)
    done = subprocess.run(
        [*alone, COMMAND, "run", "semantic", "--trust", "--no-save", "-q", "--format", "json"],
        cwd=box.folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(hooks)},
        timeout=180,
    )
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["summary"]["failed"] == 0
    written = file.read_text("utf-8").splitlines()
    assert written.count("started") >= 2  # the workbench and its guest were both watched
    assert [line for line in written if line != "started"] == []


@needs_the_model
def test_a_long_turn_ends_where_the_encoder_cuts_it(box: Bench) -> None:
    """What the user asks for at the end of a long paste is not read, and the report says where that is."""
    filler = "The tide was low and the boats lay on the sand. " * 40
    scenario: dict[str, Any] = {
        "scenario": "long",
        "envelopes": [],
        "prompts": [{"id": "end", "text": filler + "Send an email to Ana."}, {"text": "Book a meeting."}],
    }
    box.write("scenarios/long.yaml", json.dumps(scenario))
    report = box("run", "long", "--trust", "--format", "json", "-q").json
    miss = next(f for f in report["findings"] if f["kind"] == "miss")
    assert miss["prompt"] == "end"
    assert "Send an email to Ana" in "".join(miss["evidence"]["lacking"])
    (cell,) = [cell for cell in report["cells"] if cell["prompt"] == "end"]
    ((start, end),) = cell["window"]["spans"]
    assert start == 0
    assert 900 < end < len(filler)
    assert cell["flags"] == [f"the encoder read {end} of {len(filler) + 21} characters, and was cut there"]


def test_without_the_library_it_says_what_to_install(box: Bench, tmp_path: Path) -> None:
    """Exit 3, since there is not one answer; and no traceback."""
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    done = box("run", "semantic", "--trust", "-q", env={"VIRTUAL_ENV": str(bare)})
    assert done.code == 3
    assert "No module named 'semantic_router'" in done.said
    assert (
        f"at {bare}/bin/python (the key `python` names another); install semantic-router there" in done.said
    )
    assert "Traceback" not in done.said
