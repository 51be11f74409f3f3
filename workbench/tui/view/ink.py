"""Drawable text as a value: safe characters with a meaning; widgets turn the meaning into colour."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from workbench.core.decision import Outcome
from workbench.core.finding import Severity
from workbench.core.text import SafeText, join, safe
from workbench.core.turn import Author

__all__ = ["Ground", "Line", "Piece", "Tone", "author_tone", "gap", "ink", "letter", "plain", "severity_tone"]


class Tone(StrEnum):
    """What a piece of text means. Each has a colour, and none says anything by its colour alone."""

    PLAIN = "plain"
    MUTED = "muted"
    STRONG = "strong"
    HEADING = "heading"
    KEY = "key"
    ERROR = "error"
    WARNING = "warning"
    OK = "ok"
    RUNNING = "running"
    FIRE = "fire"
    HOLD = "hold"
    PASS = "pass"
    HATCH = "hatch"
    USER = "user"
    TRANSPORT = "transport"
    ATTACHMENT = "attachment"
    QUOTED = "quoted"
    HISTORY = "history"
    TOOL = "tool"
    SYNTHETIC = "synthetic"
    APP = "app"


class Ground(StrEnum):
    """What stands behind a piece of text."""

    NONE = "none"
    REMOVED = "removed"
    ADDED = "added"
    REMOVED_WORD = "removed-word"
    ADDED_WORD = "added-word"
    CURRENT = "current"
    READ = "read"
    UNREAD = "unread"
    DARK = "dark"
    DOUBLE = "double"


class Piece(NamedTuple):
    """A run of characters of one meaning."""

    text: SafeText
    tone: Tone = Tone.PLAIN
    ground: Ground = Ground.NONE


Line = tuple[Piece, ...]


def letter(author: Author) -> SafeText:
    """The letter that stands for an author beside a window."""
    return safe(author.letter)


def author_tone(author: Author) -> Tone:
    return Tone(author.value)


def severity_tone(severity: Severity | None) -> Tone:
    return {Severity.ERROR: Tone.ERROR, Severity.WARNING: Tone.WARNING}.get(
        severity or Severity.NOTE, Tone.MUTED
    )


def outcome_tone(outcome: Outcome) -> Tone:
    return Tone(outcome.value)


def outcome_word(outcome: Outcome) -> SafeText:
    """FIRE stands out in capitals: it is the one that acts."""
    return safe("FIRE" if outcome is Outcome.FIRE else outcome.value)


def ink(words: str, tone: Tone = Tone.PLAIN, ground: Ground = Ground.NONE) -> Piece:
    """Our own words, or text that is safe already. Raises ValueError on anything else invisible."""
    return Piece(words if isinstance(words, SafeText) else safe(words), tone, ground)


def gap(width: int) -> Piece:
    """`width` blank cells; none below 1."""
    return Piece(SafeText(" " * width))


def plain(line: Iterable[Piece]) -> SafeText:
    """The characters of a line without their meaning."""
    return join(piece.text for piece in line)
