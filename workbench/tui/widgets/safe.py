"""The one place where text becomes something that Textual draws: only `SafeText` gets in, never markup.

What is typed into has a door of its own, `widgets.area`: it takes a while to import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.content import Content
from textual.notifications import SeverityLevel
from textual.strip import Strip
from textual.widgets import Static

from workbench.core.text import SafeText, join
from workbench.tui.view.ink import Line, Tone

__all__ = ["SafeStatic", "content", "strip", "toast"]

_TITLE_STYLES = {
    Tone.STRONG: "bold",
    Tone.HEADING: "bold",
    Tone.MUTED: "dim",
    Tone.ERROR: "$ink-error",
    Tone.WARNING: "$ink-warning",
    Tone.OK: "$ink-ok",
    Tone.FIRE: "$ink-fire bold",
    Tone.HOLD: "$ink-hold bold",
    Tone.PASS: "$ink-pass bold",
}


def _checked(text: SafeText) -> str:
    if not isinstance(text, SafeText):
        raise TypeError(f"a bare string cannot be drawn: {text!r}")
    return str(text)


def strip(line: Line, style_of: Callable[[Any], Style], rest: Style, width: int) -> Strip:
    """One screen line of `width` cells; `rest` fills what the pieces leave."""
    segments = [Segment(_checked(piece.text), style_of(piece)) for piece in line if piece.text]
    return Strip(segments).adjust_cell_length(width, rest)


def content(line: Line) -> Content:
    """A line for a title or a palette entry."""
    return Content.assemble(*((_checked(piece.text), _TITLE_STYLES.get(piece.tone, "")) for piece in line))


class SafeStatic(Static):
    """A Static that shows lines of safe pieces, and nothing else."""

    def __init__(self, *lines: Line) -> None:
        super().__init__(markup=False)
        self.show(*lines)

    def show(self, *lines: Line) -> None:
        """Draw these lines instead."""
        self.update(Content("\n").join([content(line) for line in lines]))


def toast(app: App[Any], *parts: SafeText, severity: SeverityLevel = "information") -> None:
    """Words that stand in a corner for a moment; those that stand there already are not said once more."""
    words = _checked(join(parts))
    if not any(shown.message == words and not shown.has_expired for shown in app._notifications):
        app.notify(words, severity=severity, markup=False)
