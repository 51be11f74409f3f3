"""Pictures of an explanation in every look; look at the report before accepting a new one."""

from __future__ import annotations

import pytest
import textual
from test_tui_explain import KEY, found_for
from test_tui_snapshots import LOOKS, Compare, alone
from test_tui_snapshots import report as report

from workbench.core.text import visible
from workbench.tui.view.explanation import explanation_rows
from workbench.tui.view.ink import ink
from workbench.tui.widgets.rows_view import RowsView

pytestmark = pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")


@LOOKS
def test_an_explanation(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, look: str) -> None:
    view = RowsView()

    def show() -> None:
        view.show(explanation_rows(found_for()), (ink(visible(str(KEY))),))

    assert alone(snap_compare, monkeypatch, view, show, 90, look)
