"""Pictures of the screen and its widgets; look at the report before accepting a new one.

They are pictures of one version of Textual, and so skipped with any other.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import textual
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget
from tui_made import BROKEN, workspace

from workbench.core.cell import CellKey
from workbench.tui.app import WorkbenchApp
from workbench.tui.commands import command_of, footer_of
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Session
from workbench.tui.state import SessionState
from workbench.tui.themes import DARK, LIGHT, ink_variables
from workbench.tui.view.layout import Pane, SideBySide
from workbench.tui.view.matrix import matrix_of
from workbench.tui.view.tree import tree_line
from workbench.tui.widgets.bars import KeyBar, StatusBar
from workbench.tui.widgets.comparison_view import ComparisonView
from workbench.tui.widgets.matrix_view import MatrixView
from workbench.tui.widgets.scenario_list import ScenarioList

pytestmark = pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")

REPORT = "TEXTUAL_SNAPSHOT_TEMPDIR"
REPORT_FOLDER = os.environ.get(REPORT)

Compare = Callable[..., bool]
DRIFT = CellKey("envelope-replay", "build", "channel", "held")
CANARY = CellKey("canary", "sentences", "attached", "naive")


@pytest.fixture(autouse=True)
def report(hermetic: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is scrubbed, but the snapshot plug-in looks there for its folder."""
    if REPORT_FOLDER is not None:
        monkeypatch.setenv(REPORT, REPORT_FOLDER)


def ran() -> Session[Any]:
    made = workspace()
    return made.session(made.run("envelope-replay", "canary"), BROKEN)


async def settle(pilot: Pilot[Any]) -> None:
    main = pilot.app.screen_stack[0]
    assert isinstance(main, MainScreen)
    async with asyncio.timeout(30):
        while main.runner.busy:
            await pilot.pause(0.01)
    await pilot.pause()


def at(key: CellKey | None, *names: str) -> Callable[[Pilot[Any]], Any]:
    """Go to a cell, then carry out commands."""

    async def act(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        main = pilot.app.screen_stack[0]
        assert isinstance(main, MainScreen)
        if key is not None:
            main.state.place.go_to(key)
            main.redraw()
        for name in names:
            main.perform(name)
            await pilot.pause()
        await settle(pilot)

    return act


@pytest.mark.parametrize(
    "size", [(60, 16), (80, 24), (120, 36), (160, 45)], ids=lambda size: f"{size[0]}x{size[1]}"
)
@pytest.mark.parametrize("theme", [DARK.name, LIGHT.name])
def test_the_screen(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(WorkbenchApp(ran(), theme), terminal_size=size, run_before=at(DRIFT, "next-pane"))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_screen_without_colour(
    snap_compare: Compare, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(WorkbenchApp(ran()), terminal_size=size, run_before=at(DRIFT, "next-pane"))


def test_the_screen_in_the_terminals_own_colours(snap_compare: Compare) -> None:
    assert snap_compare(
        WorkbenchApp(ran(), "ansi-dark"), terminal_size=(120, 36), run_before=at(DRIFT, "next-pane")
    )


STATES: dict[str, tuple[CellKey | None, tuple[str, ...]]] = {
    "attachment": (CANARY, ("next-difference", "next-difference")),
    "scenario": (None, ("top",)),
    "broken file": (None, ("bottom",)),
    "not run": (CellKey("paste", "1", "reply", "held"), ()),
    "failed": (CellKey("envelope-replay", "build", "channel", "remote"), ()),
    "zoomed": (CANARY, ("next-pane", "next-pane", "zoom")),
    "help": (None, ("help",)),
    "ran": (CANARY, ("run-shown",)),
}


@pytest.mark.parametrize("name", STATES)
def test_a_state(snap_compare: Compare, name: str) -> None:
    key, names = STATES[name]
    assert snap_compare(WorkbenchApp(ran()), terminal_size=(100, 30), run_before=at(key, *names))


def test_an_empty_workspace(snap_compare: Compare) -> None:
    made = workspace()
    made.scenarios = ()
    assert snap_compare(WorkbenchApp(made.session()), terminal_size=(80, 24), run_before=at(None))


def test_an_untrusted_workspace(snap_compare: Compare) -> None:
    session = replace(workspace().session(), trusted=False)
    assert snap_compare(WorkbenchApp(session), terminal_size=(80, 24), run_before=at(None))


def test_a_terminal_that_is_too_small(snap_compare: Compare) -> None:
    assert snap_compare(WorkbenchApp(ran()), terminal_size=(50, 12), run_before=at(None))


class Alone(App[None]):
    """One widget, shown from a state."""

    CSS = "Screen { layers: base; }"

    def __init__(self, widget: Widget, show: Callable[[], None], theme: str) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme
        self._widget = widget
        self._show = show

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return ink_variables(self.current_theme.dark, self.current_theme.ansi)

    def compose(self) -> ComposeResult:
        yield self._widget

    def on_mount(self) -> None:
        self.call_after_refresh(self._show)


WIDTHS = pytest.mark.parametrize("width", [60, 80, 120, 160])
LOOKS = pytest.mark.parametrize("look", ["dark", "light", "no colour"])


def alone(
    snap_compare: Compare,
    monkeypatch: pytest.MonkeyPatch,
    widget: Widget,
    show: Callable[[], None],
    width: int,
    look: str,
) -> bool:
    if look == "no colour":
        monkeypatch.setenv("NO_COLOR", "1")
    app = Alone(widget, show, LIGHT.name if look == "light" else DARK.name)
    height = 1 if isinstance(widget, StatusBar | KeyBar) else 20
    return snap_compare(app, terminal_size=(width, height))


@WIDTHS
@LOOKS
def test_the_list_alone(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, width: int, look: str
) -> None:
    state, view = SessionState(ran()), ScenarioList()
    rows = state.place.rows

    def show() -> None:
        view.show(len(rows), 2, lambda row, cells: tree_line(state, rows[row], cells))

    assert alone(snap_compare, monkeypatch, view, show, width // 2, look)


@WIDTHS
@LOOKS
def test_the_matrix_alone(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, width: int, look: str
) -> None:
    state, view = SessionState(ran()), MatrixView()
    assert alone(snap_compare, monkeypatch, view, lambda: view.show(matrix_of(state), (1, 1)), width, look)


@WIDTHS
@LOOKS
def test_the_comparison_alone(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, width: int, look: str
) -> None:
    state, view = SessionState(ran()), ComparisonView()
    document = state.comparisons.made(DRIFT)
    assert document is not None

    def show() -> None:
        view.show(document, DRIFT, SideBySide.AUTO, False, 1)

    assert alone(snap_compare, monkeypatch, view, show, width, look)


@WIDTHS
@LOOKS
def test_the_bars_alone(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, width: int, look: str
) -> None:
    view = KeyBar()
    offered = [(command, command.id != command_of("stop").id) for command in footer_of(Pane.COMPARISON)]
    assert alone(snap_compare, monkeypatch, view, lambda: view.show(offered), width, look)
