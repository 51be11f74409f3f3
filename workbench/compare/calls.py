"""Tool calls of two decisions: matched by name, then by arguments. Ids and key order never count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from workbench.core.decision import Json, ToolCall

__all__ = ["CallRow", "Change", "ChangeKind", "call_rows"]


class ChangeKind(StrEnum):
    VALUE = "value changed"
    TYPE = "type changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two arguments. `path` such as `items[0].name`; "" is the whole.

    `before` is None where ADDED, `after` is None where REMOVED.
    """

    path: str
    kind: ChangeKind
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call on both sides; None where a side lacks it. Positions count from 0 in their list."""

    name: str
    baseline: ToolCall | None
    variant: ToolCall | None
    baseline_position: int | None
    variant_position: int | None
    changes: tuple[Change, ...] = ()


def call_rows(baseline: Sequence[ToolCall], variant: Sequence[ToolCall]) -> tuple[CallRow, ...]:
    """The fewest differences: equal calls pair first, then calls of one name by nearest arguments."""
    raise NotImplementedError
