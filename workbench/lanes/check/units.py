"""What the budgets of a registry count, and whether its words agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workbench.core.finding import Severity
from workbench.lanes.check.fields import lane_of
from workbench.lanes.check.sizes import units_named
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Unit
from workbench.lanes.sheet import Note, Sheet, Stanza

__all__ = ["budget_units", "unit_faults"]

_MOST = 3
_SUBJECT = re.compile(r"\b(?:budgets?|units?)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|no longer|never|instead of|rather than|were|was)\s+(?:in\s+)?\w+", re.IGNORECASE
)
_FIELD = re.compile(r"\s*`?\w+`?\s+(?:—|–|-|:)\s")


def unit_faults(sheet: Sheet) -> Iterator[LaneFault]:
    """A file that names no unit, once for all its lanes; and comments that count in another than is named."""
    declared = sheet.top.get("unit")
    if declared is None:
        yield from _undeclared(sheet)
        return
    unit = _unit(declared.value)
    head = _head_units(sheet.head)
    if unit is not None and head and unit not in head.values():
        told, line = next((told, line) for line, told in head.items())
        message = f"unit is {unit}, but the comment on line {line} says {told}"
        yield LaneFault(LaneKind.UNIT, Severity.WARNING, message, None, sheet.file, declared.mark.line)
    yield from _overruled(sheet, unit)


def budget_units(sheet: Sheet, stanza: Stanza) -> frozenset[Unit]:
    """In which units a budget may be compared with sizes: the one declared, else those its words suggest."""
    own, whole = stanza.entries.get("unit"), sheet.top.get("unit")
    declared = _unit(own.value if own else None) or _unit(whole.value if whole else None)
    if declared is not None:
        return frozenset({declared})
    noted = _noted_units(stanza)
    return noted or frozenset({Unit.CHARS, *_head_units(sheet.head).values()})


def _undeclared(sheet: Sheet) -> Iterator[LaneFault]:
    counted = [stanza for stanza in sheet.stanzas if "unit" not in stanza.entries]
    if not counted:
        return
    message = (
        'the file does not say what its budgets count: write unit = "chars", "bytes" or "tokens" at the top'
    )
    told = {unit: f"the header says {unit} (line {line})" for line, unit in _head_units(sheet.head).items()}
    if noted := _noted_elsewhere(counted, frozenset(told)):
        sides = [
            *told.values(),
            *(f"notes of stanzas count {unit} ({where})" for unit, where in noted.items()),
        ]
        if len(sides) > 1:
            message += f"; {', but '.join(sides)}"
    elif told:
        message += f"; {', and '.join(told.values())}"
    message += ". Read as chars until it does"
    yield LaneFault(LaneKind.UNIT, Severity.WARNING, message, None, sheet.file, 1)


def _overruled(sheet: Sheet, whole: Unit | None) -> Iterator[LaneFault]:
    """Budgets whose own comment counts in another unit than the one that holds."""
    for stanza in sheet.stanzas:
        own = stanza.entries.get("unit")
        unit = _unit(own.value) if own else whole
        budget = stanza.entries.get("budget")
        noted = _noted_units(stanza)
        if unit is None or budget is None or isinstance(budget.value, str) or not noted or unit in noted:
            continue
        message = f"its budget counts {unit}, but the comment beside it says {' and '.join(sorted(noted))}"
        yield LaneFault(LaneKind.UNIT, Severity.ERROR, message, lane_of(stanza), sheet.file, budget.mark.line)


def _noted_elsewhere(stanzas: Sequence[Stanza], known: frozenset[Unit]) -> dict[Unit, str]:
    """Units other than the header's that comments beside budgets or sizes count in, and on which lines."""
    lines: dict[Unit, list[int]] = {}
    for stanza in stanzas:
        for note in stanza.notes:
            if note.key == "budget":
                for unit in units_named(note.text) - known:
                    lines.setdefault(unit, []).append(note.line)
    return {unit: _lines(found) for unit, found in sorted(lines.items())}


def _lines(lines: Sequence[int]) -> str:
    word = "line" if len(lines) == 1 else "lines"
    return f"{word} {', '.join(map(str, lines[:_MOST]))}" + (" and more" if len(lines) > _MOST else "")


def _noted_units(stanza: Stanza) -> frozenset[Unit]:
    return frozenset(unit for note in stanza.notes if note.key == "budget" for unit in units_named(note.text))


def _head_units(head: Sequence[Note]) -> dict[int, Unit]:
    """Lines of the header that say what budgets count: on a line of that subject, or carried on from one."""
    found: dict[int, Unit] = {}
    subject = False
    for note in head:
        about = _SUBJECT.search(note.text)
        subject = bool(about) or (subject and bool(note.text) and not _FIELD.match(note.text))
        if not subject:
            continue
        text = _DENIED.sub("", note.text[about.start() :] if about else note.text)
        named = units_named(text)
        if len(named) == 1 and not set(named) & set(found.values()):
            found[note.line] = next(iter(named))
    return found


def _unit(value: object) -> Unit | None:
    return next((unit for unit in Unit if unit.value == value), None) if isinstance(value, str) else None
