"""The registries of one side of a change, and what each knows of a lane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from workbench.files.source import decode, source_of
from workbench.lanes.check.fields import REQUIRED, lane_of, wrong
from workbench.lanes.guard.git import Reader
from workbench.lanes.registry import FILE
from workbench.lanes.sheet import Stanza, read_sheet

__all__ = ["Book", "Books", "Entered", "book_of"]


@dataclass(frozen=True, slots=True)
class Entered:
    """One stanza: its name if it has one, the line it begins on, what is missing or wrong in it.

    `values` is all that it says: equal in stanzas that say the same, comments and order left out.
    """

    name: str | None
    line: int
    lacks: tuple[str, ...]
    values: str


@dataclass(frozen=True, slots=True)
class Book:
    """One registry."""

    file: str
    stanzas: tuple[Entered, ...]

    def find(self, name: str) -> Entered | None:
        """The first stanza of that name."""
        return next((one for one in self.stanzas if one.name == name), None)

    def holds(self, name: str) -> bool:
        """Whether the lane has a complete stanza."""
        found = self.find(name)
        return found is not None and not found.lacks

    @property
    def complete(self) -> frozenset[str]:
        """The names of all such lanes."""
        return frozenset(one.name for one in self.stanzas if one.name is not None and self.holds(one.name))


class Books:
    """Registries of one side of a change, each read once. `registry`: the only one, by its path."""

    def __init__(self, read: Reader, registry: str | None) -> None:
        self._read = read
        self._registry = registry
        self._known: dict[str, Book | None] = {}

    def is_registry(self, path: str) -> bool:
        """Whether lanes may be looked for in a file of that path."""
        return PurePosixPath(path).name == FILE if self._registry is None else path == self._registry

    def at(self, path: str) -> Book | None:
        """None where there is none. Raises WorkbenchError where it cannot be read."""
        if path not in self._known:
            data = self._read(path)
            self._known[path] = None if data is None else book_of(data, path)
        return self._known[path]

    def above(self, path: str) -> Book | None:
        """The registry that a file's lanes are looked for in; None where there is none."""
        if self._registry is not None:
            return self.at(self._registry)
        for folder in PurePosixPath(path).parents:
            found = self.at((folder / FILE).as_posix())
            if found is not None:
                return found
        return None


def book_of(data: bytes, file: str) -> Book:
    """The registry in a file's bytes. Raises WorkbenchError where these are no TOML."""
    sheet = read_sheet(source_of(decode(data, file), file))
    return Book(file, tuple(_entered(stanza) for stanza in sheet.stanzas))


def _entered(stanza: Stanza) -> Entered:
    values = sorted((key, repr(entry.value)) for key, entry in stanza.entries.items())
    return Entered(lane_of(stanza), stanza.mark.line, tuple(_lacking(stanza)), repr(values))


def _lacking(stanza: Stanza) -> Iterator[str]:
    for key in REQUIRED:
        entry = stanza.entries.get(key)
        if entry is None:
            yield f"no {key}"
        elif wrong(key, entry.value) is not None:
            yield f"a wrong {key}"
