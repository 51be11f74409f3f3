"""The smallest part of a whole that still does what the whole does, in few questions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial
from typing import Generic, TypeVar

__all__ = ["OutOfCalls", "Question", "narrowed", "shortest_run", "smallest"]

T = TypeVar("T", bound=Hashable)

Question = Callable[[Sequence[T]], Awaitable[bool]]
"""Whether these parts, in their order, still do it."""


class OutOfCalls(Exception):
    """The budget is used up in the middle of a search."""


async def smallest(
    parts: Sequence[T], holds: Question[T], better: Callable[[Sequence[T]], None] = lambda parts: None
) -> tuple[T, ...]:
    """A subset of `parts` that holds and is 1-minimal: without any one of its members it does not.

    `parts` as a whole must hold. `better` is told each smaller set that was seen to hold, so that something
    is there when `holds` raises OutOfCalls.

    A cause is most often one run of neighbours, so its two ends are looked for first, each by halving: about
    2 log2(n) questions, and both ends belong to it. What lies between is searched in the same way. This is
    right where more text never undoes the cause. Where it does (the set found does not hold), delta debugging
    goes on from the smallest set that did (Zeller and Hildebrandt, Simplifying and Isolating
    Failure-Inducing Input, IEEE TSE 28(2), 2002).
    """
    search = _Search[T](parts, holds, better)
    await search.by_halving()
    await search.by_chunks()
    return search.best


async def narrowed(
    parts: Sequence[T], holds: Question[T], better: Callable[[Sequence[T]], None] = lambda parts: None
) -> tuple[T, ...]:
    """A small subset of `parts` that holds, by the halving of `smallest` alone: for parts that are to be cut
    finer, of which it is not worth the questions to know that each one is needed.
    """
    search = _Search[T](parts, holds, better)
    await search.by_halving()
    return search.best


async def shortest_run(
    parts: Sequence[T], holds: Question[T], better: Callable[[Sequence[T]], None] = lambda parts: None
) -> tuple[T, ...]:
    """A run of neighbours that holds and that is shorter at neither end, where more never undoes it.

    About 2 log2(n) questions also where hundreds of parts are needed, as when their length is what counts.
    """
    search = _Search[T](parts, holds, better)
    await search.by_ends()
    return search.best


class _Search(Generic[T]):
    """`best` always holds."""

    def __init__(self, parts: Sequence[T], holds: Question[T], better: Callable[[Sequence[T]], None]) -> None:
        self.best: tuple[T, ...] = tuple(parts)
        self._holds = holds
        self._better = better

    async def by_halving(self) -> None:
        """Finds the members of a cause from its ends inwards."""
        left: list[T] = []
        right: list[T] = []
        between = self.best
        while between:
            if await self._keep((*left, *right)):
                return
            end = await self._first(partial(_ending, left, between, right), len(between))
            between = between[:end]
            right.insert(0, between[-1])
            between = between[:-1]
            if not between or await self._keep((*left, *right)):
                return
            n = len(between)
            kept = await self._first(partial(_beginning, left, between, right), n)
            between = between[n - kept :]
            left.append(between[0])
            between = between[1:]

    async def by_ends(self) -> None:
        """Takes away what can go behind, then what can go in front."""
        if await self._keep(()):
            return
        whole = self.best
        end = await self._first(partial(_ending, (), whole, ()), len(whole))
        whole = whole[:end]
        await self._first(partial(_beginning, (), whole, ()), len(whole))

    async def _first(self, made: Callable[[int], tuple[T, ...]], most: int) -> int:
        """The smallest count, from 1, whose set holds; that of `most` is known to."""
        low, high = 1, most
        while low < high:
            middle = (low + high) // 2
            if await self._keep(made(middle)):
                high = middle
            else:
                low = middle + 1
        return low

    async def by_chunks(self) -> None:
        """Delta debugging from `best`: takes chunks away, ever smaller ones, until no single one can go."""
        size = max(1, len(self.best) // 2) if len(self.best) > 8 else 1
        while self.best:
            if await self._without_one_chunk(size):
                size = min(size, max(1, len(self.best) // 2))
            elif size == 1:
                return
            else:
                size //= 2

    async def _without_one_chunk(self, size: int) -> bool:
        whole = self.best
        smaller = False
        start = 0
        while start < len(self.best):
            rest = (*self.best[:start], *self.best[start + size :])
            if await self._keep(rest):
                smaller = True
            else:
                start += size
        return smaller and self.best != whole

    async def _keep(self, parts: tuple[T, ...]) -> bool:
        """Asks; what holds and is smaller becomes the best."""
        if not await self._holds(parts):
            return False
        if len(parts) < len(self.best):
            self.best = parts
            self._better(parts)
        return True


def _ending(left: Sequence[T], between: Sequence[T], right: Sequence[T], count: int) -> tuple[T, ...]:
    """With the first `count` of what lies between."""
    return (*left, *between[:count], *right)


def _beginning(left: Sequence[T], between: Sequence[T], right: Sequence[T], count: int) -> tuple[T, ...]:
    """With the last `count` of what lies between."""
    return (*left, *between[len(between) - count :], *right)
