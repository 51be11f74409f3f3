"""Rows: a pair of texts, aligned. A value; split, unified, Markdown and JSON draw the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.core.decision import Span

__all__ = ["Row", "RowKind", "Side"]


class RowKind(StrEnum):
    """How the two sides of a row stand to each other."""

    EQUAL = "equal"
    CHANGED = "changed"
    REMOVED = "removed"  # stands in the baseline only
    ADDED = "added"  # stands in the variant only
    FOLD = "fold"  # rows left out, all equal


@dataclass(frozen=True, slots=True)
class Side:
    """One line of one text, without its line feed.

    `start` is the line's offset in that text, in code points. `changed` are spans within the line
    whose words differ; a line that differs as a whole is one span.
    """

    text: str
    start: int
    changed: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """`hidden` holds the rows that a fold leaves out; empty on all others."""

    kind: RowKind
    baseline: Side | None = None
    variant: Side | None = None
    hidden: tuple[Row, ...] = ()
