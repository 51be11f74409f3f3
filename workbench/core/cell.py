"""A cell: all trials of one prompt, arm and adapter. A run: all cells, and what made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from workbench.core.decision import Decision, Json
from workbench.core.relation import Relation
from workbench.core.scenario import Accept, Expectation, Samples
from workbench.core.trial import Trial
from workbench.core.turn import Turn

__all__ = ["BARE", "AdapterInfo", "Cell", "CellKey", "Delivery", "Run"]

BARE = "bare"
"""The name of the baseline arm."""


@dataclass(frozen=True, slots=True, order=True)
class CellKey:
    """`prompt`: its id, or its number from 1. `arm`: bare, attach, paste, substitute or an envelope."""

    scenario: str
    prompt: str
    arm: str
    adapter: str

    def __str__(self) -> str:
        return f"{self.scenario}#{self.prompt}@{self.arm}:{self.adapter}"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one cell sends, and what is held against the answers. Adapters see only the turn.

    `typed` is the prompt's text. `ingress` is the outermost envelope's, None without one.
    `document`: a file came with the turn, attached or pasted. `samples`: how often it is tried at most,
    and when two rates are the same; None where the adapter does not sample. `policy` names what stands
    before the adapter and hands on a part of the turn, if anything does.
    """

    key: CellKey
    typed: str
    turn: Turn
    relation: Relation = Relation.EQUAL
    expect: Expectation | None = None
    ingress: str | None = None
    document: bool = False
    file: str = ""
    line: int = 1
    samples: Samples | None = None
    policy: str | None = None

    def sends_as(self, other: Delivery) -> bool:
        """Whether an adapter is handed the same by both, so that one's answer is the other's."""
        return self.turn == other.turn and self.policy == other.policy


@dataclass(frozen=True)
class Cell:
    """One delivery and its trials, in the order of their index."""

    delivery: Delivery
    trials: tuple[Trial, ...] = ()

    @property
    def key(self) -> CellKey:
        return self.delivery.key

    @cached_property
    def ok(self) -> tuple[Trial, ...]:
        """The trials that have a decision."""
        return tuple(trial for trial in self.trials if trial.ok)

    @property
    def failed(self) -> int:
        return len(self.trials) - len(self.ok)

    @cached_property
    def statuses(self) -> Mapping[str, int]:
        return Counter(trial.status.value for trial in self.trials)

    @cached_property
    def outcomes(self) -> Mapping[str, int]:
        return Counter(t.decision.outcome.value for t in self.ok if t.decision)

    @cached_property
    def answers(self) -> tuple[tuple[Decision, int], ...]:
        """The different decisions of the ok trials, each with how often it came; first seen first."""
        found: dict[object, tuple[Decision, int]] = {}
        for trial in self.ok:
            if trial.decision:
                identity = trial.decision.identity()
                first, count = found.get(identity, (trial.decision, 0))
                found[identity] = (first, count + 1)
        return tuple(found.values())

    @cached_property
    def decision(self) -> Decision | None:
        """The most frequent decision of the ok trials (ties: the first); None without one."""
        if not self.answers:
            return None
        return max(self.answers, key=lambda answer: answer[1])[0]

    def calls_of(self, tool: str) -> int:
        """In how many ok trials `tool` was called. The declined calls of a hold are not counted."""
        return sum(1 for t in self.ok if t.decision and tool in t.decision.called)


@dataclass(frozen=True, slots=True)
class AdapterInfo:
    """What identifies an adapter in a run. `wraps`: the app itself joins the turn (entry, build).

    `decides` False: it has a window and nothing else, so it never fires.
    """

    name: str
    use: str
    fingerprint: str = ""
    deterministic: bool = True
    router: bool = True
    wraps: bool = False
    decides: bool = True


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `started` is ISO 8601 UTC. `whole` names the scenarios of which every prompt was run.

    `accept` holds, by scenario, the findings that its file knows of. `arguments` says with "adapter" and
    "envelope" what was chosen in place of the files' choice. `halted` says, by adapter, why it was not
    called to the end although nobody interrupted: a cap, or that no further call can succeed.
    """

    id: str
    started: str
    seconds: float
    adapters: Mapping[str, AdapterInfo]
    cells: tuple[Cell, ...]
    arguments: Mapping[str, Json] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    interrupted: bool = False
    accept: Mapping[str, tuple[Accept, ...]] = field(default_factory=dict)
    halted: Mapping[str, str] = field(default_factory=dict)

    def cell(self, key: CellKey) -> Cell | None:
        """The cell of that key; None where the run has none."""
        return next((cell for cell in self.cells if cell.key == key), None)
