"""A scenario: prompts, what is expected of them, and how they are to be delivered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.core.decision import Json, Outcome
from workbench.core.errors import Mark
from workbench.core.relation import Relation
from workbench.core.turn import Message

__all__ = ["Accept", "Attach", "Expectation", "Prompt", "Samples", "Scenario"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """`outcome` None with `no_calls`: anything but a fire. `any_of` are tools of which one is called."""

    outcome: Outcome | None = None
    no_calls: bool = False
    tool: str | None = None
    arguments: Mapping[str, Json] | None = None
    any_of: tuple[str, ...] | None = None
    max_rate: float | None = None
    min_rate: float | None = None
    spelled: str = ""
    """As the author wrote it, for messages."""


@dataclass(frozen=True, slots=True)
class Attach:
    """A file that a scenario names: `name` as written, `path` absolute and inside the workspace."""

    name: str
    path: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Prompt:
    """`label` is the id, or the number from 1."""

    label: str
    text: str
    mark: Mark
    id: str | None = None
    attach: tuple[Attach, ...] = ()
    paste: Attach | None = None
    substitute: str | None = None
    expect: Expectation | None = None
    relation: Relation | None = None
    messages: tuple[Message, ...] = ()
    policy: str | None = None


@dataclass(frozen=True, slots=True)
class Samples:
    """How adapters that sample are sampled: at most `max` trials a cell, equal within `delta`."""

    max: int = 60
    delta: float = 0.1


@dataclass(frozen=True, slots=True)
class Accept:
    """A known finding, and why it is accepted."""

    kind: str
    reason: str
    mark: Mark
    arm: str | None = None
    adapter: str | None = None
    prompt: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """`adapters` and `envelopes` None: not said, so the defaults. `envelopes` () is bare only."""

    name: str
    prompts: tuple[Prompt, ...]
    file: str
    about: str = ""
    adapters: tuple[str, ...] | None = None
    envelopes: tuple[str, ...] | None = None
    relation: Relation | None = None
    repeat: int | None = None
    samples: Samples = field(default_factory=Samples)
    accept: tuple[Accept, ...] = ()
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Where keys such as `adapters[0]` stand, for errors found later."""
