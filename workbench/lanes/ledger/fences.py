"""Whether text of somebody else is marked off, so that the model can tell it from what it is told to do."""

from __future__ import annotations

import re
from enum import StrEnum

__all__ = ["Fence", "fence_of"]

_NEAR = 400
_TAG = r"<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>"
_TAG_BEFORE = re.compile(rf"{_TAG}\s*\Z")
_TAG_FIRST = re.compile(rf"\s*{_TAG}")
_WORDS = r"(?:begin|start|end|untrusted|external)"
# A line of marks, alone or with a name in it; or words that say begin or end, in brackets.
_RULE = re.compile(
    rf"\s*(?:[`~]{{3,}}.*|[-=*_#+]{{3,}}(?:[^\n]*[-=*_#+]{{2,}})?|<{{2,}}[^\n]*|[^\n]*>{{3,}}"
    rf'|"{{3}}|\'{{3}}|[\[(]/?\s*{_WORDS}\b[^\n]*[\])]|[-=*_#+]{{2,}}\s*{_WORDS}\b[^\n]*)\s*',
    re.IGNORECASE,
)


class Fence(StrEnum):
    """What stands around a text."""

    WHOLE = "whole"
    OPEN = "open"  # it begins and has no end
    BROKEN = "broken"  # the text itself holds what ends the fence
    NONE = "none"


def fence_of(before: str, text: str, after: str) -> Fence:
    """The fence of `text` between what stands before and after it in the same message, or at its own edges.

    A fence is a tag and its closing tag, two lines of marks, two lines that say begin and end, or a mark
    of quotation at every line.
    """
    before, after = before[-_NEAR:], after[:_NEAR]
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(line.lstrip().startswith((">", "|")) for line in lines):
        return Fence.WHOLE
    for found, inside in ((_TAG_FIRST.match(text), True), (_TAG_BEFORE.search(before), False)):
        if found is not None:
            return _tagged(found[1], text[found.end() :] if inside else text, after)
    opened = lines[:1] if lines and _RULE.fullmatch(lines[0]) else _last_line(before)
    if not opened or not _RULE.fullmatch(opened[0]):
        return Fence.NONE
    closed = [*(lines[-1:] if len(lines) > 1 else ()), *_first_line(after)]
    return Fence.WHOLE if any(_RULE.fullmatch(line) for line in closed) else Fence.OPEN


def _tagged(name: str, inner: str, after: str) -> Fence:
    closing = re.compile(rf"</{re.escape(name)}\s*>")
    ends = list(closing.finditer(inner))
    if ends and not inner[ends[-1].end() :].strip():
        return Fence.BROKEN if len(ends) > 1 else Fence.WHOLE
    if ends:
        return Fence.BROKEN
    return Fence.WHOLE if re.match(rf"\s*</{re.escape(name)}\s*>", after) else Fence.OPEN


def _last_line(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()][-1:]


def _first_line(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()][:1]
