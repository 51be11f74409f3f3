"""Every field of a registry: there, of its type, one of its values; and no key but those."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from workbench.core.finding import Severity
from workbench.files.problems import nearest, shown, slip
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Bound, Emits, Trust, Unit
from workbench.lanes.name import NAME_RULE, is_name
from workbench.lanes.sheet import Entry, Sheet, Stanza

__all__ = ["OPTIONAL", "REQUIRED", "field_faults", "label", "lane_of", "wrong"]

REQUIRED = ("name", "injector", "budget", "priority", "trust", "evicts")
OPTIONAL = ("emits", "unit", "volatile")
_TOP = ("schema_version", "unit", "lane")
_LARGEST = 1_000_000_000
_AMOUNT = re.compile(r"\s*([\d][\d,_' ]*)\s*(?:chars?|characters?|bytes?|tokens?)?\s*\Z", re.IGNORECASE)


def field_faults(sheet: Sheet) -> Iterator[LaneFault]:
    """All that is wrong with keys and values, and names that stand twice."""
    yield from _top_faults(sheet)
    for number, stanza in enumerate(sheet.stanzas, start=1):
        yield from _stanza_faults(sheet, stanza, number)
    yield from _duplicates(sheet)


def lane_of(stanza: Stanza) -> str | None:
    """The name, where there is one."""
    entry = stanza.entries.get("name")
    return entry.value if entry and isinstance(entry.value, str) and entry.value.strip() else None


def label(stanza: Stanza, number: int) -> str:
    """How a message calls a stanza that may have no name."""
    return "" if lane_of(stanza) is not None else f"stanza {number}, which has no name: "


def wrong(key: str, value: object) -> str | None:
    """What is wrong with the value of a field, and what to write; None where it may stand."""
    return _RULES[key](value)


def _top_faults(sheet: Sheet) -> Iterator[LaneFault]:
    def fault(line: int, message: str) -> LaneFault:
        return LaneFault(LaneKind.FIELD, Severity.ERROR, message, None, sheet.file, line)

    for key, entry in sheet.top.items():
        if key not in _TOP:
            near = nearest(key, _TOP)
            hint = "known here: schema_version, unit and [[lane]]"
            if near is not None:
                hint = f"did you mean {'[[lane]]' if near == 'lane' else near}?"
            yield fault(entry.mark.line, f"unknown key {shown(key)} at the top ({hint})")
    version = sheet.top.get("schema_version")
    if version is not None and (type(version.value) is not int or version.value != 1):
        yield fault(version.mark.line, f"schema_version is {said(version.value)}: 1 is the one there is")
    unit = sheet.top.get("unit")
    if unit is not None and (reason := wrong("unit", unit.value)):
        yield fault(unit.mark.line, reason)
    if sheet.misfit is not None:
        what = said(sheet.misfit.value)
        yield fault(sheet.misfit.mark.line, f"lane is {what}: write one [[lane]] table for each lane")


def _stanza_faults(sheet: Sheet, stanza: Stanza, number: int) -> Iterator[LaneFault]:
    lane = lane_of(stanza)

    def fault(line: int, message: str) -> LaneFault:
        whole = label(stanza, number) + message
        return LaneFault(LaneKind.FIELD, Severity.ERROR, whole, lane, sheet.file, line)

    if not stanza.array and (named := _named_tables(stanza)):
        for name, entry in named.items():
            message = f'[lane.{name}] is no stanza: write [[lane]], and name = "{name}" in it'
            yield LaneFault(LaneKind.FIELD, Severity.ERROR, message, name, sheet.file, entry.mark.line)
        return
    if not stanza.array:
        yield fault(stanza.mark.line, "it stands in [lane]: write [[lane]], so that there can be another one")
    missing = [key for key in REQUIRED if key not in stanza.entries]
    for key, entry in stanza.entries.items():
        if key in REQUIRED or key in OPTIONAL:
            if reason := wrong(key, entry.value):
                yield fault(entry.mark.line, reason)
            continue
        free = [word for word in (*REQUIRED, *OPTIONAL) if word not in stanza.entries]
        meant = nearest(key, missing) or nearest(key, free)
        hint = f'did you mean "{meant}"?' if meant else f"known: {', '.join((*REQUIRED, *OPTIONAL))}"
        yield fault(entry.mark.line, f"unknown key {shown(key)} ({hint})")
        if meant in missing:
            missing.remove(meant)
    for key in missing:
        yield fault(stanza.mark.line, f"{key} is missing ({_WANTED[key]})")


def _named_tables(stanza: Stanza) -> Mapping[str, Entry]:
    """Lanes that stand by their names, [lane.memory], where nothing else does."""
    tables = all(isinstance(entry.value, Mapping) for entry in stanza.entries.values())
    known = {*REQUIRED, *OPTIONAL}.intersection(stanza.entries)
    return stanza.entries if tables and not known else {}


def _duplicates(sheet: Sheet) -> Iterator[LaneFault]:
    first: dict[str, Entry] = {}
    for stanza in sheet.stanzas:
        name = lane_of(stanza)
        if name is None:
            continue
        entry = stanza.entries["name"]
        if name not in first:
            first[name] = entry
            continue
        message = f"a second stanza of that name; the first is on line {first[name].mark.line}"
        yield LaneFault(LaneKind.DUPLICATE, Severity.ERROR, message, name, sheet.file, entry.mark.line)


def said(value: object) -> str:
    """A value as it might stand in the file, for a message."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    text = f"{value:,}" if isinstance(value, int) and abs(value) < 10**18 else str(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _name(value: object) -> str | None:
    if not isinstance(value, str):
        return f"name is {said(value)}: text is expected, in quotes"
    if not value.strip():
        return "name is empty"
    if not is_name(value):
        return f"name is {shown(value)}: the guard sees a name in code only where it is {NAME_RULE}"
    return None


def _budget(value: object) -> str | None:
    wanted = 'a whole number, "session" or "uncapped" is expected'
    number = _number(value)
    if number is not None:
        if number < 0:
            return f"budget is {said(number)}: it cannot be below 0"
        if number > _LARGEST:
            return f'budget is {said(number)}: no request is that long; write "uncapped", and why'
        return None
    if isinstance(value, str) and value in (one.value for one in Bound):
        return None
    hint = ""
    if isinstance(value, str):
        if amount := _AMOUNT.match(value):
            hint = f"; write {re.sub('[^0-9]', '', amount[1])} without quotes"
        elif near := slip(value, [one.value for one in Bound]):
            hint = f"; {near}"
    elif isinstance(value, float) and value.is_integer():
        hint = f"; write {int(value)}" if abs(value) <= _LARGEST else ""
    return f"budget is {said(value)}: {wanted}{hint}"


def _priority(value: object) -> str | None:
    number = _number(value)
    if number is not None and 0 <= number <= 5:
        return None
    wanted = "a whole number from 0 (never evicted) to 5 (evicted first) is expected"
    return f"priority is {said(value)}: {wanted}"


def _words(key: str) -> Callable[[object], str | None]:
    def rule(value: object) -> str | None:
        if not isinstance(value, str):
            return f"{key} is {said(value)}: text is expected, in quotes"
        return None if value.strip() else f"{key} is empty: {_WANTED[key]}"

    return rule


def _one_of(key: str, kind: type[StrEnum]) -> Callable[[object], str | None]:
    values = [one.value for one in kind]

    def rule(value: object) -> str | None:
        if isinstance(value, str) and value in values:
            return None
        near = slip(value, values) if isinstance(value, str) else None
        wanted = f"{', '.join(values[:-1])} or {values[-1]} is expected"
        return f"{key} is {said(value)}: {wanted}" + (f"; {near}" if near else "")

    return rule


def _volatile(value: object) -> str | None:
    return None if isinstance(value, bool) else f"volatile is {said(value)}: true or false is expected"


_WANTED = {
    "name": "the literal by which code and receipts call the lane",
    "injector": "where its text is put together: a path and a function",
    "budget": 'a number, "session" or "uncapped"',
    "priority": "0, never evicted, to 5, evicted first",
    "trust": "whose words they are: owner, tool, child, policy or model",
    "evicts": "how overflow is handled, in words",
}

_RULES: Mapping[str, Callable[[object], str | None]] = {
    "name": _name,
    "injector": _words("injector"),
    "budget": _budget,
    "priority": _priority,
    "trust": _one_of("trust", Trust),
    "evicts": _words("evicts"),
    "emits": _one_of("emits", Emits),
    "unit": _one_of("unit", Unit),
    "volatile": _volatile,
}
