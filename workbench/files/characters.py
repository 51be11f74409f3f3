"""Characters that YAML's readers would drop, turn or refuse, so that text stays what stands there."""

from __future__ import annotations

import re

from workbench.files.problems import Problems
from workbench.files.source import Source

__all__ = ["neutral"]

# YAML 1.1 takes the first three for line ends, and both loaders skip or refuse the fourth.
_TURNED = "\x85\u2028\u2029\ufeff"
_REFUSED = re.compile(r"\r|[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PRIVATE = range(0xE000, 0xF900)
_TOLD = 10


def neutral(source: Source, problems: Problems) -> tuple[str, dict[int, str]]:
    """The text as both loaders read it alike, and a table that turns its values back.

    Control characters and lone carriage returns are complained of. Offsets stay the same.
    """
    text = source.text
    _complain(source, problems)
    text = _REFUSED.sub(lambda found: "\n" if found[0] == "\r" else "\ufffd", text)
    turned = [char for char in _TURNED if char in text]
    if not turned:
        return text, {}
    stand_ins = _unused(text, len(turned))
    swap = {ord(char): stand_in for char, stand_in in zip(turned, stand_ins, strict=True)}
    back = {ord(stand_in): char for char, stand_in in zip(turned, stand_ins, strict=True)}
    return text.translate(swap), back


def _unused(text: str, count: int) -> list[str]:
    """Private characters that `text` holds neither as they are nor as an escape."""
    lowered = text.lower()
    free = (chr(p) for p in _PRIVATE if chr(p) not in text and f"{p:04x}" not in lowered)
    return [char for char, _ in zip(free, range(count), strict=False)]


def _complain(source: Source, problems: Problems) -> None:
    found = list(_REFUSED.finditer(source.text))
    for match in found[:_TOLD]:
        char = match[0]
        if char == "\r":
            message = "a carriage return without a line feed"
            hint = r'end lines with LF or CRLF; within a text write "\r" in double quotes'
        else:
            message = f"the character U+{ord(char):04X} may not stand in a YAML file as it is"
            escape = f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"
            hint = f'write "{escape}" in double quotes'
        problems.add(source.mark(match.start()), message, hint)
    if len(found) > _TOLD:
        where = source.mark(found[_TOLD].start())
        problems.add(where, f"{len(found) - _TOLD:,} more such characters from here on", "is it a text file?")
