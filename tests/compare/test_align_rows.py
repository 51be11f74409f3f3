"""Two texts as rows: nothing lost, lines paired by meaning, words marked, and no size that hangs."""

from __future__ import annotations

import random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.compare.align import align
from workbench.compare.rows import Row, RowKind, Side
from workbench.compare.runs import EqualRun, equal_runs
from workbench.compare.words import changed_words


def drawn(baseline: str, variant: str) -> list[str]:
    """Rows as text, what changed in brackets."""
    return [
        f"{row.kind.value}: {marked(row.baseline)} | {marked(row.variant)}"
        for row in align(baseline, variant)
    ]


def marked(side: Side | None) -> str:
    if side is None:
        return "-"
    text = side.text
    for start, end in reversed(side.changed):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


def check(baseline: str, variant: str) -> tuple[Row, ...]:
    rows = align(baseline, variant)
    for text, sides in (
        (baseline, [row.baseline for row in rows if row.baseline]),
        (variant, [row.variant for row in rows if row.variant]),
    ):
        assert "\n".join(side.text for side in sides) == text
        for side in sides:
            assert text.startswith(side.text, side.start)
            last = 0
            for start, end in side.changed:
                assert last <= start < end <= len(side.text)
                last = end
        assert [side.start for side in sides] == sorted(side.start for side in sides)
    for row in rows:
        if row.kind is RowKind.EQUAL:
            assert row.baseline and row.variant and row.baseline.text == row.variant.text
            assert not row.baseline.changed and not row.variant.changed
        elif row.kind is RowKind.CHANGED:
            assert row.baseline and row.variant and row.baseline.text != row.variant.text
            assert row.baseline.changed or row.variant.changed
            assert rest(row.baseline) == rest(row.variant)
        else:
            assert (row.baseline is None) is (row.kind is RowKind.ADDED)
            assert (row.variant is None) is (row.kind is RowKind.REMOVED)
    return rows


def rest(side: Side) -> str:
    """What is not marked."""
    text = side.text
    for start, end in reversed(side.changed):
        text = text[:start] + text[end:]
    return text


def test_equal_texts_have_equal_rows() -> None:
    assert align("", "") == (Row(RowKind.EQUAL, Side("", 0), Side("", 0)),)
    assert [row.kind for row in check("a\n\nb\n", "a\n\nb\n")] == [RowKind.EQUAL] * 4


def test_a_wrapped_line_stands_beside_itself() -> None:
    assert drawn("check my calendar", '<m from="u1">\ncheck my calendar\n</m>') == [
        'added: - | [<m from="u1">]',
        "equal: check my calendar | check my calendar",
        "added: - | [</m>]",
    ]
    row = align("hi", "a\nhi")[1]
    assert row.baseline == Side("hi", 0)
    assert row.variant == Side("hi", 2)


@pytest.mark.parametrize(
    ("baseline", "variant", "rows"),
    [
        (
            "check my calendar",
            "[Kim 10:00] check my calendar",
            ["changed: check my calendar | [[Kim 10:00] ]check my calendar"],
        ),
        ("hello there", "no word of it stays", ["changed: [hello there] | [no word of it stays]"]),
        (
            "send it to Kim now",
            "send it to Lee now",
            ["changed: send it to [Kim] now | send it to [Lee] now"],
        ),
        ("a b\r", "a b", ["changed: a b[\r] | a b"]),
        ("call me at 10", "call me  at 10", ["changed: call me[ ]at 10 | call me[  ]at 10"]),
        ("", "a", ["changed:  | [a]"]),
        ("", "a\nb", ["changed:  | [a]", "added: - | [b]"]),
        ("a\nb", "", ["changed: [a] | ", "removed: [b] | -"]),
        ("x\n\ny", "x\ny", ["equal: x | x", "removed:  | -", "equal: y | y"]),
    ],
)
def test_single_rows(baseline: str, variant: str, rows: list[str]) -> None:
    check(baseline, variant)
    assert drawn(baseline, variant) == rows


def test_words_in_one_piece_are_not_taken_from_all_over() -> None:
    wrapper = "the rules say that a check of my words, or of the calendar, is for later: "
    assert drawn("check my calendar", f"{wrapper}check my calendar")[0].endswith(
        f"[{wrapper}]check my calendar"
    )


def test_lines_pair_by_similarity_and_in_order() -> None:
    assert drawn(
        "one two three\nfour five six\nseven eight nine", "zero\none two four\nfour five six!\nother words"
    ) == [
        "added: - | [zero]",
        "changed: one two [three] | one two [four]",
        "changed: four five six | four five six[!]",
        "changed: [seven eight nine] | [other words]",
    ]


def test_unlike_lines_of_unlike_number_are_not_paired() -> None:
    assert [row.kind.value for row in check("aaa\nbbb", "xxx\nyyy\nzzz")] == ["removed"] * 2 + ["added"] * 3
    assert [row.kind.value for row in check("aaa\nbbb", "xxx\nyyy")] == ["changed"] * 2


def test_marks_are_not_broken_up_by_single_spaces() -> None:
    same = "these words stand on both sides and stay"
    assert changed_words(f"{same} one two three", f"{same} four five six") == (
        ((41, 54),),
        ((41, 54),),
    )


words = st.lists(
    st.sampled_from(["send", "mail", " ", "  ", "\n", "\r\n", "é", "漢", ".", "<a>", "\ud800"]), max_size=25
)


@settings(deadline=None)
@given(words.map("".join), words.map("".join))
def test_rows_rebuild_both_texts(baseline: str, variant: str) -> None:
    check(baseline, variant)


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_rows_rebuild_any_two_texts(baseline: str, variant: str) -> None:
    check(baseline, variant)


@settings(deadline=None)
@given(words.map("".join), words.map("".join), words.map("".join))
def test_a_text_is_found_whole_in_its_wrapped_form(before: str, text: str, after: str) -> None:
    rows = check(text, f"{before}\n{text}\n{after}")
    assert "\n".join(row.baseline.text for row in rows if row.baseline) == text
    assert all(not row.baseline.changed for row in rows if row.baseline)


@settings(deadline=None)
@given(st.lists(st.integers(0, 4), max_size=30), st.lists(st.integers(0, 4), max_size=30))
def test_runs_are_equal_and_apart(a: list[int], b: list[int]) -> None:
    done = EqualRun(0, 0, 0)
    for run in equal_runs(a, b):
        assert run.length and a[run.baseline :][: run.length] == b[run.variant :][: run.length]
        assert run.baseline >= done.baseline + done.length
        assert run.variant >= done.variant + done.length
        done = run


def vocabulary(seed: int, size: int = 5_000) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choices("abcdefgh", k=chance.randint(1, 8))) for _ in range(size)]


def prose(seed: int, count: int, line: int = 0) -> str:
    """`count` words, in lines of `line` words."""
    chance = random.Random(seed)
    all_words = chance.choices(vocabulary(1), k=count)
    if not line:
        return " ".join(all_words)
    return "\n".join(" ".join(all_words[at : at + line]) for at in range(0, count, line))


def swapped(text: str, share: float) -> str:
    chance = random.Random(9)
    return " ".join(f"q{word}" if chance.random() < share else word for word in text.split(" "))


LONG = prose(2, 90_000)
LINES = prose(3, 160_000, line=8)
SIZES = {
    "line, equal": (LONG, LONG),
    "line, one word more": (LONG, f"{LONG[:200_000]} more {LONG[200_000:]}"),
    "line, one word in seven": (LONG, swapped(LONG, 0.15)),
    "line, wrapped": (LONG, f'<a href="x">{LONG} end'),
    "line, unrelated": (LONG, prose(4, 90_000)),
    "line, one long word": ("x" * 1_000_000, "y" * 1_000_000),
    "line, no word": ("<>" * 300_000, "><" * 300_000),
    "two long lines": ("x" * 1_000_000 + "\nb", "c\n" + "x" * 1_000_000 + "d\ne"),
    "20,000 lines, one word in seven": (LINES, swapped(LINES, 0.15)),
    "20,000 lines, each longer": (LINES, "new\n" + LINES.replace("\n", " more\n")),
    "20,000 lines, unrelated": (LINES, prose(5, 160_000, line=8)),
    "line feeds": ("\n" * 100_000, "\n" * 50_000 + "x" + "\n" * 45_000),
    "two lines, over and over": ("a\nb\n" * 30_000, "b\na\n" * 30_000),
}


@pytest.mark.parametrize(("baseline", "variant"), SIZES.values(), ids=SIZES)
def test_no_size_hangs(baseline: str, variant: str) -> None:
    start = process_time()
    rows = align(baseline, variant)
    assert process_time() - start < 15
    assert "\n".join(row.baseline.text for row in rows if row.baseline) == baseline
    assert "\n".join(row.variant.text for row in rows if row.variant) == variant


def test_a_long_line_is_still_marked_by_words() -> None:
    (row,) = align(*SIZES["line, one word in seven"])
    assert row.baseline and row.variant
    assert len(row.baseline.changed) > 8_000
    assert rest(row.baseline) == rest(row.variant)


def test_words_of_a_long_text_between_landmarks() -> None:
    text = prose(6, 60_000)
    marked_a, marked_b = changed_words(text, swapped(text, 0.02))
    assert 0 < len(marked_a) == len(marked_b) < 1_400
