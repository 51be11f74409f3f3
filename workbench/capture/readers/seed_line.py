"""The one line that an app adds at its routing call: `route turn=… typed=… routed=… head=…`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any, ClassVar

from workbench.capture.readers.fields import NAMES, moment, pick
from workbench.capture.readers.gathering import Draft
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, Skipped

__all__ = ["SeedLineReader", "fits"]

_LINE = re.compile(
    r"\broute turn=(?P<turn>.*?) typed=(?P<typed>\d+) routed=(?P<routed>\d+)(?P<rest>.*)", re.S
)
_BEGUN = re.compile(r"\broute turn=")
_HEAD = re.compile(r"\bhead=(?P<head>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.S)
_FIELD = re.compile(r"\b(?P<name>tools|outcome|session|ingress)=(?P<value>'(?:[^'\\]|\\.)*'|\[[^\]]*\]|\S+)")
_RUST = re.compile(r"(?<!\\)((?:\\\\)*)\\u\{([0-9a-fA-F]{1,8})\}")  # how Rust spells what it escapes
_TIME = re.compile(r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)")


def fits(value: Any) -> bool:
    """Whether a line of text is one of these, or a record of a structured log that has one."""
    return _LINE.search(_line(value)) is not None


def _line(value: Any) -> str:
    if isinstance(value, dict):
        return next((item for item in value.values() if isinstance(item, str) and _BEGUN.search(item)), "")
    return value if isinstance(value, str) else ""


class SeedLineReader:
    """Lengths and the head of what was routed. Other lines of the log are passed over."""

    name: ClassVar[str] = "seed-line"

    def take(self, record: Record) -> Iterable[Read]:
        line = _line(record.value)
        begun = _BEGUN.search(line)
        if begun is None:
            return
        found = _LINE.search(line)
        if found is None:
            yield Skipped(record.place, Fault.TORN, "the line ends before its fields do")
            return
        if _spliced(line):
            yield Skipped(record.place, Fault.SPLICED, "a second line begins within it")
            return
        draft = Draft(record.place, self.name, id=found["turn"] if found["turn"] != "None" else None)
        draft.typed_length, draft.wrapped_length = int(found["typed"]), int(found["routed"])
        if "head=" in found["rest"]:
            draft.head = _unquoted(found["rest"])
            if draft.head is None:
                yield Skipped(record.place, Fault.TORN, "the head is no whole literal")
                return
            draft.truncated = draft.wrapped_length > len(draft.head)
            if draft.wrapped_length == len(draft.head):
                draft.wrapped = draft.head
        before = list(_TIME.finditer(line, 0, begun.start()))
        draft.time = moment(before[-1]["time"].replace(",", ".")) if before else None
        if isinstance(record.value, dict):
            draft.time = moment(pick(record.value, NAMES["time"]))
        _more(draft, _HEAD.sub("", found["rest"]))
        yield draft.turn()

    def end(self) -> Iterable[Read]:
        return ()


def _spliced(line: str) -> bool:
    """Whether a second line begins within it; one within the head is the user's."""
    head = _HEAD.search(line)
    if head is None:
        return len(_BEGUN.findall(line)) > 1
    after = line[head.end() :]
    return len(_BEGUN.findall(line[: head.start()] + after)) > 1 or after[:1] not in ("", " ", "\t", ",", '"')


def _more(draft: Draft, rest: str) -> None:
    """What some apps write after the head."""
    for field in _FIELD.finditer(rest):
        value = field["value"]
        if field["name"] == "tools":
            draft.called(*(name for name in re.split(r"[\s,'\"\[\]()]+", value) if name and name != "None"))
        else:
            setattr(draft, field["name"], value.strip("'\""))


def _unquoted(rest: str) -> str | None:
    """The head out of its Python literal; None where that is broken."""
    quoted = _HEAD.search(rest)
    if quoted is None:
        return None
    try:
        value = ast.literal_eval(_RUST.sub(lambda found: f"{found[1]}\\U{found[2]:>08}", quoted["head"]))
    except (ValueError, SyntaxError):
        return None
    return value if isinstance(value, str) else None
