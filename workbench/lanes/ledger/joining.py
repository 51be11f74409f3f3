"""Which receipt belongs to which request: by the request's id, else its turn, else the order of both."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from workbench.lanes.ledger.call import Call, digest_of
from workbench.lanes.ledger.receipt import Receipt

__all__ = ["Join", "Joined", "Known", "join", "known_of"]

_LEAST_DIGITS = 12
"""So many leading digits of a digest tell one body from all others of a capture."""


class Join(StrEnum):
    """How a receipt was found."""

    BESIDE = "beside"
    REQUEST = "request"
    TURN = "turn"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Known:
    """What a request may be found by. `beside`: its receipt stood in the same record."""

    ids: tuple[str, ...]
    digests: tuple[str, ...]
    turn: str | None
    beside: bool


@dataclass(frozen=True, slots=True)
class Joined:
    """For each request, in order, its receipt and how that was found; and the receipts of no request."""

    found: Sequence[tuple[Receipt, Join] | None]
    alone: Sequence[Receipt] = field(default_factory=tuple)


def known_of(call: Call) -> Known:
    """What has to be remembered of a request until all receipts are read."""
    digests = (digest_of(call.body), *call.digests)
    return Known(call.ids, digests, call.turn, call.receipt is not None)


def join(requests: Sequence[Known], receipts: Iterable[Receipt]) -> Joined:
    """Every receipt is given to one request; one of a request that was sent again stands for each sending."""
    receipts = list(receipts)
    found: list[tuple[Receipt, Join] | None] = [None] * len(requests)
    used: set[int] = set()
    _by_request(requests, receipts, found, used)
    _by_turn(requests, receipts, found, used)
    rest = [number for number, receipt in enumerate(receipts) if number not in used]
    free = [at for at, known in enumerate(requests) if not known.beside]
    if rest and len(rest) == len(free) == sum(found[at] is None for at in free):
        for at, number in zip(free, rest, strict=True):
            found[at] = (receipts[number], Join.ORDER)
        rest = []
    return Joined(found, [receipts[number] for number in rest])


def _by_request(
    requests: Sequence[Known],
    receipts: Sequence[Receipt],
    found: list[tuple[Receipt, Join] | None],
    used: set[int],
) -> None:
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for number, receipt in enumerate(receipts):
        if receipt.request is not None:
            waiting[receipt.request.lower()].append(number)
    lengths = {len(key) for key in waiting if len(key) >= _LEAST_DIGITS}
    for at, known in enumerate(requests):
        if known.beside:
            continue
        digits = (digest[:length] for digest in known.digests for length in lengths)
        prefixed = (f"sha256:{digest}" for digest in known.digests)
        names = (*(name.lower() for name in known.ids), *digits, *prefixed)
        queue = next((waiting[name] for name in names if name in waiting), None)
        if queue:
            number = queue.popleft() if len(queue) > 1 else queue[0]
            found[at] = (receipts[number], Join.REQUEST)
            used.add(number)


def _by_turn(
    requests: Sequence[Known],
    receipts: Sequence[Receipt],
    found: list[tuple[Receipt, Join] | None],
    used: set[int],
) -> None:
    """A turn of several requests has several receipts, in the same order."""
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for number, receipt in enumerate(receipts):
        if receipt.turn is not None and number not in used:
            waiting[receipt.turn].append(number)
    for at, known in enumerate(requests):
        if found[at] is None and not known.beside and known.turn in waiting and waiting[known.turn]:
            number = waiting[known.turn].popleft()
            found[at] = (receipts[number], Join.TURN)
            used.add(number)
