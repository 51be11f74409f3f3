"""The newest stored answer of every cell over the runs of late: one of a single cell hides no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from workbench.core.cell import AdapterInfo, Cell, CellKey
from workbench.store.records import CellSummary, RunHead
from workbench.store.store import Store

__all__ = ["NewestAnswers", "Stored", "Tallied"]

LOOK_BACK = 50
"""How many runs are looked through, the newest first; older answers are as good as none.

A run with `--policy` is passed over: what it shows is not the app as it stands.
"""


class Tallied(NamedTuple):
    """The newest answers of a scenario, only counted, each with the id of its run; and their adapters."""

    cells: Mapping[CellKey, CellSummary]
    runs: Mapping[CellKey, str]
    adapters: Mapping[str, AdapterInfo]


class Stored(NamedTuple):
    """The newest answers, each with the id of its run; and what is known of their adapters."""

    cells: tuple[Cell, ...]
    runs: Mapping[CellKey, str]
    adapters: Mapping[str, AdapterInfo]


class NewestAnswers:
    """Opens the store for each call, so that any thread may call. Nothing stored is an empty answer.

    Every method raises WorkbenchError where the store cannot be read.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def first_scenario(self) -> str | None:
        """The first scenario of the newest run; None where nothing was stored."""
        store = Store.existing(self._root)
        if store is None:
            return None
        with store:
            return next((head.scenarios[0] for head in store.heads(1) if head.scenarios), None)

    def prompts(self, scenario: str) -> tuple[tuple[str, str], ...]:
        """The prompts of a scenario as it was run last, by label, with what was typed."""
        store = Store.existing(self._root)
        if store is None:
            return ()
        with store:
            heads = (head.id for head in store.heads(LOOK_BACK) if scenario in head.scenarios)
            run = next(heads, None)
            return () if run is None else store.prompts(run, scenario)

    def tally(self, scenario: str, prompt: str | None = None) -> Tallied:
        """Every cell that has an answer, of a scenario or of one prompt of it, counted."""
        cells: dict[CellKey, CellSummary] = {}
        runs: dict[CellKey, str] = {}
        adapters: dict[str, AdapterInfo] = {}
        store = Store.existing(self._root)
        if store is None:
            return Tallied(cells, runs, adapters)
        with store:
            for head in _looked_through(store, scenario):
                for summary in store.matrix(head.id, scenario, prompt):
                    if summary.tallies and summary.key not in cells:
                        cells[summary.key], runs[summary.key] = summary, head.id
                        adapters.setdefault(summary.key.adapter, head.adapters[summary.key.adapter])
        return Tallied(cells, runs, adapters)

    def read(self, scenario: str, prompt: str | None = None) -> Stored:
        """The cells of a scenario, or of one prompt of it, that have an answer, with all their trials."""
        cells: dict[CellKey, Cell] = {}
        runs: dict[CellKey, str] = {}
        adapters: dict[str, AdapterInfo] = {}
        store = Store.existing(self._root)
        if store is None:
            return Stored((), runs, adapters)
        with store:
            for head in _looked_through(store, scenario):
                for cell in store.cells(head.id, scenario, prompt):
                    if cell.trials and cell.key not in cells:
                        cells[cell.key], runs[cell.key] = cell, head.id
                        adapters.setdefault(cell.key.adapter, head.adapters[cell.key.adapter])
        return Stored(tuple(cells.values()), runs, adapters)


def _looked_through(store: Store, scenario: str) -> Iterator[RunHead]:
    """The runs that may hold an answer worth having, the newest first, up to one that has them all."""
    for head in store.heads(LOOK_BACK):
        if scenario in head.scenarios and "policy" not in head.arguments:
            yield head
            if head.covers(scenario):
                return
