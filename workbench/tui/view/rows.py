"""Rows of a comparison as values: what stands on both sides, before anything is measured or drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.core.text import SafeText, visible
from workbench.tui.view.ink import Ground, Line, Piece, Tone, ink

__all__ = ["Across", "DocRow", "Fold", "Full", "Heading", "Pair", "Words", "note", "surely_fits"]

UNCHANGED = SafeText("unchanged")

Stretch = tuple[int, int, Tone, Ground]
"""Characters [start, end) of a raw line, and what they mean."""


def surely_fits(raw: str, width: int) -> bool:
    """Whether a raw text is as wide as it is long, and no wider than `width`; a line feed at its end too."""
    return len(raw) <= width and raw.isascii() and raw.removesuffix("\n").isprintable()


class Words:
    """One line of one side. It is made visible when it is first looked at, for most never are.

    `lit`: the adapter read some of it.
    """

    __slots__ = ("_letters", "_line", "_raw", "_read", "lit")

    def __init__(
        self, raw: str, read: Callable[[], tuple[Sequence[Stretch], SafeText]], lit: bool = False
    ) -> None:
        """`read` gives what the characters of `raw` mean, and the letters of their authors."""
        self.lit = lit
        self._raw = raw
        self._read = read
        self._line: Line | None = None
        self._letters = SafeText("")

    @classmethod
    def of(cls, *pieces: Piece) -> Words:
        """Words that are safe already, of no author."""
        words = cls("", lambda: ((), SafeText("")))
        words._line = pieces
        return words

    @property
    def raw(self) -> str:
        """The foreign text that it was made of; empty where it is of our own words."""
        return self._raw

    @property
    def line(self) -> Line:
        """The pieces, safe to draw."""
        if self._line is None:
            self._line, self._letters = self._made()
        return self._line

    @property
    def letters(self) -> SafeText:
        """The authors of the line, each a letter."""
        if self._line is None:
            self._line, self._letters = self._made()
        return self._letters

    def _made(self) -> tuple[Line, SafeText]:
        stretches, letters = self._read()
        raw = self._raw
        return tuple(
            Piece(visible(raw[start:end]), tone, ground) for start, end, tone, ground in stretches
        ), letters

    @property
    def is_visible(self) -> bool:
        """Whether anyone has looked at it yet."""
        return self._line is not None

    def surely_fits(self, width: int) -> bool:
        """Whether one screen row of `width` cells will do, told without making anything visible."""
        return self._line is None and surely_fits(self._raw, width)


class Heading(NamedTuple):
    """The name of a section, and what holds for all of it."""

    name: SafeText
    note: Line = ()


class Full(NamedTuple):
    """A line over both sides. `cut`: it takes one screen row, however long it is."""

    words: Words
    cut: bool = False


class Across(NamedTuple):
    """A row over both sides that has a sign of its own, as a table's has; it takes one screen row.

    `more` is drawn behind it where there is room for the whole of it.
    """

    sign: str
    words: Words
    more: Words | None = None

    @property
    def differs(self) -> bool:
        return self.sign != " "


class Pair(NamedTuple):
    """The two sides of one row; None where a side has no such row.

    `sign`: blank where there is no difference, `-` and `+` where one side is missing, else `~`.
    `twin`: both sides are the same text, so that one can stand for both.
    `quiet`: the sign is drawn, but this is no difference that anybody looks for.
    """

    sign: str
    baseline: Words | None
    variant: Words | None
    twin: bool = False
    quiet: bool = False

    @property
    def differs(self) -> bool:
        return self.sign != " " and not self.quiet


class Fold(NamedTuple):
    """Rows left out, none of them a difference: their raw texts, and how to make the row of a number.

    `what` says what they are.
    """

    texts: Sequence[str]
    pair: Callable[[int], Pair]
    what: SafeText = UNCHANGED


DocRow = Heading | Full | Across | Pair | Fold


def note(words: str, tone: Tone = Tone.MUTED) -> Full:
    """A line of our own words over both sides."""
    return Full(Words.of(ink(words, tone)))
