"""Envelopes inside envelopes: `channel(reply)` wrapped from the inside out, and taken off again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from workbench.core.envelope import Envelope, Unwrapped, unwrap, ways, wrap
from workbench.core.match import could_match
from workbench.core.template import parts
from workbench.core.turn import Turn

__all__ = ["Nested", "unwrap_nested", "wrap_nested"]

_WAYS = 4
"""Ways to split one frame that are gone into: those where the next frame inside may begin elsewhere."""

_MOST = 64
"""Frames looked into before the search is given up."""


@dataclass(frozen=True, slots=True)
class Nested:
    """What stands in several frames, `layers` the outermost first. The words are those of the innermost."""

    layers: tuple[Unwrapped, ...]

    @property
    def typed(self) -> str:
        return self.layers[-1].typed

    @property
    def document(self) -> str | None:
        """The innermost document; every frame that has a place for one was given the same."""
        return next((layer.document for layer in reversed(self.layers) if layer.document is not None), None)

    @property
    def lossy(self) -> bool:
        return any(layer.lossy for layer in self.layers)

    @property
    def ambiguous(self) -> bool:
        return any(layer.ambiguous for layer in self.layers)


def wrap_nested(envelopes: Sequence[Envelope], inner: Turn, document: str | None = None) -> Turn:
    """`inner` in all the envelopes, the first the outermost. Without any it stays as it is."""
    for envelope in reversed(envelopes):
        inner = wrap(envelope, inner, document)
    return inner


def unwrap_nested(envelopes: Sequence[Envelope], text: str) -> Nested | None:
    """The inverse of `wrap_nested`, the first the outermost; None where one of the frames is not there.

    Where a frame can be split in several ways, the way in which the next frame fits counts. None also
    where the transform of an outer envelope has changed the frame of an inner one, as collapse-space
    does with line feeds: there is nothing left by which to find it. Raises ValueError without any.
    """
    if not envelopes:
        raise ValueError("no envelopes to take off")
    budget = _MOST + len(envelopes)

    def taken_off(number: int, inner: str) -> tuple[Unwrapped, ...] | None:
        nonlocal budget
        if number == len(envelopes) - 1:
            found = unwrap(envelopes[number], inner)
            return None if found is None else (found,)
        for way in islice(ways(envelopes[number], inner, fits[number + 1]), _WAYS):
            budget -= 1
            if budget < 0:
                return None
            rest = taken_off(number + 1, way.typed)
            if rest is not None:
                return (way, *rest)
        return None

    fits = [partial(could_match, parts(inner.template, frozenset(inner.slots))) for inner in envelopes]
    layers = taken_off(0, text)
    return None if layers is None else Nested(layers)
