"""The search line: typed words find at once, enter keeps them, esc takes them away."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from workbench.core.text import safe
from workbench.tui.view.ink import Tone, ink
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.field import LineField

__all__ = ["SearchScreen"]


class SearchScreen(ModalScreen[None]):
    """One line at the foot of the screen. `look_for` gets what is typed, None when it is given up.

    `told` says how much that finds.
    """

    DEFAULT_CSS = """
    SearchScreen { background: transparent; align: left bottom; }
    SearchScreen LineField { width: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+q", "give_up", "clear", priority=True),
    ]

    def __init__(self, start: str, look_for: Callable[[str | None], None], told: Callable[[], str]) -> None:
        super().__init__()
        self._start = start
        self._look_for = look_for
        self._told = told

    def compose(self) -> ComposeResult:
        yield LineField(self._start)

    def on_mount(self) -> None:
        field = self.query_one(LineField)
        field.focus()
        field.select_all()
        self._entitle()

    def _entitle(self) -> None:
        told = (ink(safe(self._told()), Tone.MUTED), ink("  ⏎ keep  esc clear"))
        self.query_one(LineField).entitle((ink("search"),), told)

    @on(SafeArea.Changed)
    def _typed(self) -> None:
        self._look_for(self.query_one(LineField).raw or None)
        self._entitle()

    @on(LineField.Submitted)
    def _kept(self) -> None:
        self.dismiss(None)

    def action_give_up(self) -> None:
        """End the search."""
        self._look_for(None)
        self.dismiss(None)
