"""What an audit found, as plain values: masked, short, and still to be made visible by whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "QUESTIONS",
    "Audit",
    "Drift",
    "Gap",
    "Head",
    "Kind",
    "Loss",
    "Replayed",
    "Stranger",
    "ToolUse",
    "Victim",
]


QUESTIONS = frozenset({"outgrown", "framing", "tools", "one-by-one"})
"""What a store may be asked on its own. `one-by-one` is all that no query can tell."""


class Kind(StrEnum):
    """What can be wrong with past turns."""

    OUTGROWN = "outgrown"
    FRAMING = "framing"
    UNKNOWN = "unknown-envelope"
    UNREACHED = "unreached"
    REPLAY = "replay-drift"
    NOT_LOGGED = "not-logged"


@dataclass(frozen=True, slots=True)
class Victim:
    """A turn whose routed text is far above the typed. `tools` None: not logged."""

    place: str
    id: str | None
    ingress: str | None
    typed_size: int
    routed_size: int
    tools: tuple[str, ...] | None
    outcome: str | None
    head: str | None


@dataclass(frozen=True, slots=True)
class Head:
    """How many turns' routed text begins so. `framed` of those that were looked at begin with framing."""

    head: str
    turns: int
    looked_at: int
    framed: int

    @property
    def is_framing(self) -> bool:
        """Whether most of those that were looked at begin with what no user typed."""
        return self.framed * 2 > self.looked_at


@dataclass(frozen=True, slots=True)
class ToolUse:
    """How often a tool was called, by ingress: on all turns, and on those whose routed text outgrew."""

    tool: str
    ingress: str | None
    turns: int
    outgrown: int


@dataclass(frozen=True, slots=True)
class Stranger:
    """Turns that fit no known envelope and begin alike; `place` and `id` are of the first.

    `like` is a known envelope that begins so, and is another one after that."""

    head: str
    turns: int
    place: str
    id: str | None
    like: str | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """A turn of which typed words never reached the router."""

    place: str
    id: str | None
    ingress: str | None
    typed: str
    lost: tuple[str, ...]
    words: int


@dataclass(frozen=True, slots=True)
class Drift:
    """A past turn that a router decides otherwise than its typed words alone."""

    place: str
    id: str | None
    typed: str
    head: str
    bare: str
    routed: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """Past turns put through a router. `failed` got no answer on one side; `why` says the first reason."""

    adapter: str
    turns: int
    failed: int
    drifted: int
    drifts: tuple[Drift, ...]
    why: str | None = None

    @property
    def silent(self) -> bool:
        """Whether it was asked and never answered."""
        return 0 < self.turns == self.failed


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that no turn of the logs says, and what cannot be answered without it."""

    what: str
    question: str


@dataclass(frozen=True, slots=True)
class Audit:
    """All of it. `turns` are those of users; `asked` is on how many of them each question could be answered.

    `looked_at` is how many were read one by one, for what no query can tell: fewer than `turns` where a
    store is large. `floor`: how much too low the counts of heads and tools may be. What is
    not in `only` was not asked.
    """

    logs: tuple[str, ...]
    turns: int
    others: Mapping[str, int]
    skipped: int
    skips: tuple[str, ...]
    ratio: float
    envelopes: int
    asked: Mapping[Kind, int]
    found: Mapping[Kind, int]
    victims: tuple[Victim, ...] = ()
    uncalled: int = 0
    tools_unknown: int = 0
    heads: tuple[Head, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    losses: tuple[Loss, ...] = ()
    looked_at: int = 0
    floor: int = 0
    replayed: Replayed | None = None
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    only: frozenset[str] = QUESTIONS
