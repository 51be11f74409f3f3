"""Takes every colour away: what the theme without colours paints as a block is reversed, what faint, dim."""

from __future__ import annotations

from functools import lru_cache

from rich import segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from workbench.tui.themes import BLOCK, FAINT

__all__ = ["Colourless"]

_BLOCK = Color.parse(BLOCK).rich_color
_FAINT = Color.parse(FAINT).rich_color


@lru_cache(2048)
def _attributes(style: Style) -> Style:
    kept = style.without_color
    if style.bgcolor == _BLOCK:
        return kept + Style(reverse=True)
    return kept + Style(dim=True) if style.color == _FAINT else kept


class Colourless(LineFilter):
    """Leaves bold, dim, underline and reverse."""

    def apply(self, segments: list[segment.Segment], background: Color) -> list[segment.Segment]:
        return [
            piece if piece.style is None else piece._replace(style=_attributes(piece.style))
            for piece in segments
        ]
