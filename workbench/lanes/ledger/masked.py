"""Places in a body as it was sent, in the body as a capture keeps it: with secrets masked."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.mask import MASK
from workbench.ledger import Claim

__all__ = ["moved"]


def moved(claims: Sequence[Claim], text: str, sent: int | None) -> list[Claim] | None:
    """The claims with their places in the masked text; None where those cannot be told.

    `sent` is how long the text was before. One secret has the rest of that length; several can be placed
    only where the rest divides evenly, as it does where one secret stands several times.
    """
    places = _places(text)
    more = 0 if sent is None else sent - len(text)
    if not places or not more:
        return list(claims)
    each, left = divmod(more, len(places))
    if left or each + len(MASK) <= 0:
        return None
    size = each + len(MASK)

    def at(offset: int, end: bool) -> int:
        for number, place in enumerate(places):
            start = place + number * each
            if offset <= start:
                return offset - number * each
            if offset < start + size:
                return place + (len(MASK) if end else 0)
        return offset - more

    found = []
    for claim in claims:
        if claim.start is not None and claim.text is None:
            start, end = at(claim.start, False), at(claim.start + (claim.chars or 0), True)
            claim = claim._replace(start=start, chars=max(0, end - start))
        found.append(claim)
    return found


def _places(text: str) -> list[int]:
    places = []
    at = text.find(MASK)
    while at >= 0:
        places.append(at)
        at = text.find(MASK, at + len(MASK))
    return places
