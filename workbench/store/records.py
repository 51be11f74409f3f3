"""What goes into a store, and what can be told of a run without loading it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.decision import Json, Outcome
from workbench.core.scenario import Accept
from workbench.core.trial import Status

__all__ = ["CellSummary", "NewRun", "RunHead", "RunSummary", "Tally"]


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run before its first trial. `plan` is the hash of what decides whether its trials may be reused.

    `repeats` says how many trials each cell is to have; `accept` what each scenario's file knows of.
    """

    plan: str
    deliveries: tuple[Delivery, ...]
    repeats: Mapping[CellKey, int]
    adapters: Mapping[str, AdapterInfo]
    arguments: Mapping[str, Json] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    accept: Mapping[str, tuple[Accept, ...]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.repeats[delivery.key] for delivery in self.deliveries)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of a list of runs. `done` of `total` trials are stored; `seconds` without killed sessions."""

    id: str
    started: str
    seconds: float
    plan: str
    total: int
    done: int
    finished: bool
    scenarios: tuple[str, ...]
    adapters: tuple[str, ...]
    arguments: Mapping[str, Json]


class RunHead(NamedTuple):
    """What stands at the head of a run, read without counting anything."""

    id: str
    finished: bool
    scenarios: tuple[str, ...]
    whole: frozenset[str]
    adapters: Mapping[str, AdapterInfo]
    arguments: Mapping[str, Json]

    def covers(self, scenario: str) -> bool:
        """Whether it answered all of a scenario as its file stood: nothing older is worth a look."""
        return self.finished and scenario in self.whole and not self.arguments


@dataclass(frozen=True, slots=True)
class Tally:
    """How many trials of a cell ended alike. `tools`: names of the calls, declined ones too, in order."""

    status: Status
    outcome: Outcome | None
    tools: tuple[str, ...]
    count: int


class CellSummary(NamedTuple):
    """What a matrix draws of a cell: the trials planned, and the stored ones counted."""

    key: CellKey
    planned: int
    tallies: tuple[Tally, ...] = ()

    @property
    def trials(self) -> int:
        return sum(tally.count for tally in self.tallies)

    @property
    def statuses(self) -> Mapping[str, int]:
        counts: Counter[str] = Counter()
        for tally in self.tallies:
            counts[tally.status.value] += tally.count
        return counts

    @property
    def outcomes(self) -> Mapping[str, int]:
        counts: Counter[str] = Counter()
        for tally in self.tallies:
            if tally.outcome is not None:
                counts[tally.outcome.value] += tally.count
        return counts
