"""What an arm may change against bare."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from workbench.core.decision import Decision, Outcome

__all__ = ["Relation", "broken"]

_STRENGTH = {Outcome.PASS: 0, Outcome.HOLD: 1, Outcome.FIRE: 2}


class Relation(StrEnum):
    """`equal`; `no-stronger` on fire > hold > pass; `no-new-tools`."""

    EQUAL = "equal"
    NO_STRONGER = "no-stronger"
    NO_NEW_TOOLS = "no-new-tools"


def broken(relation: Relation, bare: Decision, variant: Decision) -> bool:
    """Whether `variant` differs from `bare` in outcome or tools more than `relation` allows.

    Tools are a multiset; under `equal` the declined ones of a hold count too. A weaker outcome is
    allowed by both others; a tool that bare would not call is allowed by none.
    """
    if relation is Relation.EQUAL:
        return bare.outcome is not variant.outcome or Counter(bare.tools) != Counter(variant.tools)
    new_tools = bool(Counter(variant.called) - Counter(bare.called))
    if relation is Relation.NO_STRONGER:
        return _STRENGTH[variant.outcome] > _STRENGTH[bare.outcome] or new_tools
    return new_tools
