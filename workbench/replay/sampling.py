"""The draws of an adapter that samples: block after block over all prompts, until every arm is settled."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush, heapreplace
from math import ceil

from workbench.compare.blocks import families
from workbench.core.cell import CellKey, Delivery
from workbench.core.trial import Trial
from workbench.replay.sampled_prompt import SampledPrompt
from workbench.replay.schedule import PlannedTrial

__all__ = ["Sampling"]


_AHEAD = 4
"""So many blocks, and three times what is under way of each cell, a prompt may be ahead of its evidence."""


class Sampling:
    """The first block of every prompt, then the second, so that a run cut short says something of each.

    What a failed draw leaves open comes first. Where one answer is long in coming, its prompt waits once
    it is some blocks ahead: they may not be wanted, and cost money; the other prompts go on. `at_once` is
    how many calls are made at a time. `done` are the trials of earlier sessions: none of them is drawn
    again, and what follows is what would have followed.
    """

    def __init__(
        self, deliveries: Sequence[Delivery], done: Mapping[CellKey, Sequence[Trial]], at_once: int = 1
    ) -> None:
        self._prompts = tuple(_prompts(deliveries, done))
        self._of = {key: at for at, prompt in enumerate(self._prompts) for key in prompt.keys}
        self._again = deque(planned for prompt in self._prompts for planned in prompt.lacking())
        self._turns = [(0, at) for at in range(len(self._prompts))]  # a heap: the lowest block first
        self._begun: dict[int, Iterator[PlannedTrial]] = {}
        self._held: dict[int, int] = {}
        self._at_once = at_once
        self._open = sum(prompt.open_cells for prompt in self._prompts)
        self._closed = False
        self.left = sum(prompt.left for prompt in self._prompts)

    def next(self) -> PlannedTrial | None:
        """See Schedule."""
        if self._closed:
            return None
        while self._again:
            planned = self._again.popleft()
            if self._prompt(planned.key).is_open(planned.key):
                return self._given(planned)
        fresh = self._fresh()
        return None if fresh is None else self._given(fresh)

    def whole(self) -> Sequence[CellKey]:
        """See Schedule."""
        return [key for prompt in self._prompts for key in prompt.whole()]

    def put_back(self, planned: PlannedTrial) -> None:
        """See Schedule."""
        self._prompt(planned.key).take_back(planned)
        self._again.appendleft(planned)

    def take(self, key: CellKey, trial: Trial) -> Sequence[CellKey]:
        """See Schedule."""
        at = self._of[key]
        prompt = self._prompts[at]
        left, wanted = prompt.left, prompt.open_cells
        again, whole = prompt.take(key, trial)
        if again is not None:
            self._again.append(again)
        self.left += prompt.left - left
        self._open += prompt.open_cells - wanted
        if at in self._held:
            heappush(self._turns, (self._held.pop(at), at))
        return whole

    def close(self) -> Sequence[PlannedTrial]:
        """See Schedule."""
        self._closed = True
        return [self._given(planned) for prompt in self._prompts for planned in prompt.close()]

    def _prompt(self, key: CellKey) -> SampledPrompt:
        return self._prompts[self._of[key]]

    def _given(self, planned: PlannedTrial) -> PlannedTrial:
        self._prompt(planned.key).give(planned)
        return planned

    def _fresh(self) -> PlannedTrial | None:
        """The next draw that is the first of its member."""
        while self._turns:
            block, at = self._turns[0]
            prompt = self._prompts[at]
            if at not in self._begun:
                if self._is_far_ahead(prompt, block):
                    self._held[at] = block
                    heappop(self._turns)
                    continue
                self._begun[at] = prompt.draws(block)
            planned = next(self._begun[at], None)
            if planned is not None:
                return planned
            del self._begun[at]
            if block + 1 < prompt.blocks:
                heapreplace(self._turns, (block + 1, at))
            else:
                heappop(self._turns)
        return None

    def _is_far_ahead(self, prompt: SampledPrompt, block: int) -> bool:
        read = prompt.read
        return read is not None and block >= read + _AHEAD + 3 * ceil(self._at_once / max(1, self._open))


def _prompts(
    deliveries: Sequence[Delivery], done: Mapping[CellKey, Sequence[Trial]]
) -> Iterator[SampledPrompt]:
    m = {key: family.m for key, family in families(deliveries).items()}
    groups: dict[tuple[str, str], list[Delivery]] = {}
    for delivery in deliveries:
        groups.setdefault((delivery.key.scenario, delivery.key.prompt), []).append(delivery)
    for group in groups.values():
        yield SampledPrompt(group, m, done)
