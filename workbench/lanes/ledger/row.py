"""What is kept of one request when it has been measured: numbers, places and short quotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.capture.turns import Place
from workbench.lanes.lane import Unit
from workbench.lanes.ledger.faults import is_unread, window_of
from workbench.lanes.ledger.joining import Join
from workbench.lanes.ledger.markers import Marked
from workbench.lanes.ledger.measured import LaneRow, Measured
from workbench.lanes.ledger.quoting import clean
from workbench.lanes.ledger.unread import fewest_tokens

__all__ = ["DarkSpan", "LaneSpans", "Row", "row_of"]

_MOST_DARK = 50


@dataclass(frozen=True, slots=True)
class DarkSpan:
    """Text that no lane owns. [start, end) in all texts laid end to end; `head` is masked, and foreign."""

    path: str
    offset: int
    start: int
    end: int
    head: str


@dataclass(frozen=True, slots=True)
class LaneSpans:
    """A lane's numbers, and [start, end) of each of its spans."""

    row: LaneRow
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One request of a capture. `receipt` None: it has none. `tokens` None: the server did not say."""

    number: int
    name: str
    place: Place
    id: str | None
    turn: str | None
    conversation: str
    provider: str
    host: str | None
    path: str | None
    model: str | None
    route: str
    rebuilt: bool
    receipt: Join | None
    receipt_place: Place | None
    unit: Unit
    receipt_unit: Unit | None
    unmeasured: str | None
    compared: bool
    sent: int
    owned: int
    dark: int
    double: int
    missing: int
    unplaced: int
    images: int
    masked: int
    elsewhere: tuple[str, ...]
    tokens: int | None
    fewest: int | None
    unread: bool
    lanes: tuple[LaneSpans, ...]
    dark_spans: tuple[DarkSpan, ...]
    markers: tuple[Marked, ...]


def row_of(measured: Measured, marked: Sequence[Marked]) -> Row:
    """The row of a request; of its dark spans the largest, in their order."""
    call, receipt = measured.call, measured.receipt
    tokens = call.answer.tokens if call.answer is not None else None
    window = window_of(measured)
    dark = sorted(measured.dark_spans if measured.dark else (), key=lambda span: -span.size)[:_MOST_DARK]
    spans: dict[str, list[tuple[int, int]]] = {}
    for span in measured.spans:
        if span.lane is not None:
            spans.setdefault(span.lane, []).append((span.start, span.end))
    return Row(
        number=measured.number,
        name=measured.name,
        place=call.place,
        id=call.ids[0] if call.ids else None,
        turn=call.turn or (receipt.turn if receipt is not None else None),
        conversation=measured.conversation,
        provider=call.provider,
        host=call.host,
        path=call.path,
        model=call.model,
        route=call.route,
        rebuilt=call.rebuilt,
        receipt=measured.joined,
        receipt_place=receipt.place if receipt is not None else None,
        unit=measured.unit,
        receipt_unit=receipt.unit if receipt is not None else None,
        unmeasured=receipt.unmeasured if receipt is not None else None,
        compared=measured.compared,
        sent=measured.sent,
        owned=measured.owned,
        dark=measured.dark,
        double=measured.double,
        missing=sum(row.missing for row in measured.lanes.values()),
        unplaced=measured.unplaced,
        images=measured.images,
        masked=measured.masked,
        elsewhere=measured.elsewhere,
        tokens=tokens,
        fewest=fewest_tokens(measured.text) if tokens is not None else None,
        unread=is_unread(measured) or (tokens is not None and tokens == window),
        lanes=tuple(LaneSpans(row, tuple(spans.get(name, ()))) for name, row in measured.lanes.items()),
        dark_spans=tuple(
            _dark(measured, span.start, span.end) for span in sorted(dark, key=lambda s: s.start)
        ),
        markers=tuple(marked),
    )


def _dark(measured: Measured, start: int, end: int) -> DarkSpan:
    part = measured.part_at(start)
    path, offset = (part.path, start - part.start) if part is not None else ("", start)
    return DarkSpan(path, offset, start, end, clean(measured.text[start:end]))
