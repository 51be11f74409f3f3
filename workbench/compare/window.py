"""Where a scan window stands in its turn, whose characters it holds, and what of the user's it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.core.decision import Span, Window, WindowSource
from workbench.core.turn import Author, Turn

__all__ = ["Found", "Part", "PlacedWindow", "place"]


class Found(StrEnum):
    """How the window was found again in the turn."""

    CLAIMED = "claimed"  # the adapter's own spans
    EXACT = "exact"
    SPACING = "spacing"  # but for trimmed or collapsed white space
    FORM = "normal form"
    CASE = "case"
    PIECES = "pieces"  # several parts of the turn, or parts of it among other text
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Part:
    """A span [start, end) of the window's own text, and who wrote it."""

    start: int
    end: int
    author: Author


@dataclass(frozen=True, slots=True)
class PlacedWindow:
    """A window, placed.

    `spans` are offsets in the turn, None if not placed as a whole. `parts` cover the window's text.
    `user_coverage` is the share of the typed characters that the window holds, `foreign_share` the
    share of the window's that are not the user's; white space is left out of both, and both are
    None when nothing was typed. `lacking` are spans of the turn: words the user wrote that the
    window lacks. `ambiguous`: it could stand in several places with other authors.
    """

    text: str
    source: WindowSource
    tap: str | None
    found: Found
    ambiguous: bool
    spans: tuple[Span, ...] | None
    parts: tuple[Part, ...]
    user_coverage: float | None
    foreign_share: float | None
    lacking: tuple[Span, ...]


def place(window: Window, turn: Turn, typed: str) -> PlacedWindow:
    """Find `window` in `turn`, through trimming, collapsed space, normal forms and case."""
    raise NotImplementedError
