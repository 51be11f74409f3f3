"""What a program knows at one point of one way through it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from workbench.lanes.joins.tree import Function, Module
from workbench.lanes.joins.value import Closure, Null, Value, either

__all__ = ["Frame", "State", "compact", "merged", "ways_kept"]


@dataclass(slots=True, eq=False)
class State:
    """`env` are the names of the function, `base` those of its module; `facts` conditions already decided."""

    env: dict[str, Value]
    base: Mapping[str, Value]
    facts: dict[str, bool] = field(default_factory=dict)

    def fork(self) -> State:
        return State(dict(self.env), self.base, dict(self.facts))

    def get(self, name: str) -> Value | None:
        found = self.env.get(name)
        return found if found is not None else self.base.get(name)

    def set(self, name: str, value: Value) -> None:
        self.env[name] = value
        if self.facts:
            word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
            for fact in [fact for fact in self.facts if word.search(fact)]:
                del self.facts[fact]

    def absorb(self, others: list[State]) -> None:
        """Becomes what is true after one of these."""
        whole = merged(others)
        self.env, self.facts = whole.env, whole.facts

    def key(self) -> object:
        return frozenset(
            (name, value.key())
            for name, value in self.env.items()
            if value.user is not None
            or value.foreign is not None
            or value.fields
            or value.joins
            or value.null is not Null.UNKNOWN
        )


@dataclass(slots=True, eq=False)
class Frame:
    """One call that is under way. `hops`: how many calls into other files led here."""

    number: int
    module: Module
    function: Function | None = None
    hops: int = 0
    stack: tuple[Function, ...] = ()
    gave: list[tuple[Value, State]] = field(default_factory=list)
    yielded: list[Value] = field(default_factory=list)
    left: list[State] = field(default_factory=list)
    made: list[Closure] = field(default_factory=list)


def merged(states: list[State]) -> State:
    """One state for several: a name that only some of them know is what those know of it."""
    if len(states) == 1:
        return states[0]
    names = dict.fromkeys(name for state in states for name in state.env)
    env = {name: either(state.env[name] for state in states if name in state.env) for name in names}
    first, *rest = states
    facts = {
        fact: truth
        for fact, truth in first.facts.items()
        if all(one.facts.get(fact) is truth for one in rest)
    }
    return State(env, first.base, facts)


_WAYS = ((10, 40_000), (4, 25_000), (2, 12_000), (1, -1))


def ways_kept(left: int) -> int:
    """How many ways are kept apart while so many steps are left: fewer, so that the end is reached."""
    return next(most for most, steps in _WAYS if left >= steps)


def compact(states: Iterable[State], most: int) -> list[State]:
    """The states with those that are alike made one, and all of them where they are more than `most`."""
    ones = list(states)
    if len(ones) < 2:
        return ones
    alike: dict[object, list[State]] = {}
    for state in ones:
        alike.setdefault(state.key(), []).append(state)
    kept = [merged(group) for group in alike.values()]
    return [merged(kept)] if len(kept) > most else kept
