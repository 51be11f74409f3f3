"""Paths into a JSON answer, such as `data.tools[*].name`: what stands there, and which kind of nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from workbench.core.decision import Json

__all__ = ["Nothing", "Path", "PathError", "parse_path"]

_STEP = re.compile(
    r"""\.?([^.\[\]"']+)|\[(-?\d{1,9})\]|\[(\*)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]"""
)
_ESCAPED = re.compile(r"\\(.)")


class Nothing(Enum):
    """Why no value stands at a path."""

    NOT_REPORTED = "not reported"
    """A key on the way is absent, or a value on the way has no keys."""
    EMPTY = "reported empty"
    """A list on the way is there and is shorter, or a value on the way is null."""


class PathError(Exception):
    """Text that is no path, and why."""


class _Every(Enum):
    """The step `[*]`."""

    ENTRY = "*"


@dataclass(frozen=True, slots=True)
class Path:
    """`text` as written; a step is a key, an index (from the end if negative), or every entry."""

    text: str
    steps: tuple[str | int | _Every, ...]

    @property
    def many(self) -> bool:
        """Whether it stands for a list, one value for each entry."""
        return any(isinstance(step, _Every) for step in self.steps)

    def of(self, value: Json) -> Json | Nothing:
        """What stands at this path in `value`. After `[*]`: a list, null for an entry that has nothing."""
        return _at(value, self.steps)


def parse_path(text: str) -> Path:
    """Raises PathError for what is no path."""
    rest = text.removeprefix("$")
    steps: list[str | int | _Every] = []
    at = 0
    while at < len(rest):
        step = _STEP.match(rest, at)
        if step is None or (step.group(1) and at and rest[at] != "."):
            raise PathError(
                f"{text!r} cannot be read from {rest[at:]!r} on; expected e.g. data.tools[0].name"
            )
        key, index, every, *quoted = step.groups()
        if every:
            steps.append(_Every.ENTRY)
        elif index is not None:
            steps.append(int(index))
        else:
            steps.append(key or _ESCAPED.sub(r"\1", next((q for q in quoted if q is not None), "")))
        at = step.end()
    if not steps:
        raise PathError("an empty path; expected e.g. data.tools[0].name")
    return Path(text, tuple(steps))


def _at(value: Json, steps: tuple[str | int | _Every, ...]) -> Json | Nothing:
    for number, step in enumerate(steps):
        if value is None:
            return Nothing.EMPTY
        if isinstance(step, str):
            if not isinstance(value, Mapping) or step not in value:
                return Nothing.NOT_REPORTED
            value = value[step]
            continue
        if not isinstance(value, list | tuple):
            return Nothing.NOT_REPORTED
        if isinstance(step, _Every):
            found = [_at(item, steps[number + 1 :]) for item in value]
            return [None if isinstance(item, Nothing) else item for item in found]
        if not -len(value) <= step < len(value):
            return Nothing.EMPTY
        value = value[step]
    return value
