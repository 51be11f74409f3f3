"""Pictures of the lanes tab in every look and width; look at the report before accepting a new one."""

from __future__ import annotations

import pytest
import textual
from test_tui_snapshots import LOOKS, Compare, alone, at
from test_tui_snapshots import report as report
from tui_lanes import NAIVE, sending
from tui_made import workspace

from workbench.tui.app import WorkbenchApp
from workbench.tui.darkness import AtDark
from workbench.tui.state import SessionState
from workbench.tui.themes import DARK, LIGHT
from workbench.tui.view.layout import SideBySide
from workbench.tui.view.tabs import Tab
from workbench.tui.widgets.comparison_view import ComparisonView

pytestmark = pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")


@LOOKS
@pytest.mark.parametrize("width", [80, 120])
def test_the_tab_in_every_look(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, look: str, width: int
) -> None:
    document, view = SessionState(sending(workspace())).comparisons.made(NAIVE), ComparisonView()
    assert document is not None

    def show() -> None:
        view.show(document, NAIVE, SideBySide.AUTO, False, 0, Tab.LANES)

    assert alone(snap_compare, monkeypatch, view, show, width, look)


@LOOKS
def test_the_dark_text_that_was_gone_to(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    document, view = SessionState(sending(workspace())).comparisons.made(NAIVE), ComparisonView()
    assert document is not None

    def show() -> None:
        view.show(document, NAIVE, SideBySide.AUTO, False, 0, Tab.LANES, AtDark(NAIVE, 0))

    assert alone(snap_compare, monkeypatch, view, show, 120, look)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (160, 45)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("theme", [DARK.name, LIGHT.name])
def test_the_screen(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    app = WorkbenchApp(sending(workspace()), theme)
    keys = ("next-pane", "next-pane", "tab-lanes")
    assert snap_compare(app, terminal_size=size, run_before=at(NAIVE, *keys))
