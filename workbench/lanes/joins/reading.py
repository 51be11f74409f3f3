"""What a name, a property, and a text made of several hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.given import Called
from workbench.lanes.joins.names import Kind, carries, kind_of_field, kind_of_local, kind_of_name
from workbench.lanes.joins.program import Program
from workbench.lanes.joins.relevance import Relevance
from workbench.lanes.joins.routers import Routers
from workbench.lanes.joins.state import Frame, State
from workbench.lanes.joins.value import NOTHING, Closure, Join, Null, Step, Value, either
from workbench.lanes.joins.wordlist import word_set
from workbench.lanes.joins.wrappers import HOLE, note_of, wrapper_of
from workbench.lanes.syntax.code import Place

__all__ = ["KNOWN", "Found", "Reading", "Spent", "World", "listing", "unknown"]

KNOWN = Value(known=True)
"""Nobody's words for certain: a number, a truth, the answer of a router."""

_TEXTUAL = word_set(
    """
    text content body value message msg data prompt query input words raw string markdown result
    output 0
    """
)


class Spent(Exception):
    """One function took more steps than are good for it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A router reads a join. `instead` is the variable that holds the user's words alone there, or None."""

    join: Join
    router: str
    call: Place
    text: str
    argument: str
    instead: Step | None


@dataclass(slots=True, eq=False)
class World:
    """What one analysis of a program shares."""

    program: Program
    routers: Routers
    relevance: Relevance
    found: dict[tuple[Place, Place], Found] = field(default_factory=dict)
    calls: dict[Place, str] = field(default_factory=dict)
    globals: dict[str, dict[str, Value]] = field(default_factory=dict)
    called: dict[object, Called] = field(default_factory=dict)
    entered: set[int] = field(default_factory=set)
    too_deep: set[Place] = field(default_factory=set)
    unfinished: set[Place] = field(default_factory=set)
    budget: int = 0
    aside: int = 0
    """Steps left for all such functions that one function calls."""
    in_aside: bool = False
    frames: int = 0


def unknown(value: Value) -> bool:
    """Whether nothing at all is known of it, so that its name may say more."""
    return not (
        value.known
        or value.fields
        or value.listed
        or value.joins
        or value.user is not None
        or value.foreign is not None
        or value.const is not None
        or value.null is not Null.UNKNOWN
        or value.closure is not None
        or value.module is not None
        or value.instance is not None
        or value.of_class is not None
    )


def blank(value: Value) -> bool:
    """Whether it is a text that was put together of parts of which nothing is known."""
    held = value.user is not None or value.foreign is not None or bool(value.joins or value.fields)
    return value.known and not held and value.const is None and value.place is not None


def listing(values: Iterable[Value]) -> Value:
    """A list of these, in order."""
    fields = {str(number): value for number, value in enumerate(values)}
    return Value(fields=fields, listed=True, known=True)


class Reading(ABC):
    """The part of the engine that makes no calls."""

    world: World

    @abstractmethod
    def globals_of(self, module: t.Module) -> Mapping[str, Value]: ...

    def name(self, name: t.Name, state: State) -> Value:
        found = state.get(name.id)
        if found is not None:
            return found
        if kind_of_name(name.id) is Kind.FOREIGN:
            return Value(foreign=name.id, name=name.id)
        if kind_of_local(name.id, "") is Kind.USER:
            return Value(user=name.id, name=name.id, place=name.at, origin=name.at)
        return Value(name=name.id)

    def export(self, module: t.Module, name: str) -> Value:
        """What another file means by a module's name."""
        found = self.world.program.defined(module, name)
        if found is None:
            return KNOWN
        return self.globals_of(found[0]).get(found[1], KNOWN)

    def attr(self, value: Value, base: t.Expr, name: str, written: str, at: Place) -> Value:
        """`base.name`, where the base is this value. `written`: the whole."""
        if value.module is not None:
            return self.export(value.module, name)
        if name in value.fields:
            return value.fields[name]
        for owner in (value.instance, value.of_class):
            method = self.method(owner, name) if owner is not None else None
            if method is not None:
                return method if value.of_class is not None else Value(closure=replace_bound(method, value))
        number = name.lstrip("-").isdigit()
        if value.listed and not value.open_list:
            return self._of_list(value, name, number)
        if value.mixed:
            return self._of_mixed(value, name, written)
        if value.joins:
            return value if number or (name in _TEXTUAL and not value.fields) else KNOWN
        if value.foreign is not None:
            return Value(foreign=written) if number or carries(name) else KNOWN
        if value.user is not None:
            if number:
                return value
            if kind_of_name(name) is Kind.FOREIGN:
                return Value(foreign=written)
            said = name in _TEXTUAL or kind_of_name(name) is Kind.USER or name == "caption"
            return replace(value, user=value.user, place=at) if said else KNOWN
        if value.known and not value.instance:
            if "0" in value.fields and name in _TEXTUAL:
                return value.fields["0"]
            return KNOWN if value.const is not None or value.null is Null.NULL else NOTHING
        kind = kind_of_field(base.text, name)
        if kind is Kind.FOREIGN:
            return Value(foreign=written)
        return Value(user=written, place=at, origin=at) if kind is Kind.USER else NOTHING

    def _of_list(self, value: Value, name: str, number: bool) -> Value:
        items = list(value.fields.values())
        if not number or not items:
            return KNOWN
        at = int(name)
        return items[at] if -len(items) <= at < 0 else either(items)

    def _of_mixed(self, value: Value, name: str, written: str) -> Value:
        if name in _TEXTUAL or kind_of_name(name) is Kind.USER or "clean" in name or "strip" in name:
            return Value(user=written) if name != "content" else Value(foreign=written)
        return Value(foreign=written) if kind_of_name(name) is Kind.FOREIGN else KNOWN

    def method(self, owner: tuple[t.Class, t.Module], name: str, left: int = 4) -> Value | None:
        """A class's method, or that of a base class in reach."""
        cls, module = owner
        found = cls.methods.get(name)
        if found is not None:
            return Value(closure=Closure(found, module))
        for base in cls.bases if left else ():
            parent = self.globals_of(module).get(base)
            if parent is not None and parent.of_class is not None and parent.of_class[0] is not cls:
                inherited = self.method(parent.of_class, name, left - 1)
                if inherited is not None:
                    return inherited
        return None

    def combine(
        self, parts: Sequence[Value], expr: t.Expr, frame: Frame, sources: Sequence[str] = ()
    ) -> Value:
        """One text made of these, in order; where the user's words meet others, that is a join.

        `sources` says how each part is written.
        """
        texts: list[tuple[Value, str]] = []
        for number, part in enumerate(parts):
            source = sources[number] if number < len(sources) else ""
            texts += [(one, source) for one in part.parts()]
        joins: dict[Place, Join] = {join.place: join for one, _ in texts for join in one.joins}
        met = _meeting(texts)
        if met is not None and expr.at not in joins:
            (mine, source), other = met
            text = _one_line(expr.text)
            joins[expr.at] = Join(
                expr.at, text, mine.user or "", other, source or mine.user or "", mine.origin
            )
        consts = [one.const for one, _ in texts]
        foreign = next((one.foreign for one, _ in texts if one.foreign is not None), None)
        if foreign is None and not joins and all(one.user is None for one, _ in texts):
            foreign = note_of("".join(HOLE if const is None else const for const in consts))
        full = any(one.const or one.null is Null.FULL for one, _ in texts)
        whole = "".join(const for const in consts if const is not None)
        return Value(
            user=next((one.user for one, _ in texts if one.user is not None), None),
            foreign=foreign,
            joins=tuple(joins.values()),
            null=Null.FULL if full else Null.SET,
            const=whole if None not in consts else None,
            known=True,
            place=expr.at,
            origin=next((one.origin for one, _ in texts if one.origin is not None), None),
        )


def replace_bound(method: Value, value: Value) -> Closure:
    assert method.closure is not None
    return replace_closure(method.closure, value)


def replace_closure(closure: Closure, bound: Value) -> Closure:
    return Closure(closure.function, closure.module, closure.frame, closure.seen, bound)


def _meeting(texts: list[tuple[Value, str]]) -> tuple[tuple[Value, str], str] | None:
    """The part that holds the user's words, and what meets them: other text, or a frame."""
    users = [at for at, (one, _) in enumerate(texts) if one.user is not None]
    for at in sorted(users, key=lambda at: not texts[at][0].plain):
        others = [
            one.foreign
            for place, (one, _) in enumerate(texts)
            if place != at and one.foreign is not None and not (one.joins and one.user is not None)
        ]
        if others:
            return texts[at], others[0]
        before = "".join(HOLE if one.const is None else one.const for one, _ in texts[:at])
        after = "".join(HOLE if one.const is None else one.const for one, _ in texts[at + 1 :])
        frame = wrapper_of(before, after)
        if frame is not None:
            return texts[at], frame.replace(HOLE, "…")
    return None


def _one_line(text: str) -> str:
    return " ".join(text.split())
