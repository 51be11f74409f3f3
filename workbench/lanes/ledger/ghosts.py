"""Lanes that are declared and were in no request, by what the registry and the source say of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from workbench.core.finding import Severity
from workbench.lanes.check.prose import Said
from workbench.lanes.check.reach import called_unreachable
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Emits, Lane, Registry

__all__ = ["Ghost", "Why", "fault_of", "ghosts"]

_NO_WRITER = re.compile(r"\A(?:dead|never written|has no producer)", re.IGNORECASE)


class Why(StrEnum):
    """Why a lane was never seen."""

    NEVER_PRODUCED = "never produced"
    UNREACHABLE = "unreachable"
    NOT_EXERCISED = "not exercised"


@dataclass(frozen=True, slots=True)
class Ghost:
    """A lane of no request; `told` says by what it is known which kind it is."""

    lane: Lane
    why: Why
    told: str


def ghosts(
    registry: Registry, seen: Collection[str], mentioned: Callable[[str], bool] | None = None
) -> Iterator[Ghost]:
    """The lanes that no receipt had. `mentioned` tells whether the source names a lane; None: not asked."""
    for lane in registry.lanes:
        if lane.name in seen:
            continue
        called = called_unreachable(Said("\n".join(lane.notes), lane.line, None, True))
        if lane.emits is Emits.NONE:
            yield Ghost(lane, Why.NEVER_PRODUCED, 'emits = "none"')
        elif called is not None:
            why = Why.NEVER_PRODUCED if _NO_WRITER.match(called[0]) else Why.UNREACHABLE
            yield Ghost(lane, why, f"its note calls it {called[0].lower()}")
        elif mentioned is not None and not mentioned(lane.name):
            yield Ghost(lane, Why.NEVER_PRODUCED, "the source never names it")
        else:
            named = "the source names it" if mentioned is not None else f'emits = "{lane.emits}"'
            yield Ghost(lane, Why.NOT_EXERCISED, named)


def fault_of(ghost: Ghost, registry: Registry, requests: int) -> LaneFault:
    """A ghost as a finding: what only had no traffic is a note."""
    severity = Severity.NOTE if ghost.why is Why.NOT_EXERCISED else Severity.WARNING
    message = f"{ghost.why}: declared, and in none of {requests:,} requests with receipts; {ghost.told}"
    return LaneFault(LaneKind.GHOST, severity, message, ghost.lane.name, registry.file, ghost.lane.line)
