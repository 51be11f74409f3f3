"""A ledger as lines: one per request with its dark text first, then the findings, then the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.cli.lanes_report import fault_lines
from workbench.core.finding import Severity
from workbench.core.text import SafeText, join, safe, visible

if TYPE_CHECKING:
    from workbench.lanes.ledger.accounting import Ledger
    from workbench.lanes.ledger.markers import Marked
    from workbench.lanes.ledger.row import Row

__all__ = ["ledger_lines"]

_GAP = safe("  ")
_MOST_TURNS = 12


def ledger_lines(ledger: Ledger) -> Iterator[SafeText]:
    """The whole report as text."""
    width = max((len(f"dark={row.dark}") for row in ledger.rows), default=0)
    for row in ledger.rows:
        yield _request(row, width)
    notes = [fault for fault in ledger.faults if fault.severity is Severity.NOTE]
    yield from fault_lines(fault for fault in ledger.faults if fault.severity is not Severity.NOTE)
    if notes:
        names = join([visible(fault.lane or "") for fault in notes], safe(", "))
        yield join((safe("not exercised, of the registry's lanes: "), names))
    for marked in ledger.markers:
        yield _marked(marked)
    for marker in ledger.absent:
        yield join((safe("marker "), visible(marker), safe(": in no request")))
    yield from _growth(ledger)
    if len(ledger.routes) > 1:
        yield from _routes(ledger)
    yield _sum(ledger)


def _request(row: Row, width: int) -> SafeText:
    """`dark=0 + owned=4182 = sent=4182`, then what is wrong besides, then which request it is."""
    parts = [safe(f"{f'dark={row.dark}':<{width}} + owned={row.owned} = sent={row.sent}")]
    flags = [
        safe(f"{name}={value}")
        for name, value in (
            ("double", row.double),
            ("negative", row.missing),
            ("unplaced", row.unplaced),
            ("images", row.images),
            ("masked", row.masked),
            ("elsewhere", len(row.elsewhere)),
        )
        if value
    ]
    if row.unit.value != "chars":
        flags.append(safe(f"in {row.unit}"))
    if row.receipt is None:
        flags.append(safe("no receipt"))
    elif row.unmeasured is not None:
        flags.append(safe("receipt without a measure"))
    elif not row.compared:
        flags.append(safe(f"receipt in {row.receipt_unit} not compared"))
    if row.unread:
        flags.append(safe(f"unread: {row.tokens} tokens"))
    parts += flags
    parts.append(visible(row.name))
    parts.append(visible(" ".join(word for word in (row.route, row.model or "") if word)))
    parts.append(visible(str(row.place)))
    return join(parts, _GAP)


def _marked(one: Marked) -> SafeText:
    owner = (
        visible(f"lane {one.lane}")
        if one.lane is not None
        else safe("dark" if one.receipt else "not accounted for")
    )
    count = f"in {one.requests:,} request{'s' if one.requests != 1 else ''}, first {one.first}, at "
    return join(
        (safe("marker "), visible(one.marker), safe(": "), owner, safe(f" {count}"), visible(one.where))
    )


def _growth(ledger: Ledger) -> Iterator[SafeText]:
    """The conversations in which dark text comes and goes; where it grows, there is a finding."""
    for course in ledger.growth:
        if len(set(course.dark)) > 1 and not course.grows:
            turns = " ".join(str(size) for size in course.dark[:_MOST_TURNS])
            more = f" … {course.dark[-1]}" if len(course.dark) > _MOST_TURNS else ""
            yield join((visible(course.name), safe(f": dark by request {turns}{more}")))


def _routes(ledger: Ledger) -> Iterator[SafeText]:
    for route in ledger.routes:
        name = visible(
            " ".join(word for word in (route.route, route.model or "", f"({route.provider})") if word)
        )
        if not route.receipts:
            told = f"{route.requests:,} requests, no receipt"
        elif route.dark:
            told = f"dark={route.dark} in {route.dark_in:,} of {route.receipts:,} requests with receipts"
        else:
            told = f"dark=0 in all {route.receipts:,} requests with receipts"
        yield join((name, safe(f": {told}")))


def _sum(ledger: Ledger) -> SafeText:
    rows = ledger.rows
    with_receipts = [row for row in rows if row.receipt is not None]
    ways = Counter(row.receipt.value for row in with_receipts if row.receipt is not None)
    by = ", ".join(
        f"{count:,} by {way}" if way != "beside" else f"{count:,} beside" for way, count in ways.items()
    )
    compared = [row for row in rows if row.compared]
    dark = sum(row.dark for row in compared)
    count = f"{len(rows):,} request{'' if len(rows) == 1 else 's'}"
    told = f"{count}, {len(with_receipts):,} with receipts{f' (joined: {by})' if by else ''}"
    if compared:
        told += f"; of {sum(row.sent for row in compared):,} characters {dark:,} dark"
        told += f", {sum(row.double for row in compared):,} double"
    images = sum(row.images for row in rows)
    if images:
        told += f"; {images:,} images and files not measured"
    return safe(told)
