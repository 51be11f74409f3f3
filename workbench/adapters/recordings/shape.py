"""What stands in a recording: a line that says what made it, what was sent, and one line per trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from workbench.adapters.protocol import Answer
from workbench.adapters.recordings.recipe import Recipe
from workbench.core.claims import Claims
from workbench.core.decision import Decision, Json
from workbench.core.exchange import Exchange, Usage
from workbench.core.trial import Status, Trial
from workbench.store.codec import Get, Put, decode, encode

__all__ = ["VERSION", "AdapterHead", "Head", "Kept", "Line", "SentLine", "from_json", "to_json"]

VERSION = 1

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AdapterHead:
    """What an adapter was. `recipe` None: its trials are found by their turn, not by a body."""

    use: str
    fingerprint: Json = None
    deterministic: bool = True
    router: bool = True
    wraps: bool = False
    decides: bool = True
    recipe: Recipe | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The first line. `made` is ISO 8601 UTC. `note` is for what no program knows: weights, server, hand."""

    workbench_recording: int
    made: str
    run: str
    workbench: str
    note: Json = None
    adapters: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentLine:
    """A body, or a turn, once in the file. `key` stands for it in the lines of trials."""

    key: str
    sent: Json


@dataclass(frozen=True, slots=True)
class Kept:
    """How one trial ended, without what was sent and received."""

    status: Status
    decision: Decision | None = None
    error: str | None = None
    raw: str | None = None
    finish: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    usage: Usage | None = None
    cost: float | None = None
    reached: float | None = None
    seconds: float = 0.0

    @classmethod
    def of(cls, trial: Trial) -> Kept:
        went = trial.exchange or Exchange("", "")
        return cls(
            trial.status,
            trial.decision,
            trial.error,
            trial.raw,
            went.finish,
            went.model,
            went.fingerprint,
            went.usage,
            went.cost,
            went.reached,
            round(trial.seconds, 3),
        )

    def answer(self, sent: str | None, claims: Claims | None = None) -> Answer:
        """The same answer again; `sent` is the body, None where none is known, and `claims` are of that."""
        exchange = None
        if sent is not None:
            exchange = Exchange(
                url="",
                sent=sent,
                finish=self.finish,
                model=self.model,
                fingerprint=self.fingerprint,
                usage=self.usage,
                reached=self.reached,
                claims=claims,
            )
        return Answer(
            self.status, self.decision, self.error, self.raw, exchange=exchange, seconds=self.seconds
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One trial. `scenario` and `prompt` are for people who read the file. `body` is the key of the body that
    was sent, where that is not what the trial is found by; None: none was, or it is. `claims` is the key of
    what the app said of who wrote it; None: nothing was said.
    """

    adapter: str
    scenario: str
    prompt: str
    arm: str
    attempt: int
    key: str
    answer: Kept
    body: str | None = None
    claims: str | None = None


def to_json(value: object) -> Any:
    """One of the above as JSON, texts in full. Raises UnstorableError where it holds no such thing."""
    return encode(value, cast(Put, str))


def from_json(kind: type[T], value: Json) -> T:
    """The inverse. Raises ValueError or TypeError where it is not one, a text in place of a number too."""
    made = decode(kind, value, cast(Get, _no_reference))
    encode(made, cast(Put, str))
    return made


def _no_reference(number: int) -> str:
    raise ValueError(f"a number, {number}, where text is wanted")
