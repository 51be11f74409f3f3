"""Pictures of rates: the matrix of what was sampled, and its tabs; look before accepting a new one."""

from __future__ import annotations

import pytest
import textual
from test_tui_snapshots import LOOKS, WIDTHS, Compare, alone
from test_tui_snapshots import report as report
from tui_sampled import judged_state, key

from workbench.tui.view.layout import SideBySide
from workbench.tui.view.matrix import matrix_of
from workbench.tui.view.tabs import Tab
from workbench.tui.widgets.comparison_view import ComparisonView
from workbench.tui.widgets.matrix_view import MatrixView

pytestmark = pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")


@WIDTHS
@LOOKS
@pytest.mark.parametrize("label", ["open", "scenario"])
def test_a_sampled_matrix(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, width: int, look: str, label: str
) -> None:
    state, view = judged_state(), MatrixView()
    state.place.select_row(0)
    if label != "scenario":
        state.place.go_to(key(label))
    assert alone(snap_compare, monkeypatch, view, lambda: view.show(matrix_of(state), (1, 0)), width, look)


@WIDTHS
@LOOKS
def test_the_rates(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, width: int, look: str) -> None:
    document, view = judged_state().comparisons.made(key("drifts")), ComparisonView()
    assert document is not None

    def show() -> None:
        view.show(document, key("drifts"), SideBySide.AUTO, False, 0, Tab.RATES)

    assert alone(snap_compare, monkeypatch, view, show, width, look)


@pytest.mark.parametrize("tab", [Tab.CALLS, Tab.REQUEST], ids=str)
def test_a_tab_of_a_model(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, tab: Tab) -> None:
    document, view = judged_state().comparisons.made(key("drifts")), ComparisonView()
    assert document is not None

    def show() -> None:
        view.show(document, key("drifts"), SideBySide.AUTO, False, 0, tab)

    assert alone(snap_compare, monkeypatch, view, show, 120, "dark")
