"""What the command line really hands the screen to take along, on a copy of what ships."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import Bench

from workbench.cli.opening import session_of
from workbench.core.cell import Cell, CellKey, Run
from workbench.core.finding import Finding
from workbench.files.workspace import load_workspace
from workbench.tui.offers import Outbox, Runs
from workbench.tui.session import Session

KEY = CellKey("canary", "question", "attached", "keywords")


@pytest.fixture(autouse=True)
def and_back() -> Iterator[None]:
    here = Path.cwd()
    yield
    os.chdir(here)


def session_in(bench: Bench) -> tuple[Session[Any], Runs, Outbox]:
    """The session of a folder, which one must be in: file names are as a person there would write them."""
    os.chdir(bench.folder)
    session = session_of(load_workspace(bench.folder), bench.folder)
    assert session.runs is not None and session.outbox is not None
    return session, session.runs, session.outbox


def newest(runs: Runs) -> tuple[Run, tuple[Finding, ...]]:
    return runs.load(runs.listed()[0].id)


def cell_of(run: Run, key: CellKey) -> Cell:
    found = run.cell(key)
    assert found is not None
    return found


def test_nothing_is_stored_yet(shipped: Bench) -> None:
    _, runs, outbox = session_in(shipped)
    assert runs.listed() == ()
    assert outbox.root == shipped.folder and not (shipped.folder / ".workbench").exists()


def test_runs_report_and_case_are_those_of_the_command_line(shipped: Bench, tmp_path: Path) -> None:
    shipped("run", "canary", "--adapter", "keywords")
    ran = shipped("run", "canary", "--adapter", "keywords")
    session, runs, outbox = session_in(shipped)
    assert len(runs.listed()) == 2
    run, findings = newest(runs)
    cell, bare = cell_of(run, KEY), cell_of(run, CellKey("canary", "question", "bare", "keywords"))
    own = tuple(finding for finding in findings if finding.arm == "attached" and finding.prompt == "question")
    report = outbox.report(bare, cell, own)
    assert own and all(finding.headline.split(" [")[0] in report for finding in own)
    shown = {line.strip() for line in ran.text.splitlines()}
    assert sum(line.strip() in shown for line in report.splitlines() if line.strip()) > 10

    prompt = next(
        p for s in session.scenarios if s.name == "canary" for p in s.prompts if p.label == "question"
    )
    case = outbox.case(cell, prompt)
    assert "the files have changed" not in case
    again = unpack(case, tmp_path / "elsewhere")
    again("run", "case", "--adapter", "keywords")
    _, other, _ = session_in(again)
    moved = cell_of(newest(other)[0], CellKey("case", "question", "attached", "keywords"))
    assert moved.delivery.turn.text == cell.delivery.turn.text
    assert moved.decision == cell.decision


def unpack(case: str, folder: Path) -> Bench:
    """Do by hand what a case says: each part is a file, a document's text is written by itself."""
    from workbench.files.parse import parse
    from workbench.files.problems import Problems
    from workbench.files.source import Source

    bench = Bench(folder)
    for part in case.split("---\n"):
        name, colon, _ = part.split("\n", 1)[0].removeprefix("# ").partition(":")
        pairs = {key.value: value.value for key, value in parse(Source("", part), Problems()).pairs}
        bench.write(name, pairs["text"] if colon else part)
    return bench


def test_a_case_says_that_its_files_have_changed(shipped: Bench) -> None:
    shipped("run", "canary", "--adapter", "keywords")
    _, runs, outbox = session_in(shipped)
    cell = cell_of(newest(runs)[0], KEY)
    envelope = shipped.folder / "envelopes" / "attached.yaml"
    envelope.write_text(envelope.read_text().replace("</document>", "</file>"))
    assert "# the files have changed since this answer" in outbox.case(cell, None)
    assert "its scenario has this prompt no more" in outbox.case(cell, None)
