"""Everything that a registry is checked for, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from workbench.core.finding import Severity
from workbench.lanes.check.fields import field_faults, label, lane_of
from workbench.lanes.check.injectors import injector_faults
from workbench.lanes.check.prose import said_in
from workbench.lanes.check.reach import called_unreachable
from workbench.lanes.check.sizes import sizes_above
from workbench.lanes.check.units import budget_units, unit_faults
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Bound, Emits
from workbench.lanes.registry import budget_of
from workbench.lanes.sheet import Sheet, Stanza

__all__ = ["check_sheet"]

# Words that say nothing of why a lane needs no cap.
_EMPTY = re.compile(
    r"(?:never|not?|none|na|evict(?:s|ed)?|cuts?|dropped|un(?:capped|limited|bounded)|infinite|any|chars|characters"
    r"|bytes|tokens|unit|todo|fixme|xxx|tbd|why|explain|reason|budgets?|cap(?:ped)?|limits?|lane|is|its?|the|this"
    r"|an|be|to|of|for|and|or|yet|see|later|.)\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w'-]*")


def check_sheet(sheet: Sheet, root: Path | None = None) -> list[LaneFault]:
    """The faults of a registry; paths of injectors are looked for under `root`, where it is given."""
    faults = [*field_faults(sheet), *unit_faults(sheet), *_stanza_faults(sheet)]
    if not sheet.stanzas and not faults:
        message = "no lane is declared: write one [[lane]] for each writer into a prompt"
        return [LaneFault(LaneKind.NO_LANES, Severity.WARNING, message, None, sheet.file, 1)]
    if root is not None:
        faults += injector_faults(sheet, root)
    return sorted(faults, key=lambda fault: fault.line or 0)


def _stanza_faults(sheet: Sheet) -> Iterator[LaneFault]:
    for number, stanza in enumerate(sheet.stanzas, start=1):
        prefix = label(stanza, number)
        for kind, severity, line, message in _told(sheet, stanza):
            yield LaneFault(kind, severity, prefix + message, lane_of(stanza), sheet.file, line)


def _told(sheet: Sheet, stanza: Stanza) -> Iterator[tuple[LaneKind, Severity, int, str]]:
    budget = stanza.entries.get("budget")
    bound = budget_of(budget.value) if budget else None
    if budget is not None and bound is Bound.UNCAPPED and not _has_reason(stanza):
        message = "it is uncapped, and neither a comment nor evicts says why"
        yield LaneKind.UNCAPPED, Severity.ERROR, budget.mark.line, message
    if isinstance(bound, int) and not isinstance(bound, Bound):
        for said in said_in(stanza):
            above = max(
                sizes_above(said, bound, budget_units(sheet, stanza)),
                key=lambda size: size.value,
                default=None,
            )
            if above is not None:
                where = "the comment" if said.comment else said.key
                message = (
                    f"{where} on line {above.line} says {above.text}:"
                    f" {above.value - bound:,} above the budget of {bound:,}"
                )
                yield LaneKind.OVER_BUDGET, Severity.ERROR, above.line, message
    emits = stanza.entries.get("emits")
    if emits is not None and emits.value == Emits.NONE.value:
        message = 'emits is "none": declared, and written by nothing'
        yield LaneKind.EMITS_NONE, Severity.WARNING, emits.mark.line, message
        return
    found = next(filter(None, (called_unreachable(said) for said in said_in(stanza))), None)
    if found is not None:
        word, line = found
        yield LaneKind.UNREACHABLE, Severity.WARNING, line, f"its own words call it {word.lower()}"


def _has_reason(stanza: Stanza) -> bool:
    """Whether a comment of its own or behind these fields, or `evicts`, says more than that it is so."""
    for said in said_in(stanza):
        if said.key in (None, "budget", "evicts") and any(
            not _EMPTY.match(word) for word in _WORD.findall(said.text)
        ):
            return True
    return False
