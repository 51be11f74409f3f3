"""Lane names that new lines bring in, held against the registry that will stand beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.finding import Severity
from workbench.files.source import decode, read_bytes, source_of
from workbench.lanes.check.fields import REQUIRED, lane_of, wrong
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.guard.git import Snapshot
from workbench.lanes.guard.names import NamedLane, names_of
from workbench.lanes.guard.tokens import language_of
from workbench.lanes.registry import FILE, find_registry
from workbench.lanes.sheet import Stanza, read_sheet

__all__ = ["Guarded", "guard_change", "guard_files"]


@dataclass(frozen=True, slots=True)
class Guarded:
    """`files` and `names` count what was looked at: source files with new lines, and lane names in these."""

    faults: tuple[LaneFault, ...]
    files: int
    names: int


@dataclass(frozen=True, slots=True)
class _Stanzas:
    """The stanzas of one registry by name, each with the fields that are missing or wrong."""

    file: str
    lacks: dict[str, tuple[str, ...]]


def guard_change(snapshot: Snapshot, registry: str | None = None) -> Guarded:
    """The new lines of a change against the registry as it will be; and, where the change takes a stanza out
    of a registry or breaks it, every source line that still names the lane.

    `registry` is a path from the top of the repository; None: the nearest lanes.toml above each file.
    Raises WorkbenchError where a registry cannot be read, UsageError where git cannot answer.
    """
    books = _Books(snapshot.read, registry)
    before = _Books(snapshot.read_before, registry)
    changes = snapshot.changes()
    faults: dict[tuple[str, int, str], LaneFault] = {}
    files = names = 0
    for change in changes:
        if not _is_source(change.path) or not change.added:
            continue
        files += 1
        for one in names_of(snapshot.read(change.path) or b"", change.path):
            if change.added.isdisjoint(range(one.first, one.last + 1)):
                continue
            names += 1
            _note(faults, change.path, one, books.above(change.path))
    lost = set().union(
        *(_lost(before, books, change.path) for change in changes if _is_registry(change.path))
    )
    for path in snapshot.naming(sorted(lost)) if lost else ():
        for one in names_of(snapshot.read(path) or b"", path):
            if one.name in lost:
                _note(faults, path, one, books.above(path))
    return Guarded(tuple(faults[key] for key in sorted(faults)), files, names)


def guard_files(files: Sequence[Path], registry: Path | None = None) -> Guarded:
    """All lines of these files. Raises WorkbenchError where a file or a registry cannot be read."""
    faults: dict[tuple[str, int, str], LaneFault] = {}
    names = 0
    for file in files:
        found = names_of(read_bytes(file), file.name)
        if not found:
            continue
        book = _stanzas(read_bytes(path := registry or _nearest(file)), str(path))
        names += len(found)
        for one in found:
            _note(faults, str(file), one, book)
    return Guarded(tuple(faults[key] for key in sorted(faults)), len(files), names)


def _nearest(file: Path) -> Path:
    try:
        return find_registry(file)
    except WorkbenchError as error:
        hint = f"{file} names a lane: register it in a {FILE}, or name the registry with --registry"
        raise UsageError(Problem(error.problems[0].message, hint=hint)) from None


class _Books:
    """Registries of one side of a change, each read once."""

    def __init__(self, read: Callable[[str], bytes | None], registry: str | None) -> None:
        self._read = read
        self._registry = registry
        self._known: dict[str, _Stanzas | None] = {}

    def at(self, path: str) -> _Stanzas | None:
        if path not in self._known:
            data = self._read(path)
            self._known[path] = None if data is None else _stanzas(data, path)
        return self._known[path]

    def above(self, path: str) -> _Stanzas | None:
        """The registry that a file's lanes are looked for in; None where there is none."""
        if self._registry is not None:
            return self.at(self._registry)
        for folder in PurePosixPath(path).parents:
            found = self.at((folder / FILE).as_posix())
            if found is not None:
                return found
        return None


def _stanzas(data: bytes, file: str) -> _Stanzas:
    sheet = read_sheet(source_of(decode(data, file), file))
    lacks: dict[str, tuple[str, ...]] = {}
    for stanza in sheet.stanzas:
        name = lane_of(stanza)
        if name is not None:
            lacks.setdefault(name, tuple(_lacking(stanza)))
    return _Stanzas(file, lacks)


def _lacking(stanza: Stanza) -> Iterator[str]:
    for key in REQUIRED:
        entry = stanza.entries.get(key)
        if entry is None:
            yield f"no {key}"
        elif wrong(key, entry.value) is not None:
            yield f"a wrong {key}"


def _note(
    faults: dict[tuple[str, int, str], LaneFault], path: str, one: NamedLane, book: _Stanzas | None
) -> None:
    """What is wrong with a name, if anything, under its place."""
    candidates = (one.name, *sorted(one.others))
    known = [name for name in candidates if book is not None and name in book.lacks]
    if book is not None and any(not book.lacks[name] for name in known):
        return
    if book is None:
        kind, message = LaneKind.UNREGISTERED, f"no {FILE} above this file: the lane has no stanza"
    elif not known:
        kind, message = LaneKind.UNREGISTERED, f"no stanza in {book.file}: write one with {_listed(REQUIRED)}"
    else:
        lacking = _listed(book.lacks[known[0]])
        kind, message = LaneKind.INCOMPLETE, f"its stanza in {book.file} has {lacking}"
    lane = known[0] if known else one.name
    faults[(path, one.line, lane)] = LaneFault(kind, Severity.ERROR, message, lane, path, one.line)


def _lost(before: _Books, after: _Books, path: str) -> set[str]:
    """The names whose stanza was whole and is so no more."""
    old, new = before.at(path), after.at(path)
    if old is None:
        return set()
    kept = {} if new is None else new.lacks
    return {name for name, lacks in old.lacks.items() if not lacks and kept.get(name) != ()}


def _listed(words: Iterable[str]) -> str:
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last


def _is_source(path: str) -> bool:
    return language_of(path) is not None


def _is_registry(path: str) -> bool:
    return PurePosixPath(path).name == FILE
