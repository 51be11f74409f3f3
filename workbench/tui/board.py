"""What is known of every cell: planned, running, answered. Fed by replay events, read by the views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.relation import Relation, broken
from workbench.core.trial import Trial
from workbench.store.newest import Stored, Tallied
from workbench.store.records import CellSummary
from workbench.tui.counting import Live, samples
from workbench.tui.tallies import decided, failed

if TYPE_CHECKING:
    from workbench.replay.events import Event

__all__ = ["Board", "CellState", "PromptKey"]

PromptKey = tuple[str, str]
"""A scenario's name and a prompt's label."""


class CellState(StrEnum):
    """What can be said of a cell. `no arm`: the adapter gets no such delivery of this prompt."""

    NO_ARM = "no arm"
    NOT_RUN = "not run"
    RUNNING = "running"
    OK = "ok"
    DIFFERS = "differs"
    FAILED = "failed"


class Board:
    """The newest answer of every cell. A run that goes on has its cells running, with their trials so far."""

    def __init__(self, run: Run | None = None) -> None:
        self.cells: dict[CellKey, Cell] = {}
        self.tallies: dict[CellKey, CellSummary] = {}
        self.planned: dict[CellKey, Delivery] = {}
        self.adapters: dict[str, AdapterInfo] = {}
        self.broken: dict[str, str] = {}
        self.halted: dict[str, str] = {}
        self._runs: dict[CellKey, str] = {}
        self.run = ""
        self.unjudged: set[CellKey] = set()
        """Cells with answers of a run that has not been looked through for findings."""
        self._pending: dict[CellKey, list[Trial]] = {}
        self.live = Live()
        self._deliveries: dict[CellKey, Delivery] = {}
        self._arms: dict[PromptKey, dict[str, None]] = {}
        self._columns: dict[str, dict[str, None]] = {}
        self._keys: dict[PromptKey, set[CellKey]] = {}
        if run is not None:
            self.adopt(run)

    def adopt(self, run: Run) -> None:
        """Take over every cell of a run, and what it says of its adapters."""
        self.run = run.id
        self.adapters.update(run.adapters)
        self.halted.update(run.halted)
        for cell in run.cells:
            self._put(cell)

    def plan(self, scenario: str, deliveries: Iterable[Delivery]) -> bool:
        """What a run of a whole scenario would send, in its order, instead of what was planned before.

        An answer to the same turn is held to what is expected now; returns whether any is.
        """
        for key in [key for key in self.planned if key.scenario == scenario]:
            del self.planned[key]
        restated = False
        for delivery in deliveries:
            self.planned[delivery.key] = delivery
            restated = self._restate(delivery) or restated
        self._reindex(scenario)
        return restated

    def _restate(self, now: Delivery) -> bool:
        cell = self.cells.get(now.key)
        if cell is None or not cell.delivery.sends_as(now):
            return False
        then = cell.delivery
        if (then.expect, then.relation) == (now.expect, now.relation):
            return False
        self.cells[now.key] = Cell(now, cell.trials)
        return True

    def relabel(self, scenario: str, labels: Mapping[str, str]) -> None:
        """Prompts have other labels now; the answers of those that are not in `labels` are let go of."""
        self.tallies = {key: cell for key, cell in self.tallies.items() if key.scenario != scenario}
        moved = {key: cell for key, cell in self.cells.items() if key.scenario == scenario}
        for key in moved:
            del self.cells[key]
        runs = {key: self._runs.pop(key) for key in moved if key in self._runs}
        for key in [key for key in self.planned if key.scenario == scenario]:
            del self.planned[key]
        for key, cell in moved.items():
            if key.prompt in labels:
                renamed = key if labels[key.prompt] == key.prompt else replace(key, prompt=labels[key.prompt])
                delivery = replace(cell.delivery, key=renamed)
                self.cells[renamed] = cell if renamed is key else Cell(delivery, cell.trials)
                if key in runs:
                    self._runs[renamed] = runs[key]
        self._reindex(scenario)

    def tally(self, tallied: Tallied) -> None:
        """Stored answers that were only counted; those that are read or newer stay."""
        for name, info in tallied.adapters.items():
            self.adapters.setdefault(name, info)
        for key, counted in tallied.cells.items():
            if key not in self.cells:
                self.tallies[key] = counted
                self._index(key)

    def store(self, stored: Stored) -> None:
        """Stored answers of one prompt, in full; those of this session are newer and stay."""
        for name, info in stored.adapters.items():
            self.adapters.setdefault(name, info)
        for cell in stored.cells:
            key = cell.key
            self.tallies.pop(key, None)
            if key not in self.cells:
                self.cells[key] = cell
                self._runs[key] = stored.runs[key]
                self._index(key)
                if key in self.planned:
                    self._restate(self.planned[key])

    def _reindex(self, scenario: str) -> None:
        # The plan's order leads; what only a stored run has comes after it.
        for name in [key for key in self._arms if key[0] == scenario]:
            del self._arms[name]
            del self._keys[name]
        self._columns.pop(scenario, None)
        planned = [key for key in self.planned if key.scenario == scenario]
        stored = [key for known in (self.cells, self.tallies) for key in known if key.scenario == scenario]
        for key in (*planned, *stored):
            self._index(key)

    def _index(self, key: CellKey) -> None:
        prompt = (key.scenario, key.prompt)
        self._arms.setdefault(prompt, {}).setdefault(key.arm)
        self._columns.setdefault(key.scenario, {}).setdefault(key.adapter)
        self._keys.setdefault(prompt, set()).add(key)

    def _put(self, cell: Cell) -> None:
        self.cells[cell.key] = cell
        self.tallies.pop(cell.key, None)
        self._runs[cell.key] = self.run
        self._index(cell.key)

    def apply(self, event: Event) -> PromptKey | None:
        """Take in one event. Returns the prompt that it touched; None where it touched several or none."""
        # Late: the first frame shows no run.
        from workbench.replay.events import (
            AdapterBroken,
            AdapterHalted,
            CellFinished,
            RunStarted,
            TrialFinished,
        )

        if isinstance(event, RunStarted):
            self.run = event.run
            self.broken = {}
            self.halted = {}
            self._deliveries = {delivery.key: delivery for delivery in event.deliveries}
            self._pending = {key: [] for key in self._deliveries}
            self.live.begin(event.deliveries)
            for key, delivery in self._deliveries.items():
                self.planned[key] = delivery
                self._index(key)
            return None
        if isinstance(event, TrialFinished):
            self._pending.setdefault(event.key, []).append(event.trial)
            self.unjudged.add(event.key)
            self.live.add(event.key, event.trial)
            return event.key.scenario, event.key.prompt
        if isinstance(event, CellFinished):
            self._pending.pop(event.cell.key, None)
            self._put(event.cell)
            return event.cell.key.scenario, event.cell.key.prompt
        if isinstance(event, AdapterBroken):
            self.broken[event.adapter] = event.reason
            return None
        if isinstance(event, AdapterHalted):
            self.halted[event.adapter] = event.reason
            return None
        self.settle()
        return None

    def settle(self) -> None:
        """The run is over: a cell cut short keeps the trials it has, one that never began its old answer."""
        for key, trials in self._pending.items():
            delivery = self._deliveries.get(key) or self.planned.get(key)
            if trials and delivery is not None:
                self._put(Cell(delivery, tuple(sorted(trials, key=lambda trial: trial.index))))
        self._pending = {}
        self.live.end()
        self._deliveries = {}

    def arms(self, scenario: str, prompt: str) -> tuple[str, ...]:
        """The arms of a prompt, bare first."""
        names = tuple(self._arms.get((scenario, prompt), ()))
        return (BARE, *(name for name in names if name != BARE)) if BARE in names else names

    def columns(self, scenario: str) -> tuple[str, ...]:
        """The adapters of a scenario, in the order of the plan."""
        return tuple(self._columns.get(scenario, ()))

    def keys(self, scenario: str, prompt: str) -> frozenset[CellKey]:
        """Every cell of a prompt that is planned or stored."""
        return frozenset(self._keys.get((scenario, prompt), ()))

    def state(self, key: CellKey) -> CellState:
        """What can be said of one cell, its decision held against the bare arm's."""
        if self.is_running(key):
            return CellState.RUNNING
        cell = self.cells.get(key)
        if cell is None and key in self.tallies:
            return self._counted(self.tallies[key])
        if cell is None or not cell.trials:
            return CellState.NOT_RUN if key in self.planned or cell else CellState.NO_ARM
        if cell.decision is None:
            return CellState.FAILED
        bare = self.bare(key)
        if bare is None or bare.decision is None or cell.delivery.samples is not None:
            return CellState.OK  # of rates the findings say whether they differ
        same = not broken(Relation.EQUAL, bare.decision, cell.decision)
        return CellState.OK if same else CellState.DIFFERS

    def _counted(self, cell: CellSummary) -> CellState:
        """What counts alone tell of a stored cell."""
        here = decided(cell)
        if here is None:
            return CellState.FAILED
        if samples(self, cell.key):
            return CellState.OK
        bare = self.tallies.get(CellKey(cell.key.scenario, cell.key.prompt, BARE, cell.key.adapter))
        there = decided(bare) if bare is not None else None
        same = there is None or (here[0], sorted(here[1])) == (there[0], sorted(there[1]))
        return CellState.OK if same else CellState.DIFFERS

    def is_running(self, key: CellKey) -> bool:
        """Whether the run that goes on has not finished this cell."""
        return key in self._pending

    def failures(self, key: CellKey) -> int:
        """How many trials of the newest answer have no decision."""
        cell = self.cells.get(key)
        if cell is not None:
            return cell.failed
        return failed(self.tallies[key]) if key in self.tallies else 0

    def bare(self, key: CellKey) -> Cell | None:
        """The baseline of a cell; None where there is none yet, and for a bare cell itself."""
        if key.arm == BARE:
            return None
        return self.cells.get(CellKey(key.scenario, key.prompt, BARE, key.adapter))

    def trials_so_far(self, key: CellKey) -> int:
        """How many trials a running cell has."""
        return len(self._pending.get(key, ()))

    def stale(self, key: CellKey) -> bool:
        """Whether what would be sent now is no longer what this answer was given for."""
        cell, delivery = self.cells.get(key), self.planned.get(key)
        if cell is None or delivery is None:
            return False
        then, now = cell.delivery.turn, delivery.turn
        return (then.typed, then.text, cell.delivery.policy) != (now.typed, now.text, delivery.policy)

    def mixed(self, key: CellKey) -> bool:
        """Whether a cell and its baseline are of different runs: the adapter may have changed between."""
        bare = self.bare(key)
        return bare is not None and self._runs.get(key) != self._runs.get(bare.key)
