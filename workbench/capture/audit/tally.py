"""Adds up the verdicts on a stream of past turns, in bounded memory."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeVar

from workbench.capture.audit.frequent import Frequent
from workbench.capture.audit.judging import Judge, Verdict, read_text
from workbench.capture.audit.quoting import Quoter
from workbench.capture.audit.result import Audit, Gap, Head, Kind, Loss, Stranger, ToolUse, Victim
from workbench.capture.turns import LogTurn, Skipped, Who

__all__ = ["HEAD", "HEADS", "SHOWN", "Tally", "gaps_of", "read_size", "victim_of"]

HEAD = 30
"""Code points by which heads are grouped."""

SHOWN = 20
HEADS = 10
_SKIPS = 10
_TOOLS = 2_000

T = TypeVar("T")


@dataclass(slots=True)
class _Heads:
    turns: int = 0
    looked_at: int = 0
    framed: int = 0
    sample: str = ""


@dataclass(slots=True)
class _Uses:
    turns: int = 0
    outgrown: int = 0


@dataclass(slots=True)
class _Strangers:
    turns: int = 0
    sample: str = ""
    place: str = ""
    id: str | None = None


class Tally:
    """Takes every turn and skip of some logs; `result` may be asked at any time."""

    def __init__(self, judge: Judge, envelopes: int, *, head: int = HEAD, shown: int = SHOWN) -> None:
        self._judge = judge
        self._envelopes = envelopes
        self._head = head
        self._shown = shown
        self._quoter = Quoter()
        self._turns = self._skipped = self._uncalled = self._unsure = 0
        self._others: Counter[str] = Counter()
        self._skips: list[str] = []
        self._asked: Counter[Kind] = Counter()
        self._found: Counter[Kind] = Counter()
        self._seen: Counter[str] = Counter()
        self._heads: Frequent[str, _Heads] = Frequent(_Heads, lambda group: group.turns)
        self._uses: Frequent[tuple[str, str | None], _Uses] = Frequent(
            _Uses, lambda group: group.turns, _TOOLS
        )
        self._strangers: Frequent[str, _Strangers] = Frequent(_Strangers, lambda group: group.turns, _TOOLS)
        self._victims: list[tuple[int, int, Victim]] = []
        self._losses: list[tuple[int, int, Loss]] = []
        self._order = count(0, -1)  # of equals the first is kept

    def take(self, item: LogTurn | Skipped) -> Verdict | None:
        """Counts one; returns the verdict on a turn of a user."""
        if isinstance(item, Skipped):
            self._skipped += 1
            if len(self._skips) < _SKIPS:
                self._skips.append(self._quoter.short(f"{item.place}: {item.reason}", 200))
            return None
        if item.who is not Who.USER:
            self._others[item.who.value] += 1
            return None
        self._turns += 1
        verdict = self._judge.judge(item)
        self._note_seen(item)
        self._note_head(item, verdict)
        self._note_growth(item, verdict)
        self._note_tools(item, verdict)
        self._note_stranger(item, verdict)
        self._note_loss(item, verdict)
        return verdict

    def result(self, logs: Iterable[str]) -> Audit:
        """What was found so far."""
        audit = Audit(
            logs=tuple(logs),
            turns=self._turns,
            others=dict(self._others),
            skipped=self._skipped,
            skips=tuple(self._skips),
            ratio=self._judge.ratio,
            envelopes=self._envelopes,
            asked=dict(self._asked),
            found=dict(self._found),
            victims=tuple(
                victim for _, _, victim in sorted(self._victims, key=lambda one: (-one[0], -one[1]))
            ),
            uncalled=self._uncalled,
            tools_unknown=self._unsure,
            heads=self._top_heads(),
            uses=tuple(
                ToolUse(
                    self._quoter.short(tool, 80),
                    ingress and self._quoter.short(ingress, 40),
                    group.turns,
                    group.outgrown,
                )
                for (tool, ingress), group in self._uses.top(self._shown)
            ),
            strangers=tuple(
                Stranger(
                    self._quoter.head(group.sample, 80),
                    group.turns,
                    group.place,
                    group.id,
                    self._judge.like(group.sample),
                )
                for _, group in self._strangers.top(self._shown)
            ),
            losses=tuple(loss for _, _, loss in sorted(self._losses, key=lambda one: (-one[0], -one[1]))),
            looked_at=self._turns,
            floor=max(self._heads.floor, self._uses.floor, self._strangers.floor),
        )
        framing = sum(head.turns for head in audit.heads if head.is_framing)
        found = {**audit.found, Kind.FRAMING: framing}
        gaps = gaps_of(self._turns, self._seen)
        return replace(audit, gaps=gaps, found={**found, Kind.NOT_LOGGED: len(gaps)})

    def framing_of(self, head: str) -> tuple[int, int] | None:
        """Of the turns that begin so: how many were looked at, and how many of them begin with framing."""
        group = self._heads.get(head)
        return None if group is None else (group.looked_at, group.framed)

    def _note_seen(self, turn: LogTurn) -> None:
        self._seen["typed"] += turn.typed_size is not None
        self._seen["routed"] += turn.wrapped_size is not None or turn.scanned is not None
        self._seen["tools"] += turn.tools is not None or turn.outcome is not None

    def _note_head(self, turn: LogTurn, verdict: Verdict) -> None:
        text = read_text(turn)
        head = turn.head if text is None else text
        if head is None:
            return
        self._asked[Kind.FRAMING] += 1
        group = self._heads[head[: self._head]]
        if not group.turns:
            group.sample = self._quoter.sample(head)
        group.turns += 1
        group.looked_at += verdict.framed is not None
        group.framed += verdict.framed is True

    def _note_growth(self, turn: LogTurn, verdict: Verdict) -> None:
        if verdict.outgrown is None:
            return
        self._asked[Kind.OUTGROWN] += 1
        if not verdict.outgrown:
            return
        if verdict.called is False:
            self._uncalled += 1
            return
        self._found[Kind.OUTGROWN] += 1
        self._unsure += verdict.called is None
        size = read_size(turn)
        if len(self._victims) < self._shown or size > self._victims[0][0]:
            self._keep(self._victims, size, victim_of(turn, verdict, self._quoter))

    def _note_tools(self, turn: LogTurn, verdict: Verdict) -> None:
        if verdict.called is not True:
            return
        for tool in dict.fromkeys(turn.tools or ()):
            group = self._uses[tool[:200], verdict.ingress and verdict.ingress[:100]]
            group.turns += 1
            group.outgrown += verdict.outgrown is True

    def _note_stranger(self, turn: LogTurn, verdict: Verdict) -> None:
        if verdict.unknown is None:
            return
        self._asked[Kind.UNKNOWN] += 1
        if not verdict.unknown:
            return
        self._found[Kind.UNKNOWN] += 1
        head = (turn.wrapped if turn.wrapped is not None else turn.scanned) or turn.head or ""
        group = self._strangers[head[: self._head]]
        if not group.turns:
            group.sample, group.place = self._quoter.sample(head), self._quoter.short(str(turn.place), 200)
            group.id = turn.id and self._quoter.short(turn.id, 60)
        group.turns += 1

    def _note_loss(self, turn: LogTurn, verdict: Verdict) -> None:
        if verdict.lost is None:
            return
        self._asked[Kind.UNREACHED] += 1
        if not verdict.lost:
            return
        self._found[Kind.UNREACHED] += 1
        lost = len(verdict.lost)
        if len(self._losses) < self._shown or lost > self._losses[0][0]:
            quoter = self._quoter
            loss = Loss(
                place=quoter.short(str(turn.place), 200),
                id=turn.id and quoter.short(turn.id, 60),
                ingress=verdict.ingress and quoter.short(verdict.ingress, 40),
                typed=quoter.head(turn.typed or "", 80),
                lost=tuple(quoter.words(turn.typed or "", verdict.lost)),
                words=lost,
            )
            self._keep(self._losses, lost, loss)

    def _keep(self, heap: list[tuple[int, int, T]], size: int, item: T) -> None:
        heapq.heappush(heap, (size, next(self._order), item))
        if len(heap) > self._shown:
            heapq.heappop(heap)

    def _top_heads(self) -> tuple[Head, ...]:
        return tuple(
            Head(self._quoter.head(group.sample, self._head), group.turns, group.looked_at, group.framed)
            for _, group in self._heads.top(HEADS)
        )


def read_size(turn: LogTurn) -> int:
    """Code points that the router read, 0 where that is not known."""
    return len(turn.scanned) if turn.scanned is not None else turn.wrapped_size or 0


def victim_of(turn: LogTurn, verdict: Verdict, quoter: Quoter) -> Victim:
    """The turn as it is told."""
    head = read_text(turn) or turn.head
    return Victim(
        place=quoter.short(str(turn.place), 200),
        id=turn.id and quoter.short(turn.id, 60),
        ingress=verdict.ingress and quoter.short(verdict.ingress, 40),
        typed_size=turn.typed_size or 0,
        routed_size=read_size(turn),
        tools=None if turn.tools is None else tuple(quoter.short(tool, 80) for tool in turn.tools[:10]),
        outcome=turn.outcome and quoter.short(turn.outcome, 40),
        head=None if head is None else quoter.head(head, 80),
    )


def gaps_of(turns: int, seen: Counter[str]) -> tuple[Gap, ...]:
    """What no turn says, and which question stays open for it."""
    if not turns:
        return ()
    asked = {
        "typed": ("what the user typed", "which turns were routed on far more than was typed"),
        "routed": ("what the router was given", "what your router reads"),
        "tools": ("which tools were called", "on which of these turns a tool was called"),
    }
    return tuple(Gap(what, question) for name, (what, question) in asked.items() if not seen[name])
