"""The arbiter on paper: one budget for all lanes of a request, and who gives up how much for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from workbench.lanes.lane import Lane

__all__ = ["LAST", "Cut", "Giving", "Share", "giving_of", "plan_cut"]

LAST = 5
"""The priority of a lane that nobody gave one: it is the first to give."""

_WHOLE = re.compile(r"\A\s*never\b|\bwhole\b|\ball or nothing\b", re.IGNORECASE)


class Giving(StrEnum):
    """How a lane gives up room: not at all, all of it or none, or as much as is needed."""

    KEPT = "kept"
    WHOLE = "whole"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Share:
    """What one lane wrote into one request; lanes of priority 5 give first, of 0 never."""

    name: str
    size: int
    priority: int
    giving: Giving


@dataclass(frozen=True, slots=True)
class Cut:
    """What one budget comes to. `lost` names the lanes that gave, `dropped` those that gave all in one.

    `kept` is what can never be given up; where that alone is above the budget nothing fits it.
    """

    budget: int
    before: int
    kept: int
    lost: Mapping[str, int]
    dropped: frozenset[str] = frozenset()

    @property
    def after(self) -> int:
        return self.before - sum(self.lost.values())

    @property
    def feasible(self) -> bool:
        return self.kept <= self.budget

    @property
    def spare(self) -> int:
        """What is free although something was given up: a lane that cannot be cut was more than needed."""
        return max(0, self.budget - self.after) if self.lost else 0


def giving_of(lane: Lane | None, priority: int) -> Giving:
    """Priority says whether and when a lane gives; the words of `evicts` say only how.

    Words that begin with `never`, or hold `whole`, are those of a lane that is no use in part.
    """
    if priority == 0:
        return Giving.KEPT
    words = (lane.evicts if lane is not None else None) or ""
    return Giving.WHOLE if _WHOLE.search(words) else Giving.CUT


def plan_cut(shares: Sequence[Share], budget: int) -> Cut:
    """What each lane loses so that the sum is within the budget. Names in `shares` are distinct.

    A lane loses nothing while one of a higher priority number still has something. Lanes of one number
    lose in proportion to their size. Where the budget cannot be met, all that can be given up is.
    """
    before = sum(share.size for share in shares)
    kept = sum(share.size for share in shares if share.giving is Giving.KEPT)
    need = before - budget
    lost: dict[str, int] = {}
    dropped: set[str] = set()
    for priority in sorted({share.priority for share in shares}, reverse=True):
        if need <= 0:
            break
        level = [share for share in shares if share.priority == priority and share.size]
        need -= _give(level, need, lost, dropped)
    return Cut(budget, before, kept, lost, frozenset(dropped))


def _give(level: Sequence[Share], need: int, lost: dict[str, int], dropped: set[str]) -> int:
    """What the lanes of one priority give of what is needed: by cutting, then by dropping whole ones."""
    soft = [share for share in level if share.giving is Giving.CUT]
    whole = [share for share in level if share.giving is Giving.WHOLE]
    room = sum(share.size for share in soft)
    rest = need - room
    given = 0
    while rest > 0 and whole:
        enough = [share for share in whole if share.size >= rest]
        chosen = min(enough, key=_size) if enough else max(whole, key=_size)
        whole.remove(chosen)
        lost[chosen.name] = chosen.size
        dropped.add(chosen.name)
        rest -= chosen.size
        given += chosen.size
    cut = min(room, max(0, need - given))
    for share, part in zip(soft, _parts([share.size for share in soft], cut), strict=True):
        if part:
            lost[share.name] = part
    return given + cut


def _size(share: Share) -> int:
    return share.size


def _parts(sizes: Sequence[int], total: int) -> list[int]:
    """Whole numbers in proportion to the sizes, none above its own, that add up to the total."""
    whole = sum(sizes)
    if not whole:
        return [0] * len(sizes)
    parts = [size * total // whole for size in sizes]
    by_rest = sorted(range(len(sizes)), key=lambda at: (-(sizes[at] * total % whole), at))
    for at in by_rest[: total - sum(parts)]:
        parts[at] += 1
    return parts
