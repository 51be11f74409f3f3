"""What a capture came to: the forms that were found, those that were known, and what fitted nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from workbench.capture.turns import Place, Skipped
from workbench.core.envelope import Envelope

__all__ = ["Captured", "Form", "Misfit", "News"]


class News(StrEnum):
    """How a form stands to the envelopes that were there before."""

    NEW = "new"
    KNOWN = "known"
    CHANGED = "changed"
    GROWN = "grown"


@dataclass(frozen=True, slots=True)
class Form:
    """One envelope and the turns that it gives back, byte for byte.

    `held_out` of `folds` turns were left out in turn, and read rightly by what the others gave. `was`
    names the known envelope that this one has changed from, or grown out of. `times` are the first and
    the last that the log tells, in seconds since 1970.
    """

    envelope: Envelope
    news: News
    turns: int
    held_out: int = 0
    folds: int = 0
    doubts: tuple[str, ...] = ()
    was: str | None = None
    label: str | None = None
    times: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Misfit:
    """A turn that no envelope gives back, and why, in our own words."""

    place: Place
    reason: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Captured:
    """`turns` are all that were read; `bare` were handed on as typed, `wordless` had no user's words.

    `machine` were written by no user, `alone` have one half only, `cut` were cut short by the log.
    """

    forms: tuple[Form, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    turns: int = 0
    bare: int = 0
    machine: int = 0
    wordless: int = 0
    cut: int = 0
    alone: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    skipped: tuple[Skipped, ...] = ()
