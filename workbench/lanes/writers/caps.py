"""The limit that the code itself puts on a text, where it stands near the place that writes it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from workbench.lanes.syntax.code import Code
from workbench.lanes.writers.site import Cap

__all__ = ["Caps"]

_NUMBER = r"\d[\d_]*(?:\s*\*\s*\d[\d_]*)?"
_LIMIT = rf"(?:{_NUMBER}|[A-Za-z_$][\w.$]*(?:::\w+)*)"
_CUTS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\.(?:slice|substring|substr)\(\s*0\s*,\s*({_LIMIT})\s*\)",
        rf"\.slice\(\s*-\s*({_LIMIT})\s*\)",
        rf"\[\s*(?:0\s*)?:\s*({_LIMIT})\s*\]",
        rf"\[\s*-\s*({_LIMIT})\s*:\s*\]",
        rf"\[\s*(?:0\s*)?\.\.\s*=?\s*({_LIMIT})\s*\]",
        rf"\.chars\(\)\s*\.take\(\s*({_LIMIT})\s*\)",
        rf"\.truncate\(\s*({_LIMIT})\s*\)",
        r"\b\w*(?:[tT]runc|[cC]lip|[cC]lamp|[eE]llipsi|[sS]horten|[cC]ap|[lL]imit|[tT]rim[tT]o|trim_to|[cC]ut)\w*"
        rf"\(\s*[^()]*(?:\([^()]*\))?[^()]*?,\s*(?:\w+\s*[=:]\s*)?({_LIMIT})\s*(?:,[^()]*)?\)",
        rf"\b(?:max_?(?:[cC]hars|[lL]en(?:gth)?|[sS]ize)|width)\s*[=:]\s*({_LIMIT})",
    )
)
_CONSTANT = re.compile(
    r"^[ \t]*(?:(?:export|pub(?:\([a-z]+\))?|private|public|protected|static|readonly|const|let|var|final)"
    r"[ \t]+)*"
    rf"(\w+)[ \t]*(?::[ \t]*[\w.\[\]]+)?[ \t]*:?=[ \t]*({_NUMBER})[ \t]*(?:;|,|\#|//|$)",
    re.MULTILINE,
)
_NAMED = re.compile(
    r"\A(?:[\w$]*\.)*[\w$]*(?:max|MAX|Max|limit|LIMIT|Limit|budget|BUDGET|Budget|cap|CAP|Cap|chars|CHARS|Chars)"
    r"[\w$]*\Z"
)
_ROOM = re.compile(rf"(?:\blen\([^()]*\)|\.length\b|\.len\(\))[^;\n]{{0,60}}?[<>]=?\s*({_LIMIT})")
_BEFORE = 2  # lines
_TOO_SMALL = 20


@dataclass
class Caps:
    """Limits of one file. `constants`: plain numbers by name, with their line."""

    code: Code
    constants: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, code: Code) -> Caps:
        found = {match[1]: _number(match[2]) for match in _CONSTANT.finditer(code.text)}
        return cls(code, {name: value for name, value in found.items() if value is not None})

    def within(self, text: str, line: int) -> Cap | None:
        """The first limit in a piece of code that begins at this line."""
        best: tuple[int, Cap] | None = None
        for pattern in _CUTS:
            for found in pattern.finditer(text):
                cap = self._cap(found[1], line + text.count("\n", 0, found.start(1)))
                if cap is not None and (best is None or found.start() < best[0]):
                    best = found.start(), cap
                    break
        return best[1] if best else None

    def asked(self, lines: list[str], line: int, names: Collection[str]) -> Cap | None:
        """The limit that the line before asks for: `if len(text) < MAX_TEXT:`."""
        for number in range(line - 1, max(0, line - 1 - _BEFORE), -1):
            before = lines[number - 1]
            for found in _ROOM.finditer(before):
                if any(re.search(rf"\b{re.escape(name)}\b", before) for name in names):
                    cap = self._cap(found[1], number)
                    if cap is not None:
                        return cap
        return None

    def _cap(self, source: str, line: int) -> Cap | None:
        if source[0].isdigit():
            value = _number(source)
            return None if value is None or value < _TOO_SMALL else Cap(source, value, line)
        name = re.split(r"\.|::", source)[-1]
        if name in self.constants:
            value = self.constants[name]
            return None if value < _TOO_SMALL else Cap(source, value, line)
        return Cap(source, None, line) if _NAMED.match(source) else None


def _number(source: str) -> int | None:
    total = 1
    for part in source.replace("_", "").split("*"):
        if not part.strip().isdigit() or len(part) > 12:
            return None
        total *= int(part)
    return total
