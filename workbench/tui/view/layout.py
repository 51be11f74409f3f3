"""Where the panes stand, from the size of the terminal alone: a pure function."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = [
    "BREAKPOINTS",
    "COLUMNS_FROM",
    "MIN_HEIGHT",
    "MIN_WIDTH",
    "SPLIT_TEXT",
    "WIDE_FROM",
    "Layout",
    "Pane",
    "Shape",
    "SideBySide",
    "arrange",
    "breakpoint_of",
    "is_split",
]

MIN_WIDTH = 60
MIN_HEIGHT = 16
WIDE_FROM = 120
COLUMNS_FROM = 160
SPLIT_TEXT = 50
"""Text cells that each side must get before two sides are drawn beside each other."""

BREAKPOINTS = [(0, "-tiny"), (MIN_WIDTH, "-narrow"), (WIDE_FROM, "-wide"), (COLUMNS_FROM, "-columns")]
"""Widths and the classes that the style sheet knows them by."""


def breakpoint_of(width: int) -> str:
    """The class of a width, as the application gives it."""
    return next(name for least, name in reversed(BREAKPOINTS) if width >= least)


GUTTER = 6
"""Cells before each side's text: its sign and its authors' letters, a blank after each."""

_FRAME = 3  # both borders and the scroll bar
_BARS = 2  # the status line and the key bar


class Pane(StrEnum):
    """The panes, in the order of tab."""

    SCENARIOS = "scenarios"
    MATRIX = "matrix"
    COMPARISON = "comparison"


class SideBySide(StrEnum):
    """Whether the two sides stand beside each other. `auto`: where there is room."""

    AUTO = "auto"
    SPLIT = "split"
    UNIFIED = "unified"


class Shape(StrEnum):
    """`stacked`: list and matrix above the comparison. `columns`: the list has a column of its own."""

    TOO_SMALL = "too small"
    STACKED = "stacked"
    COLUMNS = "columns"
    ZOOMED = "zoomed"


class Layout(NamedTuple):
    """Cells, borders included. `top` is the height of the matrix."""

    shape: Shape
    list_width: int
    top: int


def arrange(width: int, height: int, rows: int, zoomed: bool = False) -> Layout:
    """The layout of a terminal of `width` by `height` cells, for a matrix of `rows` rows.

    Beside the list the matrix has what it needs; above the comparison it shares its height with the list.
    """
    body = height - _BARS
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return Layout(Shape.TOO_SMALL, 0, 0)
    if zoomed:
        return Layout(Shape.ZOOMED, 0, 0)
    if width >= COLUMNS_FROM:
        return Layout(Shape.COLUMNS, min(44, max(34, width // 5)), max(6, min(rows + 3, body * 40 // 100)))
    return Layout(Shape.STACKED, min(40, max(22, width * 34 // 100)), min(16, max(7, body * 42 // 100)))


def is_split(asked: SideBySide, width: int) -> bool:
    """Whether a comparison drawn in `width` cells, without its frame, has its sides beside each other.

    What was asked for beats the width.
    """
    if asked is not SideBySide.AUTO:
        return asked is SideBySide.SPLIT
    return (width - 2 * GUTTER - 1) // 2 >= SPLIT_TEXT
