"""Calls in the shape of the chat formats."""

from __future__ import annotations

from typing import Any

from workbench.wire.draft import MISSING, Draft, FoundCall
from workbench.wire.strict import kind_of, mapping, strings

__all__ = ["add_calls", "add_content", "found_call"]

_HIDDEN_PARTS = ("thinking", "reasoning", "redacted_thinking")


def found_call(item: Any) -> FoundCall:
    """One entry of `tool_calls`, whatever it is."""
    if not isinstance(item, dict):
        return FoundCall(arguments=item)
    call_id = strings(item.get("id"))
    if item.get("type") == "custom":
        custom = mapping(item.get("custom"))
        return FoundCall(custom.get("name", MISSING), custom.get("input", MISSING), call_id, free=True)
    function = mapping(item.get("function"))
    return FoundCall(function.get("name", MISSING), function.get("arguments", MISSING), call_id)


def add_calls(draft: Draft, value: Any) -> None:
    """Every entry of `tool_calls`; null and an empty list are none."""
    if value is None:
        return
    if isinstance(value, list):
        draft.calls.extend(found_call(item) for item in value)
    else:
        draft.problems.append(f"tool_calls is {kind_of(value)}; expected a list")
        draft.calls.append(FoundCall(arguments=value))


def add_content(draft: Draft, value: Any) -> None:
    """A message's content: text, or parts of it. Hidden reasoning is passed over."""
    if not isinstance(value, list):
        draft.add_text(value)
        return
    for part in value:
        kind = mapping(part).get("type")
        if isinstance(part, str) or kind == "text":
            draft.add_text(part if isinstance(part, str) else part.get("text"))
        elif kind == "refusal":
            draft.add_text(part.get("refusal"), draft.refusal)
        elif kind not in _HIDDEN_PARTS:
            draft.flag(f"a part of a kind that is not read: {kind}")
