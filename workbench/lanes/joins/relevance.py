"""Which functions can lead to a router at all: what else a program does need not be followed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass
from functools import cache

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.program import Program
from workbench.lanes.joins.routers import Routers, dotted

__all__ = ["Relevance"]

_STORES = frozenset({"append", "push", "add", "extend", "insert", "update", "set", "unshift"})


class Relevance:
    """Told by names: a function matters that names a router, or one that matters, of its own file or one
    that its file imports. The names say too much at times, never too little."""

    def __init__(self, program: Program, routers: Routers) -> None:
        self._program = program
        self._routers = routers
        self._words: dict[int, frozenset[str]] = {}
        self._near: dict[str, frozenset[str]] = {}
        self._names: dict[str, frozenset[str]] = {}

    def matters(self, function: t.Function, module: t.Module) -> bool:
        """Whether a call of it can come to a router."""
        return not self.names(module).isdisjoint(self._of(function))

    def module_matters(self, module: t.Module) -> bool:
        """Whether anything in the file can come to a router."""
        names = self.names(module)
        return any(not names.isdisjoint(_words(stmt, self._routers)) for stmt in module.body.body)

    def of_class(self, cls: t.Class, module: t.Module) -> list[str]:
        """The methods that matter, and those that give the object what these read of it."""
        kept = {name for name, method in cls.methods.items() if self.matters(method, module)}
        if not kept:
            return []
        read = {word for name in kept for word in self._of(cls.methods[name])}
        for name, method in cls.methods.items():
            if name not in kept and not read.isdisjoint(_stored(method)):
                kept.add(name)
        return [name for name in cls.methods if name in kept]

    def names(self, module: t.Module) -> frozenset[str]:
        """The names that lead to a router in a file."""
        if module.file not in self._names:
            seeds = set(self.own(module))
            for one in module.imports:
                for target in self._targets(module, one):
                    near = self.own(target)
                    seeds |= near
                    if one.name in near or one.name == "default":
                        seeds.add(one.local)
            self._names[module.file] = self._closed(module, seeds)
        return self._names[module.file]

    def _targets(self, module: t.Module, one: t.Import) -> Iterator[t.Module]:
        """The files that an import may mean: the one that it names, and where that has the name from."""
        found = self._program.find(module, one.module)
        if found is not None and found is not module:
            yield found
            place = self._program.defined(found, one.name) if one.name is not None else None
            if place is not None and place[0] is not found:
                yield place[0]
        member = self._program.member(module, one.module, one.name) if one.name is not None else None
        if member is not None and member is not module:
            yield member

    def own(self, module: t.Module) -> frozenset[str]:
        """The names that lead to a router within a file alone."""
        if module.file not in self._near:
            aliases = {one.local for one in module.imports if self._routers.is_router(one.name or "")}
            names = self._closed(module, {_ROUTER, *aliases})
            self._near[module.file] = names | {
                shown for shown, local in module.exports.items() if local in names or local in aliases
            }
        return self._near[module.file]

    def _closed(self, module: t.Module, seeds: Collection[str]) -> frozenset[str]:
        names = set(seeds)
        waiting = [(name, self._of(function)) for name, function in _named(module.body)]
        while True:
            before, left = len(waiting), []
            for name, read in waiting:
                if names.isdisjoint(read):
                    left.append((name, read))
                else:
                    names.add(name)
            if len(left) == before:
                return frozenset(names)
            waiting = left

    def _of(self, function: t.Function | t.Expr) -> frozenset[str]:
        key = id(function)
        if key not in self._words:
            self._words[key] = _words(function, self._routers)
        return self._words[key]


_ROUTER = "<router>"


def _words(node: object, routers: Routers) -> frozenset[str]:
    """Every name that is read below, and `<router>` where one is a router's."""
    found: set[str] = set()
    for one in _below(node):
        if isinstance(one, t.Name | t.Attr):
            found.add(one.id if isinstance(one, t.Name) else one.name)
            if _ROUTER not in found and routers.is_router(dotted(one)):
                found.add(_ROUTER)
    return frozenset(found)


def _named(body: t.Block) -> Iterator[tuple[str, t.Function | t.Expr]]:
    """Every function and value below with the names that it is given."""
    for one in _below(body):
        match one:
            case t.Define(what=t.Function() as function):
                yield function.name, function
            case t.Class():
                yield from one.methods.items()
                for made in ("__init__", "constructor", "__call__"):
                    if made in one.methods:
                        yield one.name, one.methods[made]
            case t.Assign() | t.Bind():  # choose = router.route, handle = useCallback(() => …)
                yield from ((_last(one.target), made) for made in _functions(one.value))
            case t.Record():
                for key, value in one.entries:
                    if key is not None:
                        yield from ((key, made) for made in _functions(value))


def _functions(value: t.Expr) -> Iterator[t.Function | t.Expr]:
    """The function that a value is, by its name or written out, or that a call is given to make it of."""
    if isinstance(value, t.Lambda):
        yield value.function
    elif isinstance(value, t.Name | t.Attr):
        yield value
    elif isinstance(value, t.Call):
        yield from (arg.value for arg in value.args if isinstance(arg.value, t.Lambda | t.Name | t.Attr))


def _stored(function: t.Function) -> frozenset[str]:
    """The names of properties that it changes."""
    found: set[str] = set()
    for one in _below(function):
        if isinstance(one, t.Assign | t.Bind):
            target: t.Expr = one.target
        elif isinstance(one, t.Call) and isinstance(one.func, t.Attr) and one.func.name in _STORES:
            target = one.func.base
        else:
            continue
        found |= {part.name for part in _below(target) if isinstance(part, t.Attr)}
    return frozenset(found)


def _last(target: t.Expr) -> str:
    return target.name if isinstance(target, t.Attr) else target.text


def _below(node: object) -> Iterator[object]:
    """The node and all below it, without a stack of calls."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple | list):
            waiting.extend(one)
        elif isinstance(one, dict):
            waiting.extend(one.values())
        elif is_dataclass(one):
            yield one
            waiting.extend(getattr(one, name) for name in _parts(one.__class__))


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a node that may hold others."""
    return tuple(one.name for one in fields(kind) if one.name not in _LEAVES)


_LEAVES = frozenset({"at", "text", "own", "scoped", "imports", "exports", "path", "file", "bases", "op"})
