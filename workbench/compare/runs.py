"""Equal runs of two sequences: the fewest differences where that is affordable, else by landmarks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from rapidfuzz.distance import Indel

__all__ = ["EqualRun", "equal_runs"]

_AFFORDABLE = 400_000_000  # products of two lengths; rapidfuzz keeps one bit for each

_WIDTHS = (1, 8)  # items that make a landmark: a line alone, or a phrase where single words repeat


class EqualRun(NamedTuple):
    """`length` items from `baseline` and from `variant` on are equal."""

    baseline: int
    variant: int
    length: int


def equal_runs(baseline: Sequence[Hashable], variant: Sequence[Hashable]) -> list[EqualRun]:
    """Runs in order, none overlapping or touching another on both sides."""
    numbers: dict[Hashable, int] = {}
    a = [numbers.setdefault(item, len(numbers)) for item in baseline]
    b = [numbers.setdefault(item, len(numbers)) for item in variant]
    joined: list[EqualRun] = []
    for run in _between(a, b, 0, 0, _AFFORDABLE):
        last = joined[-1] if joined else EqualRun(0, 0, 0)
        if joined and run.baseline - last.baseline == last.length == run.variant - last.variant:
            joined[-1] = last._replace(length=last.length + run.length)
        elif run.length:
            joined.append(run)
    return joined


def _between(
    a: Sequence[int], b: Sequence[int], start_a: int, start_b: int, affordable: int
) -> Iterator[EqualRun]:
    """Equal ends first, then what lies between them."""
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    inner_a, inner_b = a[head : len(a) - tail], b[head : len(b) - tail]
    yield EqualRun(start_a, start_b, head)
    size = len(inner_a) * len(inner_b)
    if 0 < size <= affordable:
        for code in Indel.opcodes(inner_a, inner_b):
            if code.tag == "equal":
                length = code.src_end - code.src_start
                yield EqualRun(start_a + head + code.src_start, start_b + head + code.dest_start, length)
    elif size:
        yield from _by_landmarks(inner_a, inner_b, start_a + head, start_b + head, affordable)
    yield EqualRun(start_a + len(a) - tail, start_b + len(b) - tail, tail)


def _by_landmarks(
    a: Sequence[int], b: Sequence[int], start_a: int, start_b: int, affordable: int
) -> Iterator[EqualRun]:
    """Between what comes once on each side, in an order that both sides have."""
    marks = max((_landmarks(a, b, width) for width in _WIDTHS), key=len)
    share = affordable // (len(marks) + 1)
    done_a = done_b = 0
    for at_a, at_b in (*marks, (len(a), len(b))):
        gap_a, gap_b = a[done_a:at_a], b[done_b:at_b]
        if not marks or len(gap_a) * len(gap_b) > max(share, 10_000):
            head = _common(gap_a, gap_b)
            yield EqualRun(start_a + done_a, start_b + done_b, head)
        else:
            yield from _between(gap_a, gap_b, start_a + done_a, start_b + done_b, affordable)
        if at_a < len(a):
            yield EqualRun(start_a + at_a, start_b + at_b, 1)
        done_a, done_b = at_a + 1, at_b + 1


def _landmarks(a: Sequence[int], b: Sequence[int], width: int) -> list[tuple[int, int]]:
    """The longest ascending series of places of what comes once in `a` and once in `b`."""
    wide_a = list(zip(*(a[shift:] for shift in range(width)), strict=False))
    wide_b = list(zip(*(b[shift:] for shift in range(width)), strict=False))
    in_a, in_b = Counter(wide_a), Counter(wide_b)
    places = {item: at for at, item in enumerate(wide_b) if in_b[item] == 1}
    pairs = [(at, places[item]) for at, item in enumerate(wide_a) if in_a[item] == 1 and item in places]
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, at) in enumerate(pairs):
        slot = bisect_left(ends, at)
        before.append(last[slot - 1] if slot else -1)
        ends[slot : slot + 1] = [at]
        last[slot : slot + 1] = [number]
    series: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        series.append(pairs[number])
        number = before[number]
    return series[::-1]


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """How many items both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
