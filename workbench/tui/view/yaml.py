"""The colours of a YAML line, told from the line and those above it, however broken the file is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from workbench.tui.view.ink import Tone

__all__ = ["Stretch", "yaml_tones"]

Stretch = tuple[int, int, Tone]
"""Characters [start, end) of a line, and what they mean."""

LOOK_BACK = 120
"""Lines above that are looked at for the head of a block; a longer block loses its colour, not its words."""

LONG = 4_000
"""Characters of a line that are coloured."""

_HEAD = re.compile(r"""(?:^|[:\-?]\s+|\S\s+)[|>][0-9+-]*\s*(?:\s\#.*)?$""")
_TOKEN = re.compile(
    r"""
    (?P<comment>(?:^|(?<=\s))\#.*)
    |(?P<key>(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\#,\[\]{}"'&*!|>%@`:-][^\#,\[\]{}]*?|-[^\s\#,\[\]{}:]+))
        (?=\s*:(?:\s|$))
    |(?<![^\s,\[{])(?P<quoted>"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)
    |(?P<sign>[\[\]{},]|:(?=\s|$)|-(?=\s|$)|[|>][0-9+-]*(?=\s*(?:\#.*)?$)|[&*!][^\s,\[\]{}]+|---$|\.\.\.$)
    |(?P<plain>[^\s\#,\[\]{}:]+(?::(?!\s|$)[^\s,\[\]{}]*)*)
    |(?P<rest>.)
    """,
    re.VERBOSE,
)
_TONES = {
    "comment": Tone.MUTED,
    "key": Tone.KEY,
    "quoted": Tone.OK,
    "sign": Tone.MUTED,
}
_OUTCOMES = {"fire": Tone.FIRE, "hold": Tone.HOLD, "pass": Tone.PASS}


def yaml_tones(line_of: Callable[[int], str], number: int) -> tuple[Stretch, ...]:
    """What the characters of line `number`, counted from 0, mean; what is left out is plain.

    `line_of` gives any line.
    """
    line = line_of(number)[:LONG]
    if not line.strip():
        return ()
    return ((0, len(line), Tone.OK),) if _in_block(line_of, number) else tuple(_tones(line))


def _tones(line: str) -> Iterator[Stretch]:
    after_key = ""
    for token in _TOKEN.finditer(line):
        kind = token.lastgroup or "rest"
        if kind in _TONES:
            yield token.start(), token.end(), _TONES[kind]
            after_key = token[0].strip("\"'") if kind == "key" else after_key
        elif kind == "plain" and after_key in ("expect", "outcome") and token[0] in _OUTCOMES:
            yield token.start(), token.end(), _OUTCOMES[token[0]]


def _in_block(line_of: Callable[[int], str], number: int) -> bool:
    """Whether a line belongs to a `|` or `>` block: one above it, with less indent, is the block's head."""
    indent = _indent(line_of(number))
    for above in range(number - 1, max(-1, number - 1 - LOOK_BACK), -1):
        line = line_of(above)
        if indent == 0:
            return False
        if line.strip() and _indent(line) < indent:
            if _HEAD.search(line):
                return True
            indent = _indent(line)
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
