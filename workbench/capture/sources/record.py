"""One record of a log, and what every reader of records has to say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from workbench.capture.turns import LogTurn, Place, Skipped

__all__ = ["LONGEST", "Read", "Record", "RecordReader"]

LONGEST = 64 * 1024 * 1024
"""Bytes of the longest line, or of the largest element of a document, that is read."""

Read = LogTurn | Skipped


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value, a row as a mapping, or a line of text."""

    value: Any
    place: Place


class RecordReader(Protocol):
    """Turns the records of one file, given in order, into turns. Never raises for what stands in them."""

    name: ClassVar[str]

    def take(self, record: Record) -> Iterable[Read]:
        """The turns that this record completes."""

    def end(self) -> Iterable[Read]:
        """The turns that were still open; more records may follow where a file is watched."""
