"""Where the statements and comments of a TOML file stand, which its values no longer know."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Statement", "What", "statements"]

_QUOTES = ('"""', "'''", '"', "'")
_BARE = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\Z")
_SPACE = " \t\r\n"


class What(StrEnum):
    TABLE = "table"
    ARRAY = "array"  # one element of an array of tables
    ENTRY = "entry"
    COMMENT = "comment"  # on a line of its own


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement; offsets are code points of the text.

    `key` is empty for a comment. `comment` is what stands behind it, without `#`. Of an entry, `elements`
    are where inline tables directly inside an array begin, and `inside` the comments within the value.
    """

    what: What
    start: int
    end: int
    key: tuple[str, ...] = ()
    comment: str | None = None
    elements: tuple[int, ...] = ()
    inside: tuple[tuple[int, str], ...] = ()


def statements(text: str) -> list[Statement]:
    """Every statement of a text that is valid TOML, in order."""
    found = []
    position = 0
    while (position := _skip(text, position, _SPACE)) < len(text):
        read = {"#": _comment, "[": _header}.get(text[position], _entry)
        statement = read(text, position)
        found.append(statement)
        position = max(statement.end, position + 1)
    return found


def _comment(text: str, start: int) -> Statement:
    end = _line_end(text, start)
    return Statement(What.COMMENT, start, end, comment=text[start + 1 : end].strip())


def _header(text: str, start: int) -> Statement:
    brackets = 2 if text.startswith("[[", start) else 1
    close = _find(text, start + brackets, "]")
    comment, end = _behind(text, close + brackets)
    what = What.ARRAY if brackets == 2 else What.TABLE
    return Statement(what, start, end, _key(text[start + brackets : close]), comment)


def _entry(text: str, start: int) -> Statement:
    equals = _find(text, start, "=")
    position = _skip(text, equals + 1, " \t")
    depth = 0
    elements: list[int] = []
    inside: list[tuple[int, str]] = []
    while position < len(text):
        char = text[position]
        if quote := _quote_at(text, position):
            position = _string_end(text, position, quote)
            continue
        if char == "#" and depth:
            end = _line_end(text, position)
            inside.append((position, text[position + 1 : end].strip()))
            position = end
            continue
        if depth == 0 and char in "#\n":
            break
        if char in "[{":
            if char == "{" and depth == 1:
                elements.append(position)
            depth += 1
        elif char in "]}":
            depth -= 1
        position += 1
    comment, end = _behind(text, position)
    return Statement(
        What.ENTRY, start, end, _key(text[start:equals]), comment, tuple(elements), tuple(inside)
    )


def _behind(text: str, position: int) -> tuple[str | None, int]:
    """The comment on the rest of a line, and where the line ends."""
    position = _skip(text, position, " \t\r")
    end = _line_end(text, position)
    return (text[position + 1 : end].strip() if text.startswith("#", position) else None), end


def _find(text: str, position: int, wanted: str) -> int:
    """Where `wanted` stands outside quotes; the end of the text if nowhere."""
    while position < len(text) and text[position] != wanted:
        quote = _quote_at(text, position)
        position = _string_end(text, position, quote) if quote else position + 1
    return position


def _quote_at(text: str, position: int) -> str | None:
    return next((quote for quote in _QUOTES if text.startswith(quote, position)), None)


def _string_end(text: str, start: int, quote: str) -> int:
    position = start + len(quote)
    while position < len(text):
        if text[position] == "\\" and quote[0] == '"':
            position += 2
        elif text.startswith(quote, position):
            position += len(quote)
            # Up to two quotes may stand directly before the three that close.
            while len(quote) == 3 and text.startswith(quote[0], position):
                position += 1
            return position
        else:
            position += 1
    return position


def _key(raw: str) -> tuple[str, ...]:
    raw = raw.strip()
    if _BARE.match(raw):
        return tuple(raw.split("."))
    value: object = tomllib.loads(f"{raw} = 0")
    parts = []
    while isinstance(value, dict):
        ((part, value),) = value.items()
        parts.append(part)
    return tuple(parts)


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _skip(text: str, position: int, chars: str) -> int:
    while position < len(text) and text[position] in chars:
        position += 1
    return position
