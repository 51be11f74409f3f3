"""Learns the forms of a group of turns: from a few, tried on all, and again with those that did not fit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from workbench.capture.draft import Unfit
from workbench.capture.held_out import Verdict, verdict
from workbench.capture.isolation import frame_of
from workbench.capture.learning import ENOUGH, Learned, learn
from workbench.capture.pairing import Pair
from workbench.capture.skeleton import Placed, group, nearest, skeleton, weight_of
from workbench.core.envelope import Ingress, SlotKind, unwrap
from workbench.core.template import DOCUMENT

__all__ = ["Grown", "Wish", "grow"]

T = TypeVar("T")

_SAMPLE = 12
_MORE = 4
_ROUNDS = 3
_LOOK = 240
_LIKENESS = (5, 8, 14, 22, 34)
_MISREAD = 0.01
_MOST_HELD = 0.8
_BLOCK = 12
_SLIGHT = 24
_MOST_LABELS = 3
_MARKS = frozenset("\n:|()[]<>=+«»{}")


@dataclass(frozen=True, slots=True)
class Wish:
    """How the envelopes are to be made."""

    ingress: Ingress | None = None
    keep_values: bool = False


@dataclass(slots=True)
class Grown:
    """Envelopes with the turns that each gives back, and the turns that none does, with the reason."""

    forms: list[tuple[Learned, list[Pair]]]
    rest: list[tuple[Pair, str]]


def grow(placed: Sequence[Placed], wish: Wish) -> Grown:
    """The forms of turns that came by one path, or by nobody knows how many."""
    done = Grown([], [])
    rest = list(placed)
    while rest:
        few = _spread(rest, _LOOK)
        found = _grow(few, wish)
        looked = {id(one) for one in few}
        rest = [one for one in rest if id(one) not in looked]
        done.rest += found.rest
        for learned, pairs in found.forms:
            right = {id(one) for one in rest if verdict(learned.envelope, one.pair) is Verdict.RIGHT}
            pairs += [one.pair for one in rest if id(one) in right]
            rest = [one for one in rest if id(one) not in right]
            done.forms.append((_counted(learned, len(pairs)), pairs))
        if not found.forms:
            done.rest += [(one.pair, "the turns like it gave no envelope") for one in rest]
            break
    return done


def _grow(placed: Sequence[Placed], wish: Wish) -> Grown:
    """All taken for one form first; then, where that fails, for as many as they are ever less alike."""
    done = Grown([], [])
    waiting: list[tuple[Sequence[Placed], int, str]] = [(placed, 0, "")]
    while waiting:
        part, level, before = waiting.pop()
        try:
            learned, right, others = _one_form(part, wish)
        except Unfit as error:
            why = before if before and len(part) < ENOUGH else str(error)
            parts = _parted(part, level)
            if parts:
                waiting += [(one, level + 1, why) for one in reversed(parts)]
            else:
                done.rest += [(one.pair, why) for one in part]
            continue
        forms, left = _finer(learned, right, level, wish)
        for finer, own in forms:
            done.forms += _without_blocks(finer, own, wish)
        others += left
        if others:
            waiting.append((others, level, before))
    return done


def _finer(
    learned: Learned, placed: Sequence[Placed], level: int, wish: Wish
) -> tuple[list[tuple[Learned, list[Placed]]], list[Placed]]:
    """Several envelopes in place of one whose frame is slight, where each tells more than that one; and the
    turns that are left then.
    """
    weight = weight_of(learned.envelope)
    while weight < _SLIGHT and (parts := _parted(placed, level)):
        level += 1
        tried = [form for part in parts if len(part) > 1 and (form := _tried(part, wish))]
        forms = [(one, right) for one, right in tried if weight_of(one.envelope) > weight]
        held = sum(len(right) for _, right in forms) >= _MOST_HELD * len(placed)
        if len(forms) > 1 and held and not _by_value(learned, [right for _, right in forms]):
            kept = {id(one) for _, right in forms for one in right}
            return forms, [one for one in placed if id(one) not in kept]
    return [(learned, list(placed))], []


def _by_value(learned: Learned, parts: Sequence[Sequence[Placed]]) -> bool:
    """Whether turns are only parted by the values of a slot, as by who sent them: few of each, or of many."""
    if all(len(part) >= ENOUGH for part in parts) and len(parts) <= _MOST_LABELS:
        return False
    marked = sum(any(_MARKS & set(value) for value in _constant(learned, part)) for part in parts)
    return 2 * marked < len(parts)


def _constant(learned: Learned, placed: Sequence[Placed]) -> list[str]:
    """The values of slots for words that are the same in all these turns."""
    found = [unwrap(learned.envelope, one.pair.wrapped) for one in placed]
    slots = [one.slots for one in found if one is not None]
    kinds = {slot.name: slot.kind for slot in learned.envelope.slots.values()}
    worded = [name for name, kind in kinds.items() if kind in (SlotKind.NAME, SlotKind.TEXT)]
    return [slots[0][name] for name in worded if slots and len({one[name] for one in slots}) == 1]


def _tried(placed: Sequence[Placed], wish: Wish) -> tuple[Learned, list[Placed]] | None:
    try:
        learned, right, _ = _one_form(placed, wish)
    except Unfit:
        return None
    return learned, right


def _parted(placed: Sequence[Placed], level: int) -> list[Sequence[Placed]]:
    """The next finer parting; empty where there is none, and of a single turn."""
    if len(placed) < 2:
        return []
    if level < len(_LIKENESS):
        return [one.members for one in group(placed, _LIKENESS[level])]
    if level - len(_LIKENESS) < len(_KEYS):
        return _by(_KEYS[level - len(_LIKENESS)], placed)
    return []


def _one_form(placed: Sequence[Placed], wish: Wish) -> tuple[Learned, list[Placed], list[Placed]]:
    """What is learned of some of the turns, those that it gives back, and the others. Raises Unfit."""
    sample = [one.pair for one in _spread(placed, _SAMPLE)]
    learned = learn(sample, "captured", wish.ingress, keep_values=wish.keep_values)
    for number in range(_ROUNDS + 1):
        verdicts = [(one, verdict(learned.envelope, one.pair)) for one in placed]
        right = [one for one, found in verdicts if found is Verdict.RIGHT]
        others = [one for one, found in verdicts if found is not Verdict.RIGHT]
        wrong = [one for one, found in verdicts if found in (Verdict.WRONG, Verdict.CHANGED)]
        in_sample = set(map(id, sample))
        new = [one.pair for one in wrong or others if id(one.pair) not in in_sample]
        if not new or number == _ROUNDS:
            break
        sample = [*sample, *_spread(new, _MORE)]
        try:
            learned = learn(sample, "captured", wish.ingress, keep_values=wish.keep_values)
        except Unfit:
            break
    if len(wrong) > _MISREAD * len(placed):
        raise Unfit(f"what is learned from most of these turns reads {len(wrong)} of them wrongly")
    return _counted(learned, len(right)), right, others


def _counted(learned: Learned, turns: int) -> Learned:
    status = "captured" if turns >= ENOUGH else "provisional"
    source = replace(learned.envelope.source, turns=turns, status=status)
    return replace(learned, envelope=replace(learned.envelope, source=source))


def _spread(pairs: Sequence[T], most: int) -> list[T]:
    """Some of the turns, from all over the log."""
    if len(pairs) <= most:
        return list(pairs)
    return [pairs[number * len(pairs) // most] for number in range(most)]


def _by(key: Callable[[Placed], str], placed: Sequence[Placed]) -> list[Sequence[Placed]]:
    parts: defaultdict[str, list[Placed]] = defaultdict(list)
    for one in placed:
        parts[key(one)].append(one)
    return sorted(parts.values(), key=len, reverse=True)


def _skeleton(placed: Placed) -> str:
    return skeleton(frame_of(placed.pair.wrapped, placed.spans[-1:]))


_KEYS: tuple[Callable[[Placed], str], ...] = (nearest, _skeleton)
"""What parts turns that are alike: the marks next to the words, then all marks of the frame."""


def _without_blocks(learned: Learned, placed: list[Placed], wish: Wish) -> list[tuple[Learned, list[Pair]]]:
    """Two envelopes in place of one with a whole block that many turns have and many have not.

    A template has no optional parts.
    """
    by_slot: defaultdict[str, tuple[list[Placed], list[Placed]]] = defaultdict(lambda: ([], []))
    blocks: Counter[str] = Counter()
    for one in placed:
        found = unwrap(learned.envelope, one.pair.wrapped)
        for name, value in ({**found.slots, DOCUMENT: found.document or ""} if found else {}).items():
            by_slot[name][bool(value.strip())].append(one)
            blocks[name] += len(value) >= _BLOCK or "\n" in value.strip()
    for name, (lacking, having) in by_slot.items():
        if min(len(lacking), len(having)) < ENOUGH or blocks[name] < len(having):
            continue
        try:
            halves = [_one_form(half, wish) for half in (lacking, having)]
        except Unfit:
            continue
        if any(others for _, _, others in halves):
            continue
        others = (having, lacking)
        if not any(
            verdict(half.envelope, one.pair) is Verdict.WRONG
            for (half, _, _), other in zip(halves, others, strict=True)
            for one in other
        ):
            return [(half, [one.pair for one in right]) for half, right, _ in halves]
    return [(learned, [one.pair for one in placed])]
