"""Cuts a frame into tokens that are aligned as wholes: a time, a path or a number is never split."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from workbench.capture.redaction import private_spans
from workbench.core.envelope import SlotKind

__all__ = ["Alphabet", "Token", "tokenise"]

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?"
_CLOCK = (
    r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\b\.?)?"
    r"(?:\s?(?:Z|UTC|GMT|[A-Z]{2,4}T)\b|\s?[+-]\d\d:?\d\d\b)?"
)
_DATE = (
    r"(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[/.]\d\d?[/.]\d{2,4}"
    rf"|\d\d?\.?\s{_MONTH},?(?:\s\d{{4}})?\b|{_MONTH}\s\d\d?(?:st|nd|rd|th)?\b(?:,?\s\d{{4}}\b)?)"
)
_TIME = rf"(?:(?:{_DAY},?\s)?{_DATE}(?:,?(?:\s(?:at\s)?|T){_CLOCK})?|(?:{_DAY},?\s)?{_CLOCK})"

_TOKEN = re.compile(
    rf"""
    (?P<base64>(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{120,}}={{0,2}})
    |(?P<time>(?<![\w.:/-]){_TIME}(?!\w))
    |(?P<url>\b[a-z][a-z0-9+.-]{{1,15}}://[^\s"'<>()\[\]]+)
    |(?P<nonce>\b(?:[0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}
        |(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{{12,}})\b)
    |(?P<path>(?<![\w</])(?:~|\.{{1,2}}|[A-Za-z]:)?[/\\](?=[\w.])[\w.~-]*(?:[/\\][\w.@~-]+)*
        |(?:[\w-]+/)+[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{{0,4}}\b)
    |(?P<number>\d+(?:[.,]\d+)*(?!\w))
    |(?P<word>[^\W\u02c2-\u02df]+(?:-[^\W\u02c2-\u02df]+)*)
    |(?P<feed>\r\n|\n|\r)
    |(?P<blank>[^\S\r\n]+)
    |(?P<mark>(?P<same>[^\w\s]|[\u02c2-\u02df])(?P=same)*)
    """,
    re.VERBOSE,
)

# What changes from turn to turn, though a short log may not show it, and what must not be shown.
_VOLATILE = frozenset({"time", "nonce", "base64"})

_LONG_NUMBER = 7
_OPENING = re.compile(r'\{\s*"|\[\s*[{"]')
_DECODER = json.JSONDecoder(strict=False)

_KINDS = {
    "private": SlotKind.NAME,
    "time": SlotKind.TIME,
    "nonce": SlotKind.NONCE,
    "path": SlotKind.PATH,
    "url": SlotKind.PATH,
    "number": SlotKind.NUMBER,
    "json": SlotKind.JSON,
    "base64": SlotKind.BASE64,
}


class Token(NamedTuple):
    """`kind` is the name of its group in the pattern above, or json, or private.

    `volatile`: always a slot, also where all turns have the same.
    """

    text: str
    kind: str
    volatile: bool = False

    @property
    def slot(self) -> SlotKind | None:
        return _KINDS.get(self.kind)


@lru_cache(maxsize=256)
def tokenise(text: str) -> tuple[Token, ...]:
    """The whole of `text`, in order. A JSON value is one token, and so is what is private."""
    tokens: list[Token] = []
    at = 0
    for start, end in _json_spans(text):
        tokens += _shielded(text[at:start])
        value = text[start:end]
        tokens.append(Token(value, "json", bool(private_spans(value))))
        at = end
    return (*tokens, *_shielded(text[at:]))


def _json_spans(text: str) -> Iterator[tuple[int, int]]:
    """Whole objects and lists, the outermost."""
    at = 0
    while found := _OPENING.search(text, at):
        at = found.start() + 1
        try:
            value, end = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        if value and (isinstance(value, dict) or "{" in found[0] or '"' in found[0]):
            yield found.start(), end
            at = end


def _shielded(text: str) -> Iterator[Token]:
    at = 0
    for private in private_spans(text):
        yield from _tokens(text[at : private.start])
        yield Token(text[private.start : private.end], "private", True)
        at = private.end
    yield from _tokens(text[at:])


def _tokens(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        long_number = kind == "number" and len(found[0]) >= _LONG_NUMBER
        yield Token(found[0], kind, kind in _VOLATILE or long_number)


class Alphabet:
    """Spells each sequence of tokens as a string, a character for a token: strings are searched fast.

    Volatile tokens of one kind have one character.
    """

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}
        self._tokens: dict[str, Token] = {}

    def spell(self, tokens: Sequence[Token]) -> str:
        return "".join(map(self._letter, tokens))

    def token(self, letter: str) -> Token:
        """A token that this character stands for."""
        return self._tokens[letter]

    def _letter(self, token: Token) -> str:
        key = f"\0{token.slot}" if token.volatile else token.text
        letter = self._letters.get(key)
        if letter is None:
            point = 0x100 + len(self._letters)
            letter = chr(point if point < 0xD800 else point + 0x800)
            self._letters[key] = letter
            self._tokens[letter] = token
        return letter
