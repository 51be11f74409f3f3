"""Finds the values of a template's slots in a text, within a budget that no text can exceed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workbench.core.template import Part

__all__ = ["Rule", "could_match", "match"]

# Costs are in characters looked at. Comparing and copying takes a 64th of looking.
_STEP = 64
_COPY = 64
_BUDGET = 500_000
_BUDGET_PER_CHARACTER = 16


class Rule(NamedTuple):
    """What a slot may hold. `reach(text, start, limit)` is the furthest end of a value from start on;
    `accepts` has the last word. `cost` is how often `accepts` looks at each character. `longest`: of
    several ways, the value is as long as can be.
    """

    reach: Callable[[str, int, int], int] = lambda text, start, limit: limit
    accepts: Callable[[str], bool] | None = None
    cost: int = 0
    longest: bool = False


class _GaveUp(Exception):
    """The budget is used up."""


def match(
    parts: Sequence[Part], text: str, rules: Mapping[str, Rule], longest: bool = False
) -> dict[str, str] | None:
    """The values of the slots: literals stand exactly, a slot that comes twice is equal.

    Each slot in turn is as short as can be unless its rule says otherwise, or with `longest` as long as
    can be. All as short and all as long as can be are equal where there is one answer only. None: there
    is none, or the budget was used up.
    """
    bounds = _bounds(parts, text)
    if bounds is None:
        return None
    try:
        return _Search(parts, text, rules, bounds, longest).run()
    except _GaveUp:
        return None


def could_match(parts: Sequence[Part], text: str) -> bool:
    """Whether all literals stand in the text, in order: quickly told, and needed for a match."""
    return _bounds(parts, text) is not None


def _bounds(parts: Sequence[Part], text: str) -> list[int] | None:
    """How far each part may reach for the literals after it still to fit; None: they cannot."""
    if parts and not parts[0].slot and not text.startswith(parts[0].text):
        return None
    bounds = [0] * len(parts)
    end = len(text)
    for number in range(len(parts) - 1, -1, -1):
        bounds[number] = end
        literal, slot = parts[number]
        if slot:
            continue
        if number == len(parts) - 1:
            end = end - len(literal) if text.endswith(literal) else -1
        else:
            end = text.rfind(literal, 0, end)
        if end < 0:
            return None
    return bounds


@dataclass(slots=True)
class _Choice:
    """A slot that is given one value after the other."""

    number: int
    start: int
    ends: Iterator[int]


class _Search:
    """Depth first over the slots, without recursion."""

    def __init__(
        self,
        parts: Sequence[Part],
        text: str,
        rules: Mapping[str, Rule],
        bounds: Sequence[int],
        longest: bool,
    ) -> None:
        self.parts = parts
        self.text = text
        self.rules = rules
        self.bounds = bounds
        self.longest = longest
        self.values: dict[str, str] = {}
        self.budget = _BUDGET + _BUDGET_PER_CHARACTER * len(text)

    def run(self) -> dict[str, str] | None:
        choices: list[_Choice] = []
        number, at = self._settled(0, 0)
        while True:
            if number == len(self.parts) and at == len(self.text):
                return dict(self.values)
            if 0 <= number < len(self.parts):
                choices.append(_Choice(number, at, self._ends(number, at)))
            while choices and not self._next(choices[-1]):
                choices.pop()
            if not choices:
                return None
            choice = choices[-1]
            number, at = self._settled(
                choice.number + 1, choice.start + len(self.values[self.parts[choice.number].text])
            )

    def _spend(self, characters: int) -> None:
        self.budget -= _STEP + characters
        if self.budget < 0:
            raise _GaveUp

    def _settled(self, number: int, at: int) -> tuple[int, int]:
        """Past all parts whose text is known, as far as they stand there; -1 if one does not."""
        while number < len(self.parts):
            part = self.parts[number]
            known = self.values.get(part.text) if part.slot else part.text
            if known is None:
                break
            self._spend(len(known) // _COPY)
            if not self.text.startswith(known, at):
                return -1, at
            at += len(known)
            number += 1
        return number, at

    def _next(self, choice: _Choice) -> bool:
        """Give the choice its next value that the slot's rule accepts."""
        name = self.parts[choice.number].text
        self.values.pop(name, None)
        rule = self.rules.get(name, Rule())
        for end in choice.ends:
            self._spend(rule.cost * (end - choice.start) + (end - choice.start) // _COPY)
            value = self.text[choice.start : end]
            if rule.accepts is None or rule.accepts(value):
                self.values[name] = value
                return True
        return False

    def _ends(self, number: int, start: int) -> Iterator[int]:
        """Where a value of the slot from `start` on may end."""
        name = self.parts[number].text
        limit = self.bounds[number]
        room, copies, alone = self._room(number, start)
        if start > limit or room < 0:
            return
        rule = self.rules.get(name, Rule())
        longest = self.longest or rule.longest
        high = min(start + room // copies, rule.reach(self.text, start, limit))
        if alone:
            end = start + room // copies
            if room % copies == 0 and end <= high:
                yield end
            return
        after = self.parts[number + 1]
        known = self.values.get(after.text) if after.slot else after.text
        if known:
            yield from self._finds(known, start, high, longest)
        else:
            yield from range(high, start - 1, -1) if longest else range(start, high + 1)

    def _room(self, number: int, start: int) -> tuple[int, int, bool]:
        """Characters left for slots without a value, copies of this one, whether no other is left."""
        name = self.parts[number].text
        later = self.parts[number + 1 :]
        self._spend(len(later))
        known = sum(len(p.text) if not p.slot else len(self.values.get(p.text, "")) for p in later)
        unknown = Counter(p.text for p in later if p.slot and p.text not in self.values)
        copies = 1 + unknown.pop(name, 0)
        return len(self.text) - start - known, copies, not unknown

    def _finds(self, known: str, start: int, high: int, longest: bool) -> Iterator[int]:
        """Places of `known` from `start` to `high`."""
        if not longest:
            at = self.text.find(known, start, high + len(known))
            while at >= 0:
                self._spend(at - start)
                yield at
                start = at + 1
                at = self.text.find(known, start, high + len(known))
        else:
            at = self.text.rfind(known, start, high + len(known))
            while at >= 0:
                self._spend(high - at)
                yield at
                high = at - 1
                at = self.text.rfind(known, start, high + len(known)) if high >= start else -1
        self._spend(high - start)
