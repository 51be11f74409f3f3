"""Cells of the terminal: breaking, cutting and padding lines."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.core.text import SafeText, visible
from workbench.tui.view.cells import (
    breaks,
    clip,
    cut,
    fill,
    fit_width,
    middle_cut,
    pad,
    slices,
    spread,
    width_of,
)
from workbench.tui.view.ink import Piece, Tone, ink, plain

TEXTS = st.text(st.sampled_from("ab c\u4e2d\u6587\U0001f600e\u0301-x ") | st.characters(), max_size=200).map(
    visible
)
WIDTHS = st.integers(2, 40)


def rows_of(text: SafeText, width: int) -> list[str]:
    starts = (*breaks(text, width), len(text))
    return [text[a:b] for a, b in pairwise(starts)]


@given(TEXTS, WIDTHS)
def test_rows_put_together_are_the_text_and_each_fits(text: SafeText, width: int) -> None:
    rows = rows_of(text, width)
    assert "".join(rows) == text
    for row in rows:
        # A blank may hang over the edge: nobody sees it there.
        assert cell_len(row.removesuffix(" ")) <= width


@given(TEXTS, WIDTHS)
def test_fill_is_exactly_as_wide_as_asked_and_loses_only_a_blank(text: SafeText, width: int) -> None:
    for row in rows_of(text, width):
        filled = fill((Piece(SafeText(row)),), width)
        assert width_of(filled) == width
        assert plain(filled).rstrip(" ") == row.rstrip(" ")


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("", 10, [""]),
        ("short", 10, ["short"]),
        ("exactly ten", 11, ["exactly ten"]),
        ("build me a workflow", 10, ["build me a ", "workflow"]),
        ("averyveryverylongword", 8, ["averyver", "yverylon", "gword"]),
        ("中文字符", 4, ["中文", "字符"]),
        ("a中文", 2, ["a", "中", "文"]),
    ],
)
def test_words_stay_whole_where_they_can(text: str, width: int, rows: list[str]) -> None:
    assert rows_of(visible(text), width) == rows


def test_a_huge_line_is_cut_at_the_edge_and_comes_to_an_end() -> None:
    text = visible("x" * 1_000_000)
    starts = breaks(text, 100)
    assert len(starts) == 10_000
    assert starts[1] == 100


def test_a_wide_character_in_a_width_of_one_still_moves_on() -> None:
    assert fit_width("中中", 0, 1) == 0
    assert len(breaks("中中中", 1)) == 3


@given(TEXTS, st.integers(0, 40))
def test_cut_texts_fit_and_say_so(text: SafeText, width: int) -> None:
    for cutter in (cut, middle_cut):
        short = cutter(text, width)
        assert isinstance(short, SafeText)
        assert cell_len(short) <= width
        if width and cell_len(text) > width:
            assert "…" in short


def test_the_end_of_a_name_is_kept() -> None:
    assert middle_cut(visible("calendar-list-events"), 12) == "cale…-events"


@given(st.lists(TEXTS, max_size=5), st.integers(1, 60))
def test_pad_and_clip_are_exact(texts: list[SafeText], width: int) -> None:
    line = tuple(Piece(text) for text in texts)
    assert width_of(pad(line, width)) == width
    assert width_of(clip(line, width)) <= width


@given(st.lists(TEXTS, max_size=4), st.integers(0, 100), st.integers(0, 100))
def test_slices_keep_characters_and_meaning(texts: list[SafeText], start: int, end: int) -> None:
    line = tuple(
        Piece(text, tone)
        for text, tone in zip(texts, (Tone.USER, Tone.APP, Tone.TOOL, Tone.OK), strict=False)
    )
    assert plain(slices(line, start, end)) == plain(line)[start : max(start, end)]


@given(TEXTS, TEXTS, st.integers(1, 80))
def test_the_right_end_is_kept_where_there_is_room(left: SafeText, right: SafeText, width: int) -> None:
    line = spread((Piece(left),), (Piece(right),), width)
    assert width_of(line) == width
    if cell_len(right) + 2 <= width:
        assert plain(line).endswith(right)


def test_our_own_words_must_be_plain() -> None:
    with pytest.raises(ValueError, match="plain words"):
        ink("\x1b[31m")
