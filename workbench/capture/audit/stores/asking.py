"""Asks a store the questions of an audit, and reads some of its turns one by one for the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from workbench.capture.audit.judging import Judge, begins_framed
from workbench.capture.audit.known import KnownEnvelopes
from workbench.capture.audit.quoting import Quoter
from workbench.capture.audit.replaying import Past
from workbench.capture.audit.request import Request
from workbench.capture.audit.result import Audit, Head, Kind, ToolUse, Victim
from workbench.capture.audit.stores.store import Asked, Growth, Store, Uses
from workbench.capture.audit.tally import HEADS, SHOWN, Tally, gaps_of, victim_of
from workbench.capture.guessing import find_columns
from workbench.capture.readers.columns import ColumnReader
from workbench.capture.readers.fields import names_of
from workbench.capture.sources.record import Record
from workbench.capture.turns import LogTurn

__all__ = ["audit_store"]

_SAMPLE = 200
_TEXTS = ("typed", "wrapped", "scanned", "head")
_GROUPS = 1_000
"""Different contents of the column of tools that are looked at: the most frequent."""


def audit_store(store: Store, request: Request) -> tuple[Audit, Past]:
    """What was found, and turns to replay. Raises WorkbenchError where the store cannot be read."""
    sample = store.sample(_SAMPLE)
    total = store.count()
    known = KnownEnvelopes(request.envelopes)
    judge = Judge(known, request.ratio)
    if not total:
        return Tally(judge, len(known)).result((store.name,)), Past(0)
    columns = find_columns(sample, request.options.columns)
    there = {field: column for field, column in columns.items() if column in sample[0]}
    whole = len(there) < len(columns) or not _is_plain(sample, there)
    # A column of lists or of JSON is taken apart by a reader: no query counts the characters in it.
    asked = Asked(there, request.ratio, request.head, SHOWN)
    reader = ColumnReader(columns)
    one_by_one = _OneByOne(judge, known, request, reader)
    if whole:
        tops = {
            field: column.partition(".")[0] for field, column in columns.items() if column not in sample[0]
        }
        for record in store.rows(replace(asked, columns={**there, **tops}), None):
            one_by_one.take(record)
        note = "the text stands within lists or JSON there, so that each turn was read one by one"
        return replace(one_by_one.result(store, total), notes=(note,)), one_by_one.past
    if "one-by-one" in request.only or one_by_one.past.wanted:
        for record in store.rows(asked, request.look):
            one_by_one.take(record)
    audit = replace(one_by_one.result(store, total), only=request.only)
    growth = store.growth(asked) if "outgrown" in request.only else None
    if growth is not None:
        audit = _with_growth(audit, growth, asked, one_by_one)
    if "framing" in request.only:
        texts = growth.routed if growth is not None and growth.routed else total
        audit = _with_heads(audit, store.heads(asked, HEADS), one_by_one, texts)
    if "tools" in request.only and "tools" in asked.columns:
        audit = replace(audit, uses=tuple(_uses(store.uses(asked, _GROUPS))))
    return audit, one_by_one.past


class _OneByOne:
    """Reads rows as turns, and judges them."""

    def __init__(self, judge: Judge, known: KnownEnvelopes, request: Request, reader: ColumnReader) -> None:
        self.judge = judge
        self.past = Past(request.past)
        self._known = known
        self._tally = Tally(judge, len(known), head=request.head)
        self._reader = reader

    def take(self, record: Record) -> None:
        for item in self._reader.take(record):
            verdict = self._tally.take(item)
            if verdict is not None and isinstance(item, LogTurn):
                self.past.take(item, outgrown=verdict.outgrown is True)

    def victim(self, record: Record) -> Victim | None:
        for item in self._reader.take(record):
            if isinstance(item, LogTurn):
                return victim_of(item, self.judge.judge(item), Quoter())
        return None

    def framing_of(self, head: str) -> tuple[int, int]:
        """Of turns that were looked at and begin so: how many there are, and how many begin with framing."""
        seen = self._tally.framing_of(head)
        return seen if seen is not None else (1, int(begins_framed(head, None, self._known) is True))

    def result(self, store: Store, total: int) -> Audit:
        audit = self._tally.result((store.name,))
        return replace(audit, turns=total - audit.skipped)


def _with_growth(audit: Audit, growth: Growth, asked: Asked, one_by_one: _OneByOne) -> Audit:
    logs_tools = "tools" in asked.columns or "outcome" in asked.columns
    seen = Counter({"typed": growth.typed, "routed": growth.routed, "tools": int(logs_tools)})
    if not growth.routed and "head" in asked.columns:
        seen["routed"] = 1
    gaps = gaps_of(audit.turns, seen)
    victims = [victim for row in growth.rows if (victim := one_by_one.victim(row)) is not None]
    return replace(
        audit,
        asked={**audit.asked, Kind.OUTGROWN: growth.both},
        found={**audit.found, Kind.OUTGROWN: growth.found, Kind.NOT_LOGGED: len(gaps)},
        victims=tuple(victims),
        uncalled=growth.uncalled,
        tools_unknown=0 if logs_tools else growth.found,
        gaps=gaps,
    )


def _with_heads(audit: Audit, found: Sequence[tuple[str, int]], one_by_one: _OneByOne, texts: int) -> Audit:
    """Whether a head is framing is told by the turns that were read, else by its looks."""
    quoter = Quoter()
    heads = []
    for text, turns in found:
        looked_at, framed = one_by_one.framing_of(text)
        heads.append(Head(quoter.head(text, len(text)), turns, looked_at, framed))
    framing = sum(head.turns for head in heads if head.is_framing)
    return replace(
        audit,
        heads=tuple(heads),
        asked={**audit.asked, Kind.FRAMING: texts},
        found={**audit.found, Kind.FRAMING: framing},
    )


def _uses(found: Sequence[Uses]) -> Iterator[ToolUse]:
    """By tool instead of by the whole content of the column, the most frequent first."""
    quoter = Quoter()
    turns: Counter[tuple[str, str | None]] = Counter()
    grown: Counter[tuple[str, str | None]] = Counter()
    for one in found:
        for tool in dict.fromkeys(names_of(_array(one.tools))):
            turns[tool, one.ingress] += one.turns
            grown[tool, one.ingress] += one.outgrown
    for (tool, ingress), count in turns.most_common(SHOWN):
        place = None if ingress is None else quoter.short(str(ingress), 40)
        yield ToolUse(quoter.short(tool, 80), place, count, grown[tool, ingress])


def _array(tools: Any) -> Any:
    """The names within a PostgreSQL array that was cast to text."""
    is_array = isinstance(tools, str) and tools[:1] == "{" and tools[-1:] == "}" and '":' not in tools
    return tools[1:-1].replace('"', "") if is_array else tools


def _is_plain(sample: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> bool:
    """Whether texts are texts: no list of messages, and no JSON of one."""
    values = [row.get(columns[field]) for row in sample for field in _TEXTS if field in columns]
    return not any(
        isinstance(value, list | dict) or (isinstance(value, str) and value.lstrip()[:2] in ("[{", "[["))
        for value in values
    )
