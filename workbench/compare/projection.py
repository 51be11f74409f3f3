"""Texts seen through what routers do to them: spacing, normal form, case, punctuation."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from workbench.core.decision import Span

__all__ = ["Level", "Projection", "project"]


# str.isspace() also holds for the four separators U+001C to U+001F.
_ASCII_RUN = re.compile(r"[\s\x1c-\x1f]+|[^\s\x1c-\x1f]+")
_ASCII_WORD = re.compile(r"[0-9A-Za-z]+")
_STRETCH = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")


class Level(IntEnum):
    """How much is let go, each level on top of the one before it."""

    EXACT = 0
    SPACING = 1  # runs of white space are one space
    FORM = 2  # compatibility decomposition (Unicode NFKD)
    CASE = 3  # full case folding
    WORDS = 4  # letters, digits and their marks alone


@dataclass(frozen=True, slots=True)
class Projection:
    """`text` as projected; character i of it comes from the original's [starts[i], ends[i])."""

    text: str
    starts: array[int] | range
    ends: array[int] | range

    def original(self, start: int, end: int) -> Span:
        """The original's span of the non-empty projected span [start, end)."""
        return self.starts[start], self.ends[end - 1]

    def index(self, offset: int) -> int:
        """The first projected character that begins at or after `offset` of the original."""
        return bisect_left(self.starts, offset)


@lru_cache(maxsize=64)
def project(text: str, level: Level) -> Projection:
    """`text` at `level`. One projected character may stand for several, and the other way round."""
    if level is Level.EXACT:
        return Projection(text, range(len(text)), range(1, len(text) + 1))
    builder = _Builder(level)
    for stretch in _STRETCH.finditer(text):
        if stretch.group().isascii():
            builder.add_ascii(stretch.group(), stretch.start())
        else:
            builder.add_other(stretch.group(), stretch.start())
    return builder.done()


class _Builder:
    """Projects from left to right: ASCII by runs, since nearly all long texts are, the rest by character."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._parts: list[str] = []
        self._starts = array("L")
        self._ends = array("L")

    def done(self) -> Projection:
        return Projection("".join(self._parts), self._starts, self._ends)

    def add_ascii(self, text: str, at: int) -> None:
        runs = _ASCII_WORD if self._level is Level.WORDS else _ASCII_RUN
        for match in runs.finditer(text):
            start, end = at + match.start(), at + match.end()
            run = match.group()
            if run.isspace():
                self._add_space(start, end)
                continue
            self._parts.append(run.lower() if self._level >= Level.CASE else run)
            self._starts.extend(range(start, end))
            self._ends.extend(range(start + 1, end + 1))

    def add_other(self, text: str, at: int) -> None:
        """Marks of one base are put into canonical order, as normal forms define it."""
        cluster: list[tuple[int, str, int]] = []
        for offset, char in enumerate(text, at):
            for piece in _spelled(char, self._level):
                combining = unicodedata.combining(piece)
                if not combining:
                    self._add_cluster(cluster)
                if piece == " ":
                    self._add_space(offset, offset + 1)
                else:
                    cluster.append((combining, piece, offset))
        self._add_cluster(cluster)

    def _add_cluster(self, cluster: list[tuple[int, str, int]]) -> None:
        cluster.sort(key=lambda item: item[0])
        for _, char, at in cluster:
            self._parts.append(char)
            self._starts.append(at)
            self._ends.append(at + 1)
        cluster.clear()

    def _add_space(self, start: int, end: int) -> None:
        if self._parts and self._parts[-1] == " ":
            self._ends[-1] = end
            return
        self._parts.append(" ")
        self._starts.append(start)
        self._ends.append(end)


@lru_cache(maxsize=4096)
def _spelled(char: str, level: Level) -> str:
    """One character at `level`: none, one or several; white space is one space."""
    if char.isspace():
        return "" if level is Level.WORDS else " "
    if level >= Level.FORM:
        char = unicodedata.normalize("NFKD", char)
    if level >= Level.CASE:
        char = unicodedata.normalize("NFKD", char.casefold())
    if level is Level.WORDS:
        return "".join(c for c in char if c.isalnum() or unicodedata.category(c).startswith("M"))
    return "".join(" " if c.isspace() else c for c in char)
