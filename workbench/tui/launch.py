"""The way in: a session in, an exit code out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from workbench.tui.app import WorkbenchApp
from workbench.tui.ending import ending_in_order
from workbench.tui.memory import keep, memory_of
from workbench.tui.session import Session
from workbench.tui.wishes import theme_to_keep

__all__ = ["Left", "launch", "open_on"]


class Left(NamedTuple):
    """How the screen was left: an exit code, and the folder to go on in where one was chosen."""

    code: int
    folder: Path | None = None


def launch(session: Session[Any], theme: str | None = None) -> int:
    """Open the screen on a session and return the exit code. The caller has made sure of a terminal."""
    return open_on(session, theme).code


def open_on(session: Session[Any], theme: str | None = None) -> Left:
    """Open the screen on a session. The caller has made sure of a terminal."""
    app = WorkbenchApp(session, theme)
    with ending_in_order(app):
        result = app.run()
    keep(session.memory, memory_of(app.state, theme_to_keep(app)))
    return Left(app.return_code or result or 0, app.going_to)
