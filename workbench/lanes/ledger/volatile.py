"""Text early in a prompt that changes from request to request, so that no cache can reuse what follows."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import blake2b

from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.lane import Registry
from workbench.lanes.ledger.call import line_of
from workbench.lanes.ledger.measured import Measured, Part, Span

__all__ = ["Volatile", "Volatility"]

_MOST = 200
_MOST_CHUNKS = 2_000
_LEAST = 8
"""Characters that have to stay the same for a cache to miss anything."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A line, by its digest, and the lane that owns it."""

    lane: str | None
    size: int
    digest: bytes
    where: str
    blank: bool
    fixed: bool
    """Whether it stands before the conversation: tools, system."""


@dataclass(slots=True)
class Volatility:
    """One lane's text over the requests of one route. `after` is what stood behind it unchanged, at most."""

    lane: str | None
    route: str
    where: str
    file: str
    line: int | None
    changed: int = 0
    after: int = 0
    rest_equal: bool = True
    """Whether nothing else before the conversation's newest message was different."""
    comes_and_goes: bool = False


class Volatile:
    """Compares each request with the one before it of its conversation, else of its route."""

    def __init__(self, registry: Registry | None) -> None:
        self._registry = registry
        self._before: OrderedDict[tuple[str, str], list[_Chunk]] = OrderedDict()
        self._found: dict[tuple[str, str | None, str], Volatility] = {}

    def take(self, measured: Measured) -> None:
        call = measured.call
        route = f"{call.route} {call.model or ''}".strip()
        chunks = _chunks(measured)
        same = self._before.get(("conversation", f"{route}\0{measured.conversation}"))
        other = self._before.get(("route", route))
        if same is not None:
            self._compare(same, chunks, measured, route)
        elif other is not None:
            before = [chunk for chunk in other if chunk.fixed]
            self._compare(before, [chunk for chunk in chunks if chunk.fixed], measured, route)
        for key in (("conversation", f"{route}\0{measured.conversation}"), ("route", route)):
            self._before[key] = chunks
            self._before.move_to_end(key)
        while len(self._before) > _MOST:
            self._before.popitem(last=False)

    def found(self) -> list[Volatility]:
        return [one for one in self._found.values() if one.after]

    def declared(self, lane: str | None) -> bool:
        """Whether the registry says that a lane changes from request to request."""
        known = self._registry.lane(lane) if self._registry is not None and lane is not None else None
        return known is not None and known.volatile

    def faults(self) -> Iterator[LaneFault]:
        for one in self.found():
            if self.declared(one.lane):
                continue
            how = (
                "is in some requests and not in others"
                if one.comes_and_goes
                else "differs from request to request"
            )
            who = "it" if one.lane is not None else "text that no lane owns"
            message = (
                f"{who} {how} at {one.where} ({one.changed:,} times on {one.route}), while {one.after:,}"
                " characters after it stay the same: no prompt cache can reuse those; move it behind them"
            )
            yield LaneFault(LaneKind.VOLATILE, Severity.WARNING, message, one.lane, one.file, one.line)

    def _compare(
        self, before: Sequence[_Chunk], now: Sequence[_Chunk], measured: Measured, route: str
    ) -> None:
        """Notes every lane with a line that differs and has unchanged text behind it."""
        old, new = [chunk.digest for chunk in before], [chunk.digest for chunk in now]
        same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
        if same is None:
            return  # one goes on where the other ends, as a conversation does
        steps = SequenceMatcher(None, old[same:], new[same:], autojunk=False).get_opcodes()
        lanes: dict[str | None, tuple[_Chunk, int]] = {}
        others = False
        for at, (step, i1, i2, j1, j2) in enumerate(steps):
            if step == "equal":
                continue
            stays = (
                chunk
                for later in steps[at + 1 :]
                if later[0] == "equal"
                for chunk in _slice(now, same, later)
            )
            after = sum(chunk.size for chunk in stays if not chunk.blank)
            others = others or (after < _LEAST and i1 < i2)
            if after >= _LEAST:
                for chunk in (*now[same + j1 : same + j2], *before[same + i1 : same + i2]):
                    if not chunk.blank:
                        lanes.setdefault(chunk.lane, (chunk, after))
        for lane, (chunk, after) in lanes.items():
            note = self._note(chunk, measured, route)
            note.after = max(note.after, after)
            note.rest_equal = note.rest_equal and len(lanes) == 1 and not others
            one_sided = all(each.lane != lane for each in before) or all(each.lane != lane for each in now)
            note.comes_and_goes = note.comes_and_goes or (lane is not None and one_sided)

    def _note(self, chunk: _Chunk, measured: Measured, route: str) -> Volatility:
        place = measured.call.place
        key = (route, chunk.lane, chunk.where if chunk.lane is None else "")
        note = self._found.setdefault(
            key, Volatility(chunk.lane, route, chunk.where, place.file, line_of(place))
        )
        note.changed += 1
        return note


def _slice(now: Sequence[_Chunk], same: int, step: tuple[str, int, int, int, int]) -> Sequence[_Chunk]:
    return now[same + step[3] : same + step[4]]


def _chunks(measured: Measured) -> list[_Chunk]:
    """What a cache would see, in its order: tools, system, and the messages before the newest of the user."""
    ordered = sorted(measured.parts, key=_rank)
    newest = next(
        (part.message for part in reversed(measured.parts) if part.role == "user" and part.message), None
    )
    chunks: list[_Chunk] = []
    fixed = True
    for part in ordered:
        if (newest is not None and part.message == newest) or (part.role == "user" and part.message is None):
            break
        fixed = fixed and part.role in ("system", "schema")
        for span in _within(part, measured.spans):
            chunks.extend(_cut(span, measured, fixed))
        if len(chunks) > _MOST_CHUNKS:
            break
    return chunks


def _rank(part: Part) -> int:
    """Where providers put it: tools before the system prompt, and that before the messages."""
    if part.role == "schema":
        return 0
    return 1 if part.role == "system" and part.message is None else 2


def _within(part: Part, spans: Sequence[Span]) -> Iterator[Span]:
    at = max(0, bisect_right(spans, part.start, key=lambda span: span.start) - 1)
    for span in spans[at:]:
        if span.start >= part.end:
            return
        start, end = max(span.start, part.start), min(span.end, part.end)
        if start < end:
            yield Span(start, end, span.lane)


def _cut(span: Span, measured: Measured, fixed: bool) -> Iterator[_Chunk]:
    """By the line, so that one that changed is told from the others, whoever owns them."""
    at = span.start
    for piece in measured.text[span.start : span.end].splitlines(keepends=True):
        digest = blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        yield _Chunk(span.lane, len(piece), digest, measured.where(at), not piece.strip(), fixed)
        at += len(piece)
