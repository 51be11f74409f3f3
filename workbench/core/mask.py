"""Secrets never leave: what is stored, shown or raised passes through a Masker first."""

from __future__ import annotations

import base64
import dataclasses
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast
from urllib.parse import quote, quote_plus

from workbench.core import shapes

__all__ = ["MASK", "SHORTEST", "Masker"]

MASK = "[secret]"
"""What stands in a secret's place."""

SHORTEST = 8
"""Shorter values are not looked for: `local` or `none` as a key would blot out ordinary words."""

_REMEMBERED = 128  # a cell sends one body many times
_PASSES = 8  # what a replacement brings together may be a secret again; not more often than this
_PLAIN = re.compile(r"[A-Za-z0-9._~-]+")
_WEAK_LEAST = 8
_LABELS = tuple(ending + mark for ending in shapes.ENDINGS for mark in (": ", '": ', "': "))
_QUOTED_ENDINGS = tuple(ending + mark for ending in shapes.ENDINGS for mark in "\"'\\")

T = TypeVar("T")


class Masker:
    """Masks the secrets it was told of, in every spelling a body or an address gives them, and whatever
    has the shape of a key or stands under a name that secrets have.

    Masking twice is masking once. Text without secrets comes back as it is.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        known = sorted({v for v in values if len(v) >= SHORTEST and v not in MASK}, key=len, reverse=True)
        self._plain = tuple(known)
        spelled = [pattern for value in known for pattern in _spellings(value)]
        self._spelled = re.compile("|".join(spelled)) if spelled else None
        encoded = [text for value in known for text in _base64(value)]
        self._encoded = re.compile(
            "|".join(
                f"[A-Za-z0-9+/_-]{{0,2}}{re.escape(text)}[A-Za-z0-9+/_-]{{0,2}}={{0,2}}" for text in encoded
            )
        )
        self._hints = tuple(encoded)
        self.text = lru_cache(_REMEMBERED)(self._text)
        """Any text with its secrets masked: a body, an address, an error, a log."""

    def _text(self, text: str) -> str:
        for _ in range(_PASSES):
            masked = self._once(text)
            if masked == text:
                break
            text = masked
        return text

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Headers by name: the value of one that carries a key is masked whole."""
        return {
            name: MASK if value and shapes.is_secret_name(name) else self.text(value)
            for name, value in headers.items()
        }

    def deep(self, value: T) -> T:
        """The same value with every text in it masked: mappings, sequences, frozen dataclasses."""
        return cast(T, self._deep(value))

    def _deep(self, value: Any) -> Any:
        if type(value) is str:
            return self.text(value)
        if isinstance(value, Mapping):
            return {self._deep(key): self._member(key, item) for key, item in value.items()}
        if isinstance(value, (tuple, list)):
            return type(value)([self._deep(item) for item in value])
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._record(value)
        return value

    def _member(self, key: object, item: object) -> Any:
        if isinstance(item, str) and item and isinstance(key, str) and shapes.is_secret_name(key):
            return MASK
        return self._deep(item)

    def _record(self, value: Any) -> Any:
        """Only what has changed is made anew."""
        changed = {}
        for field in dataclasses.fields(value):
            before = getattr(value, field.name)
            after = self._deep(before)
            if after is not before and after != before:
                changed[field.name] = after
        return dataclasses.replace(value, **changed) if changed else value

    def _once(self, text: str) -> str:
        for value in self._plain:
            if value in text:
                text = text.replace(value, MASK)
        if self._spelled is not None:
            text = self._spelled.sub(MASK, text)
        if self._hints and any(hint in text for hint in self._hints):
            text = self._encoded.sub(MASK, text)
        text = _by_shape(text)
        return _by_name(text)


def _by_shape(text: str) -> str:
    for shape in shapes.SHAPES:
        if any(hint in text for hint in shape.hints):
            text = shape.pattern.sub(_kept, text)
    if "://" in text and "@" in text:
        text = shapes.PASSWORD_IN_URL.sub(_kept, text)
    return text


def _by_name(text: str) -> str:
    """By the names beside it, each looked for only where a glance does not rule it out: bodies are long."""
    lower = text.lower()
    if "=" in text:
        if "?" in text:
            text = shapes.QUERY.sub(_kept, text)
        if any(f"{ending}=" in lower for ending in shapes.ENDINGS):
            text = shapes.ASSIGNED.sub(_kept, text)
    if ": " in text and any(label in lower for label in _LABELS):
        text = shapes.LABELLED.sub(_kept_by_label, text)
    if any(name in lower for name in shapes.HEADER_HINTS):
        text = shapes.HEADER_LINE.sub(_kept, text)
    if any(ending in lower for ending in _QUOTED_ENDINGS):
        text = _by_quoted_name(text)
    return text


def _kept(match: re.Match[str]) -> str:
    """What names the secret stays; what is masked already is left alone."""
    before = next((group for group in match.groups() if group is not None), "")
    return match[0] if match[0][len(before) :].startswith(MASK[:-1]) else before + MASK


def _kept_by_label(match: re.Match[str]) -> str:
    return _kept(match) if shapes.is_secret_name(match[2]) else match[0]


def _by_quoted_name(text: str) -> str:
    parts: list[str] = []
    done = 0
    found = shapes.NAMED.search(text)
    while found is not None:
        start = found.end()
        end = _closing(text, start, len(found["slashes"]), found["mark"])
        if _is_secret(found, text[start:end]):
            parts += (text[done:start], MASK)
            done = end
            start = end
        found = shapes.NAMED.search(text, start)
    return "".join((*parts, text[done:])) if parts else text


def _is_secret(found: re.Match[str], value: str) -> bool:
    if not value or value == MASK:
        return False
    if found["pair"] is not None:  # a list of names, such as a schema's `required`, holds no values
        return found["header"] is not None and not re.fullmatch(r"[A-Za-z_-]*", value)
    return found["weak"] is None or (len(value) >= _WEAK_LEAST and not re.search(r"\s", value))


def _closing(text: str, start: int, slashes: int, mark: str) -> int:
    """Where a string ends whose quote is escaped `slashes` deep: JSON in JSON escapes its own quotes more."""
    for match in re.compile(rf"(?<!\\)(\\*){re.escape(mark)}").finditer(text, start):
        if len(match[1]) % (2 * (slashes + 1)) == slashes:
            return match.end() - 1 - slashes
    return len(text)


def _spellings(value: str) -> list[str]:
    """A pattern for the value with each character raw or escaped: by a URL, by HTML, by JSON four deep."""
    if _PLAIN.fullmatch(value):
        return []
    plus = quote_plus(value) if " " in value else None
    return ["".join(map(_spelled, value)), *([re.escape(plus)] if plus else [])]


_ENTITIES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#(?:39|x27)"}
_LETTERS = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}


def _spelled(char: str) -> str:
    if _PLAIN.fullmatch(char):
        return re.escape(char)
    units = char.encode("utf-16-be", "surrogatepass")
    escapes = "".join(rf"\\{{1,15}}u(?i:{units[at : at + 2].hex()})" for at in range(0, len(units), 2))
    ways = [
        rf"\\{{0,15}}{re.escape(char)}",
        escapes,
        f"(?i:{quote(char.encode('utf-8', 'surrogatepass'), safe='')})",
    ]
    if char in _ENTITIES:
        ways.append(f"&(?:{_ENTITIES[char]});")
    if char in _LETTERS:
        ways.append(rf"\\{{1,15}}{_LETTERS[char]}")
    return f"(?:{'|'.join(ways)})"


def _base64(value: str) -> list[str]:
    """What every base64 text that holds the value has in common, at each of the three places it can begin."""
    raw = value.encode("utf-8", "surrogatepass")
    found: dict[str, None] = {}
    for offset, skip in ((0, 0), (1, 2), (2, 3)):
        coded = base64.b64encode(bytes(offset) + raw).decode()
        whole = coded[skip : (offset + len(raw)) * 8 // 6]
        for text in (whole, whole.replace("+", "-").replace("/", "_")):
            if len(text) >= SHORTEST:
                found[text] = None
    return list(found)
