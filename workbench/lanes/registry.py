"""Finding a `lanes.toml` and reading it: what can be read of each lane, for everybody who asks."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from workbench.core.errors import Problem, WorkbenchError
from workbench.files.source import Source, read_source
from workbench.lanes.lane import Bound, Emits, Lane, Registry, Trust, Unit
from workbench.lanes.sheet import Sheet, Stanza, read_sheet

__all__ = ["FILE", "budget_of", "find_registry", "load_registry", "parse_registry", "registry_of"]

FILE = "lanes.toml"

_Value = TypeVar("_Value", bound=StrEnum)


def find_registry(start: Path) -> Path:
    """The nearest `lanes.toml`, upwards from a folder or from a file's folder.

    Raises WorkbenchError where there is none.
    """
    whole = Path(os.path.abspath(start))  # noqa: PTH100 - a link stays where it stands
    first = whole if whole.is_dir() else whole.parent
    for folder in (first, *first.parents):
        if (folder / FILE).is_file():
            return folder / FILE
    raise WorkbenchError(Problem(f"no {FILE} in {first} or above it", hint="name the file, or write one"))


def load_registry(path: Path) -> Registry:
    """The lanes of a file. Raises WorkbenchError where it cannot be read or is no TOML.

    A field that is missing or wrong is None, and a stanza without a name is left out: `workbench lanes
    check` tells what is wrong.
    """
    return parse_registry(read_source(path))


def parse_registry(source: Source) -> Registry:
    """The same of a text that is read already."""
    return registry_of(read_sheet(source))


def registry_of(sheet: Sheet) -> Registry:
    """What can be read of a sheet."""
    top = {key: entry.value for key, entry in sheet.top.items()}
    version = top.get("schema_version")
    lanes = (_lane(stanza) for stanza in sheet.stanzas)
    return Registry(
        sheet.file,
        tuple(lane for lane in lanes if lane is not None),
        _one_of(Unit, top.get("unit")),
        version if isinstance(version, int) and not isinstance(version, bool) else None,
    )


def budget_of(value: object) -> int | Bound | None:
    """A budget as it may stand in a stanza; None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    return _one_of(Bound, value)


def _lane(stanza: Stanza) -> Lane | None:
    values = {key: entry.value for key, entry in stanza.entries.items()}
    name = _text(values.get("name"))
    if name is None:
        return None
    priority = values.get("priority")
    is_rank = isinstance(priority, int) and not isinstance(priority, bool) and 0 <= priority <= 5
    return Lane(
        name,
        _text(values.get("injector")),
        budget_of(values.get("budget")),
        priority if isinstance(priority, int) and is_rank else None,
        _one_of(Trust, values.get("trust")),
        _text(values.get("evicts")),
        _one_of(Emits, values.get("emits")) or Emits.LOG,
        _one_of(Unit, values.get("unit")),
        values.get("volatile") is True,
        stanza.mark.line,
        tuple(note.text for note in stanza.notes if note.text),
        next((note.text for note in stanza.notes if note.key == "budget" and note.text), None),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _one_of(kind: type[_Value], value: object) -> _Value | None:
    return next((one for one in kind if one.value == value), None) if isinstance(value, str) else None
