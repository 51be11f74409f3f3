"""Keys, flows and resizes on the whole screen, driven by the pilot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from tui_made import BROKEN, Workspace, workspace

from workbench.core.cell import CellKey
from workbench.tui.app import WorkbenchApp
from workbench.tui.commands import COMMANDS, command_of
from workbench.tui.place import RowKind, TreeRow
from workbench.tui.progress import Phase
from workbench.tui.screens.help import HelpScreen
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Session, Target
from workbench.tui.themes import CYCLE
from workbench.tui.view.layout import Pane
from workbench.tui.widgets.bars import KeyBar
from workbench.tui.widgets.comparison_view import ComparisonView
from workbench.tui.widgets.matrix_view import MatrixView
from workbench.tui.widgets.scenario_list import ScenarioList


class Driver:
    """An application that runs, and the pilot that presses its keys."""

    def __init__(self, app: WorkbenchApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot
        self.state = app.state

    @property
    def main(self) -> MainScreen:
        main = self.app.screen_stack[0]
        assert isinstance(main, MainScreen)
        return main

    async def press(self, *names: str) -> None:
        """Press the keys of commands, whatever they are bound to."""
        for name in names:
            await self.pilot.press(command_of(name).keys[0])

    async def settle(self, done: Callable[[], bool] | None = None) -> None:
        async with asyncio.timeout(30):
            while self.main.runner.busy if done is None else not done():
                await self.pilot.pause(0.01)
        await self.pilot.pause()

    def text(self) -> str:
        """Everything that is drawn, as plain text."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    def toasts(self) -> list[str]:
        return [notification.message for notification in self.app._notifications]


@asynccontextmanager
async def driving(session: Session[Any], size: tuple[int, int] = (120, 40)) -> AsyncIterator[Driver]:
    app = WorkbenchApp(session)
    async with app.run_test(size=size, notifications=True) as pilot:
        driver = Driver(app, pilot)
        await driver.settle()
        yield driver


def ran(made: Workspace) -> Session[Any]:
    return made.session(made.run("envelope-replay", "canary"), BROKEN)


async def test_the_first_frame_has_scenarios_matrix_and_comparison() -> None:
    async with driving(ran(workspace())) as driver:
        text = driver.text()
    assert "envelope-replay" in text and "canary" in text and "broken.yaml" in text
    assert "FIRE list-events" in text and "timeout" in text
    assert "FIRED ON WORKFLOW" in text
    assert "quit" in text


async def test_three_keys_lead_to_what_differs() -> None:
    async with driving(ran(workspace())) as driver:
        await driver.press("next-case", "next-case")
        assert driver.state.place.key == CellKey("envelope-replay", "build", "channel", "held")
        text = driver.text()
    assert "ENVELOPE DRIFT hold → pass" in text
    assert "difference 1 of" in text


async def test_one_cell_is_run_with_r_and_all_that_is_shown_with_R() -> None:
    made = workspace()
    async with driving(ran(made)) as driver:
        made.asked.clear()
        await driver.press("next-case", "next-case", "run-cell")
        await driver.settle()
        assert made.asked == [("envelope-replay", "build", "channel", "held")]
        assert driver.state.progress.phase is Phase.DONE
        assert "ran 4 trials" in driver.text()
        await driver.press("run-shown")
        await driver.settle()
        assert made.asked[-1] == ("envelope-replay", "build", None, None)
        assert "ran 24 trials" in driver.text()


async def test_a_run_shows_its_progress_and_stops_with_what_it_has() -> None:
    made = workspace()
    made.gate = asyncio.Event()
    async with driving(made.session()) as driver:
        await driver.press("run-shown")
        await driver.settle(lambda: driver.state.progress.phase is Phase.RUNNING)
        await driver.settle(lambda: "0 of 24" in driver.text())
        assert "running" in driver.text()
        await driver.press("run-cell")
        assert any("a run is on" in toast for toast in driver.toasts())
        await driver.press("down")
        assert driver.state.place.prompt == "2"
        await driver.press("stop")
        await driver.settle()
        assert driver.state.progress.phase is Phase.STOPPED
        assert "stopped after 0 trials" in driver.text()


async def test_leaving_in_the_middle_of_a_run_asks_nothing_and_leaves_nothing() -> None:
    made = workspace()
    made.gate = asyncio.Event()
    async with driving(made.session()) as driver:
        await driver.press("run-shown")
        await driver.settle(lambda: driver.state.progress.phase is Phase.RUNNING)
        runner = driver.main.runner
        await driver.press("quit")
        await driver.settle(lambda: driver.app._exit)
        assert not runner.busy
    assert driver.app.return_value == 0


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_both_ways_out(key: str) -> None:
    async with driving(ran(workspace())) as driver:
        await driver.pilot.press(key)
        await driver.settle(lambda: driver.app._exit)
    assert driver.app.return_value == 0


async def test_focus_goes_round_and_with_the_levels() -> None:
    async with driving(ran(workspace())) as driver:
        kinds = [ScenarioList, MatrixView, ComparisonView, ScenarioList]
        for kind in kinds:
            assert isinstance(driver.app.focused, kind)
            await driver.press("next-pane")
        await driver.press("previous-pane")
        assert isinstance(driver.app.focused, ScenarioList)
        await driver.press("open", "open")
        assert isinstance(driver.app.focused, ComparisonView)
        await driver.press("back")
        assert isinstance(driver.app.focused, MatrixView)


@pytest.mark.parametrize(("down", "right"), [("j", "l"), ("down", "right")])
async def test_vim_keys_and_arrows_move_alike(down: str, right: str) -> None:
    async with driving(ran(workspace())) as driver:
        await driver.pilot.press(down)
        assert driver.state.place.prompt == "2"
        await driver.press("next-pane")
        await driver.pilot.press(down, right)
        assert driver.state.place.cursor == (1, 1)


async def test_the_mouse_does_what_the_keys_do() -> None:
    async with driving(ran(workspace())) as driver:
        await driver.pilot.click(ScenarioList, offset=(6, 3))
        assert driver.state.place.here == TreeRow(RowKind.PROMPT, "envelope-replay", "2")
        await driver.pilot.click(MatrixView, offset=(40, 3))
        assert driver.state.place.cursor == (1, 1)
        assert driver.state.place.pane is Pane.MATRIX
        width = driver.main.query_one(KeyBar).size.width
        assert width == 120
        text = driver.main.query_one(KeyBar).render_line(0).text
        await driver.pilot.click(KeyBar, offset=(text.index("help"), 0))
        assert isinstance(driver.app.screen, HelpScreen)


async def test_a_fold_opens_with_z_and_with_a_click() -> None:
    made = workspace()
    session = ran(made)
    long = "\n".join(f"line {n}" for n in range(60))
    prompts = (replace(made.scenarios[0].prompts[3], text=long),)
    made.scenarios = (replace(made.scenarios[0], prompts=prompts),)
    session = made.session(made.run("envelope-replay"))
    async with driving(session) as driver:
        driver.state.place.go_to(CellKey("envelope-replay", "today", "channel", "fixed"))
        driver.main.redraw()
        await driver.press("next-pane", "next-pane")
        assert "unchanged lines; z opens" in driver.text()
        await driver.press("fold")
        assert "unchanged lines" not in driver.text()
        await driver.press("fold", "top")
        view = driver.main.query_one(ComparisonView)
        y = next(n for n in range(view.size.height) if "unchanged" in view.render_line(n).text)
        await driver.pilot.click(ComparisonView, offset=(10, y + 1))
        assert driver.state.unfolded


@pytest.mark.parametrize("name", ["view-split", "view-unified"])
async def test_the_view_that_was_asked_for_beats_the_width(name: str) -> None:
    async with driving(ran(workspace()), (100, 30)) as driver:
        await driver.press("next-case", "next-case", name)
        assert driver.main.query_one(ComparisonView).side_count == (2 if name == "view-split" else 1)
        await driver.pilot.resize_terminal(140, 40)
        assert driver.main.query_one(ComparisonView).side_count == (2 if name == "view-split" else 1)
        await driver.press("view-auto")
        assert driver.main.query_one(ComparisonView).side_count == 2


async def test_a_resize_keeps_the_place_and_a_tiny_terminal_gets_words() -> None:
    async with driving(ran(workspace()), (160, 45)) as driver:
        await driver.press("next-case", "next-case", "next-difference")
        place = (driver.state.place.key, driver.state.place.difference)
        for size in ((120, 30), (80, 24), (60, 16), (200, 60)):
            await driver.pilot.resize_terminal(*size)
            assert (driver.state.place.key, driver.state.place.difference) == place
            assert "channel" in driver.text()
        await driver.pilot.resize_terminal(59, 24)
        assert "too small" in driver.text() and "60×16 will do" in driver.text()
        assert "channel" not in driver.text()
        await driver.pilot.resize_terminal(80, 24)
        assert "channel" in driver.text()


async def test_columns_that_went_off_the_side_come_back_with_the_room() -> None:
    async with driving(ran(workspace()), (160, 45)) as driver:
        await driver.press("next-pane", "right", "right", "right")
        assert driver.state.place.key is not None and driver.state.place.key.adapter == "remote"
        await driver.pilot.resize_terminal(60, 16)
        assert "‹" in driver.text() and " naive " not in driver.text()
        await driver.pilot.resize_terminal(160, 45)
        assert "‹" not in driver.text() and " naive " in driver.text()


async def test_a_pane_can_have_the_whole_screen() -> None:
    async with driving(ran(workspace())) as driver:
        await driver.press("next-pane", "zoom")
        text = driver.text()
        assert "FIRE" in text and "Scenarios" not in text and "decision" not in text
        await driver.press("next-pane")
        assert "decision" in driver.text()
        await driver.press("back")
        assert "Scenarios" in driver.text()


async def test_the_help_opens_on_the_focused_pane_and_closes_in_three_ways() -> None:
    async with driving(ran(workspace())) as driver:
        for key in ("question_mark", "escape", "q"):
            await driver.press("help")
            assert isinstance(driver.app.screen, HelpScreen)
            assert "Each scenario with its prompts" in driver.text()
            await driver.pilot.press(key)
            assert len(driver.app.screen_stack) == 1
        await driver.press("next-pane", "help")
        assert "FIRE calls a tool" in driver.text()
        await driver.pilot.press("pagedown", "down", "up", "pageup")
        await driver.pilot.resize_terminal(80, 24)
        assert "Each arm of the chosen prompt" in driver.text()


async def test_the_palette_goes_to_a_prompt_and_runs_a_command() -> None:
    async with driving(ran(workspace())) as driver:
        await driver.pilot.press("colon")
        assert isinstance(driver.app.screen, CommandPalette)
        await driver.pilot.press(*"sentences")
        await driver.settle(lambda: "canary › sentences" in driver.text())
        await driver.pilot.press("enter")
        await driver.settle(lambda: driver.app.screen is driver.main)
        assert driver.state.place.here == TreeRow(RowKind.PROMPT, "canary", "sentences")
        await driver.pilot.press("ctrl+p", *"maximise")
        await driver.pilot.press("escape")


async def test_the_palette_offers_only_what_can_be_used() -> None:
    async with driving(workspace().session()) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.settle(lambda: "run: run cell" in driver.text())
        assert "run: stop" not in driver.text()
        assert "next difference" not in driver.text()


async def test_a_key_that_does_nothing_now_says_why() -> None:
    async with driving(workspace().session()) as driver:
        await driver.press("stop", "next-difference", "back")
        assert driver.toasts() == [
            "no run is on",
            "nothing has been run yet, so nothing differs; r runs this cell",
            "this is the top; q quits",
        ]


async def test_an_untrusted_workspace_says_how_to_trust_it() -> None:
    session = replace(workspace().session(), trusted=False)
    async with driving(session) as driver:
        assert "not trusted" in driver.text() and "workbench trust" in driver.text()
        await driver.press("run-cell")
        assert "T shows them first" in driver.toasts()[0]
        assert driver.state.progress.phase is Phase.IDLE


async def test_an_empty_workspace_shows_how_to_begin() -> None:
    made = workspace()
    made.scenarios = ()
    async with driving(made.session()) as driver:
        text = driver.text()
        assert "no scenarios yet" in text and "scenarios/first.yaml" in text
        for command in COMMANDS:
            if command.id not in ("help", "palette", "quit", "theme"):
                await driver.press(command.id)
        assert driver.app.is_running


async def test_all_themes_draw() -> None:
    async with driving(ran(workspace())) as driver:
        for name in (*CYCLE[1:], CYCLE[0]):
            await driver.press("theme")
            assert driver.app.theme == name
            assert "FIRE" in driver.text()
        for name in driver.app.available_themes:
            driver.app.theme = name
            await driver.pilot.pause()
            assert "FIRE" in driver.text()


async def test_events_that_come_in_thousands_are_drawn_now_and_then() -> None:
    made = workspace()
    made.repeat = 400
    async with driving(made.session()) as driver:
        drawn = 0
        redraw = driver.main.redraw

        def counted() -> None:
            nonlocal drawn
            drawn += 1
            redraw()

        driver.main.redraw = counted  # type: ignore[method-assign]
        driver.main.runner._on_change = counted
        driver.main.run(Target("envelope-replay"))
        await driver.settle()
        assert driver.state.progress.done == 60 * 400
        assert drawn < 60


async def test_the_same_words_are_told_once_while_they_stand_there() -> None:
    async with driving(ran(workspace())) as driver:
        for words in ("one", "two", "one", "one"):
            driver.main.tell(words)
            await driver.pilot.pause()
        assert driver.toasts() == ["one", "two"]
        driver.app.clear_notifications()
        driver.main.tell("one")
        await driver.pilot.pause()
        assert driver.toasts() == ["one"]
