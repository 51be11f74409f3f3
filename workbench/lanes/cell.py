"""What the requests of a cell come to: an account for each trial, told as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.cell import AdapterInfo, Cell, CellKey, Run
from workbench.core.decision import Json
from workbench.lanes.ledger.measured import Measured
from workbench.lanes.requested import (
    Accounted,
    NotMeasured,
    Unmeasured,
    accounted,
    sends_requests,
)

__all__ = ["CellLanes", "Extent", "lane_views", "lanes_of"]


@dataclass(frozen=True, slots=True)
class Extent:
    """The least and the most of a count over a cell's trials."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}" if self.low == self.high else f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class CellLanes:
    """Over those trials of a cell that have an account, whatever became of them: characters of a request.

    `worst` is the request with the most dark text, then the most double: its sum is exact. `trials` counts
    those with an account, `unmeasured` the others by their reason: what is not known is in no number.
    """

    sent: Extent
    owned: Extent
    dark: Extent
    double: Extent
    worst: Measured
    trials: int
    unmeasured: Mapping[Unmeasured, int]


def lanes_of(cell: Cell, adapter: AdapterInfo) -> CellLanes | None:
    """None where no trial has an account: nothing was sent, no claims are reported, or it is no model."""
    if not sends_requests(adapter):
        return None
    known: dict[tuple[int, int], Accounted | NotMeasured] = {}
    told = []
    for trial in cell.trials:
        went = trial.exchange
        # The trials of a cell have their long texts in common: one account is enough for the same two.
        key = (id(went.sent), id(went.claims)) if went is not None else (0, 0)
        if key not in known:
            known[key] = accounted(went, cell.delivery, adapter)
        told.append(known[key])
    found = [one.measured for one in told if isinstance(one, Accounted)]
    if not found:
        return None
    return CellLanes(
        sent=_extent([one.sent for one in found]),
        owned=_extent([one.owned for one in found]),
        dark=_extent([one.dark for one in found]),
        double=_extent([one.double for one in found]),
        worst=max(found, key=lambda one: (one.dark, one.double)),
        trials=len(found),
        unmeasured=Counter(one.reason for one in told if isinstance(one, NotMeasured)),
    )


def lane_views(run: Run) -> dict[CellKey, Json]:
    """For a report: the worst request of each cell of a model's; None where none has an account."""
    views: dict[CellKey, Json] = {}
    for cell in run.cells:
        adapter = run.adapters[cell.key.adapter]
        if sends_requests(adapter):
            found = lanes_of(cell, adapter)
            views[cell.key] = None if found is None else _view(found)
    return views


def _view(found: CellLanes) -> Json:
    worst = found.worst
    return {
        "sent": worst.sent,
        "owned": worst.owned,
        "dark": worst.dark,
        "double": worst.double,
        "trials": found.trials,
        "dark_least": found.dark.low,
    }


def _extent(counts: list[int]) -> Extent:
    return Extent(min(counts), max(counts))
