"""Calls: routers, functions that can be followed, and what is made of those that cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.lanes.joins import names
from workbench.lanes.joins import tree as t
from workbench.lanes.joins.given import Called, Given
from workbench.lanes.joins.lowering import names_of
from workbench.lanes.joins.methods import Methods
from workbench.lanes.joins.names import Kind, kind_of_name
from workbench.lanes.joins.reading import KNOWN, Found, Spent, listing, unknown
from workbench.lanes.joins.routers import dotted
from workbench.lanes.joins.state import Frame, State, merged
from workbench.lanes.joins.value import NOTHING, Closure, Join, Null, Step, Value, either
from workbench.lanes.joins.wordlist import word_set

__all__ = ["Calling"]

_DEEPEST = 8
_HOPS = 1
_COPIES = word_set(
    "replace evolve list tuple set sorted reversed copy deepcopy cast structuredClone freeze shield"
)
_ASIDE = 1_500
"""Steps at most for a function that is called on the way and leads to no router."""


class Calling(Methods):
    """The part of the engine that makes calls."""

    def call(self, call: t.Call, state: State, frame: Frame) -> Value:
        func = call.func
        receiver: Value | None = None
        if isinstance(func, t.Attr):
            receiver = self.eval(func.base, state, frame)
            callee = self.attr(receiver, func.base, func.name, func.text, func.at)
        else:
            callee = self.eval(func, state, frame)
        if callee.module is not None and not callee.module.python:
            callee = self.export(callee.module, "default")
        given = Given(call, [self.eval(arg.value, state, frame) for arg in call.args])
        name = self._named(call, callee)
        if self.world.routers.is_router(name):
            self.read_by_router(name, call, given, state)
            return KNOWN
        for arg, value in zip(call.args, given.values, strict=True):
            if isinstance(arg.value, t.Name | t.Attr) and self.world.routers.is_given(
                self._alias(dotted(arg.value), value), value.closure is not None
            ):
                self.read_by_router(dotted(arg.value), call, given, state, receiver)
                return KNOWN
        made = self._followed(call, callee, receiver, given, state, frame)
        if made is not None:
            return made
        if receiver is not None and isinstance(func, t.Attr):
            known = self.known_method(call, func, receiver, given, state, frame)
            if known is not None:
                return known
        self.run_callbacks(given, receiver, state, frame)
        return self.guessed(call, name, receiver, given, frame)

    def _named(self, call: t.Call, callee: Value) -> str:
        return self._alias(dotted(call.func), callee)

    def _alias(self, name: str, value: Value) -> str:
        """The name under which a function was defined, where it is called by another."""
        if value.closure is not None and value.closure.function.name:
            last = value.closure.function.name
        elif value.name and value.user is None and value.foreign is None:
            return value.name if "." not in name else name
        else:
            return name
        head, dot, _ = name.rpartition(".")
        return f"{head}{dot}{last}" if not self.world.routers.is_router(name) else name

    # routers

    def read_by_router(
        self, name: str, call: t.Call, given: Given, state: State, receiver: Value | None = None
    ) -> None:
        """Notes the call, and every join that it reads."""
        values = [*given.all(), *([receiver] if receiver is not None else [])]
        if all(value.const is not None for value in values):
            return
        self.world.calls[call.at] = name
        texts = [arg.value.text for arg in call.args] + ["…"] * len(values)
        for number, value in enumerate(values):
            for join in value.all_joins():
                if (join.place, call.at) not in self.world.found:
                    argument = " ".join(texts[number].split())
                    instead = self._instead(join, state)
                    self.world.found[join.place, call.at] = Found(
                        join, name, call.at, " ".join(call.text.split()), argument, instead
                    )

    def _instead(self, join: Join, state: State) -> Step | None:
        """The variable in reach that still holds the user's words alone."""
        ranked: list[tuple[int, int, Step]] = []
        for number, (name, value) in enumerate(state.env.items()):
            for path, inner in _inside(name, value):
                if inner.plain and inner.place is not None and not name.startswith("<"):
                    same = inner.user == join.user
                    rank = 0 if path == join.source else 1 if same else 2
                    ranked.append((rank, number, Step(inner.place, path)))
        if ranked:
            best = min(ranked, key=lambda one: one[:2])
            if best[0] < 2:
                return best[2]
        for written in (join.source, join.user):
            root, *names_below = written.split(".")
            base = state.get(root) if names_below and "(" not in written else None
            if base is None or join.origin is None:
                continue
            holds = unknown(base) or base.instance is not None or base.user is not None
            if holds and not _stored(base, names_below):
                return Step(join.origin, written)
        return min(ranked, key=lambda one: one[:2])[2] if ranked else None

    # functions in reach

    def _followed(
        self, call: t.Call, callee: Value, receiver: Value | None, given: Given, state: State, frame: Frame
    ) -> Value | None:
        if callee.of_class is not None:
            return self._construct(call, callee.of_class, given, state, frame)
        if callee.closure is None:
            return None
        value, after = self.enter(call, callee.closure, given, state, frame)
        if value is None:
            return None
        if after is not None and isinstance(call.func, t.Attr) and receiver is not None:
            self.store(call.func.base, after, state, frame, quiet=True)
        return value

    def _construct(
        self, call: t.Call, owner: tuple[t.Class, t.Module], given: Given, state: State, frame: Frame
    ) -> Value:
        cls = owner[0]
        made = Value(instance=owner, known=True, null=Null.FULL)
        method = self.method(owner, "__init__") or self.method(owner, "constructor")
        if method is not None and method.closure is not None:
            closure = Closure(method.closure.function, method.closure.module, bound=made)
            _, after = self.enter(call, closure, given, state, frame)
            return after if after is not None else made
        for (name, _), value in zip(cls.fields, given.positional, strict=False):
            made = made.with_field(name, value.then(call.at, name))
        for name, value in given.named.items():
            made = made.with_field(name, value.then(call.at, name))
        return made

    def enter(
        self, call: t.Call, closure: Closure, given: Given, state: State, frame: Frame
    ) -> tuple[Value | None, Value | None]:
        """What the call gives back, and what the object is after it that it was called on.

        None and None where it is not followed: too deep, one file too far, or calling itself.
        """
        function = closure.function
        hops = frame.hops + (closure.module is not frame.module)
        if function in frame.stack or len(frame.stack) >= _DEEPEST or hops > _HOPS:
            if hops > _HOPS:
                self.world.too_deep.add(call.at)
            return None, None
        self.world.entered.add(id(function))
        key = (frame.number, call.at, id(function), given.key(), closure.bound and closure.bound.key())
        known = self.world.called.get(key) if closure.frame == 0 else None
        if known is None:
            known = self._run_call(call, closure, given, state, frame, hops)
            if closure.frame == 0:
                self.world.called[key] = known
        if known.last is not None:
            self._write_back(function, known.taken, call, known.last, state, frame)
        return known.value, known.after

    def _run_call(
        self, call: t.Call, closure: Closure, given: Given, state: State, frame: Frame, hops: int
    ) -> Called:
        function = closure.function
        live = closure.frame == frame.number and closure.frame != 0
        outer: Mapping[str, Value] = state.env if live else closure.seen
        inner = State(dict(outer), self.globals_of(closure.module))
        self.world.frames += 1
        called = Frame(self.world.frames, closure.module, function, hops, (*frame.stack, function))
        if live:
            called.number = self.world.frames
        taken = self._bind(function, closure, given, call, inner, called)
        ends = self._run_within(function, inner, called)
        if ends is None:
            return Called(given)
        value = _result(function, called, ends)
        states = [one for _, one in called.gave] + ends
        if not states:
            return Called(given, value)
        last = merged(states)
        if live:
            for name, changed in last.env.items():
                if name not in function.own and state.env.get(name) is not changed and name != "this":
                    state.set(name, changed)
        after = last.env.get(_self_name(function, closure)) if closure.bound is not None else None
        return Called(given, value, after, last, taken)

    def _run_within(self, function: t.Function, state: State, frame: Frame) -> list[State] | None:
        """Runs it; None: it leads to no router and takes more steps than its result is worth."""
        deep = len(frame.stack) > 1  # what a file calls as it is read is gone through by itself
        if self.world.in_aside or (deep and self.world.relevance.matters(function, frame.module)):
            return self.run(function.body, [state], frame)
        left, given = self.world.budget, min(_ASIDE, self.world.aside)
        self.world.budget, self.world.in_aside = given, True
        try:
            return self.run(function.body, [state], frame)
        except Spent:
            return None
        finally:
            self.world.aside -= given - max(0, self.world.budget)
            self.world.budget, self.world.in_aside = left, False

    def _bind(
        self, function: t.Function, closure: Closure, given: Given, call: t.Call, state: State, frame: Frame
    ) -> dict[str, Value]:
        params = list(function.params)
        taken: dict[str, Value] = {}
        if closure.bound is not None:
            state.env[_self_name(function, closure)] = closure.bound
            if closure.module.python and not function.static:
                params = params[1:]
        positional = list(given.positional)
        named = dict(given.named)
        for param in params:
            if param.kind == "*":
                value, positional = listing(positional), []
            elif param.kind == "**":
                value = Value(fields=dict(named), known=True)
            elif positional:
                value = positional.pop(0)
            elif param.name in named:
                value = named.pop(param.name)
            elif given.open:
                value = NOTHING
            elif param.default is not None:
                value = self.eval(param.default, state, frame)
            else:
                value = Value(null=Null.NULL, known=True)
            if param.default is not None and value.null is Null.NULL and not closure.module.python:
                value = self.eval(param.default, state, frame)
            if unknown(value):
                value = self.by_name(param)
            value = value.then(call.at, param.name if param.pattern is None else call.text[:40])
            taken[param.name] = value
            state.env[param.name] = value
            if param.pattern is not None:
                self.unpack(param.pattern, value, t.Name(param.at, "props"), state, frame)
            if param.field:
                self.store_field(state, param.name, value)
        return taken

    def by_name(self, param: t.Param) -> Value:
        """What a parameter holds of which only its name is known."""
        kind = kind_of_name(param.name)
        if kind is Kind.FOREIGN:
            return Value(foreign=param.name, place=param.at)
        if kind is Kind.USER and not param.kind:
            null = Null.UNKNOWN if isinstance(param.default, t.Const) and param.default.null else Null.SET
            return Value(user=param.name, place=param.at, origin=param.at, null=null)
        return NOTHING

    def store_field(self, state: State, name: str, value: Value) -> None:
        """`this.name = value`, for parameters that are fields as well."""
        state.set("this", state.env.get("this", NOTHING).with_field(name, value))

    def _write_back(
        self,
        function: t.Function,
        taken: Mapping[str, Value],
        call: t.Call,
        last: State,
        state: State,
        frame: Frame,
    ) -> None:
        """Gives to the caller's variables what the function did to the objects in them."""
        rebound = names_of(function.body)
        by_position = [param for param in function.params if param.name in taken and not param.kind]
        plain = [arg for arg in call.args if not arg.spread]
        for number, arg in enumerate(plain):
            if arg.name is None:
                param = by_position[number] if number < len(by_position) else None
            else:
                param = next((one for one in by_position if one.name == arg.name), None)
            if param is None or param.name in rebound or not isinstance(arg.value, t.Name | t.Attr):
                continue
            now = last.env.get(param.name)
            if now is not None and now.fields and now.key() != taken[param.name].key():
                self.store(arg.value, now, state, frame, quiet=True)

    def run_callbacks(self, given: Given, receiver: Value | None, state: State, frame: Frame) -> None:
        """Functions that are given to a call that is not followed are taken to run."""
        for value in given.all():
            if value.closure is not None and not value.closure.function.name and value.closure.frame:
                self.call_back(value.closure, [], state, frame)

    def call_back(self, closure: Closure, values: Sequence[Value], state: State, frame: Frame) -> Value:
        """Calls a function that was given to another one, with these values and then any."""
        at = closure.function.at
        missing = max(0, len(closure.function.params) - len(values))
        given_values = [*values, *([NOTHING] * missing)]
        args = tuple(t.Arg(t.Const(at, "…")) for _ in given_values)
        call = t.Call(at, "", t.Name(at, closure.function.name), args)
        value, _ = self.enter(call, closure, Given(call, given_values), state, frame)
        return value if value is not None else NOTHING

    # calls that are not followed

    def guessed(self, call: t.Call, name: str, receiver: Value | None, given: Given, frame: Frame) -> Value:
        """What a call gives back that cannot be followed, by its name and what it was given."""
        texts = [part for value in given.all() for part in value.parts()]
        users = [one for one in texts if one.plain]
        joined = [one for one in texts if one.joins]
        foreign = [one for one in texts if one.foreign is not None and not one.joins]
        written = " ".join(call.text.split())[:120]
        if receiver is not None and receiver.foreign is not None and not receiver.joins:
            last = name.rsplit(".", 1)[-1]
            return Value(foreign=written) if names.carries(last) else KNOWN
        if names.reads(name):
            return Value(foreign=written, null=Null.SET)
        if joined and names.recovers(name):
            return Value(user=joined[0].joins[0].source, null=Null.SET, known=True)
        takes_foreign = bool(foreign) or names.kind_of_call(name) is Kind.FOREIGN
        if users and takes_foreign and (names.joins_by_name(name) or names.resolves(name)):
            other = foreign[0].foreign if foreign else f"{name}()"
            source = users[0].user or ""
            join = Join(call.at, written, source, other or "", source, users[0].origin)
            mixed = names.resolves(name) and not foreign
            return Value(user=source, foreign=other, joins=(join,), mixed=mixed, known=True)
        if joined and names.joins_by_name(name):
            return either(joined)
        if names.kind_of_call(name) is Kind.FOREIGN:
            return Value(foreign=written, null=Null.SET)
        if names.keeps_text(name) and given.all():
            first = given.positional[0] if given.positional else given.all()[0]
            last = name.rsplit(".", 1)[-1]
            if last in _COPIES and len(given.positional) == 1 and (first.fields or given.named):
                return replace(first, fields={**first.fields, **given.named})
            return self.combine([first], call, frame)
        if call.new or name.rsplit(".", 1)[-1][:1].isupper():
            fields = {str(number): value for number, value in enumerate(given.positional)}
            return Value(fields={**fields, **given.named}, known=True)
        if joined and len(texts) == 1 and not receiver:
            return NOTHING
        return NOTHING


def _result(function: t.Function, called: Frame, ends: Sequence[State]) -> Value:
    if function.generator:
        return listing([either(called.yielded)] if called.yielded else [])
    values = [value for value, _ in called.gave]
    if ends:
        values.append(Value(null=Null.NULL, known=True))
    return either(values)


def _self_name(function: t.Function, closure: Closure) -> str:
    if not closure.module.python:
        return "this"
    return function.params[0].name if function.params and not function.static else "<self>"


def _inside(name: str, value: Value, depth: int = 3) -> list[tuple[str, Value]]:
    """The variable and what is known of its fields, each as it is written."""
    found = [(name, replace(value, fields={}) if value.fields else value)]
    if depth and not value.listed:
        for field, inner in value.fields.items():
            found += _inside(f"{name}.{field}", inner, depth - 1)
    return found


def _stored(value: Value, path: Sequence[str]) -> bool:
    """Whether something was stored under this path since."""
    for name in path:
        inner = value.fields.get(name)
        if inner is None:
            return False
        value = inner
    return True
