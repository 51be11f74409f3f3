"""Streams cut into events: server-sent events, and lines of JSON, fed with bytes split anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from workbench.wire.strict import text_of

__all__ = ["Event", "EventParser", "JsonLines", "ServerSentEvents"]

_LINE_END = re.compile(rb"\r\n|\r|\n")
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `name` is empty where the stream gave it none. Bytes that are no UTF-8 stand in `data`
    as lone surrogates.
    """

    name: str
    data: str


class EventParser(Protocol):
    """Cuts a stream into events; any split into chunks gives the same ones."""

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that `chunk` completes."""

    def end(self) -> Iterator[Event]:
        """The event that the stream's end completes, if one was open."""


class _Lines:
    """Lines that end with LF, CR or CRLF. A byte order mark at the start is dropped."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._after_return = False
        self._begun = False

    def feed(self, chunk: bytes) -> list[bytes]:
        if self._after_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        if b"\n" not in chunk and b"\r" not in chunk:
            self._parts.append(chunk)
            return []
        text = b"".join(self._parts) + chunk
        self._after_return = text.endswith(b"\r")
        *lines, rest = _LINE_END.split(text)
        self._parts = [rest]
        return self._marked(lines)

    def end(self) -> list[bytes]:
        """What stands after the last line end."""
        rest = b"".join(self._parts)
        self._parts = []
        return self._marked([rest]) if rest else []

    def _marked(self, lines: list[bytes]) -> list[bytes]:
        if not self._begun and lines:
            self._begun = True
            lines[0] = lines[0].removeprefix(_MARK)
        return lines


class ServerSentEvents:
    """A `text/event-stream`. An event that the end of the stream closes is given too."""

    def __init__(self) -> None:
        self._lines = _Lines()
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[Event]:
        for line in self._lines.feed(chunk):
            yield from self._line(line)

    def end(self) -> Iterator[Event]:
        for line in self._lines.end():
            yield from self._line(line)
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[Event]:
        if not line:
            if self._data:
                yield Event(self._name, "\n".join(self._data))
            self._name, self._data = "", []
            return
        field, _, value = line.partition(b":")  # a comment has no field, and is none that is known
        text = text_of(value.removeprefix(b" "))
        if field == b"data":
            self._data.append(text)
        elif field == b"error":  # not of the specification: some local servers report errors so
            self._name = "error"
            self._data.append(text)
        elif field == b"event":
            self._name = text


class JsonLines:
    """One event per line that is not blank."""

    def __init__(self) -> None:
        self._lines = _Lines()

    def feed(self, chunk: bytes) -> Iterator[Event]:
        yield from self._events(self._lines.feed(chunk))

    def end(self) -> Iterator[Event]:
        yield from self._events(self._lines.end())

    @staticmethod
    def _events(lines: list[bytes]) -> Iterator[Event]:
        for line in lines:
            if line.strip():
                yield Event("", text_of(line))
