"""Rows without the long equal stretches between their differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from workbench.compare.rows import Row, RowKind

__all__ = ["fold", "unfold"]


def fold(rows: Iterable[Row], context: int = 3, merge: int = 4) -> tuple[Row, ...]:
    """`rows` with the equal ones that are farther than `context` from any difference hidden.

    Each such stretch becomes one row of kind fold, unless it has fewer than `merge` rows.
    """
    return tuple(_folded(unfold(rows), max(context, 0), max(merge, 1)))


def unfold(rows: Iterable[Row]) -> tuple[Row, ...]:
    """`rows` with what folds hide."""
    return tuple(row for outer in rows for row in (outer.hidden if outer.kind is RowKind.FOLD else (outer,)))


def _folded(rows: Sequence[Row], context: int, merge: int) -> Iterator[Row]:
    at = 0
    for equal, group in groupby(rows, key=lambda row: row.kind is RowKind.EQUAL):
        run = tuple(group)
        begin, end = at, at + len(run)
        at = end
        first = context if begin else 0
        last = len(run) - (context if end < len(rows) else 0)
        if not equal or last - first < merge:
            yield from run
            continue
        yield from run[:first]
        yield Row(RowKind.FOLD, hidden=run[first:last])
        yield from run[last:]
