"""The words in which two lines differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from workbench.compare.runs import EqualRun, equal_runs
from workbench.core.decision import Span

__all__ = ["changed_words", "contained_at"]

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_WORD = re.compile(r"\w")

# Below the first share of equal characters a pair is mostly different; it is marked as a whole,
# unless the shorter side stands in the longer one in a few pieces.
_ALIKE = 0.5
_HELD = 0.75
_FEW_PIECES = 3

_TRIES = 1_000  # places at which a part is looked at

Spans = tuple[Span, ...]


def changed_words(baseline: str, variant: str) -> tuple[Spans, Spans]:
    """Spans of words, white space and other characters that differ; what lies between is equal.

    One span for a whole line where the two are mostly different.
    """
    if baseline == variant:
        return (), ()
    a, b = _TOKEN.findall(baseline), _TOKEN.findall(variant)
    runs = _contained(baseline, variant, a, b) or list(_solid(equal_runs(a, b), a, b))
    if not _worth_marking(runs, a, b):
        return _whole(baseline), _whole(variant)
    return _others(a, [(run.baseline, run.length) for run in runs]), _others(
        b, [(run.variant, run.length) for run in runs]
    )


def contained_at(part: str, whole: str) -> int:
    """Where `part` stands in `whole` with no word of either cut; -1 where it does not."""
    at = whole.find(part)
    for _ in range(_TRIES):
        if at < 0 or (_edge(whole, at) and _edge(whole, at + len(part))):
            return at
        at = whole.find(part, at + 1)
    return -1


def _edge(text: str, at: int) -> bool:
    return not (0 < at < len(text) and _WORD.match(text[at - 1]) and _WORD.match(text[at]))


def _contained(baseline: str, variant: str, a: Sequence[str], b: Sequence[str]) -> list[EqualRun]:
    """One side in one piece in the other: told apart from the same words scattered over it."""
    part, whole = (baseline, variant) if len(baseline) < len(variant) else (variant, baseline)
    if not _WORD.search(part):
        return []
    at = contained_at(part, whole)
    if at < 0:
        return []
    tokens = b if whole is variant else a
    starts = {start: number for number, start in enumerate(accumulate(map(len, tokens), initial=0))}
    number, end = starts.get(at), starts.get(at + len(part))
    if number is None or end is None:  # a run of white space is cut
        return []
    return [EqualRun(0, number, len(a)) if whole is variant else EqualRun(number, 0, len(b))]


def _solid(runs: Sequence[EqualRun], a: Sequence[str], b: Sequence[str]) -> Iterator[EqualRun]:
    """Without the runs that hold no word between two changes: they only break up what is marked."""
    for run in runs:
        inside = (run.baseline, run.variant) != (0, 0) and (
            run.baseline + run.length,
            run.variant + run.length,
        ) != (len(a), len(b))
        if not inside or any(map(_WORD.match, a[run.baseline : run.baseline + run.length])):
            yield run


def _worth_marking(runs: Sequence[EqualRun], a: Sequence[str], b: Sequence[str]) -> bool:
    size_a, size_b = _ink(a), _ink(b)
    equal = sum(_ink(a[run.baseline : run.baseline + run.length]) for run in runs)
    if 2 * equal >= _ALIKE * (size_a + size_b):
        return True
    return len(runs) <= _FEW_PIECES and equal >= _HELD * min(size_a, size_b) and equal > 0


def _ink(tokens: Sequence[str]) -> int:
    """Characters that are not white space."""
    return sum(len(token) for token in tokens if not token.isspace())


def _whole(line: str) -> Spans:
    return ((0, len(line)),) if line else ()


def _others(tokens: Sequence[str], equal: Sequence[tuple[int, int]]) -> Spans:
    """Spans of all tokens that are in none of the equal runs."""
    starts = list(accumulate(map(len, tokens), initial=0))
    spans: list[Span] = []
    done = 0
    for first, length in (*equal, (len(tokens), 0)):
        if starts[first] > starts[done]:
            spans.append((starts[done], starts[first]))
        done = first + length
    return tuple(spans)
