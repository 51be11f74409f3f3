"""The engine: expressions and statements, along every way through a function."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.calling import Calling
from workbench.lanes.joins.methods import element
from workbench.lanes.joins.names import Kind, kind_of_local, kind_of_name
from workbench.lanes.joins.reading import KNOWN, Spent, blank, listing, unknown
from workbench.lanes.joins.state import Frame, State, compact, merged, ways_kept
from workbench.lanes.joins.value import NOTHING, Closure, Null, Value, either

__all__ = ["Running"]

_SIMPLE = re.compile(r"[\w\s.!=<>'\"\[\]?]+|len\([\w.]+\)[\s<>=!\d]*")


class Running(Calling):
    """The part of the engine that runs code."""

    def eval(self, expr: t.Expr, state: State, frame: Frame) -> Value:
        self.world.budget -= 1
        if self.world.budget < 0:
            raise Spent
        match expr:
            case t.Const():
                null = Null.NULL if expr.null else Null.EMPTY if expr.truth is False else Null.UNKNOWN
                null = Null.FULL if expr.truth else null
                return Value(const=expr.value, null=null, known=True)
            case t.Name():
                return self.name(expr, state)
            case t.Attr():
                base = self.eval(expr.base, state, frame)
                return self.attr(base, expr.base, expr.name, expr.text, expr.at)
            case t.Item():
                return self._item(expr, state, frame)
            case t.Call():
                return self.call(expr, state, frame)
            case t.Concat():
                return self._concat(expr, state, frame)
            case t.Either():
                return self._either(expr, state, frame)
            case t.Branch():
                return self._branch(expr, state, frame)
            case t.Tuple():
                return listing(self._spread(expr.items, state, frame))
            case t.Record():
                return self._record(expr, state, frame)
            case t.Spread():
                return self.eval(expr.inner, state, frame)
            case t.Bind():
                return self._assign(expr.target, expr.value, expr.op, state, frame)
            case t.Lambda():
                closure = Closure(expr.function, frame.module, frame.number, dict(state.env))
                frame.made.append(closure)
                return Value(closure=closure, known=True, null=Null.FULL)
            case t.Each():
                return self._each(expr, state, frame)
            case t.Yield():
                return self._yield(expr, state, frame)
            case t.Not() | t.Same():
                self.eval(expr.inner, state, frame)
                return KNOWN
            case t.Several():
                for part in expr.parts:
                    self.eval(part, state, frame)
                return KNOWN if expr.pure else NOTHING
        return NOTHING

    def _item(self, expr: t.Item, state: State, frame: Frame) -> Value:
        base = self.eval(expr.base, state, frame)
        if expr.key is not None:
            key = self.eval(expr.key, state, frame)
            if key.const is not None:
                return self.attr(base, expr.base, key.const, expr.text, expr.at)
            if base.fields:
                return either(base.fields.values())
        if base.listed or base.user is not None or base.foreign is not None or base.joins:
            return base if base.listed else replace(base, const=None, null=Null.UNKNOWN)
        return NOTHING

    def _concat(self, expr: t.Concat, state: State, frame: Frame) -> Value:
        values = [self.eval(part, state, frame) for part in expr.parts]
        if any(value.listed for value in values) and not any(value.const for value in values):
            return listing(
                [one for value in values for one in (value.fields.values() if value.listed else [value])]
            )
        return self.combine(values, expr, frame, [part.text for part in expr.parts])

    def _either(self, expr: t.Either, state: State, frame: Frame) -> Value:
        left = self.eval(expr.left, state, frame)
        if expr.op == "and":
            if left.null in (Null.NULL, Null.EMPTY):
                return left
            right = self.eval(expr.right, state, frame)
            return replace(right, null=Null.UNKNOWN) if left.null is not Null.FULL else right
        kept = (
            left.null is Null.SET and (expr.op == "??" or left.plain) and not isinstance(expr.right, t.Const)
        )
        if left.null is Null.FULL or kept:
            return left
        right = self.eval(expr.right, state, frame)
        if left.null is Null.NULL or (left.null is Null.EMPTY and expr.op == "or"):
            return right
        if unknown(left):
            return right if isinstance(expr.right, t.Const) and not right.const else either([left, right])
        return either([replace(left, null=Null.FULL if expr.op == "or" else Null.SET), right])

    def _branch(self, expr: t.Branch, state: State, frame: Frame) -> Value:
        truth = self.truth(expr.cond, state, frame)
        if truth is not None:
            return self.eval(expr.then if truth else expr.other, state, frame)
        ways, values = [state.fork(), state.fork()], []
        for way, part, holds in zip(ways, (expr.then, expr.other), (True, False), strict=True):
            self.assume(expr.cond, holds, way)
            values.append(self.eval(part, way, frame))
        state.absorb(ways)
        return either(values)

    def _spread(self, items: Sequence[t.Expr], state: State, frame: Frame) -> list[Value]:
        values: list[Value] = []
        for item in items:
            value = self.eval(item, state, frame)
            values += value.fields.values() if isinstance(item, t.Spread) and value.listed else [value]
        return values

    def _record(self, expr: t.Record, state: State, frame: Frame) -> Value:
        fields: dict[str, Value] = {}
        for number, (key, one) in enumerate(expr.entries):
            value = self.eval(one, state, frame)
            if key is not None:
                fields[key] = value
            elif value.fields:
                fields.update(value.fields)
            elif not isinstance(one, t.Spread):
                fields[f"<{number}>"] = value
        return Value(fields=fields, known=True, null=Null.FULL)

    def _each(self, expr: t.Each, state: State, frame: Frame) -> Value:
        source = self.eval(expr.source, state, frame)
        inner = state.fork()
        self.unpack(expr.target, element(source), expr.source, inner, frame)
        made = self.eval(expr.element, inner, frame)
        return listing([made]) if not isinstance(expr.element, t.Each) else made

    def _yield(self, expr: t.Yield, state: State, frame: Frame) -> Value:
        if expr.value is not None:
            value = self.eval(expr.value, state, frame)
            frame.yielded.append(element(value) if expr.whole else value)
        return NOTHING

    # conditions

    def truth(self, cond: t.Expr, state: State, frame: Frame) -> bool | None:
        """Whether the condition holds; None: it may or may not."""
        if isinstance(cond, t.Not):
            inner = self.truth(cond.inner, state, frame)
            return None if inner is None else not inner
        value = self.eval(cond.inner if isinstance(cond, t.Same) else cond, state, frame)
        fact = state.facts.get(_fact(cond))
        if fact is not None:
            return fact
        if isinstance(cond, t.Same):
            if value.null is Null.NULL:
                return not cond.negated
            return cond.negated if value.null in (Null.EMPTY, Null.SET, Null.FULL) else None
        if isinstance(cond, t.Const):
            return cond.truth
        if isinstance(cond, t.Name | t.Attr) and value.null is not Null.UNKNOWN:
            return {Null.FULL: True, Null.NULL: False, Null.EMPTY: False}.get(value.null)
        return None

    def assume(self, cond: t.Expr, holds: bool, state: State) -> None:
        """Takes the condition as decided."""
        if isinstance(cond, t.Not):
            self.assume(cond.inner, not holds, state)
        elif isinstance(cond, t.Either) and cond.op == ("and" if holds else "or"):
            self.assume(cond.left, holds, state)
            self.assume(cond.right, holds, state)
        elif isinstance(cond, t.Bind):
            self.assume(cond.target, holds, state)
        elif _SIMPLE.fullmatch(cond.text):
            if isinstance(cond, t.Name) and (value := state.env.get(cond.id)) is not None:
                null = Null.FULL if holds else Null.NULL if value.null is Null.UNKNOWN else Null.EMPTY
                state.env[cond.id] = replace(value, null=null)
            elif isinstance(cond, t.Same) and isinstance(cond.inner, t.Name):
                value = state.env.get(cond.inner.id)
                if value is not None:
                    set_now = max(value.null, Null.SET) if value.null is not Null.UNKNOWN else Null.SET
                    null = set_now if holds is cond.negated else Null.NULL
                    state.env[cond.inner.id] = replace(value, null=null)
            state.facts[_fact(cond)] = holds

    # targets

    def store(self, target: t.Expr, value: Value, state: State, frame: Frame, quiet: bool = False) -> None:
        """Gives the value to a variable, a property, or what is taken apart. `quiet`: no step of a path."""
        if not quiet:
            value = value.then(target.at, target.text)
            if value.plain:
                value = replace(value, place=target.at)
        if isinstance(target, t.Name):
            state.set(target.id, value)
        elif isinstance(target, t.Attr | t.Item):
            self._store_field(target, value, state, frame)
        elif isinstance(target, t.Either):
            self.store(target.left, value, state, frame, quiet)
        elif isinstance(target, t.Tuple | t.Record | t.Spread):
            self.unpack(target, value, target, state, frame)

    def _store_field(self, target: t.Expr, value: Value, state: State, frame: Frame) -> None:
        names: list[str] = []
        while isinstance(target, t.Attr | t.Item):
            names.append(target.name if isinstance(target, t.Attr) else t.ANY)
            target = target.base
        if isinstance(target, t.Name):
            root = state.get(target.id) or self.name(target, state)
            state.set(target.id, root.at_path(tuple(reversed(names)), value))

    def unpack(self, target: t.Expr, value: Value, source: t.Expr, state: State, frame: Frame) -> None:
        """Takes a value apart: `source` is how it is written."""
        if isinstance(target, t.Spread):
            self.unpack(target.inner, value, source, state, frame)
        elif isinstance(target, t.Either):
            default = self.eval(target.right, state, frame)
            given = value if not unknown(value) and value.null is not Null.NULL else default
            if unknown(value) and isinstance(target.left, t.Name) and not default.const:
                given = value
            self.unpack(target.left, given, source, state, frame)
        elif isinstance(target, t.Tuple):
            for number, item in enumerate(target.items):
                self.unpack(item, self._nth(value, number, len(target.items)), source, state, frame)
        elif isinstance(target, t.Record):
            for key, item in target.entries:
                one = value
                if key is not None:
                    one = self.attr(value, source, key, f"{source.text}.{key}", item.at)
                self.unpack(item, one, t.Name(source.at, f"{source.text}.{key}"), state, frame)
        else:
            if unknown(value):
                value = self._local(target, source)
            self.store(target, value, state, frame)

    def _nth(self, value: Value, number: int, count: int) -> Value:
        if value.listed:
            items = list(value.fields.values())
            return items[number] if number < len(items) else either(items) if items else KNOWN
        return value if value.user is not None or value.foreign is not None else NOTHING

    def _local(self, target: t.Expr, source: t.Expr) -> Value:
        """What a variable holds of whose value nothing is known but its name."""
        if not isinstance(target, t.Name):
            return NOTHING
        kind = kind_of_local(target.id, source.text)
        if kind is Kind.FOREIGN:
            return Value(foreign=target.id)
        if kind is Kind.USER:
            return Value(user=target.id, place=target.at)
        return Value(name=source.text if isinstance(source, t.Attr | t.Name) else "")

    def _assign(self, target: t.Expr, source: t.Expr, op: str, state: State, frame: Frame) -> Value:
        if op in ("||", "??"):
            value = self._either(
                t.Either(source.at, source.text, op.replace("||", "or"), target, source), state, frame
            )
        elif op == "+":
            sides = (target, source)
            value = self._concat(t.Concat(target.at, f"{target.text} += {source.text}", sides), state, frame)
        elif op:
            self.eval(source, state, frame)
            value = KNOWN
        else:
            value = self.eval(source, state, frame)
        if unknown(value) and isinstance(target, t.Name):
            value = replace(self._local(target, source), place=target.at)
        elif isinstance(target, t.Name) and blank(value) and kind_of_name(target.id) is Kind.FOREIGN:
            value = replace(value, foreign=target.id)
        if isinstance(target, t.Tuple | t.Record):
            self.unpack(target, value, source, state, frame)
        else:
            self.store(target, value, state, frame)
        return value

    # statements

    def run(self, block: t.Block, states: Sequence[State], frame: Frame) -> list[State]:
        """The states in which the block ends."""
        ways = list(states)
        hidden = [{name: way.env.get(name) for name in block.scoped} for way in ways]
        for stmt in block.body:
            if isinstance(stmt, t.Define):
                for way in ways:
                    self._define(stmt, way, frame)
        for stmt in block.body:
            if not ways:
                break
            ways = self._compact([one for way in ways for one in self.step(stmt, way, frame)])
        if block.scoped and frame.function is not None and block is not frame.function.body:
            before = hidden[0] if hidden else {}
            for way in ways:
                for name, value in before.items():
                    if value is None:
                        way.env.pop(name, None)
                    else:
                        way.env[name] = value
        return ways

    def _compact(self, states: list[State]) -> list[State]:
        return compact(states, ways_kept(self.world.budget))

    def _define(self, stmt: t.Define, state: State, frame: Frame) -> None:
        what = stmt.what
        if isinstance(what, t.Class):
            state.env[what.name] = Value(of_class=(what, frame.module), known=True)
            return
        closure = Closure(what, frame.module, frame.number, state.env)
        frame.made.append(closure)
        state.env[what.name] = Value(closure=closure, known=True)

    def step(self, stmt: t.Stmt, state: State, frame: Frame) -> list[State]:
        """The states after one statement."""
        match stmt:
            case t.Assign():
                self._assign(stmt.target, stmt.value, stmt.op, state, frame)
            case t.Do():
                self.eval(stmt.value, state, frame)
            case t.If():
                return self._if(stmt, state, frame)
            case t.Loop():
                return self._loop(stmt, state, frame)
            case t.Try():
                return self._try(stmt, state, frame)
            case t.Cases():
                self.eval(stmt.subject, state, frame)
                ways = [one for body in stmt.bodies for one in self.run(body, [state.fork()], frame)]
                return ways if stmt.whole else [*ways, state]
            case t.Give():
                value = self.eval(stmt.value, state, frame) if stmt.value is not None else KNOWN
                if not stmt.raised:
                    named = frame.function.name if frame.function is not None else ""
                    frame.gave.append((value.then(stmt.at, f"{named}()"), state))
                return []
            case t.Leave():
                frame.left.append(state)
                return []
            case t.Block():
                return self.run(stmt, [state], frame)
        return [state]

    def _if(self, stmt: t.If, state: State, frame: Frame) -> list[State]:
        truth = self.truth(stmt.cond, state, frame)
        ways: list[State] = []
        if truth is not False:
            then = state.fork() if truth is None else state
            self.assume(stmt.cond, True, then)
            ways += self.run(stmt.then, [then], frame)
        if truth is not True:
            self.assume(stmt.cond, False, state)
            ways += self.run(stmt.other, [state], frame) if stmt.other is not None else [state]
        return ways

    def _loop(self, stmt: t.Loop, state: State, frame: Frame) -> list[State]:
        outside, frame.left = frame.left, []
        ends = [] if stmt.least else [state.fork()]
        ways = [state]
        for _ in range(2):
            for way in ways:
                if stmt.target is not None and stmt.source is not None:
                    source = self.eval(stmt.source, way, frame)
                    self.unpack(stmt.target, element(source), stmt.source, way, frame)
            ways = self._compact([*self.run(stmt.body, ways, frame), *frame.left])
            frame.left = []
            if not ways:
                break
            ends += [way.fork() for way in ways]
        frame.left = outside
        return self._compact(ends)

    def _try(self, stmt: t.Try, state: State, frame: Frame) -> list[State]:
        gave = len(frame.gave)
        start = state.fork()
        ways = self.run(stmt.body, [state], frame)
        middle = merged([start, *(way.fork() for way in ways)])
        for handler in stmt.handlers:
            ways = [*ways, *self.run(handler, [middle.fork()], frame)]
        if stmt.final is None:
            return ways
        for _, way in frame.gave[gave:]:
            self.run(stmt.final, [way.fork()], frame)
        if not stmt.handlers:
            self.run(stmt.final, [middle.fork()], frame)
        return self.run(stmt.final, self._compact(ways), frame)


def _fact(cond: t.Expr) -> str:
    return " ".join(cond.text.split())
