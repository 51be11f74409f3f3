"""One request accounted for: every span of its text with the lane that owns it, or none."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.lanes.lane import Unit
from workbench.lanes.ledger.call import Call
from workbench.lanes.ledger.joining import Join
from workbench.lanes.ledger.receipt import Receipt

__all__ = ["LaneRow", "Measured", "Part", "Span", "Twice"]


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a request: where it stands in the body, and [start, end) in all texts laid end to end.

    `role`: system, user, assistant, tool or schema.
    """

    path: str
    role: str
    start: int
    end: int

    @property
    def message(self) -> str | None:
        """The message it is of, such as `messages[3]`; None of what stands beside the messages."""
        head, bracket, _ = self.path.partition("]")
        return head + bracket if bracket and head.startswith(("messages[", "contents[", "input[")) else None


@dataclass(frozen=True, slots=True)
class Span:
    """[start, end) in all texts laid end to end. `lane` None: dark."""

    start: int
    end: int
    lane: str | None

    @property
    def size(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Twice:
    """A text with two owners, or one that stands twice: where each is, and whose. An owner None: dark."""

    start: int
    end: int
    owner: str | None
    again: int
    other: str | None


@dataclass(frozen=True, slots=True)
class LaneRow:
    """What one lane has in one request.

    `chars` is what it owns, `measured` what its text comes to, also where another lane owned it first; both
    in the unit of the request. `claimed` is what the receipt says, `missing` how much of that is not there,
    `estimate` what the writer expected, in the receipt's unit.
    """

    name: str
    chars: int
    measured: int
    claimed: int
    missing: int
    estimate: int | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """A request of a capture. `number` counts from 1 over all captures.

    `receipt` None: nobody says who wrote what, so that its text is dark for another reason than text that
    a receipt leaves out. `compared` is False where there is a receipt that cannot be held against the body.
    `spans` cover the text without a gap. `unplaced` characters are owned by lanes that gave no place.
    `masked` is how many secrets the capture has masked; `late`: the app has measured another body.
    `sent`, `owned` and `dark` count code points, or bytes where `unit` says so: then a receipt of bytes
    gives a bare count over text that is not all ASCII. `elsewhere` are paths of text that the model gets and
    the body does not show.
    """

    number: int
    call: Call
    text: str
    parts: tuple[Part, ...]
    spans: tuple[Span, ...]
    sent: int
    owned: int
    dark: int
    unit: Unit = Unit.CHARS
    images: int = 0
    elsewhere: tuple[str, ...] = ()
    receipt: Receipt | None = None
    joined: Join | None = None
    masked: int = 0
    late: bool = False
    compared: bool = False
    double: int = 0
    unplaced: int = 0
    lanes: Mapping[str, LaneRow] = field(default_factory=dict)
    doubles: tuple[Twice, ...] = ()
    repeats: tuple[Twice, ...] = ()
    conversation: str = ""

    @property
    def dark_spans(self) -> tuple[Span, ...]:
        return tuple(span for span in self.spans if span.lane is None)

    def part_at(self, offset: int) -> Part | None:
        """The part that holds a character."""
        at = bisect_right(self.parts, offset, key=lambda part: part.start) - 1
        while at > 0 and self.parts[at].start == self.parts[at].end:
            at -= 1
        return self.parts[at] if at >= 0 else None

    def where(self, offset: int) -> str:
        """A character's path in the body, and its place in the text there: `messages[0].content+17`."""
        part = self.part_at(offset)
        return f"{part.path}+{offset - part.start}" if part is not None else f"+{offset}"

    @property
    def name(self) -> str:
        """What a person finds it by."""
        known = self.call.turn or (self.receipt.turn if self.receipt is not None else None)
        known = known or (self.call.ids[0] if self.call.ids else None)
        return f"request {self.number}" + (f" ({known})" if known else "")
