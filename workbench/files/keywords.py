"""Keyword table files: phrases, and the tools they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from workbench.core.errors import Mark
from workbench.files.fields import Fields, read_fields
from workbench.files.node import Node, NodeKind
from workbench.files.parse import load
from workbench.files.problems import Problems, shown

__all__ = ["Entry", "KeywordTable", "Phrase", "Scan", "Verdict", "load_keywords", "phrase_key"]

_KNOWN = ("keywords", "hold", "scan", "prose", "guessed")


class Scan(StrEnum):
    """Which part of a turn a table reads; a first or last line is a non-empty one."""

    ALL = "all"
    FIRST_LINE = "first-line"
    LAST_LINE = "last-line"
    LAST_MESSAGE = "last-message"


class Verdict(StrEnum):
    """What a match comes to that is in doubt."""

    FIRE = "fire"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase as written, and where."""

    text: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Entry:
    """The phrases of one tool."""

    phrases: tuple[Phrase, ...]
    tool: str
    side_effects: bool = False


@dataclass(frozen=True, slots=True)
class KeywordTable:
    """`prose` is for a match that neither starts nor ends its sentence, `guessed` for a tool that has
    side effects and no arguments. A phrase that stands twice for one tool is kept once.
    """

    keywords: tuple[Entry, ...]
    hold: tuple[Phrase, ...] = ()
    scan: Scan = Scan.ALL
    prose: Verdict = Verdict.FIRE
    guessed: Verdict = Verdict.FIRE
    file: str = ""


def phrase_key(phrase: str) -> str:
    """What makes two phrases the same: no case, runs of white space equal."""
    return " ".join(phrase.split()).casefold()


def load_keywords(path: Path) -> KeywordTable:
    """One keyword table. Raises WorkbenchError with all that is wrong with it."""
    problems = Problems()
    fields = read_fields(load(path, problems), problems, _KNOWN, ("keywords",))
    first: dict[str, tuple[Phrase, str]] = {}
    table = KeywordTable(
        keywords=tuple(_entry(node, first, problems) for node in fields.listed("keywords")),
        hold=tuple(_phrases(fields, "hold")),
        scan=fields.choice("scan", Scan) or Scan.ALL,
        prose=fields.choice("prose", Verdict) or Verdict.FIRE,
        guessed=fields.choice("guessed", Verdict) or Verdict.FIRE,
        file=str(path),
    )
    problems.check()
    return table


def _entry(node: Node, first: dict[str, tuple[Phrase, str]], problems: Problems) -> Entry:
    """One entry. `first` holds each phrase so far and its tool; those of this entry are added."""
    fields = read_fields(node, problems, ("phrases", "tool", "side_effects"), ("phrases", "tool"))
    tool, given = fields.word("tool"), fields.get("phrases")
    if given is not None and given.kind is NodeKind.LIST and not given.items:
        given.complain(problems, "no phrase stands here", "name one, or take the entry away")
    kept: list[Phrase] = []
    for phrase in _phrases(fields, "phrases"):
        earlier, named = first.setdefault(phrase_key(phrase.text), (phrase, tool or ""))
        if earlier is phrase:
            kept.append(phrase)
        elif tool is not None and named not in ("", tool):
            message = f"{shown(phrase.text)} stands for another tool already: {shown(named)}"
            problems.add(phrase.mark, message, f"first at line {earlier.mark.line}")
    return Entry(tuple(kept), tool or "", fields.boolean("side_effects") or False)


def _phrases(fields: Fields, key: str) -> list[Phrase]:
    nodes = fields.listed(key)
    return [Phrase(node.value, node.mark) for node in nodes if node.word(fields.problems) is not None]
