"""A log as it grows: every new turn with its verdict, and an alarm where that is wrong for the first time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.capture.audit.judging import Judge, Verdict
from workbench.capture.audit.quoting import Quoter
from workbench.capture.audit.result import Kind
from workbench.capture.audit.tally import read_size
from workbench.capture.opening import follow_log
from workbench.capture.turns import AS_FOUND, LogOptions, LogTurn, Skipped, Who

__all__ = ["Seen", "Watch", "watch"]


@dataclass(frozen=True, slots=True)
class Seen:
    """One turn, masked and short, still to be made visible. Sizes and tools None: not logged.

    `wrong` says what is wrong with it, `alarms` what of that is so for the first time since the watch began.
    """

    place: str
    id: str | None
    ingress: str | None
    envelope: str | None
    typed_size: int | None
    routed_size: int | None
    tools: tuple[str, ...] | None
    outcome: str | None
    head: str | None
    wrong: tuple[Kind, ...]
    alarms: tuple[Kind, ...]


class Watch:
    """Counts what has come since it began. `earlier` turns were in the log before, and alarm nobody."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._quoter = Quoter()
        self.earlier = self.turns = self.skipped = 0
        self.wrong: Counter[Kind] = Counter()

    def take(self, turn: LogTurn) -> Seen:
        """The turn with what is wrong with it."""
        verdict = self._judge.judge(turn)
        wrong = tuple(_wrong(verdict))
        alarms = tuple(kind for kind in wrong if not self.wrong[kind])
        self.turns += 1
        self.wrong.update(wrong)
        return self._seen(turn, verdict, wrong, alarms)

    def skip(self, skipped: Skipped) -> str:
        """Counts a piece that could not be read; returns where and why, short."""
        self.skipped += 1
        return self._quoter.short(f"{skipped.place}: {skipped.reason}", 200)

    def _seen(
        self, turn: LogTurn, verdict: Verdict, wrong: tuple[Kind, ...], alarms: tuple[Kind, ...]
    ) -> Seen:
        quoter = self._quoter
        head = turn.scanned or turn.wrapped_head
        known = turn.scanned is not None or turn.wrapped_size is not None
        return Seen(
            place=quoter.short(str(turn.place), 200),
            id=turn.id and quoter.short(turn.id, 60),
            ingress=verdict.ingress and quoter.short(verdict.ingress, 40),
            envelope=verdict.envelope,
            typed_size=turn.typed_size,
            routed_size=read_size(turn) if known else None,
            tools=None if turn.tools is None else tuple(quoter.short(tool, 80) for tool in turn.tools[:10]),
            outcome=turn.outcome and quoter.short(turn.outcome, 40),
            head=None if head is None else quoter.head(head, 60),
            wrong=wrong,
            alarms=alarms,
        )


def watch(path: Path, watching: Watch, options: LogOptions = AS_FOUND) -> Iterator[Seen | str | None]:
    """New turns as they come, a text for what cannot be read, and None whenever nothing new has come.

    What the log holds already is counted and not told. Raises WorkbenchError as `follow_log` does.
    """
    begun = False
    for item in follow_log(path, options):
        if item is None:
            begun = True
            yield None
        elif not begun:
            watching.earlier += isinstance(item, LogTurn) and item.who is Who.USER
        elif isinstance(item, Skipped):
            yield watching.skip(item)
        elif item.who is Who.USER:
            yield watching.take(item)


def _wrong(verdict: Verdict) -> Iterator[Kind]:
    if verdict.outgrown:
        yield Kind.OUTGROWN
    if verdict.unknown:
        yield Kind.UNKNOWN
