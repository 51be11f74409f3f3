"""What a log tells of past turns, in no format's words; and what of it could not be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

__all__ = [
    "AS_FOUND",
    "Columns",
    "Fault",
    "LogOptions",
    "LogTurn",
    "Place",
    "Skipped",
    "Unit",
    "Who",
]


class Who(StrEnum):
    """Who wrote the words of a turn. Only those of `user` were typed by a person."""

    USER = "user"
    SYNTHETIC = "synthetic"
    META = "meta"
    TOOL_RESULT = "tool-result"
    COMPACTION = "compaction"


class Unit(StrEnum):
    """What a place counts."""

    LINE = "line"
    ROW = "row"
    RECORD = "record"
    BYTE = "byte"


class Fault(StrEnum):
    """Why a piece of a log was passed over."""

    TORN = "torn"
    SPLICED = "spliced"
    NUL = "NUL-filled"
    NOT_UTF8 = "not UTF-8"
    NOT_JSON = "not JSON"
    TOO_LONG = "too long"
    UNKNOWN = "unknown record"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where in which file; `number` counts from 1, but bytes from 0. `table` names that of a row."""

    file: str
    number: int
    unit: Unit = Unit.LINE
    table: str | None = None

    def __str__(self) -> str:
        if self.unit is Unit.LINE:
            return f"{self.file}:{self.number}"
        return f"{self.file}: {self.table + ' ' if self.table else ''}{self.unit.value} {self.number}"


@dataclass(frozen=True, slots=True)
class LogTurn:
    """One past turn, or the half of one that this log knows. All text is as it stood: raw and hostile.

    `typed` is what the user typed, `wrapped` the whole text that the router or model was given for this
    turn; None is not in the log, "" is nothing typed. `parts` are the pieces of `wrapped` where the format
    keeps it in several (joined by a line feed then). `documents` are attached texts that stand apart.
    `scanned` is what a router says that it read. `history` holds earlier texts of the same request, oldest
    first. `tools` None: not reported; (): none was called. `typed_length`, `wrapped_length` and `head` are
    for logs that have only these, all in code points.

    `time` is in seconds since 1970; None: not logged. `template` and `variables` are given where the log
    keeps what a text was made of. `truncated`: the log says, or shows, that it cut a text short.
    """

    place: Place
    reader: str
    id: str | None = None
    session: str | None = None
    time: float | None = None
    who: Who = Who.USER
    ingress: str | None = None
    typed: str | None = None
    wrapped: str | None = None
    parts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    scanned: str | None = None
    typed_length: int | None = None
    wrapped_length: int | None = None
    head: str | None = None
    outcome: str | None = None
    tools: tuple[str, ...] | None = None
    history: tuple[str, ...] = ()
    template: str | None = None
    variables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    truncated: bool = False

    @property
    def file(self) -> str:
        return self.place.file

    @property
    def typed_size(self) -> int | None:
        """Code points typed, by the text or else by what the log says."""
        return self.typed_length if self.typed is None else len(self.typed)

    @property
    def wrapped_size(self) -> int | None:
        """Code points given to the router or model, by the text or else by what the log says."""
        return self.wrapped_length if self.wrapped is None else len(self.wrapped)

    @property
    def wrapped_head(self) -> str | None:
        """The first 80 code points of what was given, or as much as the log kept."""
        return self.head if self.wrapped is None else self.wrapped[:80]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A piece of a log that was not used. `detail` says more, and may quote foreign text, raw."""

    place: Place
    fault: Fault
    detail: str = ""

    @property
    def file(self) -> str:
        return self.place.file

    @property
    def reason(self) -> str:
        return f"{self.fault.value}: {self.detail}" if self.detail else self.fault.value


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column (or dotted path of a JSON record) holds what; None: to be guessed."""

    typed: str | None = None
    wrapped: str | None = None
    id: str | None = None
    tools: str | None = None
    outcome: str | None = None
    session: str | None = None
    time: str | None = None
    ingress: str | None = None
    scanned: str | None = None

    def given(self) -> dict[str, str]:
        """The columns that were named, by what they hold."""
        named = ((name, getattr(self, name)) for name in self.__slots__)
        return {name: column for name, column in named if column is not None}


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How a log is to be read. `reader` and `table` None: found by looking at the content.

    `progress` is told of each file as it is read: its name, bytes so far, bytes in all (None: unknown).
    """

    columns: Columns = Columns()
    reader: str | None = None
    table: str | None = None
    progress: Callable[[str, int, int | None], None] | None = None


AS_FOUND = LogOptions()
"""Nothing given: reader and columns are found by looking at the content."""
