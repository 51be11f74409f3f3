"""A ledger as the rows of its JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.decision import Json
    from workbench.lanes.ledger.accounting import Ledger
    from workbench.lanes.ledger.markers import Marked
    from workbench.lanes.ledger.row import LaneSpans, Row

__all__ = ["ledger_rows"]


def ledger_rows(ledger: Ledger) -> dict[str, Json]:
    """Everything but the findings. Sizes count code points unless `unit` beside them says otherwise."""
    return {
        "requests": [_request(row) for row in ledger.rows],
        "lanes": [
            {
                "name": lane.name,
                "requests": lane.requests,
                "chars": lane.chars,
                "most": lane.most,
                "missing": lane.missing,
            }
            for lane in ledger.lanes
        ],
        "routes": [
            {
                "route": route.route,
                "provider": route.provider,
                "model": route.model,
                "requests": route.requests,
                "receipts": route.receipts,
                "sent": route.sent,
                "owned": route.owned,
                "dark": route.dark,
                "dark_in": route.dark_in,
                "double": route.double,
            }
            for route in ledger.routes
        ],
        "growth": [
            {
                "conversation": course.name,
                "file": course.file,
                "line": course.line,
                "requests": len(course.sent),
                "sent": list(course.sent),
                "dark": list(course.dark),
                "grows": course.grows,
            }
            for course in ledger.growth
        ],
        "ghosts": [
            {"lane": ghost.lane.name, "why": ghost.why.value, "told": ghost.told} for ghost in ledger.ghosts
        ],
        "volatile": [
            {
                "lane": one.lane,
                "route": one.route,
                "where": one.where,
                "changed": one.changed,
                "stable_after": one.after,
                "rest_equal": one.rest_equal,
                "declared": declared,
            }
            for one, declared in ledger.volatile
        ],
        "markers": [
            *(_marked(one) for one in ledger.markers),
            *({"marker": marker, "requests": 0} for marker in ledger.absent),
        ],
        "unjoined": [
            {
                "request": receipt.request,
                "turn": receipt.turn,
                "file": receipt.place.file,
                "line": receipt.place.number,
            }
            for receipt in ledger.alone
        ],
        "skipped": [
            {"file": skipped.place.file, "line": skipped.place.number, "reason": skipped.reason}
            for skipped in ledger.skipped
        ],
    }


def _request(row: Row) -> Json:
    return {
        "number": row.number,
        "id": row.id,
        "turn": row.turn,
        "conversation": row.conversation,
        "file": row.place.file,
        "line": row.place.number,
        "place": str(row.place),
        "provider": row.provider,
        "host": row.host,
        "path": row.path,
        "model": row.model,
        "route": row.route,
        "rebuilt": row.rebuilt,
        "receipt": row.receipt.value if row.receipt is not None else None,
        "joined_by": row.receipt.value if row.receipt is not None else None,
        "receipt_place": str(row.receipt_place) if row.receipt_place is not None else None,
        "compared": row.compared,
        "unit": row.unit.value,
        "receipt_unit": row.receipt_unit.value if row.receipt_unit is not None else None,
        "sent": row.sent,
        "owned": row.owned,
        "dark": row.dark,
        "double": row.double,
        "negative": row.missing,
        "unplaced": row.unplaced,
        "unmeasured": row.unmeasured,
        "images": row.images,
        "masked": row.masked,
        "elsewhere": list(row.elsewhere),
        "tokens": row.tokens,
        "fewest_tokens": row.fewest,
        "unread": row.unread,
        "lanes": [_lane(lane) for lane in row.lanes],
        "dark_spans": [
            {
                "path": span.path,
                "offset": span.offset,
                "start": span.start,
                "end": span.end,
                "chars": span.end - span.start,
                "head": span.head,
            }
            for span in row.dark_spans
        ],
        "markers": [_marked(one) for one in row.markers],
    }


def _lane(lane: LaneSpans) -> Json:
    return {
        "name": lane.row.name,
        "chars": lane.row.chars,
        "measured": lane.row.measured,
        "claimed": lane.row.claimed,
        "missing": lane.row.missing,
        "estimate": lane.row.estimate,
        "spans": [[start, end] for start, end in lane.spans],
    }


def _marked(one: Marked) -> Json:
    return {
        "marker": one.marker,
        "lane": one.lane,
        "dark": one.lane is None,
        "receipt": one.receipt,
        "request": one.first,
        "where": one.where,
        "requests": one.requests,
        "times": one.times,
    }
