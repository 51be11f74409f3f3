"""Many verdicts at once, without more false alarms than one would have."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["e_bh", "holm"]


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values adjusted, in their order: one at or below alpha may be called significant."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = largest
    return tuple(adjusted)


def e_bh(e_values: Sequence[float], alpha: float = 0.05, m: int | None = None) -> tuple[bool, ...]:
    """Which of the e-values are discoveries, in their order, at a false discovery rate of at most alpha.

    Holds whatever hangs together with what, and wherever each of them was stopped. `m` counts those
    that are missing too, which then speak for nothing.
    """
    m = len(e_values) if m is None else m
    ranked = sorted(e_values, reverse=True)
    least = next((rank for rank in range(len(ranked), 0, -1) if ranked[rank - 1] >= m / (alpha * rank)), 0)
    return tuple(bool(least) and value >= m / (alpha * least) for value in e_values)
