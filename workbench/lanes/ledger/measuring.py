"""Holds one receipt against one body, and lays out what came of it in code points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.core.mask import MASK, Masker
from workbench.lanes.lane import Unit
from workbench.lanes.ledger.call import Call
from workbench.lanes.ledger.conversations import Conversations
from workbench.lanes.ledger.guessing import placed_by_size
from workbench.lanes.ledger.joining import Join
from workbench.lanes.ledger.masked import moved
from workbench.lanes.ledger.measured import LaneRow, Measured, Part, Span, Twice
from workbench.lanes.ledger.receipt import Entry, Receipt
from workbench.ledger import Account, Claim, Piece, Sent, account, readable

__all__ = ["measure"]

_MASKER = Masker()


def measure(
    number: int, call: Call, receipt: Receipt | None, how: Join | None, conversations: Conversations
) -> Measured:
    """Accounts for every character of a request. Raises AssertionError where owned + dark is not sent."""
    sent = readable(call.body)
    call = replace(call, provider=call.provider or sent.format)
    parts = tuple(_parts(sent))
    compared = receipt is not None and _is_comparable(receipt, sent.text)
    settled = _settled(sent, receipt) if receipt is not None and compared else account(sent, ())
    unit = Unit.CHARS
    if receipt is not None and compared and receipt.unit is Unit.BYTES:
        if settled.unplaced and settled.sent != len(sent.text):
            unit = Unit.BYTES  # how many characters a bare count of bytes owns cannot be known
        else:
            settled = _in_chars(settled, sent)
    assert settled.owned + settled.dark == settled.sent
    places = _in_chars(settled, sent) if unit is Unit.BYTES else settled
    return Measured(
        number,
        call,
        sent.text,
        parts,
        tuple(Span(*span) for span in places.spans if span.start < span.end),
        settled.sent,
        settled.owned,
        settled.dark,
        unit=unit,
        images=sent.images,
        elsewhere=sent.elsewhere,
        receipt=receipt,
        joined=how,
        masked=sent.text.count(MASK),
        late=receipt is not None and _is_late(receipt, sent.text, compared),
        compared=compared,
        double=settled.double,
        unplaced=settled.unplaced,
        lanes=_lanes(settled, receipt) if receipt is not None else {},
        doubles=tuple(Twice(*twice) for twice in places.doubles),
        repeats=tuple(Twice(*twice) for twice in places.repeats()) if compared else (),
        conversation=call.conversation or conversations.name(call.route, _messages(sent.text, parts)),
    )


def _is_comparable(receipt: Receipt, text: str) -> bool:
    """Not where it counts tokens, the app had no measure, or masked secrets have moved its places."""
    if receipt.unit is Unit.TOKENS or receipt.unmeasured is not None:
        return False
    spelled = _bytes(text) if receipt.unit is Unit.BYTES else text
    placed = any(entry.start is not None and entry.text is None for entry in receipt.entries)
    return not placed or MASK not in text or moved((), spelled, receipt.sent) is not None


def _is_late(receipt: Receipt, text: str, compared: bool) -> bool:
    """Whether the body is not the one that the app measured; secrets apart that were masked since."""
    if receipt.sent is None or receipt.unit is Unit.TOKENS or receipt.unmeasured is not None:
        return False
    spelled = _bytes(text) if receipt.unit is Unit.BYTES else text
    return receipt.sent != len(spelled) and (MASK not in text or not compared)


def _parts(sent: Sent) -> Iterator[Part]:
    at = 0
    for piece in sent.pieces:
        yield Part(piece.path, piece.part, at, at + len(piece.text))
        at += len(piece.text)


def _messages(text: str, parts: Sequence[Part]) -> list[str]:
    """The texts of each message but the system's; what stands beside the messages is one of its own."""
    found: dict[str, list[str]] = {}
    for part in parts:
        if part.role not in ("system", "schema"):
            found.setdefault(part.message or part.path, []).append(text[part.start : part.end])
    return ["".join(texts) for texts in found.values()]


def _settled(sent: Sent, receipt: Receipt) -> Account:
    """The account in the receipt's own unit."""
    masked = sent.text if MASK in sent.text else None
    there = (entry for entry in receipt.entries if not entry.missing or (entry.size or 0) > entry.missing)
    claims = [_claim(entry, masked) for entry in there]
    if receipt.unit is Unit.BYTES:
        pieces = tuple(Piece(piece.path, _bytes(piece.text), piece.part) for piece in sent.pieces)
        sent = sent._replace(pieces=pieces)
        claims = [
            claim._replace(text=_bytes(claim.text) if claim.text is not None else None) for claim in claims
        ]
    if masked is not None:
        claims = moved(claims, sent.text, receipt.sent) or claims
    return account(sent, placed_by_size(sent, claims))


def _claim(entry: Entry, masked: str | None) -> Claim:
    """`masked`: the text of a capture in which secrets were masked, as a claim's text is then too."""
    text = entry.text
    if text is not None and masked is not None and text not in masked:
        text = _MASKER.text(text)
    size = entry.size - entry.missing if entry.size is not None else None
    return Claim(entry.name, text, size, entry.start, entry.estimate)


def _bytes(text: str) -> str:
    """A text of one character for each byte of its UTF-8."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _in_chars(settled: Account, sent: Sent) -> Account:
    """An account in bytes, in code points; a place within a character is the start of it."""
    starts = _starts(sent.text)

    def at(offset: int) -> int:
        return starts[offset] if starts is not None else offset

    spans = tuple(span._replace(start=at(span.start), end=at(span.end)) for span in settled.spans)
    owned = sum(span.end - span.start for span in spans if span.lane is not None) + settled.unplaced
    chars: dict[str, int] = {}
    for span in spans:
        if span.lane is not None:
            chars[span.lane] = chars.get(span.lane, 0) + span.end - span.start
    doubles = tuple(
        twice._replace(start=at(twice.start), end=at(twice.end), again=at(twice.again))
        for twice in settled.doubles
    )
    return settled._replace(
        sent=len(sent.text),
        owned=owned,
        dark=len(sent.text) - owned,
        double=sum(twice.end - twice.start for twice in doubles),
        lanes=tuple(row._replace(chars=chars.get(row.name, 0) + row.unplaced) for row in settled.lanes),
        spans=spans,
        found=tuple(span._replace(start=at(span.start), end=at(span.end)) for span in settled.found),
        doubles=doubles,
        body=sent,
    )


def _starts(text: str) -> list[int] | None:
    """For each byte the code point that it is of; None where each is one."""
    if text.isascii():
        return None
    starts: list[int] = []
    for number, char in enumerate(text):
        starts += [number] * len(char.encode("utf-8", "surrogatepass"))
    return [*starts, len(text)]


def _lanes(settled: Account, receipt: Receipt) -> dict[str, LaneRow]:
    """A lane's numbers; where the receipt counts tokens, only what it says itself."""
    claimed = receipt.sizes()
    found: dict[str, int] = {}
    for span in settled.found:
        found[span.lane or ""] = found.get(span.lane or "", 0) + span.end - span.start
    rows = {row.name: row for row in settled.lanes}
    estimates: dict[str, int] = {}
    missing: dict[str, int] = {}
    for entry in receipt.entries:
        missing[entry.name] = missing.get(entry.name, 0) + entry.missing
        if entry.estimate is not None:
            estimates[entry.name] = estimates.get(entry.name, 0) + entry.estimate
    made = {}
    for name, size in claimed.items():
        row = rows.get(name)
        made[name] = LaneRow(
            name,
            row.chars if row is not None else 0,
            found.get(name, 0) + (row.unplaced if row is not None else 0),
            size,
            missing[name] + (row.missing if row is not None else 0),
            estimates.get(name),
        )
    return made
