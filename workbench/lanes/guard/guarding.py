"""Lane names that new lines bring in, and new stanzas: each lane has a complete one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.finding import Severity
from workbench.files.source import read_bytes
from workbench.lanes.check.fields import REQUIRED
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.guard.books import Book, Books, Entered, book_of
from workbench.lanes.guard.git import Change, Reader, Snapshot
from workbench.lanes.guard.names import NamedLane, names_of
from workbench.lanes.guard.tokens import language_of
from workbench.lanes.registry import FILE, find_registry
from workbench.lanes.syntax.excluded import NOTHING, Excluded

__all__ = ["Guarded", "guard_change", "guard_files"]


@dataclass(frozen=True, slots=True)
class Guarded:
    """`files` and `names` count what was looked at: source files with new lines, and lane names in these."""

    faults: tuple[LaneFault, ...]
    files: int
    names: int


def guard_change(snapshot: Snapshot, registry: str | None = None, excluded: Excluded = NOTHING) -> Guarded:
    """The new lines of a change against the registry as it will be; the stanzas that it adds or alters; and,
    where a lane loses its stanza by it, every source line that still names the lane.

    `registry` is a path from the top of the repository; None: the nearest lanes.toml above each file.
    Raises WorkbenchError where a registry cannot be read, UsageError where git cannot answer.
    """

    def kept(path: str) -> bool:
        return not excluded.covers(snapshot.root / path, snapshot.root)

    changes = [one for one in snapshot.changes(*([registry] if registry else ())) if kept(one.path)]
    guard = _Guard(snapshot, registry)
    for change in changes:
        if _is_source(change.path) and change.added:
            guard.lines(change)
    registries = [change for change in changes if guard.after.is_registry(change.path)]
    guard.stanzas(registries)
    moved = {change.path: change.moved_from for change in changes if change.moved_from is not None}
    lost = guard.lost(registries)
    naming = snapshot.naming(sorted(lost)) if lost else ()
    for path in dict.fromkeys((*filter(_is_source, moved), *filter(kept, naming))):
        guard.left(path, moved.get(path, path))
    return guard.told()


def guard_files(files: Sequence[Path], registry: Path | None = None) -> Guarded:
    """All lines of these files. Raises WorkbenchError where a file or a registry cannot be read."""
    faults = _Faults(None if registry is None else str(registry))
    books = {} if registry is None else {registry: book_of(read_bytes(registry), str(registry))}
    names = 0
    for file in files:
        found = names_of(read_bytes(file), file.name)
        path = registry or _nearest(file) if found else None
        if path is not None and path not in books:
            books[path] = book_of(read_bytes(path), str(path))
        names += len(found)
        for one in found:
            faults.name(str(file), one, books[path] if path is not None else None)
    return Guarded(faults.sorted(), len(files), names)


def _nearest(file: Path) -> Path | None:
    try:
        return find_registry(file)
    except WorkbenchError:
        return None


class _Guard:
    """One change, looked at from several sides."""

    def __init__(self, snapshot: Snapshot, registry: str | None) -> None:
        self.after = Books(snapshot.read, registry)
        self._read = snapshot.read
        self._before = [Books(_readable(read), registry) for read in snapshot.before]
        self._faults = _Faults(registry)
        self._files = self._names = 0

    def lines(self, change: Change) -> None:
        """The names that new lines of a source file say."""
        self._files += 1
        for one in names_of(self._read(change.path) or b"", change.path):
            if not change.added.isdisjoint(range(one.first, one.last + 1)):
                self._names += 1
                self._faults.name(change.path, one, self.after.above(change.path))

    def stanzas(self, registries: Sequence[Change]) -> None:
        """Incomplete stanzas that did not stand like that in any of the registries before."""
        before = {stanza.values for book in self._books_before(registries) for stanza in book.stanzas}
        for change in registries:
            book = self.after.at(change.path)
            for stanza in book.stanzas if book is not None else ():
                if stanza.lacks and stanza.values not in before:
                    self._faults.stanza(change.path, stanza)

    def lost(self, registries: Sequence[Change]) -> set[str]:
        """The names of lanes that had a complete stanza where now there may be none."""
        names: set[str] = set()
        for path in {path for change in registries for path in (change.path, change.moved_from) if path}:
            now = self.after.at(path) or self.after.above(path)
            for books in self._before:
                was = books.at(path) or books.above(path)
                if was is not None:
                    names |= was.complete - (now.complete if now is not None else frozenset())
        return names

    def left(self, path: str, before: str) -> None:
        """Names of a file whose lane had a complete stanza before the change, and has none by it."""
        had = [book for books in self._before if (book := books.above(before)) is not None]
        for one in names_of(self._read(path) or b"", path):
            if any(book.holds(name) for book in had for name in (one.name, *one.others)):
                self._faults.name(path, one, self.after.above(path))

    def told(self) -> Guarded:
        return Guarded(self._faults.sorted(), self._files, self._names)

    def _books_before(self, registries: Sequence[Change]) -> Iterator[Book]:
        for change in registries:
            for books in self._before:
                for path in (change.path, change.moved_from):
                    if path is not None and (book := books.at(path)) is not None:
                        yield book


def _readable(read: Reader) -> Reader:
    """A registry that was broken before is past mending: it is taken for none."""

    def reading(path: str) -> bytes | None:
        data = read(path)
        try:
            if data is not None:
                book_of(data, path)
        except WorkbenchError:
            return None
        return data

    return reading


@dataclass
class _Faults:
    """`registry`: the one that was named; None: the nearest one counts."""

    registry: str | None
    _found: dict[tuple[str, int, str], LaneFault] = field(default_factory=dict)

    def name(self, path: str, one: NamedLane, book: Book | None) -> None:
        """What is wrong with a name in a source file, if anything."""
        known = [stanza for name in (one.name, *sorted(one.others)) if book and (stanza := book.find(name))]
        if any(not stanza.lacks for stanza in known):
            return
        kind = LaneKind.UNREGISTERED
        if book is None:
            where = f"no {FILE} above this file" if self.registry is None else f"{self.registry} is not there"
            message = f"{where}: the lane has no stanza"
        elif not known:
            message = f"no stanza in {book.file}: write one with {_listed(REQUIRED)}"
        else:
            kind = LaneKind.INCOMPLETE
            message = f"its stanza in {book.file} has {_listed(known[0].lacks)}"
        self._add(kind, message, (known[0].name if known else None) or one.name, path, one.line)

    def stanza(self, path: str, stanza: Entered) -> None:
        """A stanza of a registry that is not complete."""
        self._add(
            LaneKind.INCOMPLETE, f"this stanza has {_listed(stanza.lacks)}", stanza.name, path, stanza.line
        )

    def sorted(self) -> tuple[LaneFault, ...]:
        return tuple(self._found[key] for key in sorted(self._found))

    def _add(self, kind: LaneKind, message: str, lane: str | None, path: str, line: int) -> None:
        self._found[path, line, lane or ""] = LaneFault(kind, Severity.ERROR, message, lane, path, line)


def _listed(words: Iterable[str]) -> str:
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last


def _is_source(path: str) -> bool:
    return language_of(path) is not None
