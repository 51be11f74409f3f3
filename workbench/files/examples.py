"""Whether the example of an envelope's slot is of the kind that it is said to be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from workbench.core.envelope import SlotKind
from workbench.files.scalars import as_number

__all__ = ["example_fits"]

_BASE64 = re.compile(r"[A-Za-z0-9+/_\s-]*={0,2}\s*")


def example_fits(kind: SlotKind, example: str) -> bool:
    """Whether `example` could stand in a slot of that kind: a light check against slips."""
    check = _CHECKS.get(kind)
    return check is None or check(example)


def _is_json(example: str) -> bool:
    try:
        json.loads(example)
    except (ValueError, RecursionError):
        return False
    return True


def _is_line(example: str) -> bool:
    return bool(example.strip()) and "\n" not in example


def _is_token(example: str) -> bool:
    return bool(example) and not any(char.isspace() for char in example)


_CHECKS: Mapping[SlotKind, Callable[[str], bool]] = {
    SlotKind.NAME: _is_line,
    SlotKind.PATH: _is_line,
    SlotKind.TIME: lambda example: any(char.isdigit() for char in example),
    SlotKind.NONCE: _is_token,
    SlotKind.NUMBER: lambda example: as_number(example.strip()) is not None,
    SlotKind.JSON: _is_json,
    SlotKind.BASE64: lambda example: bool(example.strip()) and _BASE64.fullmatch(example) is not None,
}
