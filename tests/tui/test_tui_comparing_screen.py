"""Tabs, pins and what is taken along, on the whole screen: keys, mouse, palette, hostile text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_tui_hostile import HOSTILE, assert_clean, hostile_session, swap
from test_tui_screen import Driver, driving
from textual.app import App
from tui_made import Workspace, workspace

from workbench.core.cell import Cell, CellKey, Run
from workbench.core.errors import WorkbenchError
from workbench.core.finding import Finding
from workbench.core.text import visible
from workbench.store.records import RunSummary
from workbench.tui.app import WorkbenchApp
from workbench.tui.offers import Outbox, Runs
from workbench.tui.session import Session
from workbench.tui.view.layout import Pane
from workbench.tui.view.tabs import Tab
from workbench.tui.widgets.comparison_view import ComparisonView

KEY = CellKey("envelope-replay", "build", "channel", "held")
NAIVE = replace(KEY, adapter="naive")


@pytest.fixture(autouse=True)
def no_clipboard(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests must not write to the clipboard of whoever runs them."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "TMUX"):
        monkeypatch.delenv(name, raising=False)


def summary(run: str, finished: bool = True) -> RunSummary:
    return RunSummary(
        run, "2027-01-02T03:04:05+00:00", 1.0, "p", 40, 30, finished, ("envelope-replay",), ("held",), {}
    )


def offering(made: Workspace, root: Path, *, runs: Callable[[], tuple[RunSummary, ...]]) -> Session[Any]:
    """A session that has run, with an earlier run in its store, and a folder for what is taken along."""

    def load(run: str) -> tuple[Run, tuple[Finding, ...]]:
        old = replace(made.run("envelope-replay"), id=run)
        return old, made.find(old)

    def report(bare: Cell | None, cell: Cell, findings: tuple[Finding, ...]) -> str:
        return f"report of {cell.key} beside {bare.key if bare else None}, {len(findings)} findings\n"

    outbox = Outbox(
        root, report, lambda cell, prompt: f"case of {cell.key}: {prompt.text if prompt else ''}\n"
    )
    session = made.session(made.run("envelope-replay", "canary"))
    return replace(session, runs=Runs(runs, load), outbox=outbox)


def at(driver: Driver, key: CellKey) -> None:
    driver.state.place.go_to(key)
    driver.main.redraw()


async def taken(driver: Driver) -> None:
    await driver.settle(lambda: not driver.main.taking.busy)


def lines(driver: Driver) -> str:
    view = driver.app.screen.query_one(ComparisonView)
    text = driver.text().split("\n")
    return "\n".join(text[view.region.y : view.region.bottom])


async def test_keys_and_clicks_turn_to_every_tab(tmp_path: Path) -> None:
    async with driving(workspace().session(workspace().run("envelope-replay"))) as driver:
        at(driver, KEY)
        await driver.pilot.pause()
        assert "[Window~]" in lines(driver)
        for number, tab in enumerate(Tab, 3):
            await driver.pilot.press(str(number))
            assert driver.state.place.tab is tab
            assert f"[{tab.value}" in lines(driver)
        turned = []
        for name in ("next-tab", "previous-tab", "previous-tab"):
            await driver.press(name)
            turned.append(driver.state.place.tab)
        assert turned == [Tab.WINDOW, Tab.LANES, Tab.REQUEST]
        view = driver.app.screen.query_one(ComparisonView)
        bar = driver.text().split("\n")[view.region.y + 1]
        await driver.pilot.click(offset=(bar.index("Scores"), view.region.y + 1))
        assert str(driver.state.place.tab) == "Scores"
        assert "─ scores" in lines(driver)


async def test_a_tab_is_kept_from_cell_to_cell_and_through_a_resize() -> None:
    async with driving(workspace().session(workspace().run("envelope-replay"))) as driver:
        at(driver, KEY)
        await driver.press("tab-turn")
        at(driver, NAIVE)
        await driver.pilot.pause()
        assert "[Turn]" in lines(driver)
        await driver.pilot.resize_terminal(80, 24)
        await driver.pilot.pause()
        assert "[Turn]" in lines(driver)


async def test_differences_are_gone_through_across_the_tabs() -> None:
    async with driving(workspace().session(workspace().run("envelope-replay"))) as driver:
        at(driver, KEY)
        await driver.pilot.pause()
        document = driver.state.comparisons.kept(KEY)
        assert document is not None and document.marked == (Tab.WINDOW, Tab.CALLS)
        for number in range(1, document.count):
            assert f"difference {number} of {document.count}" in driver.text()
            await driver.press("next-difference")
        assert driver.state.place.tab is Tab.CALLS and driver.state.place.key == KEY
        await driver.press("next-difference")
        assert driver.state.place.key != KEY
        await driver.press("previous-difference")
        assert (driver.state.place.key, driver.state.place.tab) == (KEY, Tab.CALLS)
        assert f"difference {document.count} of {document.count}" in driver.text()


async def test_a_pinned_answer_is_held_against_the_cell_under_the_cursor(tmp_path: Path) -> None:
    async with driving(workspace().session(workspace().run("envelope-replay"))) as driver:
        at(driver, NAIVE)
        await driver.press("pin")
        assert "this is the pinned answer" in driver.text() and "pinned" in driver.text()
        at(driver, KEY)
        await driver.pilot.pause()
        assert "pinned: naive ↔ held · channel" in driver.text()
        await driver.press("unpin")
        assert "bare ↔ channel · held" in driver.text()


async def test_escape_lets_go_of_the_pin_once_there_is_no_level_left() -> None:
    async with driving(workspace().session(workspace().run("envelope-replay"))) as driver:
        at(driver, KEY)
        await driver.press("pin", "next-pane", "back")
        assert driver.state.place.pane is Pane.SCENARIOS
        assert driver.state.comparisons.pinned is not None
        await driver.press("back")
        assert driver.state.comparisons.pinned is None


async def test_before_and_after_a_new_run_stand_side_by_side() -> None:
    made = workspace()
    async with driving(made.session(made.run("envelope-replay"))) as driver:
        at(driver, KEY)
        await driver.press("pin")
        made.routers = {**made.routers, "held": made.routers["fixed"]}
        await driver.press("run-cell")
        await driver.settle(lambda: not driver.state.progress.busy and not driver.main.runner.busy)
        assert "pinned: earlier answer ↔ now · channel · held" in driver.text()
        document = driver.state.comparisons.kept(KEY)
        assert document is not None and Tab.WINDOW in document.marked


async def test_an_earlier_run_is_chosen_in_the_palette(tmp_path: Path) -> None:
    found = (summary("run-b", finished=False), summary("run-a"))
    async with driving(offering(workspace(), tmp_path, runs=lambda: found)) as driver:
        at(driver, KEY)
        await driver.press("compare-with-run")
        async with asyncio.timeout(30):
            while "run-a" not in driver.text():
                await driver.pilot.pause(0.02)
        assert "2027-01-02 03:04  run-b" in driver.text() and "30 of 40 trials" in driver.text()
        await driver.pilot.press(*"run-a  30 trials")
        async with asyncio.timeout(30):
            while "run-b" in driver.text():
                await driver.pilot.pause(0.02)
        await driver.pilot.press("enter")
        await driver.settle(lambda: driver.state.comparisons.pinned is not None)
        await taken(driver)
        assert "pinned: run run-a ↔ now · channel · held" in driver.text()
        assert any("run run-a now" in toast for toast in driver.toasts())


async def test_runs_that_cannot_be_read_are_told() -> None:
    def fails() -> tuple[RunSummary, ...]:
        raise WorkbenchError("runs.db is \x1b damaged")

    async with driving(offering(workspace(), Path("/nowhere"), runs=fails)) as driver:
        await driver.press("compare-with-run")
        async with asyncio.timeout(30):
            while not driver.toasts():
                await driver.pilot.pause(0.02)
        assert driver.toasts() == ["runs.db is ␛ damaged"]


async def test_what_is_copied_goes_every_way_and_the_toast_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(App, "copy_to_clipboard", lambda app, text: sent.append(text))
    async with driving(offering(workspace(), tmp_path, runs=tuple)) as driver:
        at(driver, KEY)
        for name in ("copy-cell", "copy-command", "copy-case"):
            await driver.press(name)
            await taken(driver)
        toasts = driver.toasts()
    folder = tmp_path / ".workbench" / "exports"
    case = folder / "envelope-replay-build-channel-held.yaml"
    assert sent[0].startswith(f"report of {KEY} beside") and "2 findings" not in sent[0][:20]
    assert sent[1] == "workbench run 'envelope-replay#build' --adapter held --envelope channel\n"
    assert sent[2] == case.read_text() and "build me a workflow" in sent[2]
    assert (folder / "copied.txt").read_text() == sent[1]
    assert "copied the command that shows this cell again to the terminal (OSC 52)" in toasts[1]
    assert toasts[2].endswith(".workbench/exports/envelope-replay-build-channel-held.yaml")


async def test_the_comparison_is_saved_in_three_kinds(tmp_path: Path) -> None:
    async with driving(offering(workspace(), tmp_path, runs=tuple)) as driver:
        at(driver, KEY)
        await driver.press("tab-calls", "export")
        await taken(driver)
        toasts = driver.toasts()
    folder = tmp_path / ".workbench" / "exports"
    name = "envelope-replay-build-channel-held-calls"
    assert sorted(file.name for file in folder.iterdir()) == [
        f"{name}.{kind}" for kind in ("html", "md", "svg")
    ]
    assert ">calls</span>" in (folder / f"{name}.html").read_text()
    assert "envelope-replay#build: bare ↔ channel · held" in (folder / f"{name}.md").read_text()
    assert toasts == [f"saved in .workbench/exports: {name}.svg, {name}.html, {name}.md"]


async def test_a_folder_that_cannot_be_written_is_told_and_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / ".workbench").write_text("a file where a folder should be")
    async with driving(offering(workspace(), tmp_path, runs=tuple)) as driver:
        at(driver, KEY)
        await driver.press("export")
        await taken(driver)
        await driver.press("copy-command")
        await taken(driver)
        toasts = driver.toasts()
    assert len(toasts) == 2 and "saved" not in toasts[0]
    assert toasts[1].endswith("to the terminal (OSC 52)")


def hostile_offers(text: str, root: Path) -> tuple[Outbox, Runs]:
    """A text as report, case, and everything that a stored run says."""

    def load(run: str) -> tuple[Run, tuple[Finding, ...]]:
        raise WorkbenchError("not asked for")

    stored = replace(summary(text), scenarios=(text,), started=text)
    outbox = Outbox(root, lambda bare, cell, findings: text, lambda cell, prompt: text)
    return outbox, Runs(lambda: (stored,), load)


async def test_hostile_text_on_every_tab_and_in_all_that_is_taken_along(tmp_path: Path) -> None:
    app = WorkbenchApp(hostile_session("x"))
    async with app.run_test(size=(140, 50), notifications=True) as pilot:
        for number, text in enumerate(HOSTILE):
            root = tmp_path / str(number)
            root.mkdir()
            outbox, runs = hostile_offers(text, root)
            main = await swap(pilot, replace(hostile_session(text), outbox=outbox, runs=runs))
            main.perform("next-case")
            seen = []
            for tab in Tab:
                main.perform(f"tab-{tab.value.lower()}")
                await pilot.pause()
                seen.append(assert_clean(app))
            words = visible(text.split("\n")[0].strip())[:24]
            assert sum(words in page for page in seen) >= 3, text
            for name in ("pin", "export", "copy-cell", "copy-case", "copy-command"):
                main.perform(name)
            async with asyncio.timeout(30):
                while main.taking.busy:
                    await pilot.pause(0.01)
            assert_clean(app)
            app.clear_notifications()
            main.perform("compare-with-run")
            await pilot.pause(0.2)
            assert_clean(app)
            await pilot.press("escape")
            saved = {file.suffix: file for file in (root / ".workbench" / "exports").iterdir()}
            assert {".svg", ".html", ".md"} <= saved.keys()
            for suffix in (".svg", ".html", ".md"):
                page = saved[suffix].read_text("utf-8")
                assert not any(char < " " and char != "\n" for char in page)
                assert "\u202e" not in page and "\x9b" not in page
