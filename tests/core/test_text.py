"""The one door for foreign text: nothing raw comes out, nothing vanishes."""

from __future__ import annotations

import sys
import unicodedata
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.text import SafeText, is_invisible, join, mark, safe, visible, visible_lines

HIDDEN_EXAMPLES = (
    "\x00\x07\x08\t\r\x1b\x7f\x80\x85\x9b\x9c\u00a0\u00ad\u034f\u061c\u115f\u180e\u2000\u200b\u200c\u200d\u200e\u200f"
    "\u2028\u2029\u202a\u202e\u202f\u2060\u2064\u2066\u2069\u3164\ud800\udfff\ue000\ufe0f\ufeff\uffa0\ufff9\uffff"
    "\U000e0001\U000e0041\U000e0100\U0010ffff"
)
hostile = st.text(st.characters() | st.sampled_from(HIDDEN_EXAMPLES + "[]<>\n\t\u3000"), max_size=60)


@pytest.mark.parametrize("char", HIDDEN_EXAMPLES)
def test_what_is_hidden_has_a_mark(char: str) -> None:
    assert is_invisible(char)
    assert visible(f"a{char}b") == f"a{mark(char)}b"


@pytest.mark.parametrize(
    "text", ["", "plain [b]x[/b] <i> & \\", "é ü 漢字　漢", "e\u0301", "\U0001f600", "∑→"]
)
def test_what_draws_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_no_character_of_unicode_comes_out_raw() -> None:
    obeyed = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    # Planes 4 to 13 hold nothing, 15 and 16 are private: their ends stand for them.
    for point in (*range(0x32000), *range(0xE0000, 0xE1000), *range(0xFFFF0, 0x100010), sys.maxunicode):
        char = chr(point)
        category = unicodedata.category(char)
        if category in obeyed or (category == "Zs" and char not in " \u3000"):
            shown = mark(char)
            assert is_invisible(char), hex(point)
            assert shown.isprintable() and not any(map(is_invisible, shown)), hex(point)
    for space in " \u3000":
        assert not is_invisible(space)


def test_marks_tell_characters_apart() -> None:
    marks = [mark(char) for char in HIDDEN_EXAMPLES]
    assert len(set(marks)) == len(HIDDEN_EXAMPLES)
    assert (mark("\x1b"), mark("\x7f"), mark("\u202e")) == ("␛", "␡", "‹U+202E›")


@settings(deadline=None)
@given(hostile)
def test_visible_is_one_safe_line(text: str) -> None:
    shown = visible(text)
    assert type(shown) is SafeText
    assert not any(map(is_invisible, shown))
    assert shown == "".join(mark(char) if is_invisible(char) else char for char in text)
    assert len(shown) >= len(text)
    assert visible(shown) is shown
    shown.encode("utf-8")


@settings(deadline=None)
@given(hostile)
def test_lines_are_cut_at_line_feeds_only(text: str) -> None:
    lines = visible_lines(text)
    assert [str(line) for line in lines] == [str(visible(line)) for line in text.split("\n")]


@settings(deadline=None)
@given(hostile)
def test_safe_takes_only_what_is_visible_already(text: str) -> None:
    if any(char != "\n" and is_invisible(char) for char in text):
        with pytest.raises(ValueError, match="not our own plain words"):
            safe(text)
    else:
        assert safe(text) == text


def test_safe_text_stays_safe() -> None:
    both = visible("a") + visible("\x1b")
    assert type(both) is SafeText
    assert type(both[0]) is SafeText and type(both[:1]) is SafeText
    assert join([visible("a"), visible("b")], ", ") == "a, b"
    with pytest.raises(TypeError):
        visible("a") + "b"
    with pytest.raises(TypeError):
        join([visible("a"), "b"])  # type: ignore[list-item]


@pytest.mark.parametrize("unit", ["x", "é", "\x1b", "漢\u200b", "a b\n"])
def test_a_million_characters_are_quick(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    start = process_time()
    visible(text)
    assert process_time() - start < 3
