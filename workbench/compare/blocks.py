"""Trials of bare and an arm in blocks of one each, and the evidence that grows with every block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from workbench.compare.events import Event, declared_event
from workbench.core.cell import BARE, Cell, CellKey, Delivery
from workbench.core.decision import Decision
from workbench.core.relation import Relation
from workbench.core.trial import Trial
from workbench.stats.sequential import EProcess

__all__ = [
    "ALPHA",
    "DRAWS",
    "Family",
    "Members",
    "Progress",
    "block_of",
    "draw_of",
    "families",
    "most_of",
    "redraw_of",
]

ALPHA = 0.05
"""How often one scenario, adapter and event may raise a false alarm."""

DRAWS = 4
"""How often a member of a block is drawn at most: once, and three times more where it failed."""


def block_of(index: int, most: int) -> int:
    """The block of the trial of that index, of a cell with `most` blocks. Both count from 0."""
    return index % most


def draw_of(index: int, most: int) -> int:
    """Which draw within its block the trial is: 0 is the first."""
    return index // most


def redraw_of(index: int, most: int) -> int | None:
    """The index of the draw that replaces a failed one; None where its block is given up."""
    return index + most if draw_of(index, most) + 1 < DRAWS else None


def most_of(cell: Cell) -> int:
    """How many blocks the cell was planned to have; of a cell without a plan, as many as it has."""
    if cell.delivery.samples is not None:
        return cell.delivery.samples.max
    return max((trial.index + 1 for trial in cell.trials), default=1)


class Members:
    """The members of the blocks that belong to one cell: answered, lost, or still to come.

    `draws`: how often one is drawn before it is lost.
    """

    def __init__(self, most: int, trials: Iterable[Trial] = (), draws: int = DRAWS) -> None:
        self.most = most
        self.draws = draws
        self._drawn: dict[int, Decision | None] = {}
        for trial in trials:
            self.add(trial)

    @classmethod
    def of(cls, cell: Cell) -> Members:
        """Those of a cell whose trials are there; without a plan nothing is drawn again."""
        return cls(most_of(cell), cell.trials, DRAWS if cell.delivery.samples else 1)

    def add(self, trial: Trial) -> None:
        """A trial, in any order. The answer of a block is its first ok one; failures wait for a redraw."""
        block = block_of(trial.index, self.most)
        if trial.ok and trial.decision is not None:
            if self._drawn.get(block) is None:
                self._drawn[block] = trial.decision
        elif draw_of(trial.index, self.most) + 1 >= self.draws:
            self._drawn.setdefault(block, None)

    def done(self, block: int) -> bool:
        """Whether no trial of that block is still to come."""
        return block in self._drawn

    def answer(self, block: int) -> Decision | None:
        """None: lost, or still to come."""
        return self._drawn.get(block)

    @property
    def whole(self) -> bool:
        """Whether every block is done."""
        return len(self._drawn) == self.most


class Progress:
    """The evidence that one arm's rate differs from bare's, over the blocks that both have finished.

    Blocks are read in their order, and none before all earlier ones are done: answers that call a tool
    take longer than others, and would else come late. `crossed`: after how many blocks the evidence was
    enough; from then on it stays as it is. `bare` None: there is no bare turn to hold the arm against.
    """

    def __init__(self, delivery: Delivery, bare: Members | None, variant: Members, m: int = 1) -> None:
        self.event: Event = declared_event(delivery)
        self.threshold = m / ALPHA
        self.m = m
        self.blocks = 0
        self.lost = 0
        self.crossed: int | None = None
        self._bare, self._variant = bare, variant
        self._known: set[str] = set()
        self._evidence = EProcess(rise=delivery.relation is not Relation.EQUAL)
        self.update()

    @property
    def e(self) -> float:
        """The evidence so far: 1 is none."""
        return self._evidence.value

    @property
    def pairs(self) -> int:
        """Blocks that count: both members answered."""
        return self._evidence.pairs

    @property
    def settled(self) -> bool:
        """Whether no further trial of this arm is wanted: enough evidence, or all blocks done."""
        return self.crossed is not None or (
            self._variant.whole and (self._bare is None or self.blocks == self._variant.most)
        )

    def update(self) -> None:
        """Reads the blocks that were finished since. Cheap where there is none."""
        if self._bare is None:
            return
        while self.crossed is None and self.blocks < self._variant.most:
            if not (self._bare.done(self.blocks) and self._variant.done(self.blocks)):
                return
            self._read(self._bare.answer(self.blocks), self._variant.answer(self.blocks))

    def _read(self, ours: Decision | None, theirs: Decision | None) -> None:
        self.blocks += 1
        if ours is None or theirs is None:
            self.lost += 1  # a failure equals nothing, another failure neither
        else:
            self._evidence.add(
                self.event.happened(ours, self._known), self.event.happened(theirs, self._known)
            )
        if ours is not None:
            self._known.update(ours.called)  # what is new is said before the block it is asked of
        if self.e >= self.threshold:
            self.crossed = self.blocks


@dataclass(frozen=True, slots=True)
class Family:
    """The arms that one scenario and adapter hold against bare by one declared event."""

    scenario: str
    adapter: str
    event: str
    m: int


def families(deliveries: Iterable[Delivery]) -> Mapping[CellKey, Family]:
    """The family of every arm that has a bare turn to be held against. Take those of sampled cells only."""
    deliveries = tuple(deliveries)
    bare = {_prompt_of(d.key) for d in deliveries if d.key.arm == BARE}
    members: dict[tuple[str, str, str], list[CellKey]] = {}
    for delivery in deliveries:
        key = delivery.key
        if key.arm != BARE and _prompt_of(key) in bare:
            group = (key.scenario, key.adapter, declared_event(delivery).name)
            members.setdefault(group, []).append(key)
    return dict(_each(members))


def _each(
    members: Mapping[tuple[str, str, str], list[CellKey]],
) -> Iterator[tuple[CellKey, Family]]:
    for (scenario, adapter, event), keys in members.items():
        family = Family(scenario, adapter, event, len(keys))
        for key in keys:
            yield key, family


def _prompt_of(key: CellKey) -> tuple[str, str, str]:
    return (key.scenario, key.prompt, key.adapter)
