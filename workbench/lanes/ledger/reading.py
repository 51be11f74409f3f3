"""Captures of any kind as the requests in them; receipts are told apart by what stands in them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from workbench.capture.opening import logs_in, open_records
from workbench.capture.readers import own_runs
from workbench.capture.sources.record import Record
from workbench.capture.turns import AS_FOUND, Fault, LogOptions, Place, Skipped, Unit
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.lanes.ledger.call import Call, Passed
from workbench.lanes.ledger.receipt import NotAReceipt, Receipt, is_receipt, read_receipt
from workbench.lanes.ledger.request import call_of, entries_of, exchange_of
from workbench.lanes.ledger.spans import SpanReader
from workbench.lanes.ledger.spans import fits as is_span
from workbench.store.schema import connect_to_read
from workbench.store.store import Store

__all__ = ["Found", "files_of", "read_capture", "read_receipts", "rereadable"]

Found = Call | Receipt | Skipped | Passed

_HEADER = 100


def files_of(paths: Sequence[Path]) -> list[Path]:
    """The files named, a folder standing for the logs in it. Raises WorkbenchError where one is missing."""
    missing = [
        Problem("there is no such file or folder", Mark(str(path))) for path in paths if not path.exists()
    ]
    if missing:
        raise WorkbenchError(missing)
    return [file for path in paths for file in (logs_in(path) if path.is_dir() else (path,))]


def rereadable(path: Path, folder: Path) -> Path:
    """The file itself, or a copy in `folder` of what can be read once only: a pipe."""
    if path.is_file():
        return path
    try:
        with path.open("rb") as source, tempfile.NamedTemporaryFile(dir=folder, delete=False) as target:
            shutil.copyfileobj(source, target)
    except OSError as error:
        raise WorkbenchError(Problem(f"this cannot be read: {error.strerror}", Mark(str(path)))) from None
    return Path(target.name)


def read_capture(path: Path, options: LogOptions = AS_FOUND) -> Iterator[Found]:
    """What one file holds, in its order and in constant memory; each torn record is a skip of its own.

    Raises WorkbenchError where it cannot be opened, or is of no known layout.
    """
    if _is_ours(path):
        yield from _of_runs(path)
        return
    spans = SpanReader()
    for record in open_records(path, options):
        yield from (record,) if isinstance(record, Skipped) else _of_record(record, spans)


def read_receipts(path: Path, options: LogOptions = AS_FOUND) -> Iterator[Receipt | Skipped]:
    """The receipts of one file. Raises WorkbenchError where it cannot be opened."""
    for record in open_records(path, options):
        if isinstance(record, Skipped):
            yield record
        elif is_receipt(record.value):
            yield _receipt(record)
        else:
            yield Skipped(record.place, Fault.UNKNOWN, "no receipt: it has no lanes")


def _of_record(record: Record, spans: SpanReader) -> Iterator[Found]:
    value = record.value
    if is_receipt(value):
        yield _receipt(record)
    elif (entries := entries_of(value)) is not None:
        yield from (exchange_of(entry, record) for entry in entries)
    elif is_span(value):
        yield from spans.take(record)
    elif _is_of_recording(value):
        yield Passed(record.place)
    else:
        found = call_of(record)
        yield found or Skipped(record.place, Fault.UNKNOWN, "neither a request nor a receipt")


def _receipt(record: Record) -> Receipt | Skipped:
    try:
        return read_receipt(record.value, record.place)
    except NotAReceipt as problem:
        return Skipped(record.place, Fault.UNKNOWN, f"a receipt that cannot be read: {problem}")


def _is_of_recording(value: Any) -> bool:
    """Whether it is a line of a recording of ours that holds no body: its head, a trial, a turn."""
    if not isinstance(value, dict):
        return False
    sent = value.get("sent")
    turn = isinstance(sent, dict) and "typed" in sent and "regions" in sent
    return "workbench_recording" in value or turn or ("answer" in value and "adapter" in value)


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER)
    except OSError:
        return False  # said where it is opened
    return head.startswith(b"SQLite format 3\0") and own_runs.fits(head)


def _of_runs(path: Path) -> Iterator[Found]:
    """The bodies that the runs of a store sent, the oldest run first."""
    connection = connect_to_read(path)
    if connection is None:
        return
    with closing(Store(connection, path)) as store:
        number = 0
        for run in reversed(store.runs()):
            for scenario in run.scenarios:
                for prompt, _ in store.prompts(run.id, scenario):
                    for cell in store.cells(run.id, scenario, prompt):
                        for trial in cell.trials:
                            if trial.exchange is None:
                                continue
                            number += 1
                            place = Place(str(path), number, Unit.RECORD, run.id)
                            yield _exchanged(
                                trial.exchange.url,
                                trial.exchange.sent,
                                trial.exchange.received,
                                place,
                                str(cell.key),
                            )


def _exchanged(url: str, sent: str, received: str | None, place: Place, turn: str) -> Found:
    """The request of one trial, as the entry of a HAR would have it."""
    entry = {
        "request": {"url": url, "method": "POST", "postData": {"text": sent}},
        "response": {"content": {"text": received}},
        "_turn": turn,
    }
    return exchange_of(entry, Record(entry, place))
