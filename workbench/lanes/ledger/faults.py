"""What is wrong with one request, told with path and offset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Registry, Trust, Unit
from workbench.lanes.ledger.call import line_of
from workbench.lanes.ledger.echoes import echoes
from workbench.lanes.ledger.fences import Fence, fence_of
from workbench.lanes.ledger.measured import Measured, Span, Twice
from workbench.lanes.ledger.quoting import quote
from workbench.lanes.ledger.unread import fewest_tokens, likely_tokens

__all__ = ["Told", "faults_of", "is_unread", "window_of"]

Told = tuple[LaneFault, Hashable]
"""A finding, and what makes others of its kind and lane the same thing again."""

_MOST_SPANS = 3
_LEAST_TALK = 60
_FOREIGN = (Trust.TOOL, Trust.CHILD, Trust.MODEL)


def faults_of(measured: Measured, registry: Registry | None) -> Iterator[Told]:
    """Everything that this request alone shows."""
    yield from _late(measured)
    if measured.compared:
        yield from _dark(measured)
        yield from _double(measured)
        yield from _negative(measured)
        yield from _repeats(measured)
        yield from _unfenced(measured, registry)
        yield from _echoed(measured, registry)
    yield from _over_budget(measured, registry)
    yield from _unread(measured)


def _fault(
    measured: Measured, kind: LaneKind, message: str, lane: str | None = None, *, error: bool
) -> LaneFault:
    place = measured.call.place
    return LaneFault(
        kind,
        Severity.ERROR if error else Severity.WARNING,
        f"{measured.name}: {message}",
        lane,
        place.file,
        line_of(place),
    )


def _dark(measured: Measured) -> Iterator[Told]:
    if not measured.dark:
        return
    if measured.unplaced:
        message = (
            f"{measured.dark:,} {measured.unit} that no lane owns; where is not known, as"
            f" {measured.unplaced:,} are owned by lanes that gave a count and no place"
        )
        yield _fault(measured, LaneKind.DARK, message, error=True), measured.call.route
        return
    spans = sorted(measured.dark_spans, key=lambda span: -span.size)
    for span in spans[:_MOST_SPANS]:
        text = measured.text[span.start : span.end]
        message = f"{_chars(span.size)} that no lane owns at {measured.where(span.start)}: {quote(text)}"
        yield _fault(measured, LaneKind.DARK, message, error=True), measured.call.route
    if rest := spans[_MOST_SPANS:]:
        size = sum(span.size for span in rest)
        message = f"{_chars(size)} more that no lane owns, in {len(rest):,} smaller places"
        yield _fault(measured, LaneKind.DARK, message, error=True), measured.call.route


def _late(measured: Measured) -> Iterator[Told]:
    """A body that is not the one that the app accounted for: something between the two changed it."""
    if not measured.late or measured.receipt is None or measured.receipt.sent is None:
        return
    why = "it was changed after the accounting, and places in it may be off"
    if measured.masked:
        why = "several secrets in it were masked, so that places cannot be compared"
    message = (
        f"the receipt saw {measured.receipt.sent:,} {measured.receipt.unit} and the capture shows"
        f" {measured.sent:,} {measured.unit}: {why}"
    )
    yield _fault(measured, LaneKind.LATE, message, error=False), measured.call.route


def _double(measured: Measured) -> Iterator[Told]:
    for twice in measured.doubles:
        at, again = measured.where(twice.start), measured.where(twice.again)
        size = twice.end - twice.start
        place = f"at {at}" if twice.start == twice.again else f"at {at} and at {again}"
        owners = f"by {_owner(twice.owner)} and by {_owner(twice.other)}"
        if twice.owner == twice.other:
            owners = f"twice by {_owner(twice.owner)}"
        message = f"{_chars(size)} {place} claimed {owners}: {_quoted(measured, twice)}"
        yield _fault(measured, LaneKind.DOUBLE, message, twice.other or twice.owner, error=True), twice.owner


def _negative(measured: Measured) -> Iterator[Told]:
    for row in measured.lanes.values():
        if row.missing:
            message = (
                f"accounted for {_chars(row.claimed)}, of which {row.missing:,} are not in the request:"
                " cut, replaced or dropped after the accounting"
            )
            yield _fault(measured, LaneKind.NEGATIVE, message, row.name, error=True), None
    for entry in measured.receipt.entries if measured.receipt else ():
        if entry.below:
            message = f"accounted for {entry.below:,}, which no text comes to; counted as nothing"
            yield _fault(measured, LaneKind.NEGATIVE, message, entry.name, error=True), None


def _repeats(measured: Measured) -> Iterator[Told]:
    found = [twice for twice in measured.repeats if not _is_talk(measured, twice)]
    times = Counter((twice.start, twice.end) for twice in found)
    for twice in found:
        at, again = measured.where(twice.start), measured.where(twice.again)
        message = (
            f"the span of {_owner(twice.other)} at {again} equals the one that {_owner(twice.owner)} already"
            f" owns at {at}: {_chars(twice.end - twice.start)}, {_quoted(measured, twice)},"
            f" stands {times[twice.start, twice.end] + 1} times in the request"
        )
        yield _fault(measured, LaneKind.REPEAT, message, twice.owner, error=False), twice.other


def _is_talk(measured: Measured, twice: Twice) -> bool:
    """Whether somebody said the same few words again in a later message, and a lane owns both."""
    if twice.other is None or twice.end - twice.start >= _LEAST_TALK:
        return False
    here, there = measured.part_at(twice.start), measured.part_at(twice.again)
    if here is None or there is None or here.message is None or here.message == there.message:
        return False
    return {here.role, there.role} <= {"user", "assistant", "tool"}


def _unfenced(measured: Measured, registry: Registry | None) -> Iterator[Told]:
    """Tools' messages and the model's own are told apart by the format; elsewhere it takes a fence."""
    for span in measured.spans:
        lane = registry.lane(span.lane) if registry is not None and span.lane is not None else None
        part = measured.part_at(span.start)
        if lane is None or lane.trust not in _FOREIGN or part is None or part.role not in ("user", "system"):
            continue
        before = measured.text[part.start : span.start]
        text, after = measured.text[span.start : span.end], measured.text[span.end : part.end]
        fence = fence_of(before, text, after)
        if fence is not Fence.WHOLE and text.strip():
            what = {
                Fence.NONE: "no fence stands around it",
                Fence.OPEN: "its fence has no end",
                Fence.BROKEN: "its text holds what ends its fence",
            }[fence]
            message = f"trust {lane.trust}, and {what} at {measured.where(span.start)}: {quote(text)}"
            yield _fault(measured, LaneKind.UNFENCED, message, lane.name, error=False), fence


def _echoed(measured: Measured, registry: Registry | None) -> Iterator[Told]:
    for span, run in echoes(measured, registry):
        message = (
            f"the reply holds {_chars(span.size)} of it, from {measured.where(span.start)}: {quote(run)}"
        )
        yield _fault(measured, LaneKind.ECHOED, message, span.lane, error=False), None


def _over_budget(measured: Measured, registry: Registry | None) -> Iterator[Told]:
    """Declared, estimated and measured side by side; what is measured counts, in the unit of the budget."""
    if registry is None or measured.receipt is None:
        return
    for row in measured.lanes.values():
        lane = registry.lane(row.name)
        if lane is None:
            continue
        size = size_in(measured, row.name, registry.unit_of(lane))
        if not isinstance(lane.budget, int) or size is None or size <= lane.budget:
            continue
        unit = registry.unit_of(lane)
        how = "claimed" if unit is Unit.TOKENS else "measured"
        guess = "none" if row.estimate is None else f"{row.estimate:,}"
        message = (
            f"{size - lane.budget:,} {unit} over: declared {lane.budget:,}, estimated {guess}, {how} {size:,}"
        )
        yield _fault(measured, LaneKind.OVER_BUDGET, message, row.name, error=True), None


def size_in(measured: Measured, name: str, unit: Unit) -> int | None:
    """How much a lane has in a unit; None where that cannot be known: tokens, or a count without a place."""
    row, receipt = measured.lanes[name], measured.receipt
    if unit is Unit.TOKENS or not measured.compared:
        return row.claimed if receipt is not None and receipt.unit is unit else None
    if unit is measured.unit:
        return row.measured
    spans = [span for span in measured.spans if span.lane == name]
    if unit is Unit.CHARS or sum(span.size for span in spans) < row.measured:
        return None
    return sum(len(measured.text[s.start : s.end].encode("utf-8", "surrogatepass")) for s in spans)


def window_of(measured: Measured) -> int | None:
    """The context window that the request asks for, where it does."""
    options = measured.call.body.get("options")
    found = options.get("num_ctx") if isinstance(options, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def is_unread(measured: Measured) -> bool:
    """Whether the server counted fewer tokens than the text must come to."""
    tokens = measured.call.answer.tokens if measured.call.answer is not None else None
    return tokens is not None and tokens < 0.9 * fewest_tokens(measured.text)


def _unread(measured: Measured) -> Iterator[Told]:
    answer = measured.call.answer
    if answer is None or answer.tokens is None:
        return
    window = window_of(measured)
    full = window is not None and answer.tokens == window
    if not full and not is_unread(measured):
        return
    message = (
        f"sent but not read: the server counted {answer.tokens:,} tokens, the {_chars(measured.sent)} sent"
        f" come to at least {fewest_tokens(measured.text):,} and usually {likely_tokens(measured.sent):,}"
    )
    if measured.call.provider == "ollama" and not full:
        message += "; a server that leaves out what its cache holds counts less too"
    if full:
        message += f"; exactly the window of {window:,} (num_ctx): suspected truncation"
    yield _fault(measured, LaneKind.UNREAD, message, error=False), measured.call.route


def _chars(count: int) -> str:
    return f"{count:,} character{'' if count == 1 else 's'}"


def _owner(lane: str | None) -> str:
    return "no lane" if lane is None else lane


def _quoted(measured: Measured, twice: Twice | Span) -> str:
    return quote(measured.text[twice.start : twice.end])
