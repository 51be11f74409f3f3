"""A search in one pane: which texts match, and where. Typed words are only ever words, never a pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from workbench.core.text import SafeText
from workbench.tui.view.ink import Ground, Line, Piece
from workbench.tui.view.layout import Pane

__all__ = ["Search"]


@dataclass(frozen=True)
class Search:
    """`words` as typed. In the list a `!` before them turns the search round.

    Small letters match capitals too; with a capital among them they must match as they are.
    """

    pane: Pane
    words: str

    @property
    def inverted(self) -> bool:
        return self.pane is Pane.SCENARIOS and len(self.words) > 1 and self.words.startswith("!")

    @property
    def needle(self) -> str:
        """What is looked for."""
        return self.words[1:] if self.inverted else self.words

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        case = re.IGNORECASE if self.needle == self.needle.lower() else re.NOFLAG
        return re.compile(re.escape(self.needle), case)

    def finds(self, text: str) -> bool:
        """Whether a text holds the words."""
        return bool(self.needle) and self._pattern.search(text) is not None

    def keeps(self, *texts: str) -> bool:
        """Whether something of these texts stays in a list."""
        return any(self.finds(text) for text in texts) != self.inverted

    def light(self, line: Line) -> Line:
        """A line with every match lit, also one that goes over several pieces."""
        if not self.needle or self.inverted:
            return line
        spans = [match.span() for match in self._pattern.finditer("".join(piece.text for piece in line))]
        if not spans:
            return line
        lit: list[Piece] = []
        offset = 0
        for piece in line:
            lit += _cut(piece, [(start - offset, end - offset) for start, end in spans])
            offset += len(piece.text)
        return tuple(lit)


def _cut(piece: Piece, spans: list[tuple[int, int]]) -> list[Piece]:
    parts: list[Piece] = []
    position, size = 0, len(piece.text)
    for start, end in spans:
        start, end = max(0, start), min(size, end)
        if start >= end:
            continue
        parts.append(Piece(piece.text[position:start], piece.tone, piece.ground))
        parts.append(Piece(piece.text[start:end], piece.tone, Ground.CURRENT))
        position = end
    parts.append(Piece(piece.text[position:], piece.tone, piece.ground))
    return [part for part in parts if part.text != SafeText("")]
