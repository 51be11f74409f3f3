"""Shows why a decision moved: over the screen, once the search beside it is through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from workbench.core.cell import CellKey
from workbench.core.text import SafeText, safe, visible
from workbench.tui.keymap import key_of
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Piece, Tone, ink
from workbench.tui.view.rows import DocRow
from workbench.tui.widgets.rows_view import RowsView
from workbench.tui.widgets.safe import content, toast

if TYPE_CHECKING:
    from workbench.tui.app import WorkbenchApp
    from workbench.tui.screens.main import MainScreen

__all__ = ["Explaining", "ExplanationScreen"]


class ExplanationScreen(ModalScreen[None]):
    """The turn with the cause lit in place, what restores, and how it is known. The key that opens it and
    the one that leaves the program close it, as does escape.
    """

    app: WorkbenchApp

    CSS_PATH = "explaining.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("x", "dismiss", "close", id="explain"),
        Binding("q", "dismiss", "close", id="quit"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space,ctrl+d", "scroll(10)", show=False),
        Binding("pageup,b,ctrl+u", "scroll(-10)", show=False),
    ]

    def __init__(self, name: SafeText, rows: Sequence[DocRow]) -> None:
        super().__init__()
        self._title = name
        self._rows = tuple(rows)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = content((ink("why "), Piece(cut(self._title, 70), Tone.STRONG)))
            keys = " ".join(key_of(self.app.state, name) for name in ("explain", "quit"))
            box.border_subtitle = content((ink(safe(f"{keys} esc close")),))
            yield RowsView()

    def on_mount(self) -> None:
        self.query_one(RowsView).show(self._rows, ())

    @on(RowsView.LaidOut)
    def _laid_out(self) -> None:
        view = self.query_one(RowsView)
        view.styles.height = min(view.height_needed, max(4, self.app.size.height * 9 // 10 - 2))

    def action_scroll(self, lines: int) -> None:
        """Scroll, at once."""
        self.query_one(RowsView).scroll_relative(y=lines, animate=False)


class Explaining:
    """Starts searches, and shows what came of them."""

    def __init__(self, main: MainScreen) -> None:
        self._main = main

    def explain(self, key: CellKey) -> None:
        """Show why the decision of a cell moved; where that is not known yet, find out first."""
        if self._main.state.explanations.of(key) is not None:
            self._show(key)
        else:
            self._main.runner.explainer.start(key, self._ready)

    def _ready(self, key: CellKey) -> None:
        """Shown at once to who has waited for it; who has gone elsewhere is told."""
        if self._main.is_current and self._main.state.place.key == key:
            self._show(key)
            return
        words = (
            visible(str(key)),
            safe(f" is explained: {key_of(self._main.state, 'explain')} there shows it"),
        )
        toast(self._main.app, *words)

    def _show(self, key: CellKey) -> None:
        from workbench.tui.view.explanation import explanation_rows

        found = self._main.state.explanations.of(key)
        if found is not None:
            self._main.app.push_screen(ExplanationScreen(visible(str(key)), explanation_rows(found)))
