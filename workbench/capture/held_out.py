"""A template is believed only when it gives back every turn it was made from, and one that it was not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from workbench.capture.pairing import Pair
from workbench.core.envelope import Envelope, unwrap, wrap
from workbench.core.transform import apply_to_text
from workbench.core.turn import bare

__all__ = ["Verdict", "verdict"]


class Verdict(Enum):
    """What an envelope makes of a turn whose words are known."""

    RIGHT = "right"
    NONE = "does not fit"
    WRONG = "other words"
    CHANGED = "not given back byte for byte"


def verdict(envelope: Envelope, pair: Pair) -> Verdict:
    """Takes the envelope off and puts it on again. Words that a transform loses are not asked for."""
    found = unwrap(envelope, pair.wrapped)
    if found is None:
        return Verdict.NONE
    if not _same_words(envelope, pair.typed, found.typed):
        return Verdict.WRONG
    slots = {name: replace(slot, example=found.slots.get(name, "")) for name, slot in envelope.slots.items()}
    again = wrap(replace(envelope, slots=slots), bare(pair.typed), found.document)
    return Verdict.RIGHT if again.text == pair.wrapped else Verdict.CHANGED


def _same_words(envelope: Envelope, typed: str, found: str) -> bool:
    if typed == found:
        return True
    if not envelope.loses:
        return False
    steps = envelope.transforms
    return apply_to_text(steps, typed) == apply_to_text(steps, found)


def count(envelope: Envelope, pairs: Sequence[Pair]) -> dict[Verdict, int]:
    """How many pairs have which verdict."""
    counts = dict.fromkeys(Verdict, 0)
    for pair in pairs:
        counts[verdict(envelope, pair)] += 1
    return counts
