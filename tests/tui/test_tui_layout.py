"""The layout as a table, and the style sheet's breakpoints beside it."""

from __future__ import annotations

from itertools import product

import pytest

from workbench.tui.view.layout import (
    BREAKPOINTS,
    GUTTER,
    SPLIT_TEXT,
    Shape,
    SideBySide,
    arrange,
    is_split,
)


@pytest.mark.parametrize(
    ("width", "height", "shape"),
    [
        (59, 24, Shape.TOO_SMALL),
        (80, 15, Shape.TOO_SMALL),
        (60, 16, Shape.STACKED),
        (80, 24, Shape.STACKED),
        (120, 40, Shape.STACKED),
        (159, 50, Shape.STACKED),
        (160, 45, Shape.COLUMNS),
        (300, 100, Shape.COLUMNS),
    ],
)
def test_the_shape_follows_the_size(width: int, height: int, shape: Shape) -> None:
    assert arrange(width, height, 4).shape is shape


def test_every_pane_has_room() -> None:
    for width, height, rows in product(range(60, 321, 13), range(16, 121, 7), (1, 4, 50)):
        layout = arrange(width, height, rows)
        assert 22 <= layout.list_width <= width // 2
        assert layout.top >= 5
        assert height - 2 - layout.top >= 7


def test_a_zoomed_pane_has_it_all_but_not_in_a_tiny_terminal() -> None:
    assert arrange(80, 24, 4, zoomed=True).shape is Shape.ZOOMED
    assert arrange(40, 24, 4, zoomed=True).shape is Shape.TOO_SMALL


def test_the_style_sheet_breaks_where_the_layout_does() -> None:
    for width in range(20, 400):
        name = max(entry for entry in BREAKPOINTS if entry[0] <= width)[1]
        shape = arrange(width, 40, 4).shape
        assert (name == "-tiny") == (shape is Shape.TOO_SMALL)
        assert (name == "-columns") == (shape is Shape.COLUMNS)


def test_a_terminal_of_120_has_two_sides_and_one_of_80_has_not() -> None:
    frame = 3
    assert is_split(SideBySide.AUTO, 120 - frame)
    assert not is_split(SideBySide.AUTO, 80 - frame)
    assert is_split(SideBySide.AUTO, 160 - arrange(160, 45, 4).list_width - frame)


def test_each_side_gets_its_text_cells() -> None:
    edge = 2 * (SPLIT_TEXT + GUTTER) + 1
    assert is_split(SideBySide.AUTO, edge)
    assert not is_split(SideBySide.AUTO, edge - 1)


def test_what_was_asked_for_beats_the_width() -> None:
    assert is_split(SideBySide.SPLIT, 60)
    assert not is_split(SideBySide.UNIFIED, 400)
