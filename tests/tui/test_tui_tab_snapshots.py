"""Pictures of every tab of the comparison; look at the report before accepting a new one."""

from __future__ import annotations

from dataclasses import replace

import pytest
import textual
from test_tui_snapshots import LOOKS, Compare, alone, at, ran
from test_tui_snapshots import report as report
from tui_made import DOCUMENT, workspace

from workbench.core.cell import CellKey
from workbench.core.turn import Attachment, Message
from workbench.tui.app import WorkbenchApp
from workbench.tui.baseline import PinnedCell
from workbench.tui.state import SessionState
from workbench.tui.view.layout import SideBySide
from workbench.tui.view.tabs import Tab
from workbench.tui.widgets.comparison_view import ComparisonView

pytestmark = pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")

NAIVE = CellKey("envelope-replay", "build", "channel", "naive")


def answered() -> SessionState:
    """A delivery with scores, calls, a file and an earlier message."""
    state = SessionState(ran())
    cell = state.board.cells[NAIVE]
    turn = replace(
        cell.delivery.turn,
        attachments=(Attachment("canary.txt", "/x/canary.txt", DOCUMENT),),
        messages=(Message("assistant", "What shall I do?"), Message("user", cell.delivery.turn.text)),
    )
    state.board.cells[NAIVE] = replace(cell, delivery=replace(cell.delivery, turn=turn))
    state.board.adapters.update(workspace().plan("envelope-replay", None, None, None).adapters)
    return state


@pytest.mark.parametrize("width", [80, 120, 160])
@pytest.mark.parametrize("tab", [tab for tab in Tab if tab is not Tab.WINDOW], ids=str)
def test_a_tab_alone(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, width: int, tab: Tab) -> None:
    document, view = answered().comparisons.made(NAIVE), ComparisonView()
    assert document is not None

    def show() -> None:
        view.show(document, NAIVE, SideBySide.AUTO, False, 0, tab)

    assert alone(snap_compare, monkeypatch, view, show, width, "dark")


@LOOKS
def test_the_scores_in_every_look(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, look: str) -> None:
    document, view = answered().comparisons.made(NAIVE), ComparisonView()
    assert document is not None

    def show() -> None:
        view.show(document, NAIVE, SideBySide.AUTO, False, 0, Tab.SCORES)

    assert alone(snap_compare, monkeypatch, view, show, 100, look)


def test_a_pinned_baseline(snap_compare: Compare) -> None:
    app = WorkbenchApp(ran())
    app.state.comparisons.pin(PinnedCell(app.state.board.cells[NAIVE]))
    assert snap_compare(
        app, terminal_size=(120, 36), run_before=at(replace(NAIVE, adapter="held"), "next-pane")
    )
