"""The one door for foreign text: `visible` turns any string into marks that no terminal obeys."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

__all__ = ["SafeText", "is_invisible", "join", "mark", "safe", "visible", "visible_lines"]


class SafeText(str):
    """Text that may be drawn: it holds no control byte, escape, bidi or zero-width character.

    Markup is the drawer's part: draw it as plain text, never as console markup or HTML.
    """

    __slots__ = ()

    def __add__(self, other: str) -> SafeText:
        if not isinstance(other, SafeText):
            raise TypeError("only SafeText may be added to SafeText; use visible() or safe()")
        return SafeText(str.__add__(self, other))

    def __getitem__(self, key: object) -> SafeText:
        return SafeText(str.__getitem__(self, key))  # type: ignore[index]


# Default-ignorable characters that are not of category Cf, from Unicode's DerivedCoreProperties:
# they draw nothing, so they hide in plain sight.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_VARIATION = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
_HIDDEN = _FILLERS | {chr(point) for point in _VARIATION}


def is_invisible(char: str) -> bool:
    """Whether one character would be obeyed, hidden or mistaken for a space if drawn as it is."""
    if " " <= char <= "~":
        return False
    category = unicodedata.category(char)
    if category == "Zs":
        return char not in " \u3000"
    return category in ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co") or char in _HIDDEN


def mark(char: str) -> SafeText:
    """The visible stand-in of one invisible character: a control picture, or its code point."""
    point = ord(char)
    if point < 0x20:
        return SafeText(chr(0x2400 + point))
    if point == 0x7F:
        return SafeText("\u2421")
    return SafeText(f"\u2039U+{point:04X}\u203a")


def visible(text: str) -> SafeText:
    """`text` on one line, each invisible character as a mark. Nothing else changes or vanishes."""
    if isinstance(text, SafeText):
        return text
    if text.isascii() and text.isprintable():
        return SafeText(text)
    marks = {ord(char): mark(char) for char in set(text) if is_invisible(char)}
    return SafeText(text.translate(marks) if marks else text)


def visible_lines(text: str) -> list[SafeText]:
    """`text` cut at its line feeds, each line made visible (a CR stays, as a mark)."""
    return [visible(line) for line in text.split("\n")]


def safe(text: str) -> SafeText:
    """Our own words as `SafeText`, line feeds kept. Raises ValueError on anything invisible."""
    for char in text:
        if char != "\n" and is_invisible(char):
            raise ValueError(f"not our own plain words: {text!r}")
    return SafeText(text)


def join(parts: Iterable[SafeText], separator: str = "") -> SafeText:
    """Safe parts as one. Raises TypeError when a part is a bare string."""
    kept = list(parts)
    for part in kept:
        if not isinstance(part, SafeText):
            raise TypeError(f"a bare string: {part!r}")
    return SafeText(separator.join(kept))
