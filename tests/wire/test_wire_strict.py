"""JSON that is read in one way, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.wire.strict import DEEPEST, NotJson, parse, text_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(deadline=None)
@given(JSON)
def test_every_json_value_is_read(value: Any) -> None:
    assert parse(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "words", "cut"),
    [
        ("", "nothing but blanks", True),
        ('{"a": 1', "breaks off", True),
        ('{"a": "b', "breaks off", True),
        ('{"a": tru', "breaks off", True),
        ('{"a": "\\', "breaks off", True),
        ('{}""', "trailing characters after JSON, at character 3", False),
        ("{} {}", "trailing characters after JSON", False),
        ("{'a': 1}", "no JSON", False),
        ('{"a": 1,}', "no JSON", False),
        ('{"a": 1 // c\n}', "no JSON", False),
        ('{"a": "\n"}', "no JSON", False),
        ('{"a": 1, "b": {"c": 1, "c": 1}}', 'the key "c" stands twice', False),
        ('{"a": NaN}', "NaN is no JSON", False),
        ('{"a": -Infinity}', "-Infinity is no JSON", False),
        ('{"a": 1e999}', "too large", False),
        ("9" * 5000, "4300", False),
        ("[" * 100_000, "nested deeper", False),
        ("[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), "nested deeper", False),
        ('{"a": "\udcff"}', "not UTF-8", False),
    ],
)
def test_all_else_is_told(text: str, words: str, cut: bool) -> None:
    with pytest.raises(NotJson, match=words) as caught:
        parse(text)
    assert caught.value.cut is cut


def test_as_deep_as_allowed_is_read() -> None:
    assert parse("[" * DEEPEST + "]" * DEEPEST)


def test_a_lone_surrogate_that_is_escaped_is_text() -> None:
    assert parse('"\\udcff"') == "\udcff"


def test_bytes_become_text_without_loss() -> None:
    assert text_of(b"\xef\xbb\xbfa\xff") == "a\udcff"
