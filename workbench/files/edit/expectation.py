"""An expectation as a scenario file spells it."""

from __future__ import annotations

from workbench.core.decision import Json, Outcome
from workbench.core.scenario import Expectation
from workbench.files.edit.spell import spelled, spelled_json

__all__ = ["spell_expectation"]


def spell_expectation(expect: Expectation, *, flow: bool) -> str:
    """`hold`, `fire TOOL`, `no calls`, or a mapping in braces; on one line."""
    more = (expect.arguments, expect.any_of, expect.max_rate, expect.min_rate)
    if all(value is None for value in more):
        tool = expect.tool
        if expect.no_calls and expect.outcome is None and tool is None:
            return "no calls"
        if expect.outcome is not None and tool is None:
            return expect.outcome.value
        if expect.outcome is Outcome.FIRE and tool and tool == tool.strip():
            return spelled(f"fire {tool}", flow=flow)
    pairs: dict[str, Json] = {
        "outcome": "no calls" if expect.no_calls else expect.outcome.value if expect.outcome else None,
        "tool": expect.tool,
        "any_of": None if expect.any_of is None else list(expect.any_of),
        "arguments": expect.arguments,
        "max_rate": expect.max_rate,
        "min_rate": expect.min_rate,
    }
    return spelled_json({key: value for key, value in pairs.items() if value is not None})
