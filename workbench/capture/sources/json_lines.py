"""JSON, one record per line: every good line is used, and every bad one listed with its reason."""

from __future__ import annotations

import json
import re
from json import JSONDecodeError

from workbench.capture.sources.lines import Line
from workbench.capture.sources.record import LONGEST, Record
from workbench.capture.turns import Fault, Place, Skipped

__all__ = ["MARK", "not_text", "read_line", "read_text", "too_long"]

MARK = b"\xef\xbb\xbf"
_BEGINS = re.compile(r'\{\s*"')
_MOST_TRIES = 16
_decode = json.JSONDecoder().raw_decode
_BLANKS = " \t\r\n"


def read_line(line: Line, file: str) -> Record | Skipped | None:
    """What one line holds; None where it is blank."""
    found = read_text(line, file)
    if found is None or isinstance(found, Skipped):
        return found
    text, place = found.value, found.place
    try:
        return Record(json.loads(text), place)
    except JSONDecodeError as error:
        return _explained(text, error, place)
    except RecursionError:
        return Skipped(place, Fault.NOT_JSON, "nested too deep")
    except ValueError as error:  # more digits than Python turns into a number
        return Skipped(place, Fault.NOT_JSON, str(error))


def read_text(line: Line, file: str) -> Record | Skipped | None:
    """A line as the text that it is; None where it is blank."""
    place = Place(file, line.number)
    if line.cut:
        return too_long(place)
    data = line.text
    if line.number == 1:
        data = data.removeprefix(MARK)
    if not data or data.isspace():
        return None
    if b"\0" in data:
        return Skipped(place, Fault.NUL, f"{data.count(0)} of {len(data)} bytes")
    try:
        return Record(data.decode("utf-8"), place)
    except UnicodeDecodeError as error:
        return not_text(place, error)


def too_long(place: Place) -> Skipped:
    return Skipped(place, Fault.TOO_LONG, f"longer than {LONGEST >> 20} MiB")


def not_text(place: Place, error: UnicodeDecodeError) -> Skipped:
    byte = error.object[error.start]
    return Skipped(place, Fault.NOT_UTF8, f"byte 0x{byte:02x} at offset {error.start}")


def _explained(text: str, error: JSONDecodeError, place: Place) -> Skipped:
    """Spliced where a second record begins within the line and reaches its end, else torn, else no JSON."""
    stripped = text.strip(_BLANKS)
    if not stripped.startswith(("{", "[")):
        return Skipped(place, Fault.NOT_JSON, f"{error.msg} at character {error.pos + 1}")
    torn = Skipped(place, Fault.TORN, f"the line ends within a record, after {len(text)} characters")
    if error.msg == "Extra data":
        if text[error.pos] in "{[":
            return Skipped(place, Fault.SPLICED, f"a second record begins at character {error.pos + 1}")
    elif error.msg.startswith("Unterminated") or not text[error.pos :].strip(_BLANKS):
        return torn
    else:
        begun = [match.start() for match in _BEGINS.finditer(text, 1, error.pos + 2)]
        for start in begun[-_MOST_TRIES:]:
            if _is_record(text, start):
                return Skipped(place, Fault.SPLICED, f"a second record begins at character {start + 1}")
        if not stripped.endswith(("}", "]")):
            return torn
    return Skipped(place, Fault.NOT_JSON, f"{error.msg} at character {error.pos + 1}")


def _is_record(text: str, start: int) -> bool:
    """Whether a whole record stands from `start` to the end of the line."""
    try:
        _, end = _decode(text, start)
    except (ValueError, RecursionError):
        return False
    return not text[end:].strip(_BLANKS)
