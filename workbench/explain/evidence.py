"""What the adapter says of a cause: phrases that it matched there, and its scores without each sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.core.decision import Decision, Match, Score, Span
from workbench.explain.explanation import Margin
from workbench.explain.material import Material
from workbench.explain.parts import Grain, cut, joined
from workbench.explain.question import Asked

__all__ = ["lost_matches", "margins", "matches_in", "sentences_of"]

_MOST = 60
"""Sentences that are left out one by one, those of the cause and its neighbours first."""


def matches_in(variant: Decision, spans: Sequence[Span]) -> tuple[Match, ...]:
    """The phrases that were matched in the delivery and share a character with one of these parts."""
    return tuple(
        match
        for match in variant.matches or ()
        if match.start is not None
        and match.end is not None
        and any(match.start < end and match.end > start for start, end in spans)
    )


def lost_matches(bare: Decision, variant: Decision) -> tuple[Match, ...]:
    """The phrases that were matched in the words alone and are not in the delivery; none where a side
    does not report any.
    """
    if bare.matches is None or variant.matches is None:
        return ()
    still = {(match.rule, (match.text or "").casefold()) for match in variant.matches}
    return tuple(match for match in bare.matches if (match.rule, (match.text or "").casefold()) not in still)


def sentences_of(material: Material, cause: Sequence[Span]) -> tuple[Span, ...]:
    """What the user did not write in sentences, the nearest to the cause first."""
    sentences = [
        span
        for span in cut(material.text, material.foreign, Grain.SENTENCE)
        if material.text[slice(*span)].strip()
    ]
    if not cause:
        return tuple(sentences)

    def away(span: Span) -> int:
        return min(max(start - span[1], span[0] - end, 0) for start, end in cause)

    return tuple(sorted(sentences, key=lambda span: (away(span), span)))


async def margins(
    asked: Asked, bare: Decision, variant: Decision, cause: Sequence[Span], found: list[Margin]
) -> None:
    """The margin of the route that matters most without each sentence; they are added to `found`."""
    route = _route(bare.scores or (), variant.scores or ())
    if route is None:
        return
    whole = _value(variant, route)
    for sentence in sentences_of(asked.material, joined(cause))[:_MOST]:
        decision = await asked.decision((sentence,))
        value = None if decision is None else _value(decision, route)
        if value is not None and whole is not None:
            found.append(Margin(sentence, route, value, whole - value))


def _route(bare: Sequence[Score], variant: Sequence[Score]) -> str | None:
    """The route whose margin crosses most between the two; without one, the first of the variant."""
    before = {score.route: _of(score) for score in bare}
    crossed = [s for s in variant if s.route in before and (_of(s) >= 0) != (before[s.route] >= 0)]
    ranked = sorted(crossed or variant, key=lambda s: -math.inf if math.isnan(s.value) else _of(s))
    return ranked[-1].route if ranked else None


def _of(score: Score) -> float:
    return score.value if score.margin is None else score.margin


def _value(decision: Decision, route: str) -> float | None:
    values = [_of(score) for score in decision.scores or () if score.route == route]
    return max(values) if values and all(map(math.isfinite, values)) else None
