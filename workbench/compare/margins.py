"""How near a scored decision is to another one, and how near those of a whole scenario are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from workbench.core.decision import Score

__all__ = ["Flip", "Spread", "flip", "lead", "spread", "top_two"]


@dataclass(frozen=True, slots=True)
class Flip:
    """The least change of one score that would change the decision: of which `route`, and how."""

    distance: float
    route: str
    how: str


@dataclass(frozen=True, slots=True)
class Spread:
    """Numbers of one kind: how many, the least, the middle one and the most."""

    count: int
    least: float
    middle: float
    most: float


def flip(scores: Sequence[Score]) -> Flip | None:
    """How far a choice by these scores is from another one; None where no change of one could make it.

    The choice is the best route that is not below its threshold.
    """
    known = [score for score in scores if math.isfinite(score.deciding)]
    passing = [score for score in known if score.margin is None or score.margin >= 0]
    if not passing:
        ways = [Flip(-score.margin, score.route, "would pass") for score in known if score.margin is not None]
        return min(ways, key=lambda way: way.distance, default=None)
    best = max(passing, key=lambda score: score.deciding)
    ways = (
        [Flip(best.margin, best.route, "would fall below its threshold")] if best.margin is not None else []
    )
    for score in known:
        if score is not best:
            short = 0.0 if score.margin is None else -score.margin
            distance = max(best.deciding - score.deciding, short)
            ways.append(Flip(distance, score.route, f"would overtake {best.route}"))
    return min(ways, key=lambda way: way.distance, default=None)


def lead(scores: Sequence[Score] | None) -> float | None:
    """The greatest margin of any route above its threshold; None where no route has a finite one."""
    margins = [score.margin for score in scores or () if score.margin is not None]
    return max((margin for margin in margins if math.isfinite(margin)), default=None)


def spread(values: Sequence[float]) -> Spread | None:
    """What is known of several numbers at a glance; None of none."""
    return Spread(len(values), min(values), median(values), max(values)) if values else None


def top_two(scores: Sequence[Score]) -> tuple[str, ...]:
    """The names of the two best routes by what the router went by, the best first."""
    known = [score for score in scores if not math.isnan(score.deciding)]
    return tuple(score.route for score in sorted(known, key=lambda score: -score.deciding)[:2])
