"""The Textual application: themes, palette, leaving. Everything else is the screen's and the state's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from workbench.tui.screens.closing import Closing
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Session
from workbench.tui.state import SessionState
from workbench.tui.themes import CYCLE, DARK, LIGHT, PLAIN, ink_variables
from workbench.tui.view.ink import Line
from workbench.tui.view.layout import BREAKPOINTS
from workbench.tui.wishes import apply_wishes, first_theme

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.filter import LineFilter

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
        self._is_dressed = False
        super().__init__()
        self.state = SessionState(session)
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.register_theme(PLAIN)
        self._is_dressed = True
        self._begin_in(first_theme(self, theme, DARK.name))
        self._leaving = False
        self.going_to: Path | None = None

    def _begin_in(self, theme: str) -> None:
        if theme == DARK.name:
            # The one that most have, before the style sheets are read: set later, they would be read twice.
            self.set_reactive(App.theme, theme)
        else:
            self.theme = theme
        self.stylesheet.set_variables(self.get_css_variables())

    def get_default_screen(self) -> MainScreen:
        guide = self.state.guide
        if guide is None:
            return MainScreen(self.state)
        from workbench.tui.screens.guided import GuidedScreen

        return GuidedScreen(self.state, guide)

    def on_mount(self) -> None:
        apply_wishes(self)

    @property
    def no_color(self) -> bool:
        """Whether marks and letters have to do without colours: it was asked for at the start, or is now."""
        return self.colours_refused or self.theme == PLAIN.name

    @no_color.setter
    def no_color(self, asked: bool) -> None:
        self.colours_refused = asked

    def get_line_filters(self) -> Sequence[LineFilter]:
        if self.theme != PLAIN.name:
            return super().get_line_filters()
        from workbench.tui.widgets.colourless import Colourless

        return (Colourless(),)

    def get_css_variables(self) -> dict[str, str]:
        # None before the themes are there: those of the default one would be made and thrown away.
        return super().get_css_variables() if self._is_dressed else {}

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
