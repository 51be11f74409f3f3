"""Where a lane stands that gives a count alone: in the one text of the body that is as long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from workbench.ledger import Claim, Sent

__all__ = ["placed_by_size"]

_SURE = 20
"""Two lanes that give the same count of so many mean the same text, and no chance."""


def placed_by_size(sent: Sent, claims: Sequence[Claim]) -> list[Claim]:
    """The claims, with a place for each bare count that fits exactly one text which nobody else claims.

    The sums stay what they are; but what is left can be shown, and a text that is counted twice is double
    and not missing.
    """
    bare = Counter(claim.chars for claim in claims if claim.text is None and claim.start is None)
    if not bare:
        return list(claims)
    taken = [(claim.start, claim.start + _size(claim)) for claim in claims if claim.start is not None]
    texts = {claim.text for claim in claims if claim.text}
    starts: dict[int, list[int]] = {}
    at = 0
    for piece in sent.pieces:
        end = at + len(piece.text)
        starts.setdefault(len(piece.text), []).append(at)
        if any(start < end and at < stop for start, stop in taken) or any(
            text in piece.text for text in texts
        ):
            starts[len(piece.text)].append(-1)  # as good as two: it is somebody's
        at = end
    placed = []
    for claim in claims:
        size = claim.chars or 0
        fits = starts.get(size, ())
        alone = bare[size] == 1 or size >= _SURE
        if claim.text is None and claim.start is None and len(fits) == 1 and alone:
            claim = claim._replace(start=fits[0])
        placed.append(claim)
    return placed


def _size(claim: Claim) -> int:
    return len(claim.text) if claim.text is not None else claim.chars or 0
