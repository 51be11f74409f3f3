"""Learns one envelope from turns of one form, or says why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from workbench.capture.chains import chains_of
from workbench.capture.draft import DETAIL, Detail, Unfit, draft_of
from workbench.capture.held_out import Verdict, verdict
from workbench.capture.isolation import Choice, choices, frame_of
from workbench.capture.pairing import Pair
from workbench.capture.template import Making, envelope_of
from workbench.core.envelope import Envelope, Ingress, Source

__all__ = ["ENOUGH", "Learned", "learn"]

ENOUGH = 5
"""Turns that make an envelope more than provisional."""

_MOST_CHAINS = 4
_MOST_CHOICES = 4
_LEAST = 3
_MOST_FOLDS = 8
_LEAST_FOLDS_RIGHT = 1


@dataclass(frozen=True, slots=True)
class Learned:
    """`held_out` of `folds` turns, each left out in turn, were read by what the others gave."""

    envelope: Envelope
    held_out: int
    folds: int
    doubts: tuple[str, ...] = ()


def learn(pairs: Sequence[Pair], name: str, ingress: Ingress | None, *, keep_values: bool = False) -> Learned:
    """The envelope that gives back as many of `pairs` as one can, each left out in turn where it can.

    Raises Unfit.
    """
    if len(pairs) < 2:
        raise Unfit("a single turn: nothing tells what changes from turn to turn")
    why = Unfit("the words stand in none of these turns")
    for chain, fitting in chains_of(pairs)[:_MOST_CHAINS]:
        documents = frozenset(text.strip() for pair in pairs for text in pair.documents if text.strip())
        making = Making(name, ingress, chain, documents, keep_values)
        try:
            return _not_misread(_by_chain(fitting, making), pairs)
        except Unfit as error:
            why = error if len(fitting) == len(pairs) or not why.fit else why
            if len(error.fit) >= _LEAST:
                with suppress(Unfit):
                    part = [fitting[number] for number in error.fit]
                    return _not_misread(_by_chain(part, making), pairs)
    raise why


def _not_misread(learned: Learned, pairs: Sequence[Pair]) -> Learned:
    """What is learned of some turns may not fit the others, but not give other words. Raises Unfit."""
    misread = sum(verdict(learned.envelope, pair) is Verdict.WRONG for pair in pairs)
    if misread:
        raise Unfit(f"what is learned from most of these turns reads {misread} of them wrongly")
    return learned


def _by_chain(pairs: Sequence[Pair], making: Making) -> Learned:
    passed: list[tuple[Choice, Learned]] = []
    why: Unfit | None = None
    for choice in islice(choices(making.chain, pairs), _MOST_CHOICES):
        try:
            passed.append((choice, _learn(pairs, choice, making)))
        except Unfit as error:
            why = why or error
    if not passed:
        raise why or Unfit("nothing marks the words")
    if len(passed) > 1:
        twice = _together(pairs, [choice for choice, _ in passed], making)
        if twice is not None:
            return twice
    return _last_of_like(passed)


def _last_of_like(passed: Sequence[tuple[Choice, Learned]]) -> Learned:
    """The likeliest; where turns of a history are framed as the turn itself is, the last one of them."""
    (best, learned), *others = passed
    for choice, other in others:
        both = tuple(zip(best, choice, strict=True))
        like = any(one == two for one, two in both) and all(one <= two for one, two in both)
        if like and other.held_out >= learned.held_out:
            best, learned = choice, other
    return learned


def _together(pairs: Sequence[Pair], passed: Sequence[Choice], making: Making) -> Learned | None:
    """One envelope with the words in every place where they always stand; None where that fails."""
    for count in range(len(passed), 1, -1):
        spans = [
            tuple(sorted({span for choice in passed[:count] for span in choice[number]}))
            for number in range(len(pairs))
        ]
        apart = all(one[1] <= other[0] for places in spans for one, other in pairwise(places))
        if len(set(map(len, spans))) != 1 or not apart:
            continue
        try:
            return _learn(pairs, tuple(spans), making)
        except Unfit:
            continue
    return None


def _learn(pairs: Sequence[Pair], choice: Choice, making: Making) -> Learned:
    """As much told in literals as holds for turns that were left out. Raises Unfit."""
    best: Learned | None = None
    why: Unfit | None = None
    for detail in DETAIL:
        try:
            learned = _judged(pairs, choice, making, detail)
        except Unfit as error:
            why = why or error
            continue
        if learned.held_out == learned.folds:
            return learned
        if best is None or learned.held_out > best.held_out:
            best = learned
    if best is None:
        raise why or Unfit("nothing marks the words")
    return best


def _judged(pairs: Sequence[Pair], choice: Choice, making: Making, detail: Detail) -> Learned:
    frames = [frame_of(pair.wrapped, spans) for pair, spans in zip(pairs, choice, strict=True)]
    envelope = envelope_of(draft_of(frames, detail), making)
    for pair in pairs:
        found = verdict(envelope, pair)
        if found is not Verdict.RIGHT:
            raise Unfit(f"the template reads a turn that it was made from otherwise: {found.value}")
    folds = range(min(len(pairs), _MOST_FOLDS))
    right = 0
    for left_out in folds:
        others = [frame for number, frame in enumerate(frames) if number != left_out]
        try:
            partial = envelope_of(draft_of(others, detail), making)
        except Unfit:
            continue
        found = verdict(partial, pairs[left_out])
        if found is Verdict.WRONG:
            raise Unfit("a turn that was left out would have been read wrongly")
        right += found is Verdict.RIGHT
    if right < _LEAST_FOLDS_RIGHT:
        raise Unfit("no turn that was left out can be read by what the others gave")
    status = "captured" if len(pairs) >= ENOUGH else "provisional"
    source = Source(turns=len(pairs), status=status)
    return Learned(replace(envelope, source=source), right, len(folds))
