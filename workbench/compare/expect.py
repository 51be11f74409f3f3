"""Whether a decision is what a scenario expects."""

from __future__ import annotations

from workbench.core.decision import Decision, Outcome, canonical
from workbench.core.scenario import Expectation

__all__ = ["why_not"]


def why_not(expect: Expectation, decision: Decision) -> str | None:
    """Why `decision` is not as expected, in a few words; None if it is.

    `tool` and `any_of` ask for a call among others, declined ones for a hold; `arguments` for a
    call (of `tool`, if named) that has these arguments and maybe more. Rates are not judged here.
    """
    got = f"got {decision.outcome.value} {', '.join(decision.tools)}".rstrip()
    if expect.no_calls and decision.outcome is Outcome.FIRE:
        return got
    wanted = expect.outcome
    if wanted is None and (expect.tool or expect.any_of or expect.arguments is not None):
        wanted = Outcome.FIRE
    if wanted is not None and decision.outcome is not wanted:
        return got
    if expect.tool is not None and expect.tool not in decision.tools:
        return got
    if expect.any_of is not None and not set(expect.any_of) & set(decision.tools):
        return got
    if expect.arguments is not None and not _has_arguments(expect, decision):
        return f"{got} with other arguments"
    return None


def _has_arguments(expect: Expectation, decision: Decision) -> bool:
    assert expect.arguments is not None
    for call in decision.calls:
        if expect.tool is not None and call.name != expect.tool:
            continue
        given = call.arguments
        if isinstance(given, dict) and all(
            name in given and canonical(given[name]) == canonical(value)
            for name, value in expect.arguments.items()
        ):
            return True
    return False
