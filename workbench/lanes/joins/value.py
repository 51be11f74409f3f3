"""What is known of a value: whose words it may hold, and where they became one with others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from types import MappingProxyType

from workbench.lanes.joins.tree import Class, Function, Module
from workbench.lanes.syntax.code import Place

__all__ = ["NOTHING", "Closure", "Join", "Null", "Step", "Value", "either"]

_MOST_JOINS = 12
_MOST_STEPS = 24
_DEEPEST = 4


class Null(IntEnum):
    """How a value fares where `or` and `??` ask for another one."""

    NULL = 0
    EMPTY = 1
    UNKNOWN = 2
    SET = 3
    """Not null, but a text that might be empty."""
    FULL = 4


@dataclass(frozen=True, slots=True)
class Step:
    """A place on the way from a join to a call, and what holds the text there."""

    place: Place
    variable: str


@dataclass(frozen=True, slots=True)
class Join:
    """Where the user's words and others became one text. `user`, `foreign`: how the two are written.

    `source` is the variable of the user's words before, which may still hold them later, `origin` where
    they came from first.
    """

    place: Place
    text: str
    user: str
    foreign: str
    source: str
    origin: Place | None = None
    path: tuple[Step, ...] = ()

    def then(self, place: Place, variable: str) -> Join:
        """One step further; a step that stays where the last one is says nothing new."""
        if (self.path and self.path[-1] == Step(place, variable)) or len(self.path) >= _MOST_STEPS:
            return self
        return replace(self, path=(*self.path, Step(place, variable)))


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function and what it can see. `frame` is the call in which it was made, 0 for a module's own."""

    function: Function
    module: Module
    frame: int = 0
    seen: Mapping[str, Value] = field(default_factory=dict)
    bound: Value | None = None


_NONE: Mapping[str, Value] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """`user`, `foreign`: how the words' origin is written; None: none of it. `const`: a literal's text.

    `fields`: what is known of properties and items, `0`, `1`, … of a list in order. `mixed`: both stand
    in it, each in fields of its own. `name` is how an unknown callee is written.
    """

    user: str | None = None
    foreign: str | None = None
    joins: tuple[Join, ...] = ()
    null: Null = Null.UNKNOWN
    const: str | None = None
    fields: Mapping[str, Value] = field(default_factory=lambda: _NONE)
    listed: bool = False
    mixed: bool = False
    known: bool = False
    name: str = ""
    place: Place | None = None
    origin: Place | None = None
    closure: Closure | None = None
    instance: tuple[Class, Module] | None = None
    of_class: tuple[Class, Module] | None = None
    module: Module | None = None
    missing: tuple[str, str] | None = None
    known_key: tuple[object, ...] | None = field(default=None, init=False, repr=False)

    @property
    def telling(self) -> bool:
        """Whether it makes a state another one."""
        held = self.user is not None or self.foreign is not None or bool(self.joins)
        return held or bool(self.fields) or self.null is not Null.UNKNOWN

    @property
    def open_list(self) -> bool:
        """A list whose items are not known but by whose words they are: `given.files or []`."""
        return not self.fields and (self.user is not None or self.foreign is not None or bool(self.joins))

    @property
    def plain(self) -> bool:
        """The user's words and nothing else."""
        return self.user is not None and self.foreign is None and not self.joins

    def parts(self, depth: int = _DEEPEST) -> list[Value]:
        """Itself without its fields, then every field's parts."""
        own = [self] if not self.fields else [replace(self, fields=_NONE)]
        if depth:
            for inner in self.fields.values():
                own += inner.parts(depth - 1)
        return own

    def all_joins(self) -> tuple[Join, ...]:
        found: dict[Place, Join] = {}
        for part in self.parts():
            for join in part.joins:
                found.setdefault(join.place, join)
        return tuple(found.values())

    def with_field(self, name: str, value: Value) -> Value:
        return replace(self, fields=MappingProxyType({**self.fields, name: value}))

    def at_path(self, path: tuple[str, ...], value: Value) -> Value:
        """With the value stored under names, one below the other."""
        if not path:
            return value
        inner = self.fields.get(path[0], NOTHING)
        return self.with_field(path[0], inner.at_path(path[1:], value))

    def then(self, place: Place, variable: str, depth: int = 3) -> Value:
        """The same value where something else holds it: one step more for each of its joins."""
        fields = self.fields
        if depth and any(inner.joins or inner.fields for inner in fields.values()):
            fields = MappingProxyType(
                {name: inner.then(place, f"{variable}.{name}", depth - 1) for name, inner in fields.items()}
            )
        if not self.joins and fields is self.fields:
            return self
        return replace(self, joins=tuple(join.then(place, variable) for join in self.joins), fields=fields)

    def text(self) -> Value:
        """What it is as one text, or any one of its items: nothing of its fields is kept."""
        return either(self.parts())

    def key(self) -> tuple[object, ...]:
        """Two values of one key are alike for all that is asked here."""
        if self.known_key is None:
            fields = tuple(sorted((name, inner.key()) for name, inner in self.fields.items()))
            key = (
                self.user is None,
                self.foreign is None,
                tuple(join.place for join in self.joins),
                int(self.null),
                id(self.closure) if self.closure is not None else 0,
                fields if self.fields else (),
            )
            object.__setattr__(self, "known_key", key)  # values are never changed: it stays true
            return key
        return self.known_key


NOTHING = Value()
"""A value of which nothing is known; nobody's words."""


def either(values: Iterable[Value]) -> Value:
    """What is known of a value that is one of these."""
    ones = list(values)
    if not ones:
        return NOTHING
    first = ones[0]
    if all(one is first for one in ones):
        return first
    joins: dict[Place, Join] = {}
    for one in ones:
        for join in one.joins:
            joins.setdefault(join.place, join)
    names = dict.fromkeys(name for one in ones for name in one.fields)
    fields = {name: either(one.fields[name] for one in ones if name in one.fields) for name in names}
    nulls = {one.null for one in ones}
    consts = {one.const for one in ones}
    return Value(
        user=next((one.user for one in ones if one.user is not None), None),
        foreign=next((one.foreign for one in ones if one.foreign is not None), None),
        joins=tuple(joins.values())[:_MOST_JOINS],
        null=_of(nulls),
        const=consts.pop() if len(consts) == 1 else None,
        fields=MappingProxyType(fields) if fields else _NONE,
        listed=any(one.listed for one in ones),
        mixed=any(one.mixed for one in ones),
        known=any(one.known for one in ones),
        place=next((one.place for one in ones if one.place is not None), None),
        origin=next((one.origin for one in ones if one.origin is not None), None),
        name=next((one.name for one in ones if one.name), ""),
        closure=next((one.closure for one in ones if one.closure is not None), None),
        instance=next((one.instance for one in ones if one.instance is not None), None),
        of_class=next((one.of_class for one in ones if one.of_class is not None), None),
        module=next((one.module for one in ones if one.module is not None), None),
        missing=next((one.missing for one in ones if one.missing is not None), None),
    )


def _of(nulls: set[Null]) -> Null:
    if len(nulls) == 1:
        return next(iter(nulls))
    return Null.SET if nulls <= {Null.SET, Null.FULL} else Null.UNKNOWN
