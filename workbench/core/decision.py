"""What an adapter decided, and what it read to decide. None is not reported; () is reported empty."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = [
    "Arguments",
    "Decision",
    "Json",
    "Match",
    "Outcome",
    "Score",
    "Span",
    "ToolCall",
    "Window",
    "WindowSource",
    "canonical",
]

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Arguments = Mapping[str, Json]
Span = tuple[int, int]


class Outcome(StrEnum):
    """`fire` calls tools, `hold` matched and declines to act, `pass` leaves it to the model."""

    FIRE = "fire"
    HOLD = "hold"
    PASS = "pass"


class WindowSource(StrEnum):
    """How a scan window is known."""

    REPORTED = "reported"
    CAPTURED = "captured"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One proposed call; never executed. `arguments` None: not reported. `id` is never compared."""

    name: str
    arguments: Json = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One route's score. `threshold` None: none reported.

    `used`, where it is another number: what the router itself held against the threshold. `value` is
    then the one that can be compared from turn to turn.
    """

    route: str
    value: float
    threshold: float | None = None
    used: float | None = None

    @property
    def deciding(self) -> float:
        """What the router went by."""
        return self.value if self.used is None else self.used

    @property
    def margin(self) -> float | None:
        """What the router went by, above its threshold; None without one."""
        return None if self.threshold is None else self.deciding - self.threshold


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that matched: the phrase, and where it stands in the turn, in code points."""

    rule: str
    text: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """The text that an adapter read. `spans`: its own claim of where that stands in the turn.

    `tap` names the tapped function that was given it.
    """

    text: str
    source: WindowSource
    spans: tuple[Span, ...] | None = None
    tap: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. The calls of a hold are the declined ones.

    `windows` holds one window, or one per tapped call. `scanned` is what a tapped function said
    that it read: evidence, no second window. `flags` say what was unusual about the answer, and
    `raw` keeps the answer where it was not in the full shape. `handed` is the text that a policy handed on
    in place of the turn's, None without a policy.
    """

    outcome: Outcome
    calls: tuple[ToolCall, ...] = ()
    windows: tuple[Window, ...] | None = None
    scores: tuple[Score, ...] | None = None
    matches: tuple[Match, ...] | None = None
    note: str | None = None
    scanned: str | None = None
    flags: tuple[str, ...] = ()
    handed: str | None = None
    raw: str | None = field(default=None, compare=False)

    @property
    def window(self) -> Window | None:
        """The window of the call that decided: the last one. None: not reported."""
        return self.windows[-1] if self.windows else None

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the calls, declined ones too, in order, with repeats."""
        return tuple(call.name for call in self.calls)

    @property
    def called(self) -> tuple[str, ...]:
        """Names of the calls that would be carried out: none on hold and pass."""
        return self.tools if self.outcome is Outcome.FIRE else ()

    def identity(self) -> tuple[str, tuple[str, ...]]:
        """What makes two decisions the same: outcome and calls. Ids and the orders do not count."""
        calls = sorted(f"{call.name}\0{canonical(call.arguments)}" for call in self.calls)
        return (self.outcome.value, tuple(calls))


def canonical(value: object) -> str:
    """One spelling per JSON value: sorted keys, ASCII. 1 and 1.0 differ, as do 10 and "10"."""
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    except RecursionError:
        return _spelled_out(value)


def _spelled_out(value: object) -> str:
    """`canonical` of what is nested too deep for the parser's way."""
    spelled: list[str] = []
    waiting: list[tuple[bool, object]] = [(False, value)]  # whether it is spelled already
    while waiting:
        done, item = waiting.pop()
        if done:
            spelled.append(str(item))
        elif isinstance(item, dict):
            members = [((True, json.dumps(str(key)) + ":"), (False, item[key])) for key in sorted(item)]
            waiting.extend(_enclosed("{", members, "}"))
        elif isinstance(item, (list, tuple)):
            waiting.extend(_enclosed("[", [((False, member),) for member in item], "]"))
        else:
            spelled.append(json.dumps(item, default=str))
    return "".join(spelled)


def _enclosed(
    left: str, members: Sequence[tuple[tuple[bool, object], ...]], right: str
) -> list[tuple[bool, object]]:
    """Members between commas and brackets, last first."""
    found: list[tuple[bool, object]] = [(True, left)]
    for number, member in enumerate(members):
        found += [(True, ","), *member] if number else member
    return [*found, (True, right)][::-1]
