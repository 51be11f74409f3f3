"""Finding one's way on the whole screen, and the first steps in it, driven by the pilot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_tui_screen import Driver, driving, ran
from tui_made import workspace

from workbench.core.cell import CellKey
from workbench.core.errors import Mark, Problem
from workbench.core.text import SafeText, safe
from workbench.files.settings import Chosen, Settings
from workbench.tui.place import RowKind
from workbench.tui.progress import Phase
from workbench.tui.screens.dialog import AskScreen, MenuScreen
from workbench.tui.screens.jumping import JumpScreen
from workbench.tui.screens.searching import SearchScreen
from workbench.tui.session import Loaded, Session
from workbench.tui.view.layout import Pane


def prompts(driver: Driver) -> list[str | None]:
    return [row.prompt for row in driver.state.place.rows if row.kind is RowKind.PROMPT]


def pane_of(driver: Driver) -> Pane:
    """Asked anew each time, for the type checker remembers attributes."""
    return driver.state.place.pane


def phase_of(driver: Driver) -> Phase:
    return driver.state.progress.phase


async def test_typed_words_filter_the_list_at_once_and_escape_takes_them_away() -> None:
    async with driving(ran(workspace())) as driver:
        here = driver.state.place.key
        await driver.press("search")
        await driver.pilot.press(*"pr")
        assert isinstance(driver.app.screen, SearchScreen) and driver.state.place.key != here
        assert prompts(driver) == ["3"]
        assert "1 prompt" in driver.text()
        await driver.pilot.press("escape")
        assert len(prompts(driver)) == 8
        assert driver.state.sieve.search is None and driver.state.place.key == here


async def test_kept_words_are_gone_through_with_n_and_N() -> None:
    async with driving(ran(workspace())) as driver:
        await driver.press("search")
        await driver.pilot.press(*"calendar", "enter")
        assert driver.app.screen is driver.main
        await driver.press("next-match")
        assert driver.state.place.prompt == "2"
        await driver.press("previous-match", "previous-match")
        assert driver.state.place.prompt == "5"
        await driver.press("back")
        assert len(prompts(driver)) == 8


async def test_a_bracket_typed_into_the_search_line_is_a_bracket() -> None:
    made = workspace()
    odd = replace(made.scenarios[0].prompts[0], text="range query (1 3 and [b + should give 3")
    made.scenarios = (replace(made.scenarios[0], prompts=(odd, *made.scenarios[0].prompts[1:])),)
    async with driving(ran_of(made)) as driver:
        await driver.press("search")
        for key in ("[", "/", "b", "o", "l", "d", "]"):
            await driver.pilot.press(key)
        assert prompts(driver) == []
        assert "[/bold]" in driver.text() and "0 prompts" in driver.text()
        await driver.pilot.press(*["backspace"] * 6)
        assert prompts(driver) == ["build"]
        await driver.pilot.press("enter", "tab", "tab")
        await driver.press("search")
        await driver.pilot.press("[", "enter")
        assert driver.state.sieve.search is not None and driver.state.sieve.search.pane is Pane.COMPARISON


def ran_of(made: Any) -> Session[Any]:
    return made.session(made.run("envelope-replay"))  # type: ignore[no-any-return]


async def test_the_comparison_is_searched_line_by_line() -> None:
    async with driving(ran(workspace()), (120, 24)) as driver:
        driver.state.place.go_to(CellKey("canary", "sentences", "attached", "naive"))
        driver.main.redraw()
        await driver.press("next-pane", "next-pane", "search")
        await driver.pilot.press(*"The end", "enter")
        assert "The end." in driver.text()
        await driver.press("search")
        await driver.pilot.press(*"zebra", "enter")
        await driver.press("next-match")
        assert any("nothing matches" in toast for toast in driver.toasts())


async def test_filters_are_told_and_taken_away() -> None:
    made = workspace()
    async with driving(made.session(made.run("canary"))) as driver:
        await driver.press("filter")
        await driver.settle(lambda: isinstance(driver.app.screen, MenuScreen))
        await driver.pilot.press("f")
        await driver.settle(lambda: driver.app.screen is driver.main)
        assert prompts(driver) == ["sentences", "2"]
        assert "only failing" in driver.text()
        await driver.press("filter")
        await driver.settle(lambda: isinstance(driver.app.screen, MenuScreen))
        await driver.pilot.press("a")
        await driver.settle(lambda: "one adapter" in driver.text() and "fixed" in driver.text())
        await driver.pilot.press("3")
        await driver.settle(lambda: driver.app.screen is driver.main)
        assert driver.state.place.column_names == ("fixed",)
        await driver.press("show-all")
        assert len(prompts(driver)) == 8
        assert "only failing" not in driver.text()


async def test_a_jump_goes_to_a_row_a_cell_and_a_pane() -> None:
    async with driving(ran(workspace())) as driver:
        await driver.press("jump")
        assert isinstance(driver.app.screen, JumpScreen)
        await driver.pilot.press("c")
        assert driver.state.place.prompt == "2"
        await driver.press("jump")
        await driver.pilot.press("C")
        assert pane_of(driver) is Pane.MATRIX
        assert driver.state.place.cursor[0] == 2
        await driver.press("jump")
        await driver.pilot.press("3")
        assert pane_of(driver) is Pane.COMPARISON
        await driver.press("jump")
        await driver.pilot.press("escape")
        assert pane_of(driver) is Pane.COMPARISON
        assert len(driver.app.screen_stack) == 1


async def test_the_keys_of_the_settings_count_and_clashes_are_told() -> None:
    keys = {
        "run-cell": Chosen(("f5",), Mark("config.yaml", 2, 3)),
        "help": Chosen(("q",), Mark("config.yaml", 3, 3)),
    }
    problem = Problem("unknown key `kees`", Mark("config.yaml", 1, 1))
    settings = Settings(keys, "no-such-theme", (problem,))
    async with driving(replace(ran(workspace()), settings=settings)) as driver:
        told = "\n".join(driver.toasts())
        assert "config.yaml:1:1: unknown key" in told
        assert "quit has no key left" in told
        assert "no-such-theme" in told
        assert " f5 run " in driver.text()
        await driver.pilot.press("r")
        assert phase_of(driver) is Phase.IDLE
        await driver.pilot.press("f5")
        await driver.settle()
        assert phase_of(driver) is Phase.DONE
        await driver.pilot.press("q")
        assert "Each scenario with its prompts" in driver.text()


async def test_the_theme_of_the_settings_is_the_first() -> None:
    async with driving(replace(ran(workspace()), settings=Settings(theme="nord"))) as driver:
        assert driver.app.theme == "nord"


def untrusted(session: Session[Any], trusted: list[bool]) -> Session[Any]:
    def reload() -> Loaded:
        return Loaded(session.scenarios, session.problems, trusted[0])

    def trust() -> None:
        trusted[0] = True

    lines: Iterable[SafeText] = (safe("held  python  target: a:b"), safe("[/bold]  command  argv: [x]"))
    return replace(session, trusted=False, reload=reload, trust=trust, adapter_lines=lambda: tuple(lines))


async def test_a_workspace_can_be_trusted_after_a_look() -> None:
    trusted = [False]
    async with driving(untrusted(workspace().session(), trusted)) as driver:
        assert "T shows what they start" in driver.text()
        await driver.press("trust")
        await driver.settle(lambda: isinstance(driver.app.screen, MenuScreen))
        assert "held  python  target: a:b" in driver.text() and "[/bold]  command" in driver.text()
        await driver.pilot.press("enter")
        await driver.settle(lambda: driver.app.screen is driver.main)
        assert trusted == [False]
        await driver.press("trust")
        await driver.settle(lambda: isinstance(driver.app.screen, MenuScreen))
        await driver.pilot.press("y")
        await driver.settle(lambda: driver.state.session.trusted)
        assert "not trusted" not in driver.text()
        await driver.press("run-cell")
        await driver.settle()
        assert phase_of(driver) is Phase.DONE


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_every_program_can_be_read_before_it_is_trusted(size: tuple[int, int]) -> None:
    lines = tuple(safe(f"program{n}  command  argv: [python3, {'x' * 120}]") for n in range(30))
    session = replace(untrusted(workspace().session(), [False]), adapter_lines=lambda: lines)
    async with driving(session, size=size) as driver:
        await driver.press("trust")
        await driver.settle(lambda: "pgdn pgup read on" in driver.text())
        assert "30 of its adapters" in driver.text() and "program29" not in driver.text()
        await driver.pilot.press(*["pagedown"] * 12)
        await driver.settle(lambda: "program29" in driver.text())
        assert "n  not now" in driver.text() and "y  trust this workspace" in driver.text()


async def test_without_a_workspace_one_is_welcomed_and_can_begin_one(tmp_path: Path) -> None:
    founded: list[Path] = []
    session = replace(workspace().session(), packaged=True, here=tmp_path, found=founded.append)
    async with driving(session) as driver:
        await driver.settle(lambda: isinstance(driver.app.screen, MenuScreen))
        assert "welcome to the workbench" in driver.text()
        await driver.pilot.press("d")
        assert driver.app.screen is driver.main
        await driver.press("welcome")
        await driver.settle(lambda: isinstance(driver.app.screen, MenuScreen))
        await driver.pilot.press("n")
        await driver.settle(lambda: driver.app._exit)
    assert founded == [tmp_path] and driver.app.going_to == tmp_path


async def test_another_folder_can_be_opened(tmp_path: Path) -> None:
    session = replace(workspace().session(), packaged=True, here=tmp_path, found=lambda folder: None)
    async with driving(session) as driver:
        await driver.settle(lambda: isinstance(driver.app.screen, MenuScreen))
        await driver.pilot.press("o")
        await driver.settle(lambda: isinstance(driver.app.screen, AskScreen))
        await driver.pilot.press(*"/nowhere")
        await driver.pilot.press("enter")
        assert "there is no such folder" in driver.text()
        await driver.pilot.press(*["backspace"] * 8, "enter")
        await driver.settle(lambda: driver.app._exit)
    assert driver.app.going_to == tmp_path


async def test_a_rerun_of_what_failed_runs_that_alone() -> None:
    made = workspace()

    def only(plan: Any, keys: Any) -> Any:
        return replace(plan, deliveries=tuple(d for d in plan.deliveries if d.key in keys))

    async with driving(replace(ran(made), only=only)) as driver:
        driver.state.place.go_to(CellKey("canary", "sentences", "attached", "naive"))
        driver.main.redraw()
        await driver.press("run-failed")
        await driver.settle()
        assert "ran 4 trials" in driver.text()


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_everything_failed_has_words_of_its_own(size: tuple[int, int]) -> None:
    made = workspace()
    made.routers = {"remote": made.routers["remote"]}
    made.scenarios = (replace(made.scenarios[0], adapters=("remote",)),)
    made.arms = {"envelope-replay": ("channel",)}
    async with driving(made.session(made.run("envelope-replay")), size) as driver:
        await driver.press("top")
        assert "Everything failed" in driver.text()
        assert "no answer within 10 s" in driver.text()
