"""What several sequences have in common, in order: the literals of a template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

__all__ = ["Run", "align", "shared_beginning"]

_LONG = 1_500
_RARE = 3
_FAR = 400


class Run(NamedTuple):
    """`text` stands in every sequence, in each from its place in `starts` on."""

    text: str
    starts: tuple[int, ...]


Accept = Callable[[str, Sequence[str]], bool]
"""Whether a run may be a literal within a gap, given what the gap holds in each sequence."""


def align(sequences: Sequence[str], accept: Accept, *, end_first: bool = False) -> list[Run]:
    """The runs that all sequences share, none overlapping: their common beginning and end, and of what is
    between, what `accept` takes; the heaviest first.

    `end_first`: what could be either is the end, not the beginning.
    """
    head = 0 if end_first else shared_beginning(sequences)
    tail = shared_beginning([sequence[head:][::-1] for sequence in sequences])
    if end_first:
        head = shared_beginning([sequence[: len(sequence) - tail] for sequence in sequences])
    first = sequences[0]
    inner = [sequence[head : len(sequence) - tail] for sequence in sequences]
    runs = [Run(first[:head], (0,) * len(sequences))] if head else []
    runs += [Run(run.text, tuple(start + head for start in run.starts)) for run in _within(inner, accept)]
    if tail:
        starts = tuple(len(sequence) - tail for sequence in sequences)
        runs.append(Run(first[len(first) - tail :], starts))
    return runs


def shared_beginning(texts: Sequence[str]) -> int:
    """How many characters all texts begin with."""
    first, last = min(texts), max(texts)
    return next(
        (number for number, (one, other) in enumerate(zip(first, last, strict=False)) if one != other),
        min(len(first), len(last)),
    )


def _within(sequences: Sequence[str], accept: Accept) -> list[Run]:
    """Without recursion: a gap after the other, from the left."""
    waiting: list[tuple[tuple[int, ...], Sequence[str]]] = [((0,) * len(sequences), sequences)]
    found: list[Run] = []
    while waiting:
        offsets, gap = waiting.pop()
        run = next((run for run in _common(gap) if accept(run, gap)), None)
        if run is None:
            continue
        starts = tuple(part.find(run) for part in gap)
        found.append(Run(run, tuple(map(sum, zip(offsets, starts, strict=True)))))
        ends = tuple(start + len(run) for start in starts)
        waiting.append((offsets, [part[:start] for part, start in zip(gap, starts, strict=True)]))
        waiting.append(
            (
                tuple(map(sum, zip(offsets, ends, strict=True))),
                [part[end:] for part, end in zip(gap, ends, strict=True)],
            )
        )
    return sorted(found, key=lambda run: run.starts[0])


def _common(sequences: Sequence[str]) -> Iterator[str]:
    """Runs that all have, the longest first."""
    base = min(sequences, key=len)
    if not base:
        return
    others = [sequence for sequence in dict.fromkeys(sequences) if sequence != base]
    is_long = len(base) > _LONG or max(map(len, sequences)) > _LONG
    found = _round_rare(base, sequences) if is_long else _all_runs(base, others)
    yield from sorted(dict.fromkeys(found), key=len, reverse=True)


def _all_runs(base: str, others: Sequence[str]) -> Iterator[str]:
    """From every place of `base` the longest run that all others have, if it goes further than the last."""
    end = 0
    for start in range(len(base)):
        end = max(end, start)
        grown = False
        while end < len(base) and all(base[start : end + 1] in other for other in others):
            end += 1
            grown = True
        if grown:
            yield base[start:end]


def _round_rare(base: str, sequences: Sequence[str]) -> Iterator[str]:
    """In long sequences only the runs round what comes a few times in each, and equally often in all."""
    counts = [Counter(sequence) for sequence in sequences]
    for letter, count in Counter(base).items():
        if count > _RARE or any(one[letter] != count for one in counts):
            continue
        places = [sequence.find(letter) for sequence in sequences]
        after = [sequence[place : place + _FAR] for sequence, place in zip(sequences, places, strict=True)]
        before = [
            sequence[max(0, place - _FAR) : place][::-1]
            for sequence, place in zip(sequences, places, strict=True)
        ]
        left, right = shared_beginning(before), shared_beginning(after)
        yield before[0][:left][::-1] + after[0][:right]
