"""Folding hides only equal rows, far from any difference, and nothing for good."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.compare.align import align
from workbench.compare.fold import fold, unfold
from workbench.compare.rows import Row, RowKind


def shape(rows: tuple[Row, ...]) -> str:
    """One letter a row, folds with what they hide."""
    return " ".join(
        f"fold{len(row.hidden)}" if row.kind is RowKind.FOLD else row.kind.value[0] for row in rows
    )


def text(*parts: int | str) -> str:
    """Numbers are that many lines in common."""
    lines: list[str] = []
    for number, part in enumerate(parts):
        lines += [f"line {number} {at}" for at in range(part)] if isinstance(part, int) else [part]
    return "\n".join(lines)


def test_what_is_far_from_a_difference_is_one_row() -> None:
    rows = align(text(10, "old", 20), text(10, "new", 20))
    assert shape(fold(rows)) == "fold7 e e e c e e e fold17"
    assert shape(fold(rows, context=0)) == "fold10 c fold20"
    assert shape(fold(rows, context=8)) == " ".join("e" * 10 + "c" + "e" * 8) + " fold12"


def test_differences_that_are_near_are_not_parted() -> None:
    near = align(text("a1", 9, "b1"), text("a2", 9, "b2"))
    far = align(text("a1", 10, "b1"), text("a2", 10, "b2"))
    assert shape(fold(near)) == " ".join("c" + "e" * 9 + "c")
    assert shape(fold(far)) == "c e e e fold4 e e e c"
    assert shape(fold(near, merge=3)) == "c e e e fold3 e e e c"


def test_equal_texts_are_one_fold() -> None:
    rows = align(text(30), text(30))
    assert shape(fold(rows)) == "fold30"
    assert fold(rows)[0] == Row(RowKind.FOLD, hidden=rows)
    assert fold(()) == ()


lines = st.lists(st.sampled_from(["a", "b", "c"]), max_size=40).map("\n".join)


@settings(deadline=None)
@given(lines, lines, st.integers(0, 5), st.integers(0, 6))
def test_unfolding_gives_the_rows_back(baseline: str, variant: str, context: int, merge: int) -> None:
    rows = align(baseline, variant)
    folded = fold(rows, context, merge)
    assert unfold(folded) == rows
    assert fold(folded, context, merge) == folded
    for number, row in enumerate(folded):
        if row.kind is not RowKind.FOLD:
            continue
        assert len(row.hidden) >= max(merge, 1)
        assert {hidden.kind for hidden in row.hidden} == {RowKind.EQUAL}
        before = folded[max(number - context, 0) : number]
        after = folded[number + 1 : number + 1 + context]
        assert {near.kind for near in (*before, *after)} <= {RowKind.EQUAL}
