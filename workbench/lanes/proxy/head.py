"""The head of an HTTP/1.1 message: read for what it says, kept as it came."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["MOST_OF_A_HEAD", "BadMessage", "Field", "Head", "end_of_head", "read_head"]

MOST_OF_A_HEAD = 256 * 1024
"""Bytes; a longer head is refused."""

Field = tuple[bytes, bytes]

_END = re.compile(rb"\r?\n\r?\n")
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_LONGEST_END = 4


class BadMessage(ValueError):
    """What came is no HTTP/1.1; says why."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first line without its end, and the fields in their order, each as it was spelled."""

    line: bytes
    fields: tuple[Field, ...]

    def values(self, name: bytes) -> list[bytes]:
        """Of all fields of that name, which is in lower case."""
        return [value for found, value in self.fields if found.lower() == name]

    def tokens(self, name: bytes) -> list[bytes]:
        """The members of a field that is a list, in lower case."""
        return [
            token
            for value in self.values(name)
            for part in value.split(b",")
            if (token := part.strip().lower())
        ]

    def length(self) -> int | None:
        """Content-Length; None where there is none. Raises BadMessage where it is no one number."""
        found = set(self.tokens(b"content-length"))
        if not found:
            return None
        value = found.pop()
        if found or not value.isdigit():
            raise BadMessage("Content-Length is not one number")
        return int(value)

    @property
    def chunked(self) -> bool:
        """Whether the body comes in chunks."""
        return self.tokens(b"transfer-encoding")[-1:] == [b"chunked"]


def end_of_head(data: bytes | bytearray, start: int = 0) -> int | None:
    """Where the body begins; None while the head is not whole. `start`: what was looked at before."""
    found = _END.search(data, max(0, start - _LONGEST_END))
    return None if found is None else found.end()


def read_head(data: bytes) -> Head:
    """Raises BadMessage where a line is no field."""
    first, *lines = data.rstrip(b"\r\n").replace(b"\r\n", b"\n").split(b"\n")
    fields: list[Field] = []
    for line in lines:
        if line[:1] in (b" ", b"\t") and fields:  # folded, as it once was allowed
            name, value = fields[-1]
            fields[-1] = (name, value + b" " + line.strip(b" \t"))
            continue
        name, colon, value = line.partition(b":")
        if not colon or not _NAME.fullmatch(name):
            raise BadMessage("a line of the head is no field")
        fields.append((name, value.strip(b" \t")))
    return Head(first, tuple(fields))
