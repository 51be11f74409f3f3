"""Draws of an adapter that samples, and the sequential test by which a part is accepted or given up."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from math import log

from workbench.compare.blocks import ALPHA
from workbench.compare.events import Event
from workbench.core.cell import BARE
from workbench.core.turn import Turn
from workbench.explain.asking import Asker
from workbench.explain.explanation import Counted
from workbench.stats.sequential import EProcess

__all__ = ["BLOCKS", "Contest", "Draws", "Sampler"]

BLOCKS = 60
"""Draws of one delivery at most; what has not been shown by then is taken as not so."""

_GIVE_UP = 1 / 500
"""How likely a part as effective as the whole may be given up: the futility bound, by Wald."""

_REDRAWS = 3
_AT_ONCE = 4


@dataclass
class Draws:
    """The draws of one turn: whether the event happened; None where no draw of that block was answered."""

    turn: Turn
    arm: str
    results: list[bool | None] = field(default_factory=list)
    failed: int = 0

    @property
    def counted(self) -> Counted:
        answered = [result for result in self.results if result is not None]
        return Counted(sum(answered), len(answered), self.failed)

    @property
    def rate(self) -> float:
        """Never 0 or 1: half a draw is added either way."""
        counted = self.counted
        return (counted.k + 0.5) / (counted.n + 1)


class Sampler:
    """Draws, and remembers the draws of every turn."""

    def __init__(self, asker: Asker, event: Event) -> None:
        self._asker = asker
        self._event = event
        self._known: set[str] = set()
        self._draws: dict[Turn, Draws] = {}

    def of(self, turn: Turn, arm: str) -> Draws:
        """The draws of a turn, as many as there are."""
        return self._draws.setdefault(turn, Draws(turn, arm))

    async def fill(self, draws: Draws, count: int) -> None:
        """Draws until there are `count`. Raises what Asker raises; what came before it is kept."""
        while len(draws.results) < count:
            missing = min(count - len(draws.results), self._asker.together, _AT_ONCE)
            first = len(draws.results)
            if missing == 1:
                draws.results.append(await self._one(draws, first))
                continue
            came = await asyncio.gather(
                *(self._one(draws, first + number) for number in range(missing)), return_exceptions=True
            )
            for result in came:
                if isinstance(result, BaseException):
                    raise result
                draws.results.append(result)

    async def _one(self, draws: Draws, number: int) -> bool | None:
        for _ in range(1 + _REDRAWS):
            given = await self._asker.ask(draws.turn, draws.arm, number + 1)
            if given.decision is not None:
                if draws.arm == BARE:
                    self._known.update(given.decision.called)
                return self._event.happened(given.decision, self._known)
            draws.failed += 1
        return None


@dataclass
class Contest:
    """Whether a delivery is like one side rather than like the other: `near`, that it is held against.

    `m` is the number of such questions that a search asks: the evidence must be that much stronger.
    """

    sampler: Sampler
    near: Draws
    far: Draws
    m: int

    async def holds(self, candidate: Draws) -> tuple[bool, Counted]:
        """Draws until it is told. True only by the sequential test: its rate differs from the near one's
        towards the far one's.
        """
        if candidate is self.near or candidate is self.far:
            return candidate is self.far, candidate.counted
        near, far = self.near.rate, self.far.rate
        up = far > near
        evidence, ratio = EProcess(rise=True), 0.0
        holds = False
        for block in range(BLOCKS):
            await self.sampler.fill(candidate, block + 1)
            await self.sampler.fill(self.near, block + 1)
            ours, theirs = self.near.results[block], candidate.results[block]
            if ours is None or theirs is None:
                continue
            evidence.add(ours is up, theirs is up)
            ratio += log(far / near) if theirs else log((1 - far) / (1 - near))
            holds = ratio > 0 and evidence.value >= self.m / ALPHA
            if holds or ratio <= log(_GIVE_UP):
                break
        counted = candidate.counted
        return holds, Counted(counted.k, counted.n, counted.failed, evidence.value)
