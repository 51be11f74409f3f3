"""The screen before and after the files are read: names and stored answers at once, the rest behind them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_tui_screen import Driver
from tui_written import session_in, written

from workbench.cli.opening import sketch_of
from workbench.core.cell import CellKey
from workbench.tui.app import WorkbenchApp
from workbench.tui.board import CellState
from workbench.tui.listing import RowKind, TreeRow
from workbench.tui.memory import Memory, keep
from workbench.tui.runner import Runner
from workbench.tui.session import Loaded, Session
from workbench.tui.state import SessionState
from workbench.tui.view.ink import plain
from workbench.tui.view.tree import tree_line
from workbench.tui.widgets.scenario_list import ScenarioList

NIGHT = "scenario: night\nprompts: [{text: 'send an email at night'}, {id: two, text: sleep well}]\n"


async def ran(root: Path, *scenarios: str) -> None:
    """Run these scenarios of a workspace, and store the runs."""
    session = session_in(root)
    for name in scenarios:
        plan = session.plan(name, None, None, None)
        await session.replay(plan, lambda event: None, asyncio.Event())


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = written(tmp_path).resolve()
    monkeypatch.chdir(folder)
    (folder / "scenarios" / "deep").mkdir()
    (folder / "scenarios" / "deep" / "night.yaml").write_text(NIGHT)
    return folder


def lines(state: SessionState) -> list[str]:
    """The list as it is drawn, without the room between a label and its counts."""
    return [" ".join(plain(tree_line(state, row, 60)).split()) for row in state.place.rows]


async def woken(state: SessionState) -> Runner:
    runner = Runner(state, lambda: None, awake=False)
    runner.reader.touch()  # or else the cursor goes to the first error by itself
    runner.wake()
    async with asyncio.timeout(20):
        while runner.busy:
            await asyncio.sleep(0.005)
    return runner


async def test_the_first_frame_has_names_and_the_newest_runs_matrix(root: Path) -> None:
    await ran(root, "day", "night")
    state = SessionState(sketch_of(root))
    assert state.is_sketch
    assert list(state.scenarios) == ["day", "night"]
    assert (state.place.scenario, state.place.prompt) == ("night", "1")
    key = CellKey("night", "1", "chat", "whole")
    assert state.board.state(key) is CellState.OK
    # What is not known yet is never said to be missing.
    assert lines(state) == [
        "▾ · day reading",
        "▾ · night reading",
        "· send an email at night reading",
        "· two sleep well reading",
    ]
    await woken(state)
    assert not state.is_sketch
    assert (state.place.scenario, state.place.prompt) == ("night", "1")
    assert [row.prompt for row in state.place.rows] == [None, "today", "2", None, "1", "two"]
    assert state.session.adapters == ("whole", "first")
    assert state.prompts("night")[0].mark.file == "scenarios/deep/night.yaml"
    assert state.board.state(key) is CellState.OK and key in state.board.cells
    assert not any("reading" in line for line in lines(state))


async def test_a_click_is_not_taken_back_by_what_is_found_later(root: Path) -> None:
    await ran(root, "day", "night")
    async with held(sketch_of(root)) as (driver, event):
        await driver.pilot.click(ScenarioList, offset=(6, 1))
        assert driver.state.place.here == TreeRow(RowKind.SCENARIO, "day")
        event.set()
        await driver.settle(lambda: not driver.state.is_sketch)
        await driver.settle()
        assert driver.state.counts("day").errors
        assert driver.state.place.here == TreeRow(RowKind.SCENARIO, "day")


async def test_nothing_stored_shows_names_and_then_everything(root: Path) -> None:
    state = SessionState(sketch_of(root))
    assert [row.kind for row in state.place.rows] == [RowKind.SCENARIO] * 2
    await woken(state)
    assert (state.place.scenario, state.place.prompt) == ("day", "today")
    assert "not run" in lines(state)[0]
    whole = SessionState(session_in(root))
    assert state.scenarios == whole.scenarios
    assert state.place.rows == whole.place.rows


async def test_a_prompt_that_was_never_run_is_gone_back_to_once_it_is_read(root: Path) -> None:
    await ran(root, "night")
    session = sketch_of(root)
    keep(session.memory, Memory(scenario="day", prompt="2", arm="chat", adapter="first"))
    state = SessionState(session)
    assert (state.place.scenario, state.place.prompt) == ("night", "1")
    await woken(state)
    assert (state.place.scenario, state.place.prompt) == ("day", "2")


async def test_a_place_that_was_run_is_gone_back_to_at_once(root: Path) -> None:
    await ran(root, "day", "night")
    session = sketch_of(root)
    keep(session.memory, Memory(scenario="day", prompt="today", arm="chat", adapter="first"))
    state = SessionState(session)
    key = CellKey("day", "today", "chat", "first")
    assert state.place.key == key
    await woken(state)
    assert state.place.key == key


async def test_a_broken_workspace_file_is_told_of_beside_what_loads(root: Path) -> None:
    (root / "workbench.yaml").write_text("adapters: {whole: [\n")
    state = SessionState(sketch_of(root))
    await woken(state)
    assert list(state.scenarios) == ["day", "night"]
    assert any(row.kind is RowKind.FILE and row.name.endswith("workbench.yaml") for row in state.place.rows)
    assert not state.session.trusted


async def test_a_fault_of_the_reading_is_told_and_ends_it(root: Path) -> None:
    def broken() -> Loaded:
        raise RuntimeError("no more memory")

    state = SessionState(replace(sketch_of(root), open=broken, reload=None))
    await woken(state)
    assert not state.is_sketch
    assert ["no more memory" in problem.message for problem in state.session.problems] == [True]


def test_names_that_cannot_be_told_at_a_glance_are_read(root: Path) -> None:
    for path in (root / "scenarios").rglob("*.yaml"):
        path.write_text(path.read_text().replace("scenario: ", "'scenario': "))
    session = sketch_of(root)
    assert session.open is None
    assert [scenario.name for scenario in session.scenarios] == ["day", "night"]


@asynccontextmanager
async def held(session: Session[Any]) -> AsyncIterator[tuple[Driver, threading.Event]]:
    """The whole screen on a session whose files are read once the event is set."""
    event = threading.Event()
    read = session.open
    assert read is not None

    def waiting() -> Loaded:
        event.wait(20)
        return read()

    app = WorkbenchApp(replace(session, open=waiting))
    try:
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            yield Driver(app, pilot), event
    finally:
        event.set()


async def test_keys_pressed_before_the_files_are_read_wait_for_them(root: Path) -> None:
    await ran(root, "day")
    async with held(sketch_of(root)) as (driver, event):
        assert "day" in driver.text() and "night" in driver.text()
        await driver.press("bottom", "up")
        assert driver.state.place.prompt == "today"
        event.set()
        await driver.settle(lambda: driver.state.place.prompt == "1")
        assert driver.state.place.scenario == "night"
        await driver.settle()


async def test_leaving_waits_for_nothing(root: Path) -> None:
    async with held(sketch_of(root)) as (driver, _):
        await driver.press("quit")
        assert not driver.app.is_running


def test_the_first_frame_brings_in_nothing_that_reads_files_or_runs(root: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from workbench.cli.opening import sketch_of\n"
        "from workbench.tui.app import WorkbenchApp\n"
        "WorkbenchApp(sketch_of(Path(sys.argv[1])))\n"
        "late = ('yaml', 'deepdiff', 'scipy', 'aiohttp', 'pydantic', 'workbench.replay.events',\n"
        "        'workbench.files.parse', 'workbench.adapters', 'workbench.compare.findings')\n"
        "print([name for name in late if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "workbench-dark", "ansi-dark"])
async def test_it_begins_in_any_theme(root: Path, theme: str) -> None:
    await ran(root, "day")
    app = WorkbenchApp(sketch_of(root), theme)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.theme == theme
        assert "day" in Driver(app, pilot).text()
        drawn = app.screen.styles.background
        app.theme = "workbench-light"
        await pilot.pause()
        app.theme = theme
        await pilot.pause()
        assert app.screen.styles.background == drawn


async def test_trust_shows_what_starts_something_and_nothing_beside_it(root: Path) -> None:
    (root / "workbench.yaml").write_text(
        "adapters:\n"
        "  table: {use: keyword, table: scenarios/keywords.yaml}\n"
        "  program: {use: command, argv: [make, me]}\n"
        "  broken: {use: python}\n"
    )
    state = SessionState(sketch_of(root))
    await woken(state)
    assert state.session.adapter_lines is not None
    assert [str(line) for line in state.session.adapter_lines()] == [
        "program  command  argv: [make, me]",
        "broken  python",
    ]
