"""Scores of two decisions, one row per route."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.core.decision import Score

__all__ = ["ScoreRow", "score_rows"]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One route on both sides; None where a side did not report it. Ranks count from 1.

    `delta` is variant less baseline. `crossed`: its margin to the threshold changed sign.
    """

    route: str
    baseline: Score | None
    variant: Score | None
    baseline_rank: int | None
    variant_rank: int | None
    delta: float | None
    crossed: bool


def score_rows(baseline: Sequence[Score] | None, variant: Sequence[Score] | None) -> tuple[ScoreRow, ...]:
    """Rows in the order of the baseline's rank, then of the variant's for routes only it has."""
    raise NotImplementedError
