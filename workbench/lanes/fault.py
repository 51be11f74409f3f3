"""One thing that is wrong with a lane, a writer or a request."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.core.finding import Severity

__all__ = ["LaneFault", "LaneKind"]


class LaneKind(StrEnum):
    """What is wrong, in the words of the JSON report."""

    UNIT = "unit"
    DARK = "dark"
    DOUBLE = "double"
    NEGATIVE = "negative"
    OVER_BUDGET = "over-budget"
    UNREGISTERED = "unregistered"
    REPEAT = "repeat"
    UNREAD = "unread"
    UNFENCED = "unfenced"
    ECHOED = "wrapper-echoed"
    GHOST = "ghost"
    VOLATILE = "volatile"
    MISSING = "missing"
    GROWTH = "growth"
    NO_RECEIPT = "no-receipt"
    NO_REQUEST = "no-request"
    JOINED = "joined"
    SKIPPED = "skipped"
    INFEASIBLE = "infeasible"
    LATE = "late"  # the body is not the one that its receipt saw
    FIELD = "field"  # missing, of another type, outside its values, or a key that no stanza has
    DUPLICATE = "duplicate"
    UNCAPPED = "uncapped"
    INJECTOR = "injector"
    EMITS = "emits"
    UNNAMED = "unnamed"  # declared, and no line of the code names it
    EMITS_NONE = "emits-none"
    UNREACHABLE = "unreachable"
    NO_LANES = "no-lanes"
    INCOMPLETE = "incomplete"
    WRITER = "writer"  # into a prompt, with no registered lane
    NEW_WRITER = "new-writer"
    GONE_WRITER = "gone-writer"


@dataclass(frozen=True, slots=True)
class LaneFault:
    """`lane`, `file`, `line`, `column` (from 1) are None where it is about none. `fingerprint` stays the
    same where only lines move; None: it has none of its own. All strings may be foreign, raw."""

    kind: LaneKind
    severity: Severity
    message: str
    lane: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    fingerprint: str | None = None
