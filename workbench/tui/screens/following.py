"""Follows a log on the screen: asks which, then shows a line for each turn as it comes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from workbench.core.text import safe, visible
from workbench.tui.following_log import Follow, FollowedLog, LogReader
from workbench.tui.keymap import key_of
from workbench.tui.place import Motion
from workbench.tui.view.cells import middle_cut
from workbench.tui.view.following import following_head, following_rows, following_state
from workbench.tui.view.ink import Piece, Tone, ink
from workbench.tui.widgets.rows_view import RowsView
from workbench.tui.widgets.safe import SafeStatic, content

if TYPE_CHECKING:
    from workbench.tui.app import WorkbenchApp
    from workbench.tui.screens.main import MainScreen

__all__ = ["FollowScreen", "LogFollower"]

EVERY = 0.2
"""Seconds between two looks at what the thread has read."""


class FollowScreen(ModalScreen[None]):
    """The newest turn stands at the bottom, and stays in view until somebody scrolls up. The key that opens
    it and the one that leaves the program close it, as does escape; then the log is read no further.
    """

    app: WorkbenchApp

    CSS_PATH = "following.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("L", "dismiss", "close", id="follow-log"),
        Binding("q", "dismiss", "close", id="quit"),
        *(
            Binding(keys, f"scroll('{motion.name}')", show=False)
            for keys, motion in (
                ("down,j", Motion.DOWN),
                ("up,k", Motion.UP),
                ("pagedown,space,ctrl+d", Motion.PAGE_DOWN),
                ("pageup,b,ctrl+u", Motion.PAGE_UP),
                ("home,g", Motion.TOP),
                ("end,G", Motion.BOTTOM),
            )
        ),
    ]

    def __init__(self, path: Path, follow: Follow) -> None:
        super().__init__()
        self.log_state = FollowedLog(path)
        self.reader = LogReader(self.log_state, follow)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            name = middle_cut(visible(str(self.log_state.path)), max(10, self.app.size.width - 20))
            box.border_title = content((ink("following "), Piece(name, Tone.STRONG)))
            keys = " ".join(key_of(self.app.state, name) for name in ("follow-log", "quit"))
            box.border_subtitle = content((ink(safe(f"{keys} esc close")),))
            yield SafeStatic(following_head())
            yield RowsView()
            yield SafeStatic(*following_state(self.log_state))

    def on_mount(self) -> None:
        self.reader.start()
        self.set_interval(EVERY, self._look)

    def on_unmount(self) -> None:
        self.reader.stop()

    def _look(self) -> None:
        if not self.reader.drain():
            return
        view = self.query_one(RowsView)
        at_end = view.scroll_offset.y >= view.max_scroll_y
        view.show(following_rows(self.log_state), ())
        self.query(SafeStatic).last().show(*following_state(self.log_state))
        if at_end:
            self.call_after_refresh(self.action_scroll, Motion.BOTTOM.name)

    def action_scroll(self, motion: str) -> None:
        """Scroll, at once."""
        self.query_one(RowsView).scroll_by(Motion[motion])


def _why_not_log(raw: str) -> str | None:
    try:
        path = Path(raw).expanduser()
        if path.is_dir():
            return "this is a folder: name a log in it"
        return None if path.is_file() else "there is no such file"
    except (OSError, ValueError, RuntimeError):
        return "no file can have that name"


class LogFollower:
    """Asks which log, the one before to begin with."""

    def __init__(self, main: MainScreen) -> None:
        self._main = main
        self._last = ""

    def follow_log(self) -> None:
        """Ask for the path of a log, then follow it."""
        from workbench.tui.screens.dialog import AskScreen, Field

        field = Field((ink("its path"),), self._last, _why_not_log)
        about = (ink("A log of past turns that grows: JSON lines, CSV, text, or an SQLite database."),)
        self._main.app.push_screen(AskScreen((ink("follow a log"),), [field], about), self._opened)

    def _opened(self, given: tuple[str, ...] | None) -> None:
        follow = self._main.state.session.follow
        if given is None or follow is None:
            return
        self._last = given[0]
        self._main.app.push_screen(FollowScreen(Path(given[0]).expanduser(), follow))
