"""All captures of one question accounted for: read once to join the receipts, and once to measure."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from workbench.capture.turns import AS_FOUND, LogOptions, Place, Skipped
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Emits, Registry, Unit
from workbench.lanes.ledger.call import Call, line_of
from workbench.lanes.ledger.conversations import Conversations
from workbench.lanes.ledger.faults import faults_of
from workbench.lanes.ledger.folding import Folded
from workbench.lanes.ledger.ghosts import Ghost, fault_of, ghosts
from workbench.lanes.ledger.growth import Course, Growth
from workbench.lanes.ledger.joining import Join, Joined, Known, join, known_of
from workbench.lanes.ledger.markers import Marked, Markers
from workbench.lanes.ledger.measuring import measure
from workbench.lanes.ledger.presence import Presence
from workbench.lanes.ledger.reading import files_of, read_capture, read_receipts, rereadable
from workbench.lanes.ledger.receipt import Receipt
from workbench.lanes.ledger.row import Row, row_of
from workbench.lanes.ledger.totals import LaneTotal, RouteTotal, Totals
from workbench.lanes.ledger.volatile import Volatile, Volatility

__all__ = ["Ledger", "Question", "account_for"]


@dataclass(frozen=True, slots=True)
class Question:
    """What to account for. `mentioned` tells whether the app's source names a lane; None: not asked."""

    captures: Sequence[Path]
    receipts: Sequence[Path] = ()
    registry: Registry | None = None
    markers: Sequence[str] = ()
    mentioned: Callable[[str], bool] | None = None
    options: LogOptions = AS_FOUND


@dataclass(slots=True)
class Ledger:
    """The answer. `alone` are the receipts of no request."""

    rows: list[Row] = field(default_factory=list)
    faults: list[LaneFault] = field(default_factory=list)
    lanes: list[LaneTotal] = field(default_factory=list)
    routes: list[RouteTotal] = field(default_factory=list)
    growth: list[Course] = field(default_factory=list)
    ghosts: list[Ghost] = field(default_factory=list)
    volatile: list[tuple[Volatility, bool]] = field(default_factory=list)
    markers: list[Marked] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    alone: list[Receipt] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def account_for(question: Question) -> Ledger:
    """Raises WorkbenchError where a file cannot be opened, or the captures hold no request."""
    with tempfile.TemporaryDirectory() as folder:
        files = _Files(question.captures, Path(folder))
        ledger = Ledger()
        joined, receipts = _joined(question, files, ledger)
        _measure(question, files, joined, ledger)
        _tell_joins(ledger, receipts)
    return ledger


class _Files:
    """The captures, to be read twice; a pipe is copied, and still told by its own name."""

    def __init__(self, paths: Sequence[Path], folder: Path) -> None:
        self.paths = [(path, rereadable(path, folder)) for path in files_of(paths)]

    def read(self, options: LogOptions) -> Iterator[Call | Receipt | Skipped]:
        for path, where in self.paths:
            for found in read_capture(where, options):
                if isinstance(found, Call | Receipt | Skipped):
                    yield found if where == path else _named(found, path)


def _named(found: Call | Receipt | Skipped, path: Path) -> Call | Receipt | Skipped:
    return replace(found, place=replace(found.place, file=str(path)))


def _joined(question: Question, files: _Files, ledger: Ledger) -> tuple[Joined, int]:
    """Reads all that is there once, remembering of each request only what it can be found by."""
    known: list[Known] = []
    receipts: list[Receipt] = []
    for file in files_of(question.receipts):
        for found in read_receipts(file, question.options):
            if isinstance(found, Receipt):
                receipts.append(found)
            else:
                ledger.skipped.append(found)
    for item in files.read(question.options):
        if isinstance(item, Call):
            known.append(known_of(item))
        elif isinstance(item, Receipt):
            receipts.append(item)
        else:
            ledger.skipped.append(item)
    if not known:
        why = ledger.skipped[0] if ledger.skipped else None
        mark = Mark(why.place.file, why.place.number) if why else Mark(str(question.captures[0]))
        hint = "expected a HAR, lines of request bodies, OpenTelemetry spans, or what `lanes proxy` records"
        raise WorkbenchError(
            Problem("no request of a model is in it" + (f": {why.reason}" if why else ""), mark, hint)
        )
    return join(known, receipts), len(receipts)


def _measure(question: Question, files: _Files, joined: Joined, ledger: Ledger) -> None:
    folded = Folded()
    registry = question.registry
    conversations, totals, growth = Conversations(), Totals(), Growth()
    presence, volatile, markers = Presence(), Volatile(registry), Markers(question.markers)
    calls = (item for item in files.read(question.options) if isinstance(item, Call))
    for number, call in enumerate(calls, 1):
        if number > len(joined.found):
            break  # the file has grown meanwhile
        receipt, how = joined.found[number - 1] or (None, None)
        if call.receipt is not None:
            receipt, how = call.receipt, Join.BESIDE
        measured = measure(number, call, receipt, how, conversations)
        for taker in (totals, growth, presence, volatile):
            taker.take(measured)
        marked = markers.take(measured)
        for fault, alike in faults_of(measured, registry):
            folded.add(fault, alike)
        ledger.rows.append(row_of(measured, marked))
    for fault in (*growth.faults(), *presence.faults(), *volatile.faults()):
        folded.add(fault)
    for fault in (*_unregistered(totals.lanes(), registry), *_undeclared(totals.lanes(), registry)):
        folded.add(fault)
    ledger.alone = list(joined.alone)
    ledger.lanes, ledger.routes = totals.lanes(), totals.routes()
    ledger.growth = growth.courses()
    ledger.volatile = [(one, volatile.declared(one.lane)) for one in volatile.found()]
    ledger.markers, ledger.absent = markers.found(), markers.absent()
    compared = sum(row.receipt is not None for row in ledger.rows)
    if registry is not None and compared:
        ledger.ghosts = list(ghosts(registry, {lane.name for lane in ledger.lanes}, question.mentioned))
        for ghost in ledger.ghosts:
            folded.add(fault_of(ghost, registry, compared))
    for fault in _of_reading(ledger):
        folded.add(fault)
    ledger.faults = folded.faults()


def _unregistered(lanes: Sequence[LaneTotal], registry: Registry | None) -> Iterator[LaneFault]:
    """Lanes that write into prompts, and stand in no registry."""
    for lane in lanes:
        if registry is not None and registry.lane(lane.name) is None:
            message = f"no stanza in {registry.file}: {lane.chars:,} characters in {_requests(lane.requests)}"
            place = lane.first
            yield LaneFault(
                LaneKind.UNREGISTERED, Severity.ERROR, message, lane.name, place.file, line_of(place)
            )


def _undeclared(lanes: Sequence[LaneTotal], registry: Registry | None) -> Iterator[LaneFault]:
    """Lanes that nothing is said to write, and that were written."""
    for lane in lanes:
        known = registry.lane(lane.name) if registry is not None else None
        if registry is not None and known is not None and known.emits is Emits.NONE:
            message = f'declared emits = "none", and {_requests(lane.requests)} with receipts have it'
            yield LaneFault(LaneKind.EMITS, Severity.WARNING, message, lane.name, registry.file, known.line)


def _of_reading(ledger: Ledger) -> Iterator[LaneFault]:
    """What could not be read, or not be joined."""
    for skipped in ledger.skipped:
        yield _warning(LaneKind.SKIPPED, skipped.reason, skipped.place)
    for receipt in ledger.alone:
        named = receipt.request or receipt.turn
        known = f"request {receipt.request}" if receipt.request else f"turn {named}" if named else "no id"
        yield _warning(
            LaneKind.NO_REQUEST, f"a receipt ({known}) of no request in the capture", receipt.place
        )


def _tell_joins(ledger: Ledger, receipts: int) -> None:
    """Says of which requests nobody accounts for: another thing than text that a receipt leaves out."""
    without = [row for row in ledger.rows if row.receipt is None]
    bare = [row for row in ledger.rows if row.receipt is not None and not row.compared]
    tokens = [row for row in bare if row.unmeasured is None and row.receipt_unit is Unit.TOKENS]
    if unmeasured := [row for row in bare if row.unmeasured is not None]:
        first = unmeasured[0]
        message = f"{_requests(len(unmeasured))} that the app could not measure, first: {first.unmeasured}"
        ledger.faults.append(_warning(LaneKind.NO_RECEIPT, message, first.place))
    if tokens:
        first = tokens[0]
        message = (
            f"{_requests(len(tokens))} with a receipt in {first.receipt_unit}, which cannot be compared"
            " with text: count chars or bytes"
        )
        ledger.faults.append(_warning(LaneKind.UNIT, message, first.place))
    if without:
        first = without[0]
        if receipts or len(without) < len(ledger.rows):
            count = _requests(len(without))
            message = f"{count} without a receipt, first {first.name}: nobody accounts for the text"
        else:
            count = _requests(len(without))
            message = f"no receipts: nobody accounts for the text of {count}; name a file: --receipts"
        ledger.faults.append(_warning(LaneKind.NO_RECEIPT, message, first.place))


def _requests(count: int) -> str:
    return f"{count:,} request{'' if count == 1 else 's'}"


def _warning(kind: LaneKind, message: str, place: Place) -> LaneFault:
    return LaneFault(kind, Severity.WARNING, message, file=place.file, line=line_of(place))
