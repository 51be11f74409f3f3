"""What answers the questions of an audit by queries, where the turns lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from workbench.capture.sources.record import Record

__all__ = [
    "EMPTY_TOOLS",
    "FIRED",
    "HELD",
    "READ_TEXTS",
    "Asked",
    "Growth",
    "Store",
    "Uses",
    "missing_library",
]

EMPTY_TOOLS = ("", "[]", "{}", "null", "None")
"""How a column of tools says that none was called, besides null."""

HELD = ("hold", "held", "pass")

_SIDES = {"typed": ("typed", "typed_length"), "routed": ("scanned", "wrapped", "wrapped_length")}

FIRED = ("fire", "fired")

READ_TEXTS = ("scanned", "wrapped", "head")
"""The fields that hold what was read, the surest first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which column holds what, by field, and how a turn is judged."""

    columns: Mapping[str, str]
    ratio: float
    head: int
    shown: int

    @property
    def has_text(self) -> bool:
        """Whether any column holds what was read, or its head."""
        return any(field in self.columns for field in READ_TEXTS)

    def side(self, name: str) -> list[str]:
        """The columns that say something of the size of one side, `typed` or `routed`."""
        return [self.columns[field] for field in _SIDES[name] if field in self.columns]


@dataclass(frozen=True, slots=True)
class Growth:
    """How many turns have typed words, a routed text, both; how many grew with a tool called, how many
    without one. `rows` are the longest of those with one, the longest first.
    """

    typed: int
    routed: int
    both: int
    found: int
    uncalled: int
    rows: Sequence[Record]


@dataclass(frozen=True, slots=True)
class Uses:
    """How many turns have this text in their column of tools, and this ingress; and how many of them grew."""

    tools: Any
    ingress: str | None
    turns: int
    outgrown: int


class Store(Protocol):
    """Turns as rows. Each method raises WorkbenchError where they cannot be read."""

    name: str

    def count(self) -> int:
        """All rows."""

    def sample(self, most: int) -> list[dict[str, Any]]:
        """Some rows, with all columns."""

    def growth(self, asked: Asked) -> Growth:
        """The turns whose routed text is far above the typed."""

    def heads(self, asked: Asked, most: int) -> list[tuple[str, int]]:
        """The most frequent heads, and on how many turns each; the turns without a text left out."""

    def uses(self, asked: Asked, most: int) -> list[Uses]:
        """The most frequent contents of the column of tools, by ingress."""

    def rows(self, asked: Asked, most: int | None) -> Iterator[Record]:
        """The newest rows, or as the store has them; all of them without `most`."""

    def close(self) -> None:
        """Ends what was opened."""


def missing_library(name: str) -> str:
    """What to say where one of the extra's libraries is not there."""
    return f"{name} is needed for this: pip install 'route-workbench[audit]'"
