"""The margins of a scenario in two runs, and how far they moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.compare.margins import Spread, spread
from workbench.core.cell import CellKey

__all__ = ["MarginShift", "margin_shifts"]

_STILL = 1e-9  # what sums in another order come to


@dataclass(frozen=True, slots=True)
class MarginShift:
    """The best route's margin over all cells of one scenario and adapter that both runs scored.

    `moved`: the change from cell to cell, of which the one at `farthest` is the greatest.
    """

    scenario: str
    adapter: str
    before: Spread
    after: Spread
    moved: Spread
    farthest: CellKey


def margin_shifts(pairs: Iterable[tuple[CellKey, float, float]]) -> tuple[MarginShift, ...]:
    """From each cell's two margins; nothing of a scenario and adapter whose margins stand still."""
    groups: dict[tuple[str, str], list[tuple[CellKey, float, float]]] = {}
    for cell in pairs:
        groups.setdefault((cell[0].scenario, cell[0].adapter), []).append(cell)
    found = []
    for (scenario, adapter), cells in groups.items():
        before, after = spread([cell[1] for cell in cells]), spread([cell[2] for cell in cells])
        moved = spread([cell[2] - cell[1] for cell in cells])
        if before and after and moved and max(moved.most, -moved.least) > _STILL:
            farthest, *_ = max(cells, key=lambda cell: abs(cell[2] - cell[1]))
            found.append(MarginShift(scenario, adapter, before, after, moved, farthest))
    return tuple(found)
