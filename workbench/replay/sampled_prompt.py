"""One prompt and an adapter that samples: which members of its blocks are drawn, wanted, and done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from workbench.compare.blocks import Members, Progress, block_of, draw_of, redraw_of
from workbench.core.cell import BARE, CellKey, Delivery
from workbench.core.scenario import Samples
from workbench.core.trial import Trial
from workbench.replay.identity import seed_of
from workbench.replay.schedule import PlannedTrial

__all__ = ["SampledPrompt"]


class _Member:
    """One cell. `tried` are the blocks it was drawn for, `waiting` the indexes that are to be drawn again."""

    def __init__(self, blocks: int, trials: Iterable[Trial]) -> None:
        self.members = Members(blocks)
        self.tried: set[int] = set()
        self.waiting: set[int] = set()
        self.flying = 0
        self.told = False
        last: dict[int, Trial] = {}
        for trial in trials:
            self.members.add(trial)
            block = block_of(trial.index, blocks)
            if block not in last or draw_of(trial.index, blocks) > draw_of(last[block].index, blocks):
                last[block] = trial
        self.tried.update(last)
        for trial in last.values():
            self.note(trial)

    def note(self, trial: Trial) -> int | None:
        """What a trial leaves to be drawn again."""
        again = redraw_of(trial.index, self.members.most)
        if again is None or self.members.done(block_of(trial.index, self.members.most)):
            return None
        self.waiting.add(again)
        return again

    def first_lacking(self) -> int | None:
        """The first index that was not drawn and could be."""
        if self.waiting:
            return min(self.waiting)
        return next((block for block in range(self.members.most) if block not in self.tried), None)


class Taken(NamedTuple):
    """What a result changes: the draw that replaces a failed one, and the cells that are whole by it."""

    again: PlannedTrial | None
    whole: tuple[CellKey, ...]


class SampledPrompt:
    """`m` says of each arm how many it is judged together with. `done` are trials of earlier sessions.

    An arm is drawn until it is settled, and bare as long as one arm is; without any, to the last block.
    `left`: how many results are still to come at most, if no draw fails.
    """

    def __init__(
        self,
        deliveries: Sequence[Delivery],
        m: Mapping[CellKey, int],
        done: Mapping[CellKey, Sequence[Trial]],
    ) -> None:
        self.keys = tuple(delivery.key for delivery in deliveries)
        self.blocks = (deliveries[0].samples or Samples()).max
        self._cells = {key: _Member(self.blocks, done.get(key, ())) for key in self.keys}
        self._closed = False
        bare = next((cell.members for key, cell in self._cells.items() if key.arm == BARE), None)
        self._arms = {
            delivery.key: Progress(delivery, bare, self._cells[delivery.key].members, m.get(delivery.key, 1))
            for delivery in deliveries
            if delivery.key.arm != BARE
        }
        self._has_bare = bare is not None
        self._settled = {key for key, arm in self._arms.items() if arm.settled}
        self._left = {key: self._left_of(key) for key in self.keys}
        self.left = sum(self._left.values())

    def is_open(self, key: CellKey) -> bool:
        """Whether more draws of that cell are wanted."""
        if self._closed or key in self._settled:
            return False
        if key.arm != BARE:
            return True
        return len(self._settled) < len(self._arms) if self._arms else not self._cells[key].members.whole

    def whole(self) -> tuple[CellKey, ...]:
        """The cells of which nothing is to come, asked before the first draw."""
        return self._newly_whole(self.keys)

    @property
    def open_cells(self) -> int:
        """How many cells want more draws."""
        return sum(self.is_open(key) for key in self.keys)

    @property
    def read(self) -> int | None:
        """So many blocks of every open arm were held against bare; None where that can end none."""
        if not self._has_bare:
            return None
        return min((arm.blocks for key, arm in self._arms.items() if key not in self._settled), default=None)

    def draws(self, block: int) -> Iterator[PlannedTrial]:
        """The members of a block that are wanted when their turn comes, in an order of its own."""
        for key in sorted(self.keys, key=lambda key: seed_of(key, -1 - block)):
            if block not in self._cells[key].tried and self.is_open(key):
                yield PlannedTrial(key, block, seed_of(key, block))

    def lacking(self) -> Iterator[PlannedTrial]:
        """What failed draws of earlier sessions leave to be drawn again."""
        for key, cell in self._cells.items():
            for index in sorted(cell.waiting):
                yield PlannedTrial(key, index, seed_of(key, index))

    def give(self, planned: PlannedTrial) -> None:
        """A draw is made."""
        cell = self._cells[planned.key]
        cell.tried.add(block_of(planned.index, self.blocks))
        cell.waiting.discard(planned.index)
        cell.flying += 1
        self._count((planned.key,))

    def take_back(self, planned: PlannedTrial) -> None:
        """A draw was not made after all."""
        cell = self._cells[planned.key]
        cell.waiting.add(planned.index)
        cell.flying -= 1
        self._count((planned.key,))

    def take(self, key: CellKey, trial: Trial) -> Taken:
        """The result of a draw."""
        cell = self._cells[key]
        cell.flying -= 1
        cell.members.add(trial)
        again = cell.note(trial)
        settled = len(self._settled)
        for arm in self._arms if key.arm == BARE else (key,):
            self._arms[arm].update()
            if self._arms[arm].settled:
                self._settled.add(arm)
        changed = (key,) if len(self._settled) == settled else self.keys
        self._count(changed)
        return Taken(
            None if again is None else PlannedTrial(key, again, seed_of(key, again)),
            self._newly_whole(changed),
        )

    def close(self) -> tuple[PlannedTrial, ...]:
        """No more draws; returns one for each cell that lacks some."""
        lacking = [(key, cell.first_lacking()) for key, cell in self._cells.items() if self.is_open(key)]
        self._closed = True
        self._count(self.keys)
        return tuple(
            PlannedTrial(key, index, seed_of(key, index)) for key, index in lacking if index is not None
        )

    def _newly_whole(self, keys: Sequence[CellKey]) -> tuple[CellKey, ...]:
        whole = tuple(key for key in keys if not self._left[key] and not self._cells[key].told)
        for key in whole:
            self._cells[key].told = True
        return whole

    def _count(self, keys: Sequence[CellKey]) -> None:
        for key in keys:
            left = self._left_of(key)
            self.left += left - self._left[key]
            self._left[key] = left

    def _left_of(self, key: CellKey) -> int:
        cell = self._cells[key]
        if not self.is_open(key):
            return cell.flying
        return cell.flying + len(cell.waiting) + self.blocks - len(cell.tried)
