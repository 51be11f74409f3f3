"""Which of several places of the same words are the words: the one that stands apart, in every turn alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.capture.alignment import shared_beginning
from workbench.capture.chains import Chain, places
from workbench.capture.pairing import Pair
from workbench.core.decision import Span

__all__ = ["Choice", "choices", "frame_of", "isolation"]

Choice = tuple[tuple[Span, ...], ...]
"""For each pair the places that are taken for the words."""

_NEAR = 60
_MOST_REFERENCES = 24
_EDGE_WEIGHT = 12


def frame_of(wrapped: str, spans: Sequence[Span]) -> tuple[str, ...]:
    """What is left of a turn when its words are taken out."""
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(wrapped)]
    return tuple(wrapped[end:start] for end, start in zip(ends, starts, strict=True))


def isolation(text: str, span: Span) -> int:
    """How far words stand apart from what is beside them, 0 to 6: lines of their own count most."""
    before, after = text[: span[0]], text[span[1] :]
    left = 3 if not before.strip() or before.endswith("\n") else 2 if before[-1] in ">" else 0
    left = left or (1 if before[-2:] in (": ", "] ", "> ", ") ") else 0)
    right = 3 if not after.strip() or after[0] in "\r\n" else 1 if after[0] in "<[" else 0
    return left + right


class _Scored(NamedTuple):
    score: tuple[int, int]
    spans: tuple[Span, ...]


def choices(chain: Chain, pairs: Sequence[Pair]) -> Iterator[Choice]:
    """Ways to tell the words of all pairs by one rule, the likeliest first."""
    found = [places(chain, pair) for pair in pairs]
    reference = min(range(len(pairs)), key=lambda number: len(found[number]))
    ways = [
        tuple(
            max(spans, key=lambda one: _likeness(pairs[reference].wrapped, span, pair.wrapped, one))
            for pair, spans in zip(pairs, found, strict=True)
        )
        for span in found[reference][:_MOST_REFERENCES]
    ]
    # A history that is written like the turn itself is told apart by its place alone.
    ways += [tuple(spans[-1] for spans in found), tuple(spans[0] for spans in found)]
    scored = {spans: _Scored(_score(pairs, spans), spans) for spans in ways}
    for one in sorted(scored.values(), reverse=True):
        yield tuple((span,) for span in one.spans)


def _likeness(text: str, span: Span, other: str, at: Span) -> tuple[int, int]:
    """Characters alike on both sides, the nearest; then how far they stand apart."""
    left = _common(text[max(0, span[0] - _NEAR) : span[0]][::-1], other[max(0, at[0] - _NEAR) : at[0]][::-1])
    right = _common(text[span[1] : span[1] + _NEAR], other[at[1] : at[1] + _NEAR])
    left += _EDGE_WEIGHT * (text[: span[0]] == other[: at[0]])
    right += _EDGE_WEIGHT * (text[span[1] :] == other[at[1] :])
    return left + right, isolation(other, at)


def _common(one: str, other: str) -> int:
    return shared_beginning((one, other))


def _score(pairs: Sequence[Pair], spans: Sequence[Span]) -> tuple[int, int]:
    apart = min(isolation(pair.wrapped, span) for pair, span in zip(pairs, spans, strict=True))
    before = [
        pair.wrapped[max(0, span[0] - _NEAR) : span[0]][::-1] for pair, span in zip(pairs, spans, strict=True)
    ]
    after = [pair.wrapped[span[1] : span[1] + _NEAR] for pair, span in zip(pairs, spans, strict=True)]
    marks = 0
    for near in (before, after):
        side = near[0][: shared_beginning(near)].strip()
        marks += len(side) or _EDGE_WEIGHT * (not any(near))
    return apart, marks
