"""What must not stand in a file that is shared: secrets, mail addresses, phone numbers, and found values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from workbench.core.envelope import SlotKind
from workbench.core.mask import MASK, Masker

__all__ = ["MAIL", "PHONE", "Private", "example_of", "instead_of", "masked", "private_spans"]

MAIL = "name@example.com"
PHONE = "+1 555 010 0000"

_MAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})*\.\w{2,}")
_PHONE = re.compile(
    r"(?<![\w.-])(?:\+\d[\d ().-]{6,18}\d|\(\d{3}\)[ .-]?\d{3}[ .-]\d{4}|\d{3}[ .-]\d{3}[ .-]\d{4}"
    r"|00\d{9,14}|1-\d{3}-\d{3}-\d{4}|0\d(?:[ .-]\d\d){4}"
    r"|(?=(?:\D?\d){9,12}(?!\d))0[1-9]\d{0,3}[ /-]\d{3,8}(?:[ -]\d{3,5})?)(?![\w-])"
)
# A cloud's secret key has no sign but its length and its mix of letters and digits.
_MIX = r"(?=[a-z0-9/+]*[A-Z])(?=[A-Z0-9/+]*[a-z])(?=[A-Za-z/+]*\d)"
_KEY = re.compile(
    rf"(?<![\w/+]){_MIX}[A-Za-z0-9/+]{{40}}(?![\w/+=])|(?<![\w+]){_MIX}[A-Za-z0-9+]{{40}}(?![\w+=])"
)
_MASKER = Masker()


class Private(NamedTuple):
    """[start, end) of a text, and what is written in its place."""

    start: int
    end: int
    instead: str


def private_spans(text: str) -> list[Private]:
    """All that is masked in a text, in order, none overlapping."""
    found = [*_secrets(text)]
    if "@" in text:
        found += [Private(*at.span(), MAIL) for at in _MAIL.finditer(text)]
    found += [Private(*at.span(), PHONE) for at in _PHONE.finditer(text)]
    found += [Private(*at.span(), MASK) for at in _KEY.finditer(text)]
    kept: list[Private] = []
    for private in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or private.start >= kept[-1].end:
            kept.append(private)
        elif private.end > kept[-1].end:
            kept[-1] = kept[-1]._replace(end=private.end)
    return kept


def masked(text: str) -> str:
    """The text with all that is private masked."""
    parts: list[str] = []
    at = 0
    for start, end, instead in private_spans(text):
        parts += (text[at:start], instead)
        at = end
    return _MASKER.text("".join((*parts, text[at:])))


def _secrets(text: str) -> Iterator[Private]:
    hidden = _MASKER.text(text)
    if hidden == text:
        return
    first, *others = hidden.split(MASK)
    at = len(first)
    for number, part in enumerate(others, 1):
        end = len(text) - len(part) if number == len(others) else text.find(part, at)
        if end > at:
            yield Private(at, end, MASK)
        at = max(end, at) + len(part)


_EXAMPLES = {
    SlotKind.NAME: "name",
    SlotKind.NUMBER: "1",
    SlotKind.PATH: "path/to/file.txt",
    SlotKind.TEXT: "words of another",
    SlotKind.BASE64: "YQ==",
}
_DIGITS = {4: "2026", 2: "10", 1: "1"}


def example_of(kind: SlotKind, value: str) -> str:
    """A value of the same kind and, where that says nothing, of the same shape."""
    if kind is SlotKind.TIME:
        shape = re.sub(r"\d+", lambda run: _DIGITS.get(len(run[0]), "1" * len(run[0])), value)
        return shape if re.fullmatch(r"[\w\s:.,/+\u202f-]{1,60}", shape) and "1" in shape else "10:10"
    if kind is SlotKind.NONCE:
        shape = re.sub(r"[A-Za-z]", "a", re.sub(r"\d", "0", value))
        return shape if re.fullmatch(r"[a0._:@/+-]{1,64}", shape) else "a0a0a0a0"
    if kind is SlotKind.JSON:
        return "[]" if _is_list(value) else "{}"
    return _EXAMPLES[kind]


def instead_of(kind: SlotKind, value: str) -> str:
    """What is written in place of a value that is private, or holds something that is."""
    if kind is SlotKind.NAME:
        whole = [one.instead for one in private_spans(value) if one.end - one.start == len(value)]
        return whole[0] if whole else MASK
    return masked(example_of(kind, value))


def _is_list(value: str) -> bool:
    try:
        return isinstance(json.loads(value), list)
    except (ValueError, RecursionError):
        return False
