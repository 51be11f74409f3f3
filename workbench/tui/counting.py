"""How often what a scenario is about happened in a sampled cell: k of n, counted as the trials come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.cell import Cell, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.relation import Relation
from workbench.store.records import CellSummary

if TYPE_CHECKING:
    from workbench.compare.events import Event
    from workbench.core.trial import Trial
    from workbench.tui.board import Board

__all__ = ["Count", "Live", "count_cell", "count_of", "samples"]


@dataclass(slots=True)
class Count:
    """The event happened in `k` of `n` trials that have a decision; `failed` ones are in neither.

    `outcomes` and `tools` say how often each was decided and called.
    """

    event: Event
    k: int = 0
    n: int = 0
    failed: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)

    def add(self, trial: Trial) -> None:
        """One more trial."""
        if trial.ok and trial.decision is not None:
            self.take(trial.decision)
        else:
            self.failed += 1

    def take(self, decision: Decision, times: int = 1) -> None:
        """A decision that came so many times."""
        self.n += times
        self.k += times if self.event.happened(decision) else 0
        self.outcomes[decision.outcome] += times
        for tool in set(decision.called):
            self.tools[tool] += times

    @property
    def tool(self) -> str | None:
        """The tool that was called most often; None where none was."""
        return max(self.tools, key=lambda name: (self.tools[name], name)) if self.tools else None


class Live:
    """Counts of the cells that a run samples, one step a trial."""

    def __init__(self) -> None:
        self._counts: dict[CellKey, Count] = {}

    def begin(self, deliveries: Iterable[Delivery]) -> None:
        """A run began with these."""
        self._counts = {d.key: _counter(d) for d in deliveries if d.samples is not None}

    def add(self, key: CellKey, trial: Trial) -> None:
        """A trial of any cell."""
        if key in self._counts:
            self._counts[key].add(trial)

    def of(self, key: CellKey) -> Count | None:
        """What a cell of the run that goes on has counted; None where it does not sample."""
        return self._counts.get(key)

    def end(self) -> None:
        """The run is over: the cells have their trials."""
        self._counts = {}


def samples(board: Board, key: CellKey) -> bool:
    """Whether a cell is tried again and again because its adapter does not always answer alike."""
    cell = board.cells.get(key)
    delivery = cell.delivery if cell is not None else board.planned.get(key)
    if delivery is not None:
        return delivery.samples is not None
    info = board.adapters.get(key.adapter)
    return info is not None and not info.deterministic


def count_of(board: Board, key: CellKey) -> Count | None:
    """How often the event of a sampled cell happened, so far while it runs; None of any other cell."""
    if board.is_running(key):
        return board.live.of(key)
    cell = board.cells.get(key)
    if cell is not None:
        return count_cell(cell) if cell.delivery.samples is not None and cell.trials else None
    stored = board.tallies.get(key)
    return _count_tally(stored, board.planned.get(key)) if stored and samples(board, key) else None


def _counter(delivery: Delivery | None) -> Count:
    """Counts the event that the delivery is held to, from nothing on.

    What bare never calls is not known before all of bare is, and without a delivery nothing is: then it
    is any call.
    """
    # Late: the first frame has no rates, unless a sampled answer stands in it.
    from workbench.compare.events import any_tool, declared_event

    if delivery is None or delivery.relation is Relation.NO_NEW_TOOLS:
        return Count(any_tool())
    return Count(declared_event(delivery))


def count_cell(cell: Cell) -> Count:
    """The trials that a cell has."""
    count = _counter(cell.delivery)
    count.failed = cell.failed
    for decision, times in cell.answers:
        count.take(decision, times)
    return count


def _count_tally(stored: CellSummary, delivery: Delivery | None) -> Count:
    """Stored trials of which only outcomes and tools are known. `delivery`: what is planned for the cell."""
    count = _counter(delivery)
    for tally in stored.tallies:
        if tally.outcome is None:
            count.failed += tally.count
        else:
            calls = tuple(ToolCall(tool) for tool in tally.tools)
            count.take(Decision(tally.outcome, calls), tally.count)
    return count
