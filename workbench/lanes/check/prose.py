"""The words of a stanza, cut into sentences and clauses that keep their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.lanes.sheet import Stanza

__all__ = ["Clause", "Said", "said_in"]

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[a-z)])[.!?;]\s*(?=$)|\n\n")
_CLAUSE = re.compile(r"\s*(?:,(?!\d{3})|[()\[\]—–]|:(?!\s*[~≈]?\d)|\s-\s|->|→)\s*")


@dataclass(frozen=True, slots=True)
class Clause:
    """Words between two commas or their like; `before` is the clause in front, of the same sentence."""

    text: str
    before: str
    sentence: str
    line: int


@dataclass(frozen=True, slots=True)
class Said:
    """One comment, over all its lines, or the text of a field.

    `key`: the field that it is, or stands behind; None for a comment on lines of its own.
    """

    text: str
    line: int
    key: str | None
    comment: bool

    def clauses(self) -> Iterator[Clause]:
        """Every clause, with the line on which it begins."""
        for start, sentence in _cut(self.text, _SENTENCE):
            before = ""
            for offset, clause in _cut(sentence, _CLAUSE):
                line = self.line + self.text.count("\n", 0, start + offset)
                yield Clause(clause, before, sentence, line)
                before = clause


def said_in(stanza: Stanza) -> Iterator[Said]:
    """The comments of a stanza, lines that follow each other as one; then `evicts` and `injector`."""
    lines: list[str] = []
    first = 0
    for note in stanza.notes:
        if lines and (note.key is not None or note.line != first + len(lines)):
            yield Said("\n".join(lines), first, None, True)
            lines = []
        if note.key is not None:
            yield Said(note.text, note.line, note.key, True)
        else:
            first = first if lines else note.line
            lines.append(note.text)
    if lines:
        yield Said("\n".join(lines), first, None, True)
    for key in ("evicts", "injector"):
        entry = stanza.entries.get(key)
        if entry is not None and isinstance(entry.value, str):
            yield Said(entry.value, entry.mark.line, key, False)


def _cut(text: str, at: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The pieces between matches, with where each begins."""
    start = 0
    for match in at.finditer(text):
        if text[start : match.start()].strip():
            yield start, text[start : match.start()]
        start = match.end()
    if text[start:].strip():
        yield start, text[start:]
