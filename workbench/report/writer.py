"""The one door out of the report room: a writer that takes safe text and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from workbench.core.text import SafeText, safe

__all__ = ["Line", "Output", "Piece", "Style", "Writer", "glyph", "own", "plain"]

_RESET = "\x1b[0m"

# Style names, and what a terminal is told (SGR). A piece may carry several, parted by a space.
_SGR = {
    "error": "1;31",
    "warning": "33",
    "note": "36",
    "good": "32",
    "strong": "1",
    "dim": "2",
    "changed": "4",
    "matched": "7",
    "user": "32",
    "transport": "35",
    "attachment": "33",
    "quoted": "34",
    "history": "34",
    "tool": "36",
    "synthetic": "36",
    "app": "35",
}

# Every glyph of our own outside ASCII, and what stands for it in a C locale or on cp1252.
_GLYPHS = {
    "✗": "x",
    "✓": ".",
    "…": "...",
    "│": "|",
    "→": "->",
    "–": "-",
    "·": ",",
    "×": "x",
    "↵": "\\",
    "╱": "/",
    "≤": "<=",
    "≥": ">=",
    "█": "#",
    "░": ".",
}


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw. `width` in terminal cells, None where the output is no terminal: nothing wraps.

    `ascii`: no glyph of our own outside ASCII. Foreign ones are the output stream's to escape.
    """

    colour: bool = False
    width: int | None = None
    ascii: bool = False


class Output(Protocol):
    """What is written to: a text stream."""

    def write(self, text: str, /) -> object: ...


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one line and the names of its styles. Raises TypeError on a bare string."""

    text: SafeText
    look: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.text, SafeText):
            raise TypeError(f"a bare string: {self.text!r}; use visible() or own()")


Line = tuple[Piece, ...]


class Writer:
    """Writes lines of safe pieces to a text stream, with colour only where that was asked for."""

    def __init__(self, out: Output, *, colour: bool = False) -> None:
        self._out = out
        self._colour = colour

    def line(self, *pieces: Piece | SafeText) -> None:
        """One line and its line feed. Raises TypeError on a bare string, before anything is written."""
        drawn = [self._draw(piece if isinstance(piece, Piece) else Piece(piece)) for piece in pieces]
        self._out.write("".join(drawn) + "\n")

    def lines(self, lines: Iterable[Line]) -> None:
        """Several lines."""
        for line in lines:
            self.line(*line)

    def _draw(self, piece: Piece) -> str:
        if not self._colour or not piece.look or not piece.text:
            return str(piece.text)
        codes = ";".join(_SGR[name] for name in piece.look.split())
        return f"\x1b[{codes}m{piece.text}{_RESET}"


def glyph(char: str, style: Style) -> SafeText:
    """One of our own glyphs, or its ASCII stand-in. Raises KeyError on one that has none."""
    return safe(_GLYPHS[char] if style.ascii else char)


def own(words: str, style: Style) -> SafeText:
    """Our own words, with their glyphs in the style's alphabet. Never for foreign text."""
    if words.isascii():
        return safe(words)
    if not style.ascii:
        return safe(words)
    return safe("".join(char if char.isascii() else _GLYPHS[char] for char in words))


def plain(line: Line) -> SafeText:
    """The text of a line without its styles."""
    return SafeText("".join(piece.text for piece in line))
