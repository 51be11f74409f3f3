"""Scores of two decisions, one row per route."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.core.decision import Score

__all__ = ["ScoreRow", "score_rows"]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One route on both sides; None where a side did not report it.

    Ranks count from 1, by what the router went by. `delta` is variant less baseline, of the values.
    `crossed`: its margin to the threshold changed sign.
    """

    route: str
    baseline: Score | None
    variant: Score | None
    baseline_rank: int | None
    variant_rank: int | None
    delta: float | None
    crossed: bool


def score_rows(baseline: Sequence[Score] | None, variant: Sequence[Score] | None) -> tuple[ScoreRow, ...]:
    """Rows in the order of the baseline's rank, then of the variant's for routes only it has.

    Equal scores share a rank. A route that a side reports several times has a row for each, the
    highest with the highest. `delta` is None too where it would be no finite number.
    """
    ranked, others = _ranked(baseline or ()), _ranked(variant or ())
    keys = [*ranked, *(key for key in others if key not in ranked)]
    return tuple(_row(key[0], ranked.get(key), others.get(key)) for key in keys)


_Ranked = tuple[int, Score]


def _ranked(scores: Sequence[Score]) -> dict[tuple[str, int], _Ranked]:
    """Each score with its rank, highest first, by route and how often that route came before."""
    ordered = sorted(
        scores, key=lambda score: -math.inf if math.isnan(score.deciding) else score.deciding, reverse=True
    )
    seen: Counter[str] = Counter()
    ranked: dict[tuple[str, int], _Ranked] = {}
    rank, last = 0, None
    for place, score in enumerate(ordered, 1):
        if score.deciding != last:
            rank, last = place, score.deciding
        ranked[score.route, seen[score.route]] = (rank, score)
        seen[score.route] += 1
    return ranked


def _row(route: str, baseline: _Ranked | None, variant: _Ranked | None) -> ScoreRow:
    before, after = baseline and baseline[1], variant and variant[1]
    delta = after.value - before.value if before and after else None
    return ScoreRow(
        route=route,
        baseline=before,
        variant=after,
        baseline_rank=baseline and baseline[0],
        variant_rank=variant and variant[0],
        delta=delta if delta is not None and math.isfinite(delta) else None,
        crossed=_crossed(before, after),
    )


def _crossed(baseline: Score | None, variant: Score | None) -> bool:
    """Whether one margin is below the threshold and the other one is not."""
    before = baseline.margin if baseline else None
    after = variant.margin if variant else None
    if before is None or after is None or math.isnan(before) or math.isnan(after):
        return False
    return (before >= 0) != (after >= 0)
