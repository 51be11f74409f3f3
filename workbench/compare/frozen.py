"""What was observed, made into what is expected."""

from __future__ import annotations

from workbench.core.decision import Decision, Outcome
from workbench.core.scenario import Expectation

__all__ = ["frozen"]


def frozen(decision: Decision) -> Expectation:
    """The expectation that a decision meets: its outcome, and on a fire its tool, or one of its tools.

    Declined calls and arguments are left out: they would make a scenario fail over what nobody looked at.
    """
    if decision.outcome is not Outcome.FIRE:
        return Expectation(decision.outcome)
    tools = tuple(dict.fromkeys(decision.called))
    if len(tools) > 1:
        return Expectation(Outcome.FIRE, any_of=tools)
    return Expectation(Outcome.FIRE, tool=tools[0] if tools and tools[0].strip() else None)
