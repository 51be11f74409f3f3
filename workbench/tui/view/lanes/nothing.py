"""The lanes tab where no request was sent: in words, without what accounts for requests."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.cell import AdapterInfo, Cell
from workbench.core.text import safe
from workbench.tui.view.paper import Stop
from workbench.tui.view.rows import DocRow, Heading, note

__all__ = ["Lanes", "has_exchange", "no_lanes"]


class Lanes(NamedTuple):
    """The rows, and where in them something is dark."""

    rows: list[DocRow]
    stops: list[Stop]


def has_exchange(cell: Cell) -> bool:
    """Whether a request is known of any trial."""
    return any(trial.exchange is not None for trial in cell.trials)


def no_lanes(info: AdapterInfo | None) -> Lanes:
    """Why there is nothing to account for."""
    if info is None:
        said = "no lanes: the run does not say what this adapter is"
    elif info.use in ("model", "recorded"):
        said = "no lanes: no request was sent"
    else:
        said = "no lanes: this adapter sends no request to a model"
    return Lanes([Heading(safe("sum")), note(said)], [])
