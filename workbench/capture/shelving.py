"""Puts what was captured into a folder of envelopes, and leaves alone what a hand has changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from workbench.capture.captured import Captured, Form, News
from workbench.capture.learning import ENOUGH
from workbench.capture.spelling import is_ours, spell_form
from workbench.core.envelope import Envelope, Source
from workbench.core.errors import Problem, WorkbenchError
from workbench.files.edit.save import create, save
from workbench.files.envelope import load_envelope
from workbench.files.folder import yaml_files
from workbench.files.source import decode, read_bytes

__all__ = ["Act", "Shelf", "Shelved", "origin_of", "put", "shelf_of"]


class Act(StrEnum):
    """What was done with a form."""

    WRITTEN = "written"
    REWRITTEN = "rewritten"
    COUNTED = "counted"
    LEFT = "left as it is"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The envelopes that a folder has; `broken` is what is wrong with those that cannot be read."""

    folder: Path
    envelopes: dict[str, Envelope]
    files: dict[str, Path]
    broken: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelved:
    """A form, its file, what became of it, and in our own words why."""

    form: Form
    path: Path
    act: Act
    why: str = ""


def shelf_of(folder: Path) -> Shelf:
    """Reads a folder, which need not be there."""
    envelopes: dict[str, Envelope] = {}
    files: dict[str, Path] = {}
    broken: list[Problem] = []
    for path in yaml_files(folder):
        files[path.stem] = path
        try:
            envelopes[path.stem] = load_envelope(path)
        except WorkbenchError as error:
            broken += error.problems
    return Shelf(folder, envelopes, files, tuple(broken))


def put(captured: Captured, shelf: Shelf, logs: Sequence[Path]) -> list[Shelved]:
    """Writes what is new, and counts what is known, file by file."""
    return [_put(form, shelf, logs) for form in captured.forms]


def _put(form: Form, shelf: Shelf, logs: Sequence[Path]) -> Shelved:
    name = form.envelope.name
    origin = origin_of(logs, form.times)
    known = shelf.files.get(name)
    if known is None:
        path = shelf.folder / f"{name}.yaml"
        new = _sourced(form, replace(form.envelope.source, origin=origin, turns=form.turns))
        try:
            create(path, shelf.folder, spell_form(new, path))
        except WorkbenchError as error:
            return Shelved(new, path, Act.REFUSED, _said(error.problems))
        return Shelved(new, path, Act.WRITTEN)
    before = read_bytes(known)
    if name not in shelf.envelopes or form.envelope.source.status == "hand-written":
        return Shelved(form, known, Act.LEFT, "it was written by hand")
    if not is_ours(decode(before, str(known))):
        return Shelved(form, known, Act.LEFT, "it was edited by hand since it was captured")
    old = shelf.envelopes[name].source
    new = _sourced(form, _counted(old, form.turns, origin, grown=form.news is News.GROWN))
    if new.envelope.source == old and form.news is News.KNOWN:
        return Shelved(new, known, Act.LEFT, "nothing is new")
    try:
        save(known, shelf.folder, before, spell_form(new, known))
    except WorkbenchError as error:
        return Shelved(new, known, Act.REFUSED, _said(error.problems))
    return Shelved(new, known, Act.REWRITTEN if form.news is News.GROWN else Act.COUNTED)


def _sourced(form: Form, source: Source) -> Form:
    return replace(form, envelope=replace(form.envelope, source=source))


def _counted(old: Source, turns: int, origin: str, *, grown: bool) -> Source:
    """Turns of another log are added; those of a log that was counted before take the place of its own."""
    same = _logs(old.origin) == _logs(origin) or grown
    total = max(turns, old.turns or 0) if same else turns + (old.turns or 0)
    status = old.status if old.status != "provisional" or total < ENOUGH else "captured"
    return Source(origin if same else _both(old.origin, origin), total, status)


_DATES = re.compile(r", \d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?\Z")
_MOST_ORIGINS = 4


def _logs(origin: str) -> str:
    return _DATES.sub("", origin)


def _both(old: str, new: str) -> str:
    parts = [*old.split("; "), new]
    kept = [part for number, part in enumerate(parts) if part not in parts[number + 1 :]]
    return "; ".join(kept if len(kept) <= _MOST_ORIGINS else [kept[0], "…", *kept[-2:]])


def origin_of(logs: Sequence[Path], times: tuple[float, float] | None) -> str:
    """The names of the logs, and the days of the turns where the log tells them."""
    names = [path.name for path in logs]
    said = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    if times is None:
        return said
    first, last = (_day(time) for time in times)
    if not first or not last:
        return said
    return f"{said}, {first}" if first == last else f"{said}, {first} to {last}"


def _day(time: float) -> str:
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")
    except (OverflowError, OSError, ValueError):
        return ""


def _said(problems: Iterable[Problem]) -> str:
    return "; ".join(problem.message for problem in problems)
