"""The guided walk on the screen, driven by the pilot: it leads, and every key works meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import textual
from test_tui_guide import CANARY, DRIFT, WALK
from textual.pilot import Pilot
from tui_made import Workspace, workspace

from workbench.cli.walking import staged, walk_session
from workbench.core.cell import CellKey
from workbench.demo.walk import CLOSING, CLOSING_TITLE, STEPS
from workbench.files.workspace import packaged_root
from workbench.tui.app import WorkbenchApp
from workbench.tui.progress import Phase
from workbench.tui.screens.guided import GuidedScreen
from workbench.tui.screens.help import HelpScreen
from workbench.tui.session import Session
from workbench.tui.themes import DARK, LIGHT
from workbench.tui.view.layout import Pane
from workbench.tui.view.tabs import Tab
from workbench.tui.widgets.caption import Caption

REPORT = "TEXTUAL_SNAPSHOT_TEMPDIR"
REPORT_FOLDER = os.environ.get(REPORT)

CANARY_ASKED = ("canary", "sentences", None, None)
DRIFT_ASKED = ("envelope-replay", "build", None, "held")


def guided(made: Workspace, auto: float | None = None) -> Session[Any]:
    return replace(made.session(), walk=replace(WALK, auto=auto))


class Guided:
    """An application with a walk on it, and the pilot that presses its keys."""

    def __init__(self, app: WorkbenchApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot, self.state = app, pilot, app.state

    @property
    def main(self) -> GuidedScreen:
        main = self.app.screen_stack[0]
        assert isinstance(main, GuidedScreen)
        return main

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self, done: Callable[[], bool] | None = None) -> None:
        """Until the step stands where it wants to, has run, and is judged; or until `done`."""

        def at_rest() -> bool:
            guide = self.main.guide
            led = guide.goal is None and guide.to_run is None
            return led and not self.state.progress.busy and not self.main.runner.busy

        async with asyncio.timeout(30):
            while not (at_rest if done is None else done)():
                await self.pilot.pause(0.01)
        await self.pilot.pause()

    def text(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())


@asynccontextmanager
async def walking(session: Session[Any], size: tuple[int, int] = (120, 40)) -> AsyncIterator[Guided]:
    app = WorkbenchApp(session)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Guided(app, pilot)


async def test_space_goes_on_and_backspace_goes_back_and_each_step_is_run_once() -> None:
    made = workspace()
    async with walking(guided(made)) as walk:
        await walk.settle()
        assert walk.state.place.key == CANARY
        assert "1 of 2  A file chooses" in walk.text()
        assert CANARY_ASKED in made.asked
        await walk.press("space")
        assert walk.state.place.key == DRIFT
        assert "2 of 2  A tag steals" in walk.text() and "ENVELOPE DRIFT hold → pass" in walk.text()
        assert made.asked.count(DRIFT_ASKED) == 1
        await walk.press("backspace")
        assert walk.state.place.key == CANARY
        await walk.press("space")
        assert made.asked.count(CANARY_ASKED) == made.asked.count(DRIFT_ASKED) == 1
        await walk.press("space", "space")
        assert "And now" in walk.text() and "second  that" in walk.text()
        assert any("the walk ends here" in toast.message for toast in walk.app._notifications)


async def test_every_key_of_the_screen_works_meanwhile() -> None:
    made = workspace()
    async with walking(guided(made)) as walk:
        await walk.settle()
        assert walk.state.place.pane is Pane.MATRIX
        await walk.press("up", "right")
        assert walk.state.place.key == replace(CANARY, arm="bare", adapter="fixed")
        await walk.press("r")
        assert made.asked[-1] == ("canary", "sentences", "bare", "fixed")
        assert "1 of 2" in walk.text()
        await walk.press("tab", "m")
        assert walk.state.place.zoomed and "1 of 2" in walk.text()
        await walk.press("question_mark")
        assert isinstance(walk.app.screen, HelpScreen)
        assert "Go on to the next step" in walk.text()
        await walk.press("space", "escape")
        assert walk.main.guide.number == 0
        await walk.press("space")
        assert walk.state.place.key == DRIFT and not walk.state.place.zoomed


async def test_a_step_waits_for_a_run_that_the_user_began() -> None:
    made = workspace()
    async with walking(guided(made)) as walk:
        await walk.settle()
        made.gate = asyncio.Event()
        await walk.pilot.press("R")
        await walk.settle(lambda: walk.state.progress.phase is Phase.RUNNING)
        await walk.pilot.press("space")
        assert walk.main.guide.number == 1
        assert DRIFT_ASKED not in made.asked
        made.gate.set()
        await walk.settle()
        assert walk.state.place.key == DRIFT and "ENVELOPE DRIFT" in walk.text()
        assert walk.state.verdicts.of_prompt("canary", "sentences")


async def test_the_findings_of_a_step_stay_though_the_next_is_gone_to_at_once() -> None:
    made = workspace()
    made.gate = asyncio.Event()
    async with walking(guided(made)) as walk:
        await walk.settle(lambda: walk.state.progress.phase is Phase.RUNNING)
        await walk.pilot.press("space")
        made.gate.set()
        await walk.settle()
        for key in (CANARY, DRIFT):
            assert walk.state.verdicts.of_cell(key), key


async def test_it_plays_by_itself_to_the_end_and_leaves() -> None:
    app = WorkbenchApp(guided(workspace(), auto=0.3))
    async with app.run_test(size=(100, 30)) as pilot:
        walk = Guided(app, pilot)
        await walk.settle(lambda: walk.main.guide.number == 1)
        await walk.settle(lambda: walk.main.guide.number == 2)
        assert walk.state.verdicts.of_cell(CANARY) and walk.state.verdicts.of_cell(DRIFT)
        await walk.settle(lambda: app._exit)
    assert app.return_value == 0


async def test_it_does_not_play_on_under_a_dialog_or_while_a_run_is_on() -> None:
    made = workspace()
    made.gate = asyncio.Event()
    async with walking(guided(made, auto=0.2)) as walk:
        await walk.settle(lambda: walk.state.progress.phase is Phase.RUNNING)
        await walk.pilot.pause(0.6)
        assert walk.main.guide.number == 0
        await walk.pilot.press("question_mark")
        made.gate.set()
        await walk.pilot.pause(0.6)
        assert walk.main.guide.number == 0
        await walk.pilot.press("escape")
        await walk.settle(lambda: walk.main.guide.number == 1)


async def test_the_keys_of_the_caption_are_clicked() -> None:
    async with walking(guided(workspace()), (100, 30)) as walk:
        await walk.settle()
        await walk.pilot.click(Caption, offset=(97, 0))
        await walk.settle()
        assert walk.main.guide.number == 1
        await walk.pilot.click(Caption, offset=(80, 0))
        await walk.settle()
        assert walk.main.guide.number == 0
        await walk.pilot.click(Caption, offset=(5, 0))
        await walk.pilot.click(Caption, offset=(97, 1))
        assert walk.main.guide.number == 0


@pytest.mark.parametrize(("size", "lines"), [((60, 16), 1), ((60, 18), 2), ((80, 24), 3), ((160, 45), 3)])
async def test_the_caption_gives_way_to_the_panes(size: tuple[int, int], lines: int) -> None:
    async with walking(guided(workspace()), size) as walk:
        await walk.settle()
        assert walk.main.query_one(Caption).size.height == lines
        assert "A file chooses" in walk.text() and "quit" in walk.text()
        assert "too small" not in walk.text()


async def test_a_resize_keeps_the_step_and_the_place() -> None:
    async with walking(guided(workspace())) as walk:
        await walk.settle()
        await walk.press("space", "left")
        for size in ((80, 24), (40, 10), (160, 45)):
            await walk.pilot.resize_terminal(*size)
            await walk.settle()
        assert walk.state.place.key == replace(DRIFT, adapter="naive")
        assert "2 of 2  A tag steals" in walk.text()


IN_VIEW = {
    "A file chooses the tools": "Harbour Desk: the welcome pack",
    "An envelope steals the scan window": '<untrusted_channel_message channel="chat"',
    "The hole that stays": "Harbour Desk: the welcome pack",
    "Who wrote the request": "A file is attached",
}


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_walk_that_ships_shows_on_the_screen_what_its_steps_say(size: tuple[int, int]) -> None:
    with staged() as root:
        async with walking(walk_session(root), size) as walk:
            for number, step in enumerate(STEPS):
                await walk.settle()
                assert f"{number + 1} of {len(STEPS)}  {step.title}" in walk.text()
                assert walk.state.place.key == CellKey(*step.at)
                for shown in step.shown:
                    decision = walk.state.board.cells[CellKey(*shown.at)].decision
                    assert decision is not None
                    assert (decision.outcome.value, decision.tools) == (shown.outcome, shown.tools)
                    found = walk.state.verdicts.of_cell(CellKey(*shown.at))
                    errors = [one for one in found if one.severity == "error"]
                    assert len(errors) == len(shown.headed)
                for rated, one in zip(step.rated, walk.main.guide.stop.rated, strict=True):
                    judged = walk.state.rates.of(walk.state.board.cells[CellKey(*rated.at)])
                    assert judged is not None and judged.reading is not None
                    said = f"{one.before}{judged.reading.words}{one.after}"
                    assert said in walk.main.guide.told(walk.main.guide.stop)
                    assert walk.state.place.tab is Tab.RATES
                if step.counted:
                    assert walk.state.place.tab is Tab.LANES
                if step.difference:
                    assert IN_VIEW[step.title] in walk.text()
                await walk.pilot.press("space")
            await walk.settle()
            assert CLOSING_TITLE in walk.text()
            assert all(line in walk.text() for line in CLOSING)


async def test_runs_and_edits_stay_in_a_folder_that_goes_away(tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in packaged_root().glob("scenarios/*")}
    with staged() as root:
        assert not root.is_relative_to(packaged_root())
        async with walking(walk_session(root)) as walk:
            await walk.settle()
            assert walk.state.session.trusted and not walk.state.session.packaged
        assert (root / ".workbench").is_dir()
    assert not root.exists()
    assert before == {path: path.stat().st_mtime_ns for path in packaged_root().glob("scenarios/*")}
    assert [path.name for path in Path.home().rglob("*") if path.is_file()] == []


class TestPictures:
    """Look at the report before accepting a new one."""

    pytestmark = pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")

    @pytest.fixture(autouse=True)
    def report(self, hermetic: object, monkeypatch: pytest.MonkeyPatch) -> None:
        if REPORT_FOLDER is not None:
            monkeypatch.setenv(REPORT, REPORT_FOLDER)

    @pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
    @pytest.mark.parametrize("look", [DARK.name, LIGHT.name, "ansi-dark", "no colour"])
    def test_a_step(
        self,
        snap_compare: Callable[..., bool],
        monkeypatch: pytest.MonkeyPatch,
        size: tuple[int, int],
        look: str,
    ) -> None:
        if look == "no colour":
            monkeypatch.setenv("NO_COLOR", "1")
        app = WorkbenchApp(guided(workspace()), None if look == "no colour" else look)

        async def go(pilot: Pilot[int]) -> None:
            walk = Guided(app, pilot)
            await walk.settle()
            await walk.press("space")

        assert snap_compare(app, terminal_size=size, run_before=go)

    def test_the_end(self, snap_compare: Callable[..., bool]) -> None:
        app = WorkbenchApp(guided(workspace()))

        async def go(pilot: Pilot[int]) -> None:
            walk = Guided(app, pilot)
            await walk.settle()
            await walk.press("space")
            await walk.press("space")

        assert snap_compare(app, terminal_size=(80, 24), run_before=go)
