"""What an adapter may cost: caps that stop it, what one call is expected to take, and whether it samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from workbench.adapters.protocol import Option, OptionType
from workbench.core.turn import Turn

__all__ = [
    "CAP_OPTIONS",
    "DETERMINISTIC",
    "MAX_CALLS",
    "Capped",
    "Caps",
    "Estimate",
    "Estimating",
    "Paced",
]

MAX_CALLS = Option("max_calls", OptionType.INTEGER, "calls in one run, after which it is not called any more")

CAP_OPTIONS = (
    MAX_CALLS,
    Option("max_cost", OptionType.NUMBER, "US dollars in one run, above which it is not called any more"),
)
"""They decide how far a run goes, not what is answered: a stored trial stays good when they change."""

DETERMINISTIC = Option(
    "deterministic",
    OptionType.BOOLEAN,
    "false: the same turn may be answered differently, so it is sampled and its rates are compared",
    True,
)


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that one run may take of an adapter: calls, and US dollars. None: as many as it needs."""

    max_calls: int | None = None
    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one call is expected to take: tokens in and out, and US dollars. None: it cannot be told."""

    tokens: int | None = None
    cost: float | None = None


@runtime_checkable
class Capped(Protocol):
    """An adapter that has caps."""

    caps: Caps


@runtime_checkable
class Estimating(Protocol):
    """An adapter that can say what a call takes without making it."""

    def estimate(self, turn: Turn) -> Estimate:
        """What one call with that turn is expected to take."""


@runtime_checkable
class Paced(Protocol):
    """An adapter that keeps to so many calls a minute; None: to no number."""

    per_minute: float | None
