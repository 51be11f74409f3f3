"""Puts past turns through a router: the words that were typed, then the text that it was given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from workbench.adapters.protocol import Adapter, Answer, Request
from workbench.capture.audit.judging import delivered_text
from workbench.capture.audit.quoting import Quoter
from workbench.capture.audit.result import Drift, Replayed
from workbench.capture.turns import LogTurn, Who
from workbench.core.decision import Decision
from workbench.core.turn import Author, Region, Turn, TypedPiece, bare
from workbench.replay.calling import call, timed_out
from workbench.replay.executor import LocalExecutor

__all__ = ["Past", "replay_past"]

_SHOWN = 20


class Past:
    """Keeps turns of a log with both texts, each pair of texts once, those routed far above first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[tuple[str, str], LogTurn] = {}
        self._outgrown: dict[tuple[str, str], LogTurn] = {}

    @property
    def wanted(self) -> bool:
        """Whether any is to be kept at all."""
        return self._most > 0

    def take(self, turn: LogTurn, *, outgrown: bool) -> None:
        """Keeps the turn if it can be replayed and there is room for it."""
        text = delivered_text(turn)
        if turn.who is not Who.USER or turn.truncated or text is None or turn.typed is None:
            return
        if text == turn.typed or not turn.typed.strip():
            return
        into = self._outgrown if outgrown else self._kept
        if len(into) < self._most:
            into.setdefault((turn.typed, text), turn)

    def turns(self) -> list[LogTurn]:
        """At most as many as are wanted."""
        return list({**self._outgrown, **self._kept}.values())[: self._most]


async def replay_past(
    adapter: Adapter, turns: Iterable[LogTurn], told: Callable[[int], None] = lambda done: None
) -> Replayed:
    """The decisions on both texts of each turn, compared; nothing that is decided is carried out.

    Raises WorkbenchError where the settings of the adapter cannot work.
    """
    wanted = list(turns)
    quoter = Quoter()
    drifts: list[Drift] = []
    drifted = failed = done = 0
    why: str | None = None
    async with LocalExecutor({adapter.name: adapter}) as executor:
        await executor.prepare((adapter.name,))
        slots = asyncio.Semaphore(executor.limit(adapter.name).concurrency)

        async def both(turn: LogTurn) -> tuple[LogTurn, Answer, Answer]:
            nonlocal done
            async with slots:
                first = await _asked(executor, adapter, bare(turn.typed or ""))
                second = await _asked(executor, adapter, _delivered(turn))
            done += 1
            told(done)
            return turn, first, second

        for turn, first, second in await asyncio.gather(*map(both, wanted)):
            if first.decision is None or second.decision is None:
                failed += 1
                why = why or first.error or second.error
            elif first.decision.identity() != second.decision.identity():
                drifted += 1
                if len(drifts) < _SHOWN:
                    drifts.append(_drift(turn, first.decision, second.decision, quoter))
    reason = None if why is None else quoter.short(why, 200)
    return Replayed(adapter.name, len(wanted), failed, drifted, tuple(drifts), reason)


async def _asked(executor: LocalExecutor, adapter: Adapter, turn: Turn) -> Answer:
    limit = executor.limit(adapter.name)
    task = asyncio.create_task(call(executor, adapter.name, Request(turn)))
    if limit.bounds_itself:
        return await task
    ended, _ = await asyncio.wait((task,), timeout=limit.timeout)
    return task.result() if ended else await timed_out(task, limit.timeout)


def _delivered(turn: LogTurn) -> Turn:
    """The turn as it was given, the typed words at the only place where they stand; else of unknown place."""
    text, typed = delivered_text(turn) or "", turn.typed or ""
    at = text.find(typed)
    if at < 0 or text.find(typed, at + 1) >= 0:
        return Turn(text, typed, (Region(0, len(text), Author.APP),) if text else ())
    end = at + len(typed)
    spans = ((0, at, Author.TRANSPORT), (at, end, Author.USER), (end, len(text), Author.TRANSPORT))
    found = tuple(Region(start, stop, author) for start, stop, author in spans if start < stop)
    return Turn(text, typed, found, (TypedPiece(at, end, 0, len(typed)),))


def _drift(turn: LogTurn, first: Decision, second: Decision, quoter: Quoter) -> Drift:
    return Drift(
        place=quoter.short(str(turn.place), 200),
        id=turn.id and quoter.short(turn.id, 60),
        typed=quoter.head(turn.typed or "", 60),
        head=quoter.head(delivered_text(turn) or "", 60),
        bare=quoter.short(_said(first), 120),
        routed=quoter.short(_said(second), 120),
    )


def _said(decision: Decision) -> str:
    return f"{decision.outcome.value} {', '.join(dict.fromkeys(decision.tools))}".rstrip()
