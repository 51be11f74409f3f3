"""Tones and grounds as Rich styles, straight from the theme: component classes would slow every start."""

from __future__ import annotations

from rich.color import Color as RichColour
from rich.style import Style
from textual.color import Color
from textual.strip import Strip
from textual.widget import Widget

from workbench.tui.view.ink import Ground, Line, Piece, Tone
from workbench.tui.widgets.safe import strip

__all__ = ["Cursor", "Paint"]

Cursor = str
"""Empty, `cursor`, or `cursor-blurred` for the chosen row of a pane without the focus."""

_BOLD = {Tone.STRONG, Tone.HEADING, Tone.KEY, Tone.FIRE, Tone.HOLD, Tone.USER}
_WORDS = {Ground.REMOVED_WORD, Ground.ADDED_WORD, Ground.DARK}


class Paint:
    """The styles of one widget, put together once for each mixture of tone, ground and cursor.

    Where there are no colours, or only the terminal's own, other signs stand for them.
    """

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[tuple[Tone, Ground, Cursor], Style] = {}
        self._bases: dict[Cursor, Style] = {}

    def clear(self) -> None:
        """The style sheet or the theme changed."""
        self._styles.clear()
        self._bases.clear()

    def strip(self, line: Line, width: int, cursor: Cursor = "") -> Strip:
        """One screen line of `width` cells."""
        return strip(line, lambda piece: self.of(piece, cursor), self.base(cursor), width)

    def base(self, cursor: Cursor) -> Style:
        """The style of what no piece covers."""
        style = self._bases.get(cursor)
        if style is None:
            style = self._widget.rich_style
            if cursor:
                style += self._cursor(cursor)
            self._bases[cursor] = style
        return style

    def of(self, piece: Piece, cursor: Cursor) -> Style:
        """The style of a piece."""
        key = (piece.tone, piece.ground, cursor)
        style = self._styles.get(key)
        if style is None:
            style = self.base(cursor)
            # The terminal's own colours on its own cursor cannot all be read.
            if cursor == "cursor" and self._ansi:
                return style
            style += self._tone(piece.tone)
            if piece.ground is not Ground.NONE:
                style += self._ground(piece.ground)
            self._styles[key] = style
        return style

    @property
    def _ansi(self) -> bool:
        return self._widget.app.native_ansi_color

    @property
    def _plain(self) -> bool:
        return self._widget.app.no_color

    def _colour(self, name: str) -> str:
        return self._widget.app.theme_variables[name]

    def _tone(self, tone: Tone) -> Style:
        underline = True if tone is Tone.USER and self._plain else None
        bold = True if tone in _BOLD else None
        return Style(color=_rich(self._colour(f"ink-{tone}")), bold=bold, underline=underline)

    def _ground(self, ground: Ground) -> Style:
        if ground is Ground.UNREAD:
            return Style(dim=True)
        behind = _rich(self._colour(f"ground-{ground}"))
        if ground is Ground.CURRENT:
            if self._ansi:
                return Style(color=_rich("ansi_default"), bgcolor=behind, reverse=True)
            return Style(color=_rich(self._colour("background")), bgcolor=behind, bold=True)
        reverse = True if ground in _WORDS and (self._ansi or self._plain) else None
        underline = True if ground is Ground.DOUBLE else None
        return Style(bgcolor=behind, reverse=reverse, underline=underline)

    def _cursor(self, cursor: Cursor) -> Style:
        behind = _rich(self._colour(f"ink-{cursor}"))
        if cursor == "cursor-blurred":
            return Style(bgcolor=behind, underline=True if self._ansi or self._plain else None)
        if self._plain:
            return Style(bgcolor=behind, reverse=True)
        return Style(color=_rich("ansi_bright_white") if self._ansi else None, bgcolor=behind, bold=True)


def _rich(colour: str) -> RichColour:
    return Color.parse(colour).rich_color
