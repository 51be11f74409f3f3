"""The help screen: made from the commands, so that it cannot go stale."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from workbench.core.text import safe
from workbench.tui.keymap import key_of
from workbench.tui.view.ink import Line, ink
from workbench.tui.widgets.safe import SafeStatic, content

if TYPE_CHECKING:
    from workbench.tui.app import WorkbenchApp

__all__ = ["HelpScreen"]

WIDTH = 110
FRAME = 5  # borders, padding, scroll bar


class HelpScreen(ModalScreen[None]):
    """Keys and what they do. The keys that open it and that leave the program close it, as does escape."""

    app: WorkbenchApp

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("question_mark,f1", "dismiss", "close", id="help"),
        Binding("q", "dismiss", "close", id="quit"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space,ctrl+d", "scroll(10)", show=False),
        Binding("pageup,b,ctrl+u", "scroll(-10)", show=False),
    ]

    def __init__(self, lines: Callable[[int], tuple[Line, ...]]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False) as box:
            box.border_title = content((ink("help"),))
            keys = " ".join(key_of(self.app.state, name) for name in ("help", "quit"))
            box.border_subtitle = content((ink(safe(f"{keys} esc close")),))
            yield SafeStatic(*self._lines(self._room))

    @property
    def _room(self) -> int:
        return min(WIDTH, self.app.size.width * 9 // 10) - FRAME

    def on_resize(self) -> None:
        self.query_one(SafeStatic).show(*self._lines(self._room))

    def action_scroll(self, lines: int) -> None:
        """Scroll, at once."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
