"""What to keep of something long: its ends, and what matters in between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from workbench.core.decision import Span

__all__ = ["LINES", "WORDS", "Focus", "kept"]


@dataclass(frozen=True, slots=True)
class Focus:
    """Nothing up to `whole` is cut. Of more, `head` and `tail` stay, and `around` on both sides of each
    of the first `points`; a gap smaller than `gap` is not worth a cut.
    """

    whole: int
    head: int
    tail: int
    around: int
    points: int
    gap: int


LINES = Focus(whole=14, head=4, tail=2, around=1, points=8, gap=3)
"""For the lines of a window."""

WORDS = Focus(whole=400, head=120, tail=60, around=60, points=8, gap=40)
"""For the characters of a line."""


def kept(length: int, points: Iterable[Span], focus: Focus) -> Sequence[Span]:
    """The spans of [0, length) to show, in order; what stands between them is left out.

    `points` are what matters, the most important first.
    """
    if length <= focus.whole:
        return [(0, length)]
    wanted = [(0, focus.head), (length - focus.tail, length)]
    for start, end in islice(points, focus.points):
        # Of a long stretch that matters, its two ends are what tells where it is.
        if end - start > 2 * focus.around:
            wanted += [(start - focus.around, start + focus.around), (end - focus.around, end + focus.around)]
        else:
            wanted.append((start - focus.around, end + focus.around))
    spans: list[Span] = []
    for start, end in sorted((max(0, start), min(length, end)) for start, end in wanted):
        if spans and start - spans[-1][1] < focus.gap:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        elif start < end:
            spans.append((start, end))
    return spans
