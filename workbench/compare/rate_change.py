"""Rates of one sampled cell in two runs: whether they differ by more than chance would have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.compare.blocks import ALPHA
from workbench.stats.exact import boschloo
from workbench.stats.multiplicity import holm

__all__ = ["RateFacts", "changed_rates"]


@dataclass(frozen=True, slots=True)
class RateFacts:
    """How often the event that a scenario is about happened: in `k` of `n` ok trials."""

    event: str
    k: int
    n: int

    @property
    def words(self) -> str:
        """The event is foreign text: it may name a tool."""
        return f"{self.event} in {self.k} of {self.n}"


def changed_rates(pairs: Sequence[tuple[RateFacts, RateFacts]]) -> tuple[bool, ...]:
    """Which pairs differ: another event, or rates that do by Boschloo's test, with Holm over all pairs.

    A pair without any ok trial on one side says nothing, and does not differ.
    """
    alone = [
        boschloo(before.k, before.n, after.k, after.n)
        if before.event == after.event and before.n and after.n
        else 1.0
        for before, after in pairs
    ]
    adjusted = holm(alone)
    return tuple(
        before.event != after.event or p <= ALPHA for (before, after), p in zip(pairs, adjusted, strict=True)
    )
