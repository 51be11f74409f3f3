"""How a value is written in YAML such that this program, and any other, reads that value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from workbench.core.decision import Json
from workbench.core.errors import WorkbenchError
from workbench.core.text import is_invisible
from workbench.files.node import NodeKind
from workbench.files.parse import parse
from workbench.files.problems import Problems
from workbench.files.scalars import as_boolean, as_number, is_null
from workbench.files.source import Source

__all__ = ["double_quoted", "is_block", "literal", "single_quoted", "spelled", "spelled_json"]

# What other readers take for a number, a date, a time or a truth.
_TYPED = re.compile(r"[-+.]?[0-9][0-9_.:eExXoO+TZ-]*|[-+]?\.(?:inf|nan)|y|n|yes|no|on|off", re.IGNORECASE)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def spelled(value: str, *, flow: bool) -> str:
    """Text without quotes where that reads as this text, else in double quotes; on one line.

    `flow`: it is to stand within [ ] or { }.
    """
    return value if _reads_plain(value, flow) else double_quoted(value)


def double_quoted(value: str) -> str:
    """Text in double quotes, what cannot be seen as an escape."""
    return '"' + "".join(_ESCAPES.get(char) or _shown(char) for char in value) + '"'


def single_quoted(value: str) -> str | None:
    """Text in single quotes; None where that takes escapes."""
    return None if any(map(is_invisible, value)) else "'" + value.replace("'", "''") + "'"


def is_block(value: str) -> bool:
    """Whether text can stand as a `|` block, indented, as it is."""
    lines = value.removesuffix("\n").split("\n")
    return (
        bool(lines[0].strip())
        and lines[0] == lines[0].lstrip()
        and bool(lines[-1])
        and all(line.strip() or not line for line in lines)
        and not any(map(is_invisible, value.replace("\n", "")))
    )


def literal(value: str, indent: int) -> tuple[str, list[str]]:
    """The header and the lines of a `|` block. `is_block` says whether there is one."""
    header = "|" if value.endswith("\n") else "|-"
    lines = value.removesuffix("\n").split("\n")
    return header, [f"{' ' * indent}{line}" if line else "" for line in lines]


def spelled_json(value: Json) -> str:
    """A JSON value in flow style."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return spelled(value, flow=True)
    if isinstance(value, Mapping):
        pairs = (f"{spelled(str(key), flow=True)}: {spelled_json(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    assert isinstance(value, Sequence)
    return "[" + ", ".join(map(spelled_json, value)) + "]"


def _reads_plain(value: str, flow: bool) -> bool:
    if not value or value != value.strip() or any(map(is_invisible, value)) or value == "<<":
        return False
    if is_null(value) or as_boolean(value) is not None or as_number(value) is not None:
        return False
    if _TYPED.fullmatch(value):
        return False
    problems = Problems()
    try:
        root = parse(Source("", f"{{k: {value}}}" if flow else f"k: {value}"), problems)
    except WorkbenchError:
        return False
    if len(problems) or root.kind is not NodeKind.MAPPING or len(root.pairs) != 1:
        return False
    read = root.pairs[0][1]
    return read.plain and read.value == value


def _shown(char: str) -> str:
    if not is_invisible(char):
        return char
    point = ord(char)
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
