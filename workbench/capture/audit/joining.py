"""Brings the two halves of a turn together while a log streams by, within a bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from workbench.capture.turns import LogTurn, Skipped, Who

__all__ = ["joined"]

_WAITING = 5_000


def joined(items: Iterable[LogTurn | Skipped]) -> Iterator[LogTurn | Skipped]:
    """The same, but turns of one half with the other by id, else with that of their session next to them.

    A half waits until 5,000 others wait too, then it is told as it is.
    """
    waiting: OrderedDict[int, LogTurn] = OrderedDict()
    by_id: dict[str, int] = {}
    last: dict[str, int] = {}
    number = 0
    for item in items:
        if isinstance(item, Skipped) or item.who is not Who.USER or not _is_half(item):
            yield item
            continue
        session = item.session or item.file
        other = by_id.get(item.id) if item.id is not None else last.get(session)
        if other is not None and other in waiting and _are_one(waiting[other], item):
            first = waiting.pop(other)
            _forget(first, by_id)
            last.pop(session, None)
            yield _one(first, item)
            continue
        number += 1
        waiting[number] = item
        last[session] = number
        if item.id is not None:
            by_id[item.id] = number
        if len(waiting) > _WAITING:
            key, oldest = waiting.popitem(last=False)
            _forget(oldest, by_id)
            if last.get(oldest.session or oldest.file) == key:
                del last[oldest.session or oldest.file]
            yield oldest
    yield from waiting.values()


def _is_half(turn: LogTurn) -> bool:
    return (turn.typed_size is None) != (turn.wrapped_size is None and turn.scanned is None)


def _are_one(first: LogTurn, second: LogTurn) -> bool:
    """One half each; without an id the words have to stand in the text."""
    if (first.typed_size is None) == (second.typed_size is None):
        return False
    if first.id is not None and first.id == second.id:
        return True
    typed, other = (second, first) if first.typed_size is None else (first, second)
    return bool(typed.typed) and other.wrapped is not None and (typed.typed or "") in other.wrapped


def _forget(turn: LogTurn, by_id: dict[str, int]) -> None:
    if turn.id is not None:
        by_id.pop(turn.id, None)


def _one(first: LogTurn, second: LogTurn) -> LogTurn:
    typed, routed = (second, first) if first.typed_size is None else (first, second)
    return replace(
        routed,
        typed=typed.typed,
        typed_length=typed.typed_length,
        ingress=routed.ingress or typed.ingress,
        tools=routed.tools if routed.tools is not None else typed.tools,
        outcome=routed.outcome or typed.outcome,
        truncated=routed.truncated or typed.truncated,
    )
