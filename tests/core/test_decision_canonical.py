"""One spelling per value, however deep it is nested."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.decision import Decision, Outcome, ToolCall, canonical

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def nested(value: Any, depth: int) -> Any:
    for level in range(depth):
        value = [value, 1] if level % 2 else {"k": value, "j": None}
    return value


@settings(max_examples=25, deadline=None)
@given(values)
def test_what_is_nested_deep_is_spelled_the_same_way(value: Any) -> None:
    left = canonical(nested("\0", 1_500)).split(json.dumps("\0"))
    assert canonical(nested(value, 1_500)) == canonical(value).join(left)


def test_decisions_with_deep_arguments_have_an_identity() -> None:
    def decision(leaf: int) -> Decision:
        return Decision(Outcome.FIRE, (ToolCall("t", nested(leaf, 1_500)),))

    assert decision(1).identity() == decision(1).identity() != decision(2).identity()


def test_types_and_key_order() -> None:
    assert len({canonical(value) for value in (1, 1.0, True, "1", None, "None", [1], {"1": 1})}) == 8
    assert canonical({"b": 1, "a": "é"}) == '{"a":"\\u00e9","b":1}'
