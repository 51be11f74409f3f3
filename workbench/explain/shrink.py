"""From regions to words: each level cuts what the one before has left, so that most is never asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workbench.core.decision import Span
from workbench.explain.parts import Grain, cut, joined
from workbench.explain.smallest import Question, narrowed, shortest_run, smallest

__all__ = ["FEW", "grains_to", "shrink", "shrink_to_run"]

FEW = 24
"""Up to so many parts each is asked about whether it is needed, where their length is what counts."""

Level = Callable[[Grain], None]


def grains_to(last: Grain) -> tuple[Grain, ...]:
    """The levels down to that one."""
    grains = tuple(Grain)
    return grains[: grains.index(last) + 1]


async def shrink(
    text: str,
    spans: Sequence[Span],
    last: Grain,
    holds: Question[Span],
    better: Callable[[Sequence[Span]], None] = lambda parts: None,
    level: Level = lambda grain: None,
) -> tuple[Span, ...]:
    """The smallest part of `spans` that holds, 1-minimal in parts of the size `last`; `spans` must hold."""
    kept = tuple(spans)
    for grain in grains_to(last):
        # Neighbours are cut as one at last: parts that only came of the levels before are none of its size.
        parts = cut(text, joined(kept) if grain is last else kept, grain)
        if grain is not last and len(parts) == len(kept) and grain is not Grain.REGION:
            continue
        level(grain)
        search = smallest if grain is last else narrowed
        kept = await search(parts, holds, better)
    return kept


async def shrink_to_run(
    text: str,
    spans: Sequence[Span],
    last: Grain,
    holds: Question[Span],
    better: Callable[[Sequence[Span]], None] = lambda parts: None,
    level: Level = lambda grain: None,
) -> tuple[tuple[Span, ...], bool]:
    """The same for what counts by its length or place: the shortest run; True: it is 1-minimal too."""
    kept = tuple(spans)
    for grain in grains_to(last):
        level(grain)
        kept = await shortest_run(cut(text, joined(kept), grain), holds, better)
    if len(kept) > FEW:
        return joined(kept), False
    return await smallest(kept, holds, better), True
