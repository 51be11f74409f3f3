"""Cells, cuts and wraps of foreign text; what is kept of something long."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.text import safe, visible
from workbench.report.focus import LINES, WORDS, Focus, kept
from workbench.report.measure import cut, middle, pad, quoted, width_of, wrapped
from workbench.report.writer import Piece, Style, plain

STYLE = Style()


@pytest.mark.parametrize(("text", "cells"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("␛", 1), ("", 0)])
def test_width(text: str, cells: int) -> None:
    assert width_of(visible(text)) == cells


@given(st.text(), st.integers(min_value=4, max_value=60))
def test_a_cut_fits_and_is_a_beginning(text: str, cells: int) -> None:
    short = cut(text, cells, STYLE)
    assert width_of(short) <= cells
    if short != visible(text):
        assert short.endswith("…")
        assert visible(text).startswith(short[:-1])


def test_a_cut_of_a_long_line_is_not_a_walk_through_it() -> None:
    assert cut("x" * 5_000_000, 10, STYLE) == "xxxxxxxxx…"
    assert cut("x" * 100, 10, Style(ascii=True)) == "xxxxxxx..."


def test_the_middle_left_out_is_counted() -> None:
    text = "a" * 600 + "b" * 600
    assert middle(text, 120, STYLE) == "a" * 80 + " … 1,090 characters … " + "b" * 30
    assert middle(text[:120], 120, STYLE) == text[:120]
    assert quoted('say "x"\n', 40, STYLE) == '"say "x"␊"'


def test_pad_counts_cells() -> None:
    assert pad(visible("日"), 4) == "日  "
    assert pad(safe("long"), 2) == "long"


@given(st.lists(st.text(max_size=40), max_size=5), st.integers(min_value=2, max_value=30))
def test_wrapped_rows_fit_and_lose_nothing(texts: list[str], cells: int) -> None:
    line = tuple(Piece(visible(text), f"look{index}") for index, text in enumerate(texts))
    rows = list(wrapped(line, cells))
    assert "".join(plain(row) for row in rows) == plain(line)
    assert all(width_of(plain(row)) <= cells for row in rows)
    assert rows
    looks = {piece.look: piece.text for piece in line}
    assert all(piece.text in looks[piece.look] for row in rows for piece in row)


def test_wrapped_breaks_behind_a_space() -> None:
    line = (Piece(safe("the quick brown "), "user"), Piece(safe("fox jumps"), "transport"))
    assert [plain(row) for row in wrapped(line, 13)] == ["the quick ", "brown fox ", "jumps"]
    assert [plain(row) for row in wrapped((Piece(safe("x" * 7)),), 3)] == ["xxx", "xxx", "x"]


def test_without_a_width_nothing_wraps() -> None:
    line = (Piece(safe("x " * 500)),)
    assert list(wrapped(line, None)) == [line]


@given(st.data(), st.sampled_from([LINES, WORDS, Focus(10, 2, 2, 1, 3, 2)]))
def test_kept_spans_are_in_order_and_hold_ends_and_points(data: st.DataObject, focus: Focus) -> None:
    length = data.draw(st.integers(min_value=0, max_value=3000))
    place = st.integers(min_value=0, max_value=max(0, length - 1))
    points = [(at, min(length, at + 1)) for at in data.draw(st.lists(place, max_size=12))]
    spans = kept(length, points, focus)
    assert all(0 <= start < end <= length for start, end in spans) or length == 0
    assert all(first[1] < second[0] for first, second in pairwise(spans))
    for start, end in [(0, 1), (length - 1, length), *points[: focus.points]]:
        if length:
            assert any(a <= start and end <= b for a, b in spans)


def test_a_long_point_shows_its_two_ends() -> None:
    assert kept(1000, [(300, 700)], Focus(10, 2, 2, 5, 3, 2)) == [(0, 2), (295, 305), (695, 705), (998, 1000)]
