"""JSON as it stands: nothing is repaired, and what two readers could take in two ways is refused."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

__all__ = ["DEEPEST", "NotJson", "kind_of", "mapping", "parse", "spell", "strings", "text_of", "unique"]

DEEPEST = 100
"""Levels of lists and mappings that are read; nothing real comes near."""


_BYTE = re.compile("[\udc80-\udcff]")
_HALF_CHARACTER = re.compile("[\udc80-\udcff]{1,3}\\Z")
_HALF_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,4}\Z")


class NotJson(Exception):
    """The text is no JSON that can be read in one way only. `cut`: it may be the start of one that is."""

    def __init__(self, message: str, *, cut: bool = False) -> None:
        super().__init__(message)
        self.cut = cut


def parse(text: str) -> Any:
    """The value of a JSON text. Raises NotJson on anything else, on duplicate keys, and on NaN."""
    if not text.isascii() and _BYTE.search(text):
        raise NotJson("bytes that are not UTF-8", cut=not _BYTE.search(_HALF_CHARACTER.sub("", text)))
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _told(text, error) from None
    except RecursionError:
        raise NotJson(f"nested deeper than {DEEPEST} levels") from None
    except ValueError as error:  # more digits than Python turns into a number
        raise NotJson(str(error)) from None
    if text.count("[") + text.count("{") > DEEPEST and _deeper_than(value, DEEPEST):
        raise NotJson(f"nested deeper than {DEEPEST} levels")
    return value


def _told(text: str, error: json.JSONDecodeError) -> NotJson:
    where = f"at character {error.pos + 1}"
    if not text.strip():
        return NotJson("nothing but blanks", cut=True)
    if error.msg == "Extra data":
        return NotJson(f"trailing characters after JSON, {where}")
    rest = text[error.pos :].rstrip()
    if error.msg.startswith("Unterminated") or _may_go_on(rest) or _HALF_ESCAPE.search(text):
        return NotJson(f"JSON that breaks off, {where}", cut=True)
    return NotJson(f"no JSON: {error.msg}, {where}")


def _may_go_on(rest: str) -> bool:
    """Whether what the reader stopped at is the start of a word, or nothing yet."""
    return any(word.startswith(rest) for word in ("true", "false", "null", "-"))


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these members. Raises NotJson where a key stands twice: which of them is meant?"""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise NotJson(f"the key {json.dumps(twice)} stands twice")
    return found


def _constant(word: str) -> NoReturn:
    raise NotJson(f"{word} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotJson(f"the number {digits[:40]} is too large")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=unique, parse_constant=_constant, parse_float=_finite)


def _deeper_than(value: Any, levels: int) -> bool:
    """Whether lists and mappings nest deeper; told without recursion."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            member
            for item in layer
            if isinstance(item, dict | list)
            for member in (item.values() if isinstance(item, dict) else item)
        ]
        if not layer:
            return False
    return True


def text_of(body: bytes) -> str:
    """The text of a body, without byte order mark; bytes that are no UTF-8 stand as lone surrogates."""
    return body.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def spell(value: Any) -> str:
    """A value as JSON text for a person to read."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one: for parts that may be missing or null."""
    return value if isinstance(value, dict) else {}


def strings(value: Any) -> str | None:
    """The value if it is text that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def kind_of(value: Any) -> str:
    """What kind of JSON value it is, for a message."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list"}
    return names.get(type(value), "an object")
