"""Records of any shape, by columns: which of them holds what is given, or was guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.fields import moment, names_of, number, parsed, plain
from workbench.capture.readers.gathering import Draft
from workbench.capture.readers.messages import asked_of
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, LogTurn, Skipped

__all__ = ["ColumnReader", "Mapped", "column"]

_MARKED = re.compile(r"[\[(<][^\n]{0,20}truncated[^\n]{0,40}[\])>]\s*\Z", re.I)
_WORDS = ("typed", "wrapped", "scanned", "head", "typed_length", "wrapped_length")

Mapped = Mapping[str, str]
"""The column, or dotted path, of each field of a turn that the log has."""


def column(record: Mapping[str, Any], path: str) -> Any:
    """The value of a column; of a dotted path where no column is called so."""
    if path in record or "." not in path:
        return record.get(path)
    value: Any = record
    for step in path.split("."):
        value = parsed(value)
        if isinstance(value, list) and step.isdigit():
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


class ColumnReader:
    """A turn per record. `cut_at`: the length, in code points, at which the app cuts the text it logs."""

    name: ClassVar[str] = "columns"

    def __init__(self, mapped: Mapped, cut_at: int | None = None, name: str = "columns") -> None:
        self._mapped = mapped
        self._cut_at = cut_at
        self._name = name
        self._wanted = ", ".join(mapped[field] for field in _WORDS if field in mapped)

    def take(self, record: Record) -> Iterable[Read]:
        if not isinstance(record.value, dict):
            yield Skipped(record.place, Fault.UNKNOWN, "no object")
            return
        found = {field: column(record.value, path) for field, path in self._mapped.items()}
        if all(found.get(field) is None for field in _WORDS):
            yield Skipped(record.place, Fault.UNKNOWN, f"nothing in {self._wanted}")
            return
        if unread := next((field for field in _WORDS if isinstance(found.get(field), bytes)), None):
            yield Skipped(record.place, Fault.NOT_UTF8, f"column {self._mapped[unread]}")
            return
        yield self._turn(record, found)

    def end(self) -> Iterable[Read]:
        return ()

    def _turn(self, record: Record, found: Mapping[str, Any]) -> LogTurn:
        draft = Draft(record.place, self._name)
        _ask(draft, found.get("wrapped"))
        draft.typed, draft.scanned = _text(found.get("typed")), _text(found.get("scanned"))
        draft.id, draft.session = plain(found.get("id")), plain(found.get("session"))
        draft.ingress, draft.outcome = plain(found.get("ingress")), plain(found.get("outcome"))
        draft.time = moment(found.get("time"))
        if "tools" in self._mapped:
            draft.called(*names_of(found.get("tools")))
        draft.typed_length = number(found.get("typed_length"))
        draft.wrapped_length = number(found.get("wrapped_length"))
        draft.head = _text(found.get("head"))
        text = draft.scanned if draft.wrapped is None else draft.wrapped
        draft.truncated = text is not None and (len(text) == self._cut_at or _MARKED.search(text) is not None)
        return draft.turn()


def _ask(draft: Draft, value: Any) -> None:
    """The text that was given; out of a list of messages, what is asked last."""
    if isinstance(value, list | dict) or (isinstance(value, str) and value.lstrip()[:2] in ("[{", "[[")):
        found = parsed(value)
        if not isinstance(found, str) and (asked := asked_of(found)) is not None:
            draft.asks(asked)
            return
    draft.wrapped = _text(value)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else plain(value)
