"""Paths into an answer: what stands there, and which kind of nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.adapters.calls.reading import Nothing, PathError, parse_path

ANSWER: Any = {
    "data": {"tools": [{"name": "a", "x": 1}, {"x": 2}], "none": None, "empty": [], "no": False, "zero": 0},
    "odd.key": {"a b": 7, "": 8, 'q"': 9},
    "list": [[1, 2], [3]],
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("data.tools[0].name", "a"),
        ("$.data.tools[0].name", "a"),
        ("data.tools[-1].x", 2),
        ("data.no", False),
        ("data.zero", 0),
        ("data.none", None),
        ("data.empty", []),
        ("data.tools[*].x", [1, 2]),
        ("data.tools[*].name", ["a", None]),
        ("data.empty[*].name", []),
        ("list[*][0]", [1, 3]),
        ("list[*][1]", [2, None]),
        ("list[*][*]", [[1, 2], [3]]),
        ('["odd.key"]["a b"]', 7),
        ("['odd.key']['']", 8),
        (r'["odd.key"]["q\""]', 9),
        ("data.missing", Nothing.NOT_REPORTED),
        ("data.tools.name", Nothing.NOT_REPORTED),
        ("data[0]", Nothing.NOT_REPORTED),
        ("data.zero.more", Nothing.NOT_REPORTED),
        ("data.missing[*].name", Nothing.NOT_REPORTED),
        ("data.tools[5].name", Nothing.EMPTY),
        ("data.empty[0].name", Nothing.EMPTY),
        ("data.none.more", Nothing.EMPTY),
    ],
)
def test_what_stands_there(path: str, found: Any) -> None:
    assert parse_path(path).of(ANSWER) == found


@pytest.mark.parametrize("text", ["", "$", "a..b", "a.", "a[", "a[x]", "a]b", "a[0", '["a', ".", "a[0]b"])
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(PathError):
        parse_path(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.lists(st.text(min_size=1) | st.integers(-3, 3), min_size=1, max_size=4))
def test_every_step_is_taken_as_it_is_written(value: Any, steps: list[str | int]) -> None:
    spelled = "".join(
        f"[{step}]" if isinstance(step, int) else '["' + step.replace("\\", r"\\").replace('"', r"\"") + '"]'
        for step in steps
    )
    path = parse_path(spelled)
    assert path.steps == tuple(steps)
    wanted: Any = value
    try:
        for step in steps:
            if isinstance(step, int) and not isinstance(wanted, list):
                raise KeyError
            wanted = wanted[step]
    except (KeyError, IndexError, TypeError):
        assert isinstance(path.of(value), Nothing)
    else:
        assert path.of(value) == wanted
