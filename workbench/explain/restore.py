"""What to take away so that the decision is bare's again."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from workbench.core.decision import Span
from workbench.explain.parts import Grain, cut, joined, left_out
from workbench.explain.question import Asked, Way
from workbench.explain.shrink import shrink, shrink_to_run
from workbench.explain.smallest import smallest

__all__ = ["Restoring", "restore", "restore_place"]

_ROUNDS = 40
"""Causes that are taken away one after another: a text that holds more is not worth the calls."""


@dataclass
class Restoring:
    """What was found so far. `removed` None: no removal that restores."""

    removed: tuple[Span, ...] | None = None
    minimal: bool = False
    others: list[tuple[Span, ...]] = field(default_factory=list)
    why_none: str = ""


async def restore(
    asked: Asked,
    cause: Sequence[Span],
    way: Way,
    bare: Hashable,
    last: Grain,
    found: Restoring,
    level: Callable[[str], None],
) -> None:
    """The smallest removal, 1-minimal in parts of the size `last`: the cause and, while that does not
    restore, the same words elsewhere, then what else moves the decision in what is left.

    It grows into `found`, so that it is there when the calls run out.
    """
    material = asked.material
    level("looking for what restores it")
    gone = joined(cause)
    known = False
    for _ in range(_ROUNDS):
        decision = await asked.decision(gone)
        known = decision is not None and way.of(decision) == bare
        if known or decision is None:
            break
        spread = joined((*gone, *_same_words(material.text, material.foreign, gone)))
        if spread != gone:
            gone = spread
            continue
        rest = left_out(material.foreign, gone)
        wanted = way.of(decision)

        async def holds(kept: Sequence[Span], wanted: Hashable = wanted) -> bool:
            return await asked.with_only(kept, way, wanted)

        if not rest or await holds(()):
            break
        other = joined(await shrink(material.text, rest, last, holds))
        found.others.append(other)
        gone = joined((*gone, *other))
    if not known:
        found.why_none = "nothing that can be taken out of this delivery brings back what bare decides"
        return
    found.removed = gone

    async def restores(removed: Sequence[Span]) -> bool:
        return await asked.without(removed, way, bare)

    def better(removed: Sequence[Span]) -> None:
        found.removed = joined(removed)

    found.removed = joined(await smallest(cut(material.text, gone, last), restores, better))
    found.minimal = True


async def restore_place(
    asked: Asked, way: Way, bare: Hashable, last: Grain, found: Restoring, level: Callable[[str], None]
) -> None:
    """The same where length or place moves it: the shortest run of all that the user did not write."""
    material = asked.material
    level("looking for what restores it")

    async def restores(removed: Sequence[Span]) -> bool:
        return await asked.without(removed, way, bare)

    def better(removed: Sequence[Span]) -> None:
        found.removed = joined(removed)

    if not await restores(material.foreign):
        found.why_none = "nothing that can be taken out of this delivery brings back what bare decides"
        return
    found.removed = joined(material.foreign)
    removed, found.minimal = await shrink_to_run(material.text, material.foreign, last, restores, better)
    found.removed = joined(removed)


def _same_words(text: str, foreign: Sequence[Span], gone: Sequence[Span]) -> list[Span]:
    """Where else the user did not write the same words as in one of these runs."""
    found: list[Span] = []
    for start, end in gone:
        words = text[start:end].split()
        if not any(any(map(str.isalnum, word)) for word in words):
            continue
        pattern = re.compile(
            r"\b" * words[0][0].isalnum() + r"\s+".join(map(re.escape, words)), re.IGNORECASE
        )
        for first, last in foreign:
            found += [match.span() for match in pattern.finditer(text, first, last)]
    return found
