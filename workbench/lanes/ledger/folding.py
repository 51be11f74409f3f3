"""Alike findings told a few times and counted from then on, so that a night's capture can be read."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault

__all__ = ["Folded"]

_SHOWN = 3
_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


class Folded:
    """Takes findings in their order; memory holds a few of each kind."""

    def __init__(self) -> None:
        self._first: dict[Hashable, list[LaneFault]] = {}
        self._more: dict[Hashable, int] = {}
        self._next: dict[Hashable, LaneFault] = {}

    def add(self, fault: LaneFault, alike: Hashable = None) -> None:
        """`alike` tells which findings of one kind and lane are the same thing again."""
        key = (fault.kind, fault.severity, fault.lane, alike)
        shown = self._first.setdefault(key, [])
        if len(shown) < _SHOWN:
            shown.append(fault)
        else:
            self._next.setdefault(key, fault)
            self._more[key] = self._more.get(key, 0) + 1

    def faults(self) -> list[LaneFault]:
        """Errors first; what was counted stands behind the last one that was told."""
        found: list[LaneFault] = []
        for key, shown in self._first.items():
            found += shown
            if more := self._more.get(key):
                first = self._next[key]
                found.append(
                    first
                    if more == 1
                    else replace(first, message=f"{more:,} more like the last, the first of them here")
                )
        return sorted(found, key=lambda fault: _ORDER.index(fault.severity))
