"""CSV as rows by header: a broken row is listed, and a quote that is never closed costs one line."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator

from workbench.capture.sources.json_lines import MARK, not_text, too_long
from workbench.capture.sources.lines import Line
from workbench.capture.sources.record import Record
from workbench.capture.turns import Fault, Place, Skipped

__all__ = ["delimiter_of", "read_rows"]

_DELIMITERS = ",\t;|"
_MOST_LINES = 2_000
"""Lines that one quoted field may span. A longer one is taken for a quote that was never closed."""


def delimiter_of(head: str) -> str | None:
    """What parts the columns of a header: the character that stands there most often; None without one."""
    header = next((line for line in head.splitlines() if line.strip()), "")
    found = max(_DELIMITERS, key=header.count)
    return found if header.count(found) else None


def read_rows(lines: Iterator[Line | None], file: str, delimiter: str) -> Iterator[Record | Skipped | None]:
    """The rows as mappings by header. Rows of another width, with NULs or no UTF-8, are skips."""
    header: list[str] | None = None
    for found in _records(lines, file, delimiter):
        if found is None or isinstance(found, Skipped):
            yield found
            continue
        place, cells = found
        if header is None:
            header = [name.strip() for name in cells]
        elif len(cells) == len(header):
            yield Record(dict(zip(header, cells, strict=True)), place)
        else:
            fault = Fault.TORN if len(cells) < len(header) else Fault.SPLICED
            yield Skipped(place, fault, f"{len(cells)} columns; expected {len(header)}")


def _records(
    lines: Iterator[Line | None], file: str, delimiter: str
) -> Iterator[tuple[Place, list[str]] | Skipped | None]:
    again: deque[Line] = deque()
    open_: list[Line] = []
    quotes = 0
    while True:
        line = again.popleft() if again else next(lines, _END)
        if line is None:
            yield None
            continue
        if line is _END or len(open_) >= _MOST_LINES:
            if not open_:
                return
            first, *rest = open_
            yield Skipped(Place(file, first.number), Fault.TORN, "a quote that is never closed")
            again.extendleft(reversed([*rest, *([] if line is _END else [line])]))
            open_, quotes = [], 0
            continue
        place = Place(file, line.number)
        bad = _bad(line, place)
        if bad is not None:
            yield bad
            continue
        open_.append(line)
        quotes += line.text.count(b'"')
        if quotes % 2:
            continue
        text = b"".join(map(_with_end, open_[:-1])).decode("utf-8") + open_[-1].text.decode("utf-8")
        place = Place(file, open_[0].number)
        open_, quotes = [], 0
        if not text.strip():
            continue
        try:
            yield place, _cells(text.removeprefix("\ufeff") if place.number == 1 else text, delimiter)
        except csv.Error:
            yield Skipped(place, Fault.SPLICED, "a line end outside of quotes")


_END = Line(0, b"")


def _with_end(line: Line) -> bytes:
    return line.text + (b"\r\n" if line.returns else b"\n")


def _bad(line: Line, place: Place) -> Skipped | None:
    if line.cut:
        return too_long(place)
    if b"\0" in line.text:
        return Skipped(place, Fault.NUL, f"{line.text.count(0)} of {len(line.text)} bytes")
    try:
        line.text.removeprefix(MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        return not_text(place, error)
    return None


def _cells(text: str, delimiter: str) -> list[str]:
    if '"' not in text:
        return text.split(delimiter)
    if len(text) > csv.field_size_limit():
        csv.field_size_limit(len(text))
    return next(csv.reader([text], delimiter=delimiter))
