"""What this user asked for in the settings, applied to the screen; what cannot be is said in a toast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import Problem
from workbench.core.text import join, safe, visible
from workbench.tui.commands import COMMANDS
from workbench.tui.keymap import keymap_of
from workbench.tui.screens.main import MainScreen
from workbench.tui.themes import PLAIN
from workbench.tui.widgets.safe import toast

if TYPE_CHECKING:
    from workbench.tui.app import WorkbenchApp

__all__ = ["apply_wishes", "first_theme", "theme_to_keep"]

SHOWN = 4


def first_theme(app: WorkbenchApp, asked: str | None, default: str) -> str:
    """The theme to begin with: what was asked for, what the settings say, the last one, the default.

    NO_COLOR goes before what is only remembered.
    """
    last = PLAIN.name if app.no_color else app.state.memory.theme
    for name in (asked, app.state.session.settings.theme, last):
        if name is not None and name in app.available_themes:
            return name
    return default


def theme_to_keep(app: WorkbenchApp) -> str:
    """The theme to begin with next time: one that only NO_COLOR chose says nothing of that."""
    return app.state.memory.theme if app.colours_refused and app.theme == PLAIN.name else app.theme


def apply_wishes(app: WorkbenchApp) -> None:
    """Give commands the keys of the settings, and say what is wrong with these."""
    settings = app.state.session.settings
    keymap, clashes = keymap_of(settings.keys, COMMANDS) if settings.keys else ({}, ())
    app.state.keymap = keymap
    if keymap:
        app.set_keymap({name: ",".join(keys) for name, keys in keymap.items()})
    problems = [*settings.problems, *clashes]
    if settings.theme is not None and settings.theme not in app.available_themes:
        hint = "one of " + ", ".join(sorted(app.available_themes))
        problems.append(Problem(f"theme: there is none called {settings.theme}", hint=hint))
    session = app.state.session
    begins = session.found is not None and session.walk is None and not app.state.memory.scenario
    if begins and isinstance(app.screen, MainScreen):
        app.call_after_refresh(app.screen.upkeep.welcome)
    for problem in problems[:SHOWN]:
        toast(app, visible(str(problem)), severity="warning")
    if len(problems) > SHOWN:
        more = safe(f"and {len(problems) - SHOWN} more; `workbench info` has all")
        toast(app, join((more,)), severity="warning")
