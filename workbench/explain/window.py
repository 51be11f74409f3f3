"""Which part of a turn an adapter reads, found by moving one phrase through turns of many shapes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from workbench.core.decision import Decision
from workbench.core.turn import Turn
from workbench.explain.asking import Given
from workbench.explain.smallest import OutOfCalls
from workbench.explain.window_belief import Belief, Candidate
from workbench.explain.window_hypotheses import Hypothesis, hypotheses
from workbench.explain.window_placements import Layouts, Placement
from workbench.explain.window_readers import NEVER

__all__ = ["Ask", "Found", "Inferred", "Observed", "Unknown", "infer"]

Ask = Callable[[Turn], Awaitable[Given]]
"""One call. May raise what `explain.asking.Asker.ask` raises."""

_CHECKS = 24
"""Placements asked once the answer stands, chosen so that it could fail."""

_EACH = 2
"""Placements of either kind, read and not read, below which an answer is not called sure."""

_AGAIN = 6
"""Placements asked a second time, for an adapter that answers one turn in two ways."""

_IDLE = 6
"""Answers, one after another, that exclude nothing: then what is still possible cannot be told apart."""

_FAILED = 0.2
"""The share of calls without an answer above which nothing is concluded."""


class Unknown(StrEnum):
    """Why a window is not known."""

    NO_PHRASE = "no phrase is known that it answers in another way than neutral text"
    UNSTEADY = "one turn is answered in different ways"
    CONTRADICTED = "no way of reading that is looked into fits the answers"
    SEVERAL = "several ways of reading fit the answers"
    BUDGET = "the calls allowed are used up"
    UNANSWERED = "too many calls have no answer"


@dataclass(frozen=True, slots=True)
class Observed:
    """One placement and what came of it. `read` None: no answer, or one that tells nothing.

    `check`: it was asked when the answer stood already, and could have contradicted it.
    """

    placement: Placement
    read: bool | None
    check: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One way of reading that fits. Its N lies in [low, high); both None where it has none."""

    hypothesis: Hypothesis
    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        return self.hypothesis.says(self.number)

    @property
    def number(self) -> str:
        """N as far as it is known."""
        if self.low is None or self.high is None:
            return ""
        return f"{self.low:,}" if self.high - self.low == 1 else f"{self.low:,} to {self.high - 1:,}"


@dataclass(frozen=True, slots=True)
class Inferred:
    """What was found. `unknown` None: `found` holds the one answer. Else what is left of the ways, or of
    the contradicted ones the nearest.

    `agree` counts the placements that came out as the first of `found` foretells, `against` are those that
    did not; `steady` and `unsteady` count those that were asked twice.
    """

    phrase: str
    filler: str
    found: tuple[Found, ...]
    unknown: Unknown | None
    observed: tuple[Observed, ...]
    agree: int = 0
    against: tuple[Placement, ...] = ()
    steady: int = 0
    unsteady: int = 0

    @property
    def checks(self) -> tuple[int, int]:
        """Placements that could have contradicted the answer once it stood: those read, and those not."""
        asked = [one.read for one in self.observed if one.check]
        return asked.count(True), asked.count(False)

    @property
    def weak(self) -> bool:
        """Whether nearly all came out alike, which says little: an adapter may always answer so."""
        reads = [one.read for one in self.observed]
        return min(reads.count(True), reads.count(False)) < _EACH


async def infer(ask: Ask, layouts: Layouts, tells: Tells, pool: Sequence[Placement]) -> Inferred:
    """Infers a window. `pool` are the placements to choose from, beside those that the search makes.

    Every question is the one whose answer tells most about what is still possible. Raises what `ask`
    raises, but for OutOfCalls.
    """
    search = _Search(ask, layouts, tells, pool)
    try:
        await search.explore()
        await search.check()
        await search.again()
    except OutOfCalls:
        return search.result(out=True)
    return search.result()


@dataclass(frozen=True, slots=True)
class Tells:
    """Tells from a decision whether the phrase was read, by what the phrase and the filler come to alone."""

    phrase: Decision
    filler: Decision

    def __call__(self, decision: Decision) -> bool | None:
        """None: it is like neither."""
        if decision.identity() == self.filler.identity():
            return False
        if decision.identity() == self.phrase.identity():
            return True
        # A router that holds what stands in prose has read it.
        own = set(self.phrase.tools) - set(self.filler.tools)
        if own & set(decision.tools):
            return True
        told = (decision.outcome, sorted(set(decision.tools)))
        if told == (self.filler.outcome, sorted(set(self.filler.tools))):
            return False
        return True if told == (self.phrase.outcome, sorted(set(self.phrase.tools))) else None


@dataclass
class _Search:
    """`observed` grows with every placement; `belief` with every answer that tells something."""

    ask: Ask
    layouts: Layouts
    tells: Tells
    pool: Sequence[Placement]
    observed: dict[Turn, Observed] = field(default_factory=dict)
    steady: int = 0
    unsteady: int = 0

    def __post_init__(self) -> None:
        self.belief = Belief.over(hypotheses(), self.layouts.phrase)

    async def explore(self) -> None:
        """Until no answer would tell anything about what is possible, or nothing is."""
        await self._observe(self.layouts.alone())
        idle = 0
        while self.belief.alive and idle < _IDLE:
            placement = self.belief.best(self._open(), self.layouts, self.observed)
            if placement is None:
                return
            before = self.belief.state
            await self._observe(placement)
            idle = idle + 1 if self.belief.state == before else 0

    async def check(self) -> None:
        """Placements that the answer foretells, of as many layouts as there are, read and unread in turn."""
        waiting = self._foretold()
        for _ in range(_CHECKS):
            if not waiting or not self.belief.alive:
                return
            await self._observe(waiting.pop(0), check=True)

    async def again(self) -> None:
        """Some placements a second time, the last ones first."""
        asked = [one for one in self.observed.values() if one.read is not None]
        read = [one for one in asked if one.read][::-1]
        unread = [one for one in asked if not one.read][::-1]
        for one in [*read[: _AGAIN // 2], *unread[: _AGAIN // 2]]:
            given = await self.ask(one.placement.turn)
            if given.decision is not None:
                same = self.tells(given.decision) == one.read
                self.steady += same
                self.unsteady += not same

    def result(self, *, out: bool = False) -> Inferred:
        """What there is so far. `out`: the calls ran out before the end."""
        found = [_found(candidate) for candidate in self.belief.alive] or self._nearest()
        unknown = self._unknown(out)
        agree, against = self._counts(found[0])
        if unknown in (Unknown.UNSTEADY, Unknown.UNANSWERED):
            found = []
        return Inferred(
            self.layouts.phrase,
            self.layouts.filler.name,
            tuple(found[:1] if unknown is None else found),
            unknown,
            tuple(self.observed.values()),
            agree,
            against,
            self.steady,
            self.unsteady,
        )

    def _unknown(self, out: bool) -> Unknown | None:
        failed = sum(one.error is not None for one in self.observed.values())
        alive = self.belief.alive
        if self.unsteady:
            return Unknown.UNSTEADY
        if failed > _FAILED * len(self.observed):
            return Unknown.UNANSWERED
        if not alive:
            return Unknown.CONTRADICTED
        if out:
            return Unknown.BUDGET
        return None if len(alive) == 1 else Unknown.SEVERAL

    def _open(self) -> list[Placement]:
        return [placement for placement in self.pool if placement.turn not in self.observed]

    def _foretold(self) -> list[Placement]:
        """In turn read and not read, each time of the layout that was had least."""
        sides: dict[bool, list[Placement]] = {True: [], False: []}
        for placement in self._open():
            foretold = self.belief.predicts(placement)
            if foretold is not None:
                sides[foretold].append(placement)
        had = dict.fromkeys((placement.layout for placement in self.pool), 0)
        ordered: list[Placement] = []
        while sides[True] or sides[False]:
            for side in sides.values():
                if side:
                    chosen = min(side, key=lambda placement: had[placement.layout])
                    had[chosen.layout] += 1
                    side.remove(chosen)
                    ordered.append(chosen)
        return ordered

    async def _observe(self, placement: Placement, *, check: bool = False) -> None:
        given = await self.ask(placement.turn)
        if given.decision is None:
            given = await self.ask(placement.turn)
        read = self.tells(given.decision) if given.decision is not None else None
        self.observed[placement.turn] = Observed(placement, read, check, given.error)
        if read is not None:
            self.belief.take(placement, read)

    def _nearest(self) -> list[Found]:
        """The way of reading that the fewest answers contradict, with the N that does best.

        A share of those that were read counts as much as the same share of those that were not: a way
        that reads nothing at all is not near.
        """
        told = [(one.placement, one.read) for one in self.observed.values() if one.read is not None]
        of = {read: sum(other == read for _, other in told) or 1 for read in (True, False)}
        best, least = self.belief.candidates[0], NEVER
        for candidate in self.belief.candidates:
            needs = [(self.belief.needs(candidate, placement), read) for placement, read in told]
            tried = {candidate.hypothesis.least, *(low for (low, _), _ in needs if 0 < low < NEVER)}
            for n in sorted(tried) if candidate.hypothesis.unit else (0,):
                wrong = sum(1 / of[read] for (low, high), read in needs if (n < low if read else n >= high))
                if wrong < least:
                    best, least = Candidate(candidate.hypothesis, n, n + 1), wrong
        return [_found(best)]

    def _counts(self, found: Found) -> tuple[int, tuple[Placement, ...]]:
        """How many of the answers are as that way of reading has it, and those that are not."""
        high = NEVER if found.high is None else found.high
        standing = Candidate(found.hypothesis, found.low or 0, high)
        agree = 0
        against: list[Placement] = []
        for one in self.observed.values():
            foretold = standing.predicts(self.belief.needs(standing, one.placement))
            if one.read is None or foretold is None:
                continue
            if foretold == one.read:
                agree += 1
            else:
                against.append(one.placement)
        return agree, tuple(against)


def _found(candidate: Candidate) -> Found:
    if candidate.hypothesis.unit is None:
        return Found(candidate.hypothesis)
    return Found(candidate.hypothesis, int(candidate.low), int(candidate.high))
