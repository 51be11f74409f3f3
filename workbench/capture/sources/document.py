"""JSON that is no record per line: documents, arrays and objects one after another, an element at a time."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

from workbench.capture.sources.lines import LogFile
from workbench.capture.sources.record import LONGEST, Record
from workbench.capture.turns import Fault, Place, Skipped
from workbench.core.errors import Mark, Problem, WorkbenchError

__all__ = ["STREAMED", "follow_document", "read_document"]

Path = tuple[str, ...]

STREAMED: frozenset[Path] = frozenset(
    {
        ("log", "entries"),
        ("resourceSpans",),
        ("resourceLogs",),
        ("resource_spans",),
        ("resource_logs",),
        ("results", "results"),
        ("observations",),
        ("runs",),
        ("data",),
    }
)
"""Lists that are given element by element, each in a copy of what stood before it in the document."""

_TOLD_AFTER = "observations"
"""Of the object that has this list, what stands behind it is told too: its trace, in some exports."""

_PREFIXES = frozenset(path[:length] for path in STREAMED for length in range(1, len(path)))
_PIECE = 1 << 20
_BLANK = re.compile(r"[ \t\r\n\ufeff]*")
_BETWEEN = re.compile(r"[ \t\r\n\ufeff,\x1e]*")
_LINE_BEGINS = re.compile(r"\n(?=[{\[])")
_BYTES = re.compile("[\udc80-\udcff]")
_decode = json.JSONDecoder().raw_decode


class _Broken(Exception):
    """The text cannot go on as JSON here."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(detail)
        self.fault, self.detail = fault, detail


class _Text:
    """The text not yet used, and the line that it begins on. Bytes that are no UTF-8 are lone surrogates."""

    def __init__(self, file: LogFile, line: int = 1) -> None:
        self._read = file.stream.read
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self.rest = ""
        self.at = 0
        self.ended = False
        self.dirty = False
        """Whether any byte so far was no UTF-8."""
        self._line = line
        self._counted = 0
        self._dropped = 0

    def more(self) -> bool:
        """Reads on; what was used is dropped. False at the end."""
        if self.ended:
            return False
        data = self._read(max(_PIECE, len(self.rest) - self.at))  # doubled, so that no value is scanned often
        self.ended = not data
        self.here()
        piece = self._decoder.decode(data, final=self.ended)
        self.dirty = self.dirty or (not piece.isascii() and _BYTES.search(piece) is not None)
        self._dropped += _bytes_of(self.rest[: self.at])
        self.rest = self.rest[self.at :] + piece
        self.at = self._counted = 0
        return True

    def here(self) -> int:
        """The line, counted from 1, of what is to be used next."""
        self._line += self.rest.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def used(self) -> int:
        """Bytes that are used, from where the reading began."""
        return self._dropped + _bytes_of(self.rest[: self.at])

    def after(self, blank: re.Pattern[str] = _BLANK) -> str:
        """The next character that is not blank, still to be used; "" at the end."""
        while True:
            match = blank.match(self.rest, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.rest):
                return self.rest[self.at]
            if not self.more():
                return ""

    def value(self) -> Any:
        """The whole value that begins here. Raises _Broken."""
        while True:
            try:
                found, end = _decode(self.rest, self.at)
            except RecursionError:
                raise _Broken(Fault.NOT_JSON, "nested too deep") from None
            except ValueError as error:
                if not self.ended and not self._surely_broken(error):
                    if len(self.rest) - self.at > LONGEST:
                        raise _Broken(Fault.TOO_LONG, f"a value of more than {LONGEST >> 20} MiB") from None
                    self.more()
                    continue
                fault = Fault.TORN if self._at_the_end(error) else Fault.NOT_JSON
                raise _Broken(fault, getattr(error, "msg", str(error))) from None
            if end == len(self.rest) and not self.ended:  # a number may go on
                self.more()
                continue
            self.at = end
            return found

    def _surely_broken(self, error: ValueError) -> bool:
        place = getattr(error, "pos", 0)
        unclosed = getattr(error, "msg", "").startswith("Unterminated")
        return not unclosed and len(self.rest) - place > 64

    def _at_the_end(self, error: ValueError) -> bool:
        unclosed = getattr(error, "msg", "").startswith("Unterminated")
        return unclosed or not self.rest[getattr(error, "pos", 0) :].strip()

    def to_next_line(self) -> None:
        """Past what is broken, to the next line that begins with an object or a list."""
        while True:
            found = _LINE_BEGINS.search(self.rest, self.at)
            if found:
                self.at = found.end()
                return
            self.at = max(self.at, len(self.rest) - 1)
            if not self.more():
                self.at = len(self.rest)
                return


def read_document(file: LogFile, name: str) -> Iterator[Record | Skipped]:
    """The records of a file in its order; memory holds one element, at most LONGEST characters of it."""
    text = _Text(file)
    while char := text.after(_BETWEEN):
        line = text.here()
        try:
            if char == "[":
                text.at += 1
                for at, value in _elements(text):
                    yield _judged(text, value, Place(name, at))
            elif char == "{":
                yield from _object(text, name, line)
            else:
                raise _Broken(Fault.NOT_JSON, "neither an object nor a list begins here")
        except _Broken as broken:
            yield Skipped(Place(name, text.here()), broken.fault, broken.detail)
            text.to_next_line()


def follow_document(file: LogFile, name: str) -> Iterator[Record | Skipped | None]:
    """Objects one after another in a file that grows; None whenever nothing new has come.

    Raises WorkbenchError where the file is one list, which is no log that grows.
    """
    begun, line = 0, 1
    while True:
        file.stream.seek(begun)
        text = _Text(file, line)
        done = 0
        while (char := text.after(_BETWEEN)) == "{":
            place = Place(name, text.here())
            try:
                yield _judged(text, text.value(), place)
            except _Broken as broken:
                if broken.fault is Fault.TORN:
                    break  # the rest of it is still to come
                yield Skipped(place, broken.fault, broken.detail)
                text.to_next_line()
            done, line = text.used(), text.here()
        begun += done
        if char not in ("{", ""):
            raise WorkbenchError(Problem("this is no log that grows: it is one JSON list", Mark(name)))
        if file.replaced():
            file.again()
            begun, line = 0, 1
        yield None


def _bytes_of(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


def _object(text: _Text, name: str, line: int) -> Iterator[Record | Skipped]:
    whole: dict[str, Any] = {}
    streamed = False
    for at, element in _members(text, (), whole):
        streamed = True
        yield _judged(text, element, Place(name, at))
    if not streamed or (_TOLD_AFTER in whole and next(reversed(whole)) != _TOLD_AFTER):
        yield _judged(text, whole, Place(name, line))


def _members(text: _Text, path: Path, before: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Reads an object into `before`; yields each element of a streamed list within a copy of that."""
    text.at += 1
    char = text.after()
    while char != "}":
        if char != '"':
            raise _Broken(Fault.TORN if not char else Fault.NOT_JSON, "a key was expected")
        key = text.value()
        if text.after() != ":":
            raise _Broken(Fault.NOT_JSON, "a colon was expected after a key")
        text.at += 1
        opening = text.after()
        inner = (*path, key)
        if inner in STREAMED and opening == "[":
            text.at += 1
            for at, element in _elements(text):
                yield at, {**before, key: [element]}
            before[key] = []
        elif inner in _PREFIXES and opening == "{":
            within: dict[str, Any] = {}
            for at, made in _members(text, inner, within):
                yield at, {**before, key: made}
            before[key] = within
        else:
            before[key] = text.value()
        char = text.after()
        if char == ",":
            text.at += 1
            char = text.after()
        elif char != "}":
            raise _Broken(Fault.TORN if not char else Fault.NOT_JSON, "a comma or the end was expected")
    text.at += 1


def _elements(text: _Text) -> Iterator[tuple[int, Any]]:
    """The elements of a list of which the bracket is used, each with its line."""
    char = text.after()
    while char != "]":
        if not char:
            raise _Broken(Fault.TORN, "the file ends within a list")
        at = text.here()
        yield at, text.value()
        char = text.after()
        if char == ",":
            text.at += 1
            char = text.after()
        elif char != "]":
            raise _Broken(Fault.TORN if not char else Fault.NOT_JSON, "a comma or the end was expected")
    text.at += 1


def _judged(text: _Text, value: Any, place: Place) -> Record | Skipped:
    """The record, unless bytes in it were no UTF-8."""
    bad = text.dirty and _has_bytes(value)
    return Skipped(place, Fault.NOT_UTF8, "a text in it") if bad else Record(value, place)


def _has_bytes(value: Any) -> bool:
    """Whether a text in it holds a byte that was no UTF-8; looked for without recursion."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if not item.isascii() and _BYTES.search(item):
                return True
        elif isinstance(item, dict):
            waiting.extend(item)
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return False
