"""The Textual application: themes, palette, leaving. Everything else is the screen's and the state's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from workbench.tui.screens.closing import Closing
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Session
from workbench.tui.state import SessionState
from workbench.tui.themes import CYCLE, DARK, LIGHT, ink_variables
from workbench.tui.view.ink import Line
from workbench.tui.view.layout import BREAKPOINTS
from workbench.tui.wishes import apply_wishes, first_theme

if TYPE_CHECKING:
    from textual.command import Provider

__all__ = ["WorkbenchApp"]


def _palette() -> type[Provider]:
    from workbench.tui.palette import WorkbenchCommands

    return WorkbenchCommands


class WorkbenchApp(App[int]):
    """The workbench in a terminal. `theme` is the name of a theme; None: the dark one."""

    TITLE = "workbench"
    # Here and not on the screen: the first screen of an application brings no stylesheet of its own.
    CSS_PATH = "screens/main.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    COMMANDS = App.COMMANDS | {_palette}

    def __init__(self, session: Session[Any], theme: str | None = None) -> None:
        super().__init__()
        self.state = SessionState(session)
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = first_theme(self, theme, DARK.name)
        self._leaving = False
        self.going_to: Path | None = None

    def get_default_screen(self) -> MainScreen:
        guide = self.state.guide
        if guide is None:
            return MainScreen(self.state)
        from workbench.tui.screens.guided import GuidedScreen

        return GuidedScreen(self.state, guide)

    def on_mount(self) -> None:
        apply_wishes(self)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        theme = self.current_theme
        return ink_variables(theme.dark, theme.ansi)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield SystemCommand("theme: choose", "All themes, seen as they are chosen", self.action_change_theme)
        yield SystemCommand("view: save a picture", "This screen as an SVG file", self.deliver_picture)

    def deliver_picture(self) -> None:
        """Save the screen as SVG in the folder for downloads."""
        self.deliver_screenshot()

    def next_theme(self) -> None:
        """The next theme of the cycle."""
        after = CYCLE.index(self.theme) + 1 if self.theme in CYCLE else 0
        self.theme = CYCLE[after % len(CYCLE)]

    def show_help(self, lines: Callable[[int], tuple[Line, ...]]) -> None:
        """Open the help over the screen."""
        from workbench.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(lines))

    def leave(self) -> None:
        """End the program once a run that goes on has stopped; asked again, at once."""
        if self._leaving:
            self.exit(0)
            return
        self._leaving = True
        self.run_worker(self._leave(), exit_on_error=False)

    async def _leave(self) -> None:
        main = self.screen_stack[0]
        if isinstance(main, MainScreen):
            if self.state.progress.busy:
                self.state.stopping()
                main.redraw()
            await main.runner.close()
        self.exit(0)

    async def action_quit(self) -> None:
        """ctrl+q does what q does; on a screen over the main one it closes that first."""
        if isinstance(self.screen, Closing):
            self.screen.action_leave()
        else:
            self.leave()
