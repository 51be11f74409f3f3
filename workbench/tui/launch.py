"""The way in: a session in, an exit code out."""

from __future__ import annotations

from typing import Any

from workbench.tui.app import WorkbenchApp
from workbench.tui.session import Session

__all__ = ["launch"]


def launch(session: Session[Any], theme: str | None = None) -> int:
    """Open the screen on a session and return the exit code. The caller has made sure of a terminal."""
    app = WorkbenchApp(session, theme)
    result = app.run()
    return app.return_code or result or 0
