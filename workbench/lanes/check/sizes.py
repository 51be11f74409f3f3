"""Sizes that the words of a stanza tell, and whether one shows the budget exceeded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from workbench.lanes.check.prose import Clause, Said
from workbench.lanes.lane import Unit

__all__ = ["Size", "sizes_above", "units_named"]

_UNITS = {
    Unit.CHARS: r"chars?|characters?|code[ -]?points?",
    Unit.BYTES: r"bytes?|B",
    Unit.TOKENS: r"tokens?|toks?",
}
_THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000}
_NUMBER = r"(?P<number>\d{1,3}(?:[,_'\u2009\u202f]\d{3})+|\d+)(?P<part>\.\d+)?\s?(?P<times>[kKmM]?)"
_OF_UNIT = "|".join(f"(?P<{unit}>{words})" for unit, words in _UNITS.items())
_WITH_UNIT = re.compile(rf"(?<![\w.#§]){_NUMBER}\s?-?\s?(?:{_OF_UNIT})\b", re.IGNORECASE)

_MEASURING = (
    r"measured|observed|logged|recorded|seen|proven|actual(?:ly)?|peak(?:ed)?|reach(?:e[sd])?|spen[dt]s?|wrote"
    r"|receipts?|longest|largest|worst"
)
_EVIDENCE = re.compile(
    rf"\b(?:{_MEASURING}|verified|measures?|rows?|sent|exceed(?:s|ed)?|overflow(?:s|ed)?|\d{{4}}-\d\d-\d\d)\b",
    re.IGNORECASE,
)
# A number without a unit is a size only directly behind a measuring word.
_MEASURED = re.compile(
    rf"\b(?:{_MEASURING})\b(?:\s+(?:at|as|of|up to|about|around|was|were|is|a|size|max|have|had|recorded"
    rf"|logged|measured|shown?|says?))*\s*[:=~≈]?\s*{_NUMBER}"
    r"(?![\w%:/-]|[.,]\w|\s*%|\s+(?!(?:on|in|at|against|by|for|when|and|but|with|here)\b)[a-z])",
    re.IGNORECASE,
)
# A number beside a second one, which says what it is if that is the lane's own budget.
_BESIDE = re.compile(
    rf"(?<![\w.#§/]){_NUMBER}\s?(?:{_OF_UNIT})?\s*"
    r"(?:>|/|against|versus|vs\.?|exceed(?:s|ed|ing)?|over|above|beyond)\s*"
    r"(?:(?:the|its|a|our)\s+)?(?:(?:budget|cap|limit)(?:\s+of)?\s+)?(?P<budget>\d[\d,_]*)(?![\w%/-]|[.,]\w)",
    re.IGNORECASE,
)
# What is evicted above a size alone may come to that size.
_EVICTED = re.compile(r"\b(?:above|beyond|past|over|exceed(?:s|ing)?|more than)\s+[~≈]?\Z", re.IGNORECASE)
_STOPPED = re.compile(
    r"\b(?:cap(?:ped|s)?|max(?:imum)?|limit(?:ed|s)?|ceiling|truncated|cut|up to|at most|bounded)\b"
    r"|MAX_|_CAP\b|_LIMIT\b",
    re.IGNORECASE,
)
# What the number is not: a size of this lane in one turn, as it is now.
_ELSEWHERE = re.compile(
    r"\b(?:windows?|sessions?|conversations?|total|altogether|combined|shared|all lanes|whole prompt|per day"
    r"|would|could|might|without|uncut|untruncated|raw|original|formerly|previously|used to|no longer|before"
    r"|targets?|goal|aim|should|plan(?:ned)?|todo|proposed|never|not|under|below|less than|fewer than"
    r"|source|upstream|file is|if)\b|n't\b|<",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"\b(?:was|were|had been|old|once)\s+(?:at|a|about|capped at|set to)?\s*[~≈]?\s*\Z", re.IGNORECASE
)
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_BEFORE = re.compile(r"\s*(?:before|without|if|unless|until|formerly|previously)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Size:
    """A size above the budget, as it stands there: `text`, with the line."""

    value: int
    text: str
    line: int
    unit: Unit | None


def sizes_above(said: Said, budget: int, units: Collection[Unit]) -> Iterator[Size]:
    """The sizes above `budget` that the words tell of the lane, in one of `units` or without a unit."""
    for clause in said.clauses():
        if _ELSEWHERE.search(clause.text) or _BEFORE.match(clause.before):
            continue
        for match in _numbers(clause, budget):
            front = clause.text[: match.start("number")]
            if _FORMERLY.search(front) and not _EVIDENCE.search(front):
                continue
            size = _size(match, clause)
            known = size.unit in units if size.unit else not _YEAR.match(match["number"])
            evicted = said.key == "evicts" and _EVICTED.search(front)
            told = match.re is _BESIDE or evicted or _tells(said, clause, size)
            if known and size.value > budget and told:
                yield size


def units_named(text: str) -> frozenset[Unit]:
    """The units that a text speaks of."""
    return frozenset(
        unit for unit, words in _UNITS.items() if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE)
    )


def _numbers(clause: Clause, budget: int) -> Iterator[re.Match[str]]:
    beside = [one for one in _BESIDE.finditer(clause.text) if int(re.sub(r"\D", "", one["budget"])) == budget]
    taken: set[int] = set()
    for found in (beside, _WITH_UNIT.finditer(clause.text), _MEASURED.finditer(clause.text)):
        for match in found:
            if match.start("number") not in taken:
                taken.add(match.start("number"))
                yield match


def _tells(said: Said, clause: Clause, size: Size) -> bool:
    """Whether it is told as the lane's own size: measured, a cap of it, or stated beside the budget."""
    if size.unit is None or said.key == "budget":
        return True
    return bool(_STOPPED.search(clause.text) or (said.comment and _EVIDENCE.search(clause.sentence)))


def _size(match: re.Match[str], clause: Clause) -> Size:
    whole = int(re.sub(r"\D", "", match["number"]))
    value = round(float(f"{whole}{match['part'] or ''}") * _THOUSANDS[match["times"].lower()])
    groups = match.groupdict()
    unit = next((unit for unit in Unit if groups.get(unit.value)), None)
    if unit is None:
        return Size(value, f"{value:,}", clause.line, unit)
    text = match.string[match.start("number") : match.end(unit.value)]
    return Size(value, " ".join(text.split()), clause.line, unit)
