"""What is still possible after some answers, and which question splits that best."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from workbench.core.turn import Turn
from workbench.explain.window_hypotheses import Hypothesis
from workbench.explain.window_placements import Layouts, Placement
from workbench.explain.window_readers import Needs

__all__ = ["Belief", "Candidate"]

_WIDE = 2.0
"""An interval whose ends are further apart than this is halved by ratio, else by difference."""


@dataclass(slots=True)
class Candidate:
    """A hypothesis that no answer contradicts yet: its N lies in [low, high)."""

    hypothesis: Hypothesis
    low: float
    high: float

    @property
    def alive(self) -> bool:
        return self.low < self.high

    @property
    def settled(self) -> bool:
        """Whether nothing is left to find: it has no N, or N is known."""
        return self.hypothesis.unit is None or self.high - self.low <= 1

    def middle(self) -> int:
        """An N that halves the interval, which is not settled."""
        if self.high > _WIDE * self.low:
            return min(max(round(math.sqrt(self.low * self.high)), int(self.low) + 1), int(self.high) - 1)
        return int(self.low + self.high) // 2

    def chances(self, needs: Needs) -> tuple[float, float]:
        """That a placement with these needs is surely read if this is right, and that it is open."""
        if self.hypothesis.unit is None:
            return (0.0, 1.0) if needs[0] < needs[1] else (float(needs[0] == 0), 0.0)
        sure = self._share(needs[1])
        return sure, 0.0 if needs[0] == needs[1] else self._share(needs[0]) - sure

    def _share(self, need: float) -> float:
        """How likely N is at least that: it is as likely at any ratio."""
        if need <= self.low:
            return 1.0
        if need >= self.high:
            return 0.0
        return math.log(self.high / need) / math.log(self.high / max(self.low, 1))

    def predicts(self, needs: Needs) -> bool | None:
        """Whether it is read; None where that is open."""
        if self.low >= needs[1]:
            return True
        return False if self.high <= needs[0] else None

    def take(self, needs: Needs, read: bool) -> None:
        """An answer: what cannot be any more is dropped."""
        if read:
            self.low = max(self.low, needs[0])
        else:
            self.high = min(self.high, needs[1])


@dataclass(slots=True)
class Belief:
    """All candidates, and those of them that are alive, under the answers so far."""

    phrase: str
    candidates: Sequence[Candidate]
    _needs: dict[tuple[int, Placement], Needs] = field(default_factory=dict)
    _made: dict[tuple[str, int], tuple[Placement, ...]] = field(default_factory=dict)

    @classmethod
    def over(cls, hypotheses: Iterable[Hypothesis], phrase: str) -> Belief:
        """Where nothing is known yet."""
        return cls(phrase, [Candidate(one, one.least_for(phrase), one.limit) for one in hypotheses])

    @property
    def alive(self) -> list[Candidate]:
        """The most likely first."""
        left = [candidate for candidate in self.candidates if candidate.alive]
        return sorted(left, key=lambda candidate: -candidate.hypothesis.weight)

    @property
    def state(self) -> tuple[tuple[float, float], ...]:
        """What is possible, for telling whether an answer has changed it."""
        return tuple((candidate.low, candidate.high) for candidate in self.candidates)

    def needs(self, candidate: Candidate, placement: Placement) -> Needs:
        """What the candidate needs to read the phrase there."""
        key = (id(candidate.hypothesis), placement)
        if key not in self._needs:
            self._needs[key] = candidate.hypothesis.needs(placement.turn, self.phrase)
        return self._needs[key]

    def take(self, placement: Placement, read: bool) -> None:
        """One answer."""
        for candidate in self.candidates:
            if candidate.alive:
                candidate.take(self.needs(candidate, placement), read)

    def predicts(self, placement: Placement) -> bool | None:
        """What all that is alive says alike of a placement; None where they differ or it is open."""
        said = {candidate.predicts(self.needs(candidate, placement)) for candidate in self.alive}
        return said.pop() if len(said) == 1 else None

    def best(self, pool: Iterable[Placement], layouts: Layouts, asked: Container[Turn]) -> Placement | None:
        """The placement not asked yet whose answer tells most; None where none would tell anything.

        Beside `pool` it may be one that halves the place of an N.
        """
        alive = self.alive
        best, most = None, 0.001
        for placement in (*pool, *self._halving(alive, layouts)):
            if placement.turn in asked:
                continue
            told = self._told(alive, placement)
            if told > most:
                best, most = placement, told
        return best

    def _told(self, alive: Sequence[Candidate], placement: Placement) -> float:
        """How many bits the answer would be worth, of the one that there are at most."""
        total = read = silent = 0.0
        for candidate in alive:
            needs, weight = self.needs(candidate, placement), candidate.hypothesis.weight
            sure, maybe = candidate.chances(needs)
            total += weight
            read += weight * (sure + maybe / 2)
            silent += weight * maybe  # whichever it is, this candidate stays as it was
        return _entropy(read / total) - silent / total

    def _halving(self, alive: Sequence[Candidate], layouts: Layouts) -> list[Placement]:
        wanted = {(c.hypothesis.part, n): c.hypothesis for c in alive for n in _halves(c)}
        for (part, n), hypothesis in wanted.items():
            if (part, n) not in self._made:
                self._made[part, n] = tuple(hypothesis.probes(layouts, n))
        made = (placement for key in wanted for placement in self._made[key])
        return list({placement.turn: placement for placement in made}.values())


def _halves(candidate: Candidate) -> Iterator[int]:
    """The N to ask about: the middle, and the ends, where another kind of words tells units apart."""
    if candidate.hypothesis.unit is None:
        return
    if not candidate.settled:
        yield candidate.middle()
    yield int(candidate.low)
    yield int(candidate.high)


def _entropy(chance: float) -> float:
    if not 0 < chance < 1:
        return 0.0
    return -chance * math.log2(chance) - (1 - chance) * math.log2(1 - chance)
