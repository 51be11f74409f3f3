"""Goes through every function of a program as if it were the one that is called first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.loading import Sources
from workbench.lanes.joins.reading import Found, Spent, World
from workbench.lanes.joins.relevance import Relevance
from workbench.lanes.joins.routers import Routers
from workbench.lanes.joins.running import Running
from workbench.lanes.joins.state import Frame, State, merged
from workbench.lanes.joins.value import NOTHING, Closure, Value, either
from workbench.lanes.syntax.code import Place, Unread
from workbench.lanes.syntax.excluded import NOTHING as NOTHING_EXCLUDED
from workbench.lanes.syntax.excluded import Excluded

__all__ = ["Joins", "find_joins"]

_STEPS = 60_000
"""Expressions that are looked at for one function and all that it calls on the way to a router."""
_ASIDES = 20_000
"""Expressions that are looked at in what it calls beside."""


@dataclass(frozen=True, slots=True)
class Joins:
    """`calls`: every router call seen, with the router's name. `unread`: files, `too_deep`: calls into
    a second file, `unfinished`: functions that were given up."""

    found: tuple[Found, ...]
    calls: Mapping[Place, str]
    files: int
    unread: tuple[Unread, ...]
    too_deep: tuple[Place, ...]
    unfinished: tuple[Place, ...]
    unseen: tuple[str, ...] = ()
    """Routers that were named and are nowhere called; `likely`: names that may have been meant."""
    likely: tuple[str, ...] = ()


def find_joins(sources: Sequence[Path], routers: Routers, excluded: Excluded = NOTHING_EXCLUDED) -> Joins:
    """Raises WorkbenchError where a source cannot be read or the parser is missing."""
    tree = Sources(sources, routers, excluded)
    program = tree.program
    world = World(program, routers, Relevance(program, routers))
    engine = Analysis(world)
    for module in tree.modules:
        engine.go_through(module)
    seen = {name.rsplit(".", 1)[-1] for name in world.calls.values()}
    unseen = tuple(sorted(routers.names - seen))
    found = sorted(world.found.values(), key=lambda one: (one.call, one.join.place))
    return Joins(
        tuple(found),
        dict(sorted(world.calls.items())),
        tree.files,
        tuple(tree.unread),
        tuple(sorted(world.too_deep)),
        tuple(sorted(world.unfinished)),
        unseen,
        tree.likely(unseen) if unseen or not seen else (),
    )


class Analysis(Running):
    """The engine with its entry points."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._made: dict[str, list[Closure]] = {}

    def globals_of(self, module: t.Module) -> Mapping[str, Value]:
        """What a module's names hold once it has run; while it runs, what they hold so far."""
        known = self.world.globals.get(module.file)
        if known is not None:
            return known
        env: dict[str, Value] = {}
        self.world.globals[module.file] = env
        for one in module.imports:
            self._import(module, one, env)
        frame = Frame(0, module)
        state = State(env, {})
        budget, self.world.budget = self.world.budget, _STEPS
        aside, self.world.aside = self.world.aside, _ASIDES
        within, self.world.in_aside = self.world.in_aside, False
        try:
            ends = self.run(module.body, [state], frame)
        except Spent:
            self.world.unfinished.add(module.body.at)
            ends = []
        self.world.budget, self.world.aside, self.world.in_aside = budget, aside, within
        if ends:
            env.update(merged(ends).env)
        self._made[module.file] = frame.made
        return env

    def _import(self, module: t.Module, one: t.Import, env: dict[str, Value]) -> None:
        program = self.world.program
        target = program.find(module, one.module)
        if one.name is None:
            env[one.local.split(".")[0]] = (
                Value(module=target) if target is not None else Value(known=True, name=one.local)
            )
            return
        if one.local == t.ANY:
            if target is not None and module.python:
                env.update({**self.globals_of(target), **env})
            return
        inner = program.member(module, one.module, one.name)
        if inner is not None and (
            target is None or program.defined(target, one.name) is None or module.python
        ):
            env[one.local] = Value(module=inner)
        elif target is not None:
            default = one.name == "default" and "default" not in target.exports
            env[one.local] = Value(module=target) if default else self.export(target, one.name)
        else:
            env[one.local] = Value(known=True, name=one.name if one.name != "default" else one.local)

    def go_through(self, module: t.Module) -> None:
        """Every function and class of a file that can lead to a router."""
        if not self.world.relevance.module_matters(module):
            return
        base = self.globals_of(module)
        for closure in self._made[module.file]:
            function = closure.function
            if not self.world.relevance.matters(function, module):
                continue
            if function.name or id(function) not in self.world.entered:
                self._root(Closure(function, module), base, {})
        for value in list(base.values()):
            if value.of_class is not None and value.of_class[1] is module:
                self._class(value.of_class, base)

    def _root(
        self, closure: Closure, base: Mapping[str, Value], seen: Mapping[str, Value], own: Value | None = None
    ) -> Value | None:
        """Calls a function as from outside; the object that its method belongs to, as it is after."""
        function = closure.function
        self.world.budget, self.world.aside = _STEPS, _ASIDES
        self.world.called.clear()
        self.world.frames += 1
        frame = Frame(self.world.frames, closure.module, function, 0, (function,))
        state = State(dict(seen), base)
        try:
            self._take(closure, state, frame, own)
            ends = self.run(function.body, [state], frame)
        except Spent:
            self.world.unfinished.add(function.at)
            return None
        states = [one for _, one in frame.gave] + ends
        last = merged(states).env if states else {}
        for made in frame.made:
            if id(made.function) not in self.world.entered and self.world.relevance.matters(
                made.function, closure.module
            ):
                self.world.entered.add(id(made.function))
                self._root(Closure(made.function, closure.module), base, last)
        return last.get(self._own_name(closure))

    def _own_name(self, closure: Closure) -> str:
        if not closure.module.python:
            return "this"
        params = closure.function.params
        return params[0].name if params else "<self>"

    def _take(self, closure: Closure, state: State, frame: Frame, own: Value | None) -> None:
        for param in closure.function.params:
            value = self.by_name(param)
            if param.default is not None:
                default = self.eval(param.default, state, frame)
                value = either([value, default]) if default.joins else value
            state.env[param.name] = value
            if param.pattern is not None:
                self.unpack(param.pattern, NOTHING, t.Name(param.at, "props"), state, frame)
            if param.field:
                self.store_field(state, param.name, value)
        if own is not None:
            state.env[self._own_name(closure)] = own

    def _class(self, owner: tuple[t.Class, t.Module], base: Mapping[str, Value]) -> None:
        """Its methods: first on a new object, then on one on which others were called before."""
        cls, module = owner
        methods = {name: cls.methods[name] for name in self.world.relevance.of_class(cls, module)}
        if not methods:
            return
        fresh = Value(instance=owner, known=True)
        for name, value in cls.fields:
            if value is not None:
                self.world.budget = _STEPS
                fresh = fresh.with_field(name, self.eval(value, State({}, base), Frame(0, module)))
        maker = next((cls.methods[name] for name in ("__init__", "constructor") if name in cls.methods), None)
        if maker is not None:
            fresh = self._root(Closure(maker, module), base, {}, fresh) or fresh
        after: dict[str, Value] = {}
        for name, method in methods.items():
            if method is not maker:
                after[name] = self._root(Closure(method, module), base, {}, fresh) or fresh
        for name, method in methods.items():
            others = [one for other, one in after.items() if other != name and self._outer(cls, other)]
            if method is maker or not self._outer(cls, name) or not any(one.all_joins() for one in others):
                continue
            self._root(Closure(method, module), base, {}, either([fresh, *others]))

    def _outer(self, cls: t.Class, name: str) -> bool:
        """Whether no other method of the class calls this one, so that others outside must."""
        return not any(
            id(method) in self.world.entered for other, method in cls.methods.items() if other == name
        )
