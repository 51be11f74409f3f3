"""Who wrote the requests of a run's cells, as a report is handed it: this room measures nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from workbench.core.cell import CellKey
from workbench.core.decision import Json
from workbench.core.text import SafeText, safe
from workbench.report.measure import named
from workbench.report.writer import Line, Piece

__all__ = ["NO_LANES", "LaneViews", "lane_lines"]

LaneViews = Mapping[CellKey, Json]
"""A cell's view; None: nobody says who wrote what. Only cells of models stand in it."""

NO_LANES: LaneViews = MappingProxyType({})


def lane_lines(lanes: LaneViews) -> Iterator[Line]:
    """A line for each adapter that sent what nobody owns, or what two own: its worst request. Nothing of
    one that sent neither, or of which nobody says.
    """
    worst: dict[str, tuple[int, int, int, CellKey]] = {}
    cells: dict[str, int] = {}
    for key, view in lanes.items():
        if not isinstance(view, Mapping):
            continue
        dark, double, sent = (_number(view, name) for name in ("dark", "double", "sent"))
        if dark or double:
            cells[key.adapter] = cells.get(key.adapter, 0) + 1
            if (dark, double) > worst.get(key.adapter, (0, 0))[:2]:
                worst[key.adapter] = (dark, double, sent, key)
    for adapter, (dark, double, sent, key) in worst.items():
        told = [f"{dark:,} without an owner (dark)"] if dark else []
        told += [f"{double:,} with two (double)"] if double else []
        more = cells[adapter] - 1
        others = f", and {more:,} more cell{'' if more == 1 else 's'}" if more else ""
        words = SafeText(
            f"{safe(f': of {sent:,} characters of a request ' + ', '.join(told) + ', in ')}"
            f"{named(key.scenario)}#{named(key.prompt)}@{named(key.arm)}{safe(others)}"
        )
        yield (Piece(named(adapter), "dim"), Piece(words, "dim"))


def _number(view: Mapping[str, Json], name: str) -> int:
    found = view.get(name)
    return found if isinstance(found, int) else 0
