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
    if text.isascii():
        return _ascii(text, level)
    chars: list[str] = []
    starts = array("L")
    ends = array("L")
    cluster: list[tuple[int, str, int]] = []

    def flush() -> None:
        cluster.sort(key=lambda item: item[0])
        for _, char, at in cluster:
            chars.append(char)
            starts.append(at)
            ends.append(at + 1)
        cluster.clear()

    for at, char in enumerate(text):
        for piece in _spelled(char, level):
            combining = unicodedata.combining(piece) if piece > "\u02ff" else 0
            if not combining:
                flush()
            if piece == " ":
                if chars and chars[-1] == " ":
                    ends[-1] = at + 1
                    continue
                chars.append(" ")
                starts.append(at)
                ends.append(at + 1)
                continue
            # Canonical order among the marks of one base, as normal forms define it.
            cluster.append((combining, piece, at))
    flush()
    return Projection("".join(chars), starts, ends)


def _ascii(text: str, level: Level) -> Projection:
    """The same by runs instead of characters; nearly all long texts are ASCII."""
    runs = _ASCII_WORD if level is Level.WORDS else _ASCII_RUN
    parts: list[str] = []
    starts, ends = array("L"), array("L")
    for match in runs.finditer(text):
        start, end = match.span()
        if match.group().isspace():
            parts.append(" ")
            starts.append(start)
            ends.append(end)
        else:
            parts.append(match.group())
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
    joined = "".join(parts)
    return Projection(joined.lower() if level >= Level.CASE else joined, starts, ends)


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
