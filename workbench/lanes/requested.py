"""The request of one trial, accounted for: lanes, budgets, and how it grew from message to message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from workbench.capture.turns import Place
from workbench.core.cell import AdapterInfo, Delivery
from workbench.core.claims import Claims
from workbench.core.exchange import Exchange
from workbench.core.mask import MASK
from workbench.core.trial import Trial
from workbench.core.turn import Turn
from workbench.lanes.lane import Bound, Registry, Trust, Unit
from workbench.lanes.ledger.call import Call
from workbench.lanes.ledger.conversations import Conversations
from workbench.lanes.ledger.faults import size_in
from workbench.lanes.ledger.measured import Measured, Part, Span
from workbench.lanes.ledger.measuring import measure
from workbench.lanes.ledger.receipt import Entry, Receipt
from workbench.lanes.own import own_lanes
from workbench.lanes.registry import FILE, load_registry
from workbench.ledger import Sent, readable

__all__ = [
    "Accounted",
    "Bar",
    "Growth",
    "NotMeasured",
    "Requested",
    "Unmeasured",
    "accounted",
    "requested",
    "sends_requests",
    "workspace_registry",
]


class Unmeasured(StrEnum):
    """Why a trial has no account."""

    NOT_A_MODEL = "not a model"
    NOTHING_SENT = "nothing sent"
    UNREADABLE = "unreadable"
    NOT_REPORTED = "not reported"
    FAILED = "failed"


_SAID: Mapping[Unmeasured, str] = {
    Unmeasured.NOT_A_MODEL: "this adapter sends no request to a model",
    Unmeasured.NOTHING_SENT: "no request was sent",
    Unmeasured.UNREADABLE: "the body is of no format that is known",
    Unmeasured.NOT_REPORTED: (
        "the app does not say who wrote what: where it builds, no workbench.ledger is loaded"
    ),
    Unmeasured.FAILED: "the app's claims could not be had",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One lane against its budget. `chars` is what it owns, `missing` what it claims and is not there.

    `size` is all that the lane has, in the unit of its budget, also where another lane owns it too; None
    where that cannot be known. `budget` None: it has none, or no stanza. `over`: so much more than the
    budget, 0 within it; None where the two cannot be compared. `ours`: the workbench's own lane.
    """

    lane: str
    chars: int
    size: int | None
    budget: int | Bound | None
    unit: Unit
    over: int | None
    trust: Trust | None
    registered: bool
    ours: bool
    missing: int


@dataclass(frozen=True, slots=True)
class Growth:
    """One message of a request, or what stands beside the messages, in the order of the body.

    `label` is its place, such as `messages[3]`, `system` or `tools`. `lanes` gives the characters of each
    lane; `dark` those of none, which with a bare count (`Measured.unplaced`) may belong to it. `total` is
    all that was sent up to its end.
    """

    label: str
    role: str
    sent: int
    owned: int
    dark: int
    lanes: Mapping[str, int]
    total: int


@dataclass(frozen=True, slots=True)
class Requested:
    """A request with its account: owned + dark = sent, in characters."""

    measured: Measured
    bars: tuple[Bar, ...]
    turns: tuple[Growth, ...]

    @property
    def sent(self) -> int:
        return self.measured.sent

    @property
    def owned(self) -> int:
        return self.measured.owned

    @property
    def dark(self) -> int:
        return self.measured.dark

    @property
    def double(self) -> int:
        return self.measured.double


@dataclass(frozen=True, slots=True)
class Accounted:
    """An account by itself. `ours` are those of its lanes that are the workbench's own."""

    measured: Measured
    ours: frozenset[str]


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """Why there is no account. `said` tells it in words, some of them the app's own: foreign.

    `measured`, where the body can be read: its text, of which nobody says who wrote what.
    """

    reason: Unmeasured
    said: str
    measured: Measured | None = None

    @property
    def sent(self) -> int | None:
        """The characters sent; None where that is not known."""
        return self.measured.sent if self.measured is not None else None


def requested(
    trial: Trial, delivery: Delivery, adapter: AdapterInfo, registry: Registry | None = None
) -> Requested | NotMeasured:
    """The account of a trial's request, out of what the run keeps: nothing is asked or started."""
    found = accounted(trial.exchange, delivery, adapter)
    if isinstance(found, NotMeasured):
        return found
    bars = (_bar(found.measured, name, registry, ours=name in found.ours) for name in found.measured.lanes)
    ranked = sorted(bars, key=lambda bar: (-(bar.over or 0), -bar.chars))
    return Requested(found.measured, tuple(ranked), _turns(found.measured))


def accounted(exchange: Exchange | None, delivery: Delivery, adapter: AdapterInfo) -> Accounted | NotMeasured:
    """The bare account of what went over the wire for a delivery."""
    if not sends_requests(adapter):
        return _nothing(Unmeasured.NOT_A_MODEL)
    if exchange is None:
        return _nothing(Unmeasured.NOTHING_SENT)
    built = adapter.wraps
    return _measured(
        exchange.sent,
        exchange.claims if built else None,
        None if built else delivery.turn,
        adapter.use,
        adapter.fingerprint,
        handed=delivery.policy is not None,
    )


def sends_requests(adapter: AdapterInfo) -> bool:
    """Whether it is a model, or the recording of one."""
    return _marks(adapter.use, adapter.fingerprint)[0]


def workspace_registry(root: Path) -> Registry | None:
    """The nearest `lanes.toml` from a workspace's root upwards; None where there is none.

    Raises WorkbenchError where it cannot be read.
    """
    for folder in (root, *root.parents):
        if (folder / FILE).is_file():
            return load_registry(folder / FILE)
    return None


@lru_cache(maxsize=256)
def _measured(
    body: str, claims: Claims | None, turn: Turn | None, use: str, fingerprint: str, *, handed: bool
) -> Accounted | NotMeasured:
    """`turn` None: an app built the body, and `claims` are that app's. `handed`: a policy handed on a part of
    the turn.
    """
    try:
        value = json.loads(body)
        sent = readable(value)
    except (ValueError, RecursionError):
        return _nothing(Unmeasured.UNREADABLE)
    if sent.format == "unknown":
        return _nothing(Unmeasured.UNREADABLE)
    _, marks = _marks(use, fingerprint)
    call = Call(Place("", 1), value, sent.format)
    bare = _settled(call, None)
    if turn is not None:
        own = own_lanes(sent, _handed(turn, sent) if handed else turn, marks)
        entries = [_entry(bare.text, span) for span in own.spans]
        masked = MASK in sent.text
        entries += [
            Entry(lane, None, None, words) if masked else Entry(lane, len(words), missing=len(words))
            for lane, words in own.unplaced
        ]
        return Accounted(_settled(call, entries), frozenset(entry.name for entry in entries))
    if claims is None:
        return NotMeasured(Unmeasured.NOT_REPORTED, _SAID[Unmeasured.NOT_REPORTED], bare)
    if claims.error is not None:
        return NotMeasured(Unmeasured.FAILED, f"{_SAID[Unmeasured.FAILED]}: {claims.error}", bare)
    return _of_app(call, claims, [*own_lanes(sent, None, marks, claims.ours).spans])


def _handed(turn: Turn, sent: Sent) -> Turn:
    """What a policy handed on of a turn: the last message tells."""
    from workbench.replay.policing import taken_from

    said = [piece.text for piece in sent.pieces if piece.part not in ("system", "schema")]
    return taken_from(turn, said[-1] if said else "").turn


def _of_app(call: Call, claims: Claims, own: list[Span]) -> Accounted:
    """What the app claims is the app's: only what that leaves dark can be the workbench's own."""
    entries = [
        Entry(one.lane, one.chars if one.text is None else None, None, one.text, one.estimate)
        for one in claims.entries
    ]
    first = _settled(call, entries)
    rest = [each for span in own for each in _left(span, first.dark_spans)]
    ours = frozenset(span.lane or "" for span in rest) - {entry.name for entry in entries}
    if rest:
        first = _settled(call, [*entries, *(_entry(first.text, span) for span in rest)])
    return Accounted(first, ours)


def _settled(call: Call, entries: list[Entry] | None) -> Measured:
    receipt = None if entries is None else Receipt(call.place, tuple(entries))
    return measure(1, call, receipt, None, Conversations())


def _entry(text: str, span: Span) -> Entry:
    words = text[span.start : span.end]
    return Entry(span.lane or "", len(words), span.start, words)


def _left(span: Span, dark: tuple[Span, ...]) -> list[Span]:
    """The parts of a span that are dark."""
    found = (Span(max(span.start, one.start), min(span.end, one.end), span.lane) for one in dark)
    return [one for one in found if one.start < one.end]


@lru_cache(maxsize=64)
def _marks(use: str, fingerprint: str) -> tuple[bool, Mapping[str, Any]]:
    """Whether an adapter is a model, or the recording of one; and what its fingerprint tells."""
    marks = _object(fingerprint)
    if use == "recorded":
        return str(marks.get("of", "")).startswith("model "), _object(marks.get("was"))
    return use == "model", marks


def _object(spelled: object) -> Mapping[str, Any]:
    try:
        found = json.loads(spelled) if isinstance(spelled, str) else None
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}


def _nothing(reason: Unmeasured) -> NotMeasured:
    return NotMeasured(reason, _SAID[reason])


def _bar(measured: Measured, name: str, registry: Registry | None, *, ours: bool) -> Bar:
    row = measured.lanes[name]
    lane = registry.lane(name) if registry is not None else None
    unit = registry.unit_of(lane) if registry is not None and lane is not None else Unit.CHARS
    size = size_in(measured, name, unit)
    budget = lane.budget if lane is not None else None
    return Bar(
        lane=name,
        chars=row.chars,
        size=size,
        budget=budget,
        unit=unit,
        over=max(0, size - budget) if isinstance(budget, int) and size is not None else None,
        trust=lane.trust if lane is not None else None,
        registered=lane is not None,
        ours=ours,
        missing=row.missing,
    )


def _turns(measured: Measured) -> tuple[Growth, ...]:
    groups: dict[str, list[Part]] = {}
    for part in measured.parts:
        groups.setdefault(part.message or _top(part.path), []).append(part)
    found = []
    total = 0
    at = 0
    for label, parts in groups.items():
        size = sum(part.end - part.start for part in parts)
        lanes: dict[str, int] = {}
        owned = 0
        for part in parts:
            while at < len(measured.spans) and measured.spans[at].end <= part.start:
                at += 1
            for span in islice(measured.spans, at, None):
                if span.start >= part.end:
                    break
                chars = min(span.end, part.end) - max(span.start, part.start)
                if span.lane is not None:
                    lanes[span.lane] = lanes.get(span.lane, 0) + chars
                    owned += chars
        total += size
        found.append(Growth(label, parts[0].role, size, owned, size - owned, lanes, total))
    return tuple(found)


def _top(path: str) -> str:
    """The key of the body that a place is under."""
    return path.partition(".")[0].partition("[")[0]
