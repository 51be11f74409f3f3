"""Two texts as rows: lines are paired first, then their words compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, zip_longest

from rapidfuzz.distance import Indel

from workbench.compare.rows import Row, RowKind, Side
from workbench.compare.runs import EqualRun, equal_runs
from workbench.compare.words import changed_words, contained_at
from workbench.core.decision import Span

__all__ = ["align"]

_ALIKE = 0.6  # lines at least so similar are a pair
_PAIRS = 2_500  # compared all with all; more lines than that only with those near by
_NEAR = 8
_EFFORT = 300_000_000  # steps spent on similarity in one block
_SHORT = 4  # a line so short may stand in another by chance


def align(baseline: str, variant: str) -> tuple[Row, ...]:
    """The lines of both texts, in order, each in one row. Lines end at line feeds alone.

    The baseline sides joined by line feeds are `baseline`, the variant sides `variant`; an empty
    text is one empty line.
    """
    a, b = _Lines(baseline), _Lines(variant)
    rows: list[Row] = []
    done_a = done_b = 0
    for run in (*equal_runs(a.texts, b.texts), EqualRun(len(a.texts), len(b.texts), 0)):
        rows += _block(a, b, (done_a, run.baseline), (done_b, run.variant))
        done_a, done_b = run.baseline + run.length, run.variant + run.length
        rows += [
            Row(RowKind.EQUAL, a.side(at), b.side(at + run.variant - run.baseline))
            for at in range(run.baseline, done_a)
        ]
    return tuple(rows)


class _Lines:
    """The lines of a text, and where they start."""

    def __init__(self, text: str) -> None:
        self.empty = not text
        self.texts = text.split("\n")
        self.starts = list(accumulate((len(line) + 1 for line in self.texts), initial=0))

    def side(self, number: int, changed: tuple[Span, ...] = ()) -> Side:
        return Side(self.texts[number], self.starts[number], changed)

    def whole(self, number: int) -> Side:
        length = len(self.texts[number])
        return self.side(number, ((0, length),) if length else ())


def _block(a: _Lines, b: _Lines, span_a: Span, span_b: Span) -> Iterator[Row]:
    """Rows of a stretch without equal lines: pairs of similar lines, and what is left between them."""
    pairs = _similar(a.texts[slice(*span_a)], b.texts[slice(*span_b)])
    done_a, done_b = span_a[0], span_b[0]
    for pair_a, pair_b in pairs:
        at_a, at_b = span_a[0] + pair_a, span_b[0] + pair_b
        yield from _left_over(a, b, range(done_a, at_a), range(done_b, at_b))
        yield _changed(a, b, at_a, at_b)
        done_a, done_b = at_a + 1, at_b + 1
    yield from _left_over(a, b, range(done_a, span_a[1]), range(done_b, span_b[1]))


def _left_over(a: _Lines, b: _Lines, lines_a: range, lines_b: range) -> Iterator[Row]:
    """As many on both sides pair one to one; an empty text pairs with the first line."""
    if len(lines_a) != len(lines_b) and not (a.empty or b.empty):
        yield from (Row(RowKind.REMOVED, baseline=a.whole(at)) for at in lines_a)
        yield from (Row(RowKind.ADDED, variant=b.whole(at)) for at in lines_b)
        return
    for at_a, at_b in zip_longest(lines_a, lines_b):
        if at_a is None:
            yield Row(RowKind.ADDED, variant=b.whole(at_b))
        elif at_b is None:
            yield Row(RowKind.REMOVED, baseline=a.whole(at_a))
        else:
            yield _changed(a, b, at_a, at_b)


def _changed(a: _Lines, b: _Lines, at_a: int, at_b: int) -> Row:
    changed_a, changed_b = changed_words(a.texts[at_a], b.texts[at_b])
    return Row(RowKind.CHANGED, a.side(at_a, changed_a), b.side(at_b, changed_b))


def _similar(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of similar lines, in order on both sides."""
    if not a or not b or len(a) == len(b) == 1:
        return []
    likeness = _Likeness()
    return (_best if len(a) * len(b) <= _PAIRS else _nearest)(a, b, likeness)


def _best(a: Sequence[str], b: Sequence[str], likeness: _Likeness) -> list[tuple[int, int]]:
    """The pairs that are the most alike in all."""
    scores = [[likeness(line, other) for other in b] for line in a]
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            pair = scores[i][j] + best[i + 1][j + 1] if scores[i][j] else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], pair)
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if scores[i][j] and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _nearest(a: Sequence[str], b: Sequence[str], likeness: _Likeness) -> list[tuple[int, int]]:
    """Each line with the first similar one near by; for blocks too long to compare all with all."""
    pairs: list[tuple[int, int]] = []
    free = 0
    for number, line in enumerate(a):
        for other in range(free, min(free + _NEAR, len(b))):
            if likeness(line, b[other]):
                pairs.append((number, other))
                free = other + 1
                break
    return pairs


class _Likeness:
    """How alike two lines are, 0 if not enough to be a pair; all 0 once its effort is spent."""

    def __init__(self) -> None:
        self._left = _EFFORT

    def __call__(self, line: str, other: str) -> float:
        short, long = sorted((line, other), key=len)
        if not short or not self._spend(len(long)):
            return 0.0
        if len(short) >= _SHORT and contained_at(short, long) >= 0:
            return _ALIKE + (1 - _ALIKE) * len(short) / len(long)
        could_be_alike = 2 * len(short) >= _ALIKE * (len(short) + len(long))
        if not could_be_alike or not self._spend(len(short) * len(long) // 64):
            return 0.0
        return Indel.normalized_similarity(line, other, score_cutoff=_ALIKE)

    def _spend(self, steps: int) -> bool:
        """Whether so many steps are left; they are spent then."""
        if steps > self._left:
            return False
        self._left -= steps
        return True
