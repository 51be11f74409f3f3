"""The workbench's own runs: what was typed, delivered, read and decided in every cell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from workbench.capture.readers.fields import moment
from workbench.capture.readers.gathering import Draft
from workbench.capture.sources.record import Read
from workbench.capture.turns import Place, Unit
from workbench.core.cell import Cell
from workbench.store.records import RunSummary
from workbench.store.schema import connect_to_read
from workbench.store.store import Store

__all__ = ["NAME", "fits", "read"]

NAME = "own-runs"
_APPLICATION = 0x776B6272


def fits(header: bytes) -> bool:
    """Whether the first 100 bytes of a database say that it is the workbench's."""
    return int.from_bytes(header[68:72], "big") == _APPLICATION


def read(path: Path, file: str) -> Iterator[Read]:
    """A turn per cell of every run, the oldest run first. Raises WorkbenchError where it cannot be read."""
    connection = connect_to_read(path)
    if connection is None:
        return
    with closing(Store(connection, path)) as store:
        number = 0
        for run in reversed(store.runs()):
            for cell in _cells(store, run):
                number += 1
                yield _turn(cell, run, Place(file, number, Unit.RECORD, run.id)).turn()


def _cells(store: Store, run: RunSummary) -> Iterator[Cell]:
    """The cells of a run, in memory by the prompt."""
    for scenario in run.scenarios:
        for prompt, _ in store.prompts(run.id, scenario):
            yield from store.cells(run.id, scenario, prompt)


def _turn(cell: Cell, run: RunSummary, place: Place) -> Draft:
    delivery, decision = cell.delivery, cell.decision
    draft = Draft(place, NAME, id=str(delivery.key), session=run.id, time=moment(run.started))
    draft.typed = delivery.typed
    draft.documents = tuple(attachment.text for attachment in delivery.turn.attachments)
    draft.ingress = delivery.ingress or delivery.key.arm
    window = decision.window if decision is not None else None
    draft.scanned = window.text if window is not None else None
    if not delivery.turn.made_by_app:
        draft.wrapped = delivery.turn.text
    elif window is not None:
        draft.wrapped = window.text
    if decision is not None:
        draft.outcome = decision.outcome.value
        draft.called(*decision.called)
    return draft
