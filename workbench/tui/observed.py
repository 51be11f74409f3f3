"""What was observed, as an expectation: the value that freezing a prompt writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from workbench.core.cell import BARE, Cell
from workbench.core.decision import Decision, Outcome
from workbench.core.scenario import Expectation

__all__ = ["Observed", "expectation_of", "in_short", "observed", "same_expectation"]


class Observed(NamedTuple):
    """What some arms of a prompt gave, as an expectation. `steady`: no trial of theirs gave another."""

    expect: Expectation
    arms: tuple[str, ...]
    steady: bool = True


def expectation_of(decision: Decision) -> Expectation:
    """What is to be expected for a decision to be right."""
    tools = tuple(dict.fromkeys(decision.called))
    if decision.outcome is not Outcome.FIRE or not tools:
        return Expectation(decision.outcome)
    if len(tools) == 1 and tools[0].strip():
        return Expectation(Outcome.FIRE, tool=tools[0])
    return Expectation(Outcome.FIRE, any_of=tools)


def observed(cells: Iterable[Cell]) -> tuple[Observed, ...]:
    """What the arms of one prompt and adapter gave, each different answer once, bare's first.

    Cells without a decision give nothing.
    """
    found: list[Observed] = []
    for cell in sorted(cells, key=lambda cell: cell.key.arm != BARE):
        decision = cell.decision
        if decision is None:
            continue
        expect = expectation_of(decision)
        steady = all(
            same_expectation(expectation_of(trial.decision), expect) for trial in cell.ok if trial.decision
        )
        for number, known in enumerate(found):
            if same_expectation(known.expect, expect):
                arms = (*known.arms, cell.key.arm)
                found[number] = Observed(known.expect, arms, known.steady and steady)
                break
        else:
            found.append(Observed(expect, (cell.key.arm,), steady))
    return tuple(found)


def same_expectation(one: Expectation, other: Expectation) -> bool:
    """Whether two expectations ask for the same, however they are spelled and their tools are ordered."""
    return _asked(one) == _asked(other)


def _asked(expect: Expectation) -> tuple[object, ...]:
    any_of = frozenset(expect.any_of) if expect.any_of is not None else None
    rates = (expect.max_rate, expect.min_rate)
    return expect.outcome, expect.no_calls, expect.tool, any_of, expect.arguments, rates


def in_short(expect: Expectation) -> str:
    """The value as a person says it; tools raw."""
    if expect.any_of is not None:
        return f"fire one of {', '.join(expect.any_of)}"
    if expect.tool is not None:
        return f"fire {expect.tool}"
    return expect.outcome.value if expect.outcome is not None else "no calls"
