"""Methods of texts, lists and objects that every program uses."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.given import Given
from workbench.lanes.joins.names import Kind, keeps_text, kind_of_name, words
from workbench.lanes.joins.reading import KNOWN, Reading, blank, listing, unknown
from workbench.lanes.joins.state import Frame, State
from workbench.lanes.joins.value import NOTHING, Closure, Null, Value, either
from workbench.lanes.joins.wordlist import word_set

__all__ = ["Methods", "element", "items"]

_ADDS = frozenset({"append", "push", "add", "unshift", "insert", "appendleft", "extend", "write"})
_OVER = frozenset(
    {"map", "flatMap", "forEach", "find", "findLast", "filter", "some", "every", "sort", "then"}
)
_SAME_LIST = word_set(
    """
    filter slice reverse sort sorted concat flat items values entries copy toSorted toReversed then
    catch finally flat findLast tolist getvalue read
    """
)
_TESTS = word_set(
    """
    startswith endswith includes test match exec search indexOf index find count startsWith endsWith
    isdigit
    """
)
_FIELD = re.compile(r"\{([^{}]*)\}|%s|%\((\w+)\)s|\$\{?(\w+)\}?")
_MOST_ITEMS = 12
_COPIES = frozenset({"replace", "_replace", "copy", "model_copy", "evolve", "with"})


def element(value: Value) -> Value:
    """Any one item of a list; of something that holds only other people's text, that."""
    if value.listed and not value.open_list:
        return either(value.fields.values()) if value.fields else KNOWN
    return value


class Methods(Reading):
    """The part of the engine that knows the methods of a language's own types."""

    @abstractmethod
    def eval(self, expr: t.Expr, state: State, frame: Frame) -> Value: ...

    @abstractmethod
    def store(
        self, target: t.Expr, value: Value, state: State, frame: Frame, quiet: bool = False
    ) -> None: ...

    @abstractmethod
    def unpack(self, target: t.Expr, value: Value, source: t.Expr, state: State, frame: Frame) -> None: ...

    @abstractmethod
    def run(self, block: t.Block, states: Sequence[State], frame: Frame) -> list[State]: ...

    @abstractmethod
    def call_back(self, closure: Closure, values: Sequence[Value], state: State, frame: Frame) -> Value: ...

    def known_method(
        self, call: t.Call, func: t.Attr, receiver: Value, given: Given, state: State, frame: Frame
    ) -> Value | None:
        """The result of a method of a text, list or object; None where it is another one."""
        name = func.name
        if name in _ADDS and (receiver.listed or receiver.const is None):
            return self._add(func, receiver, given, state, frame)
        if name in _COPIES and given.named and not given.positional:
            return replace(receiver, fields={**receiver.fields, **given.named}, const=None)
        if name == "get" and given.positional and unknown(receiver) and (key := given.positional[0].const):
            return self.attr(receiver, func.base, key, f"{func.base.text}.{key}", func.at)
        if name in ("join", "format", "%", "replace", "replaceAll", "substitute", "safe_substitute"):
            return self._made_text(call, func, receiver, given, frame)
        if name == "|" and (receiver.fields or given.positional):
            other = given.positional[0]
            return replace(receiver, fields={**receiver.fields, **other.fields}, known=True)
        if name == "concat":
            if receiver.listed:
                return listing([*items(receiver), *(one for arg in given.positional for one in items(arg))])
            return self.combine([receiver, *given.positional], call, frame, [func.base.text])
        if name in _OVER or name == "reduce":
            return self._over(name, receiver, given, state, frame)
        if name == "update" and given.positional:
            fields = {**receiver.fields, **given.positional[0].fields, **given.named}
            self.store(func.base, replace(receiver, fields=fields), state, frame, quiet=True)
            return KNOWN
        if name == "assign" and func.base.text == "Object" and given.positional:
            fields = {key: one for value in given.positional for key, one in value.fields.items()}
            made = replace(given.positional[0], fields=fields)
            if call.args and isinstance(call.args[0].value, t.Name | t.Attr):
                self.store(call.args[0].value, made, state, frame, quiet=True)
            return made
        if func.base.text == "Promise" or func.text in ("asyncio.gather", "asyncio.wait_for"):
            first = given.positional[0] if given.positional else NOTHING
            return listing(given.positional) if name == "gather" else first
        if name in ("entries", "values", "items", "keys", "from") and func.base.text in ("Object", "Array"):
            return given.positional[0] if given.positional else NOTHING
        return self._text_method(call, func, receiver, given)

    def _text_method(self, call: t.Call, func: t.Attr, receiver: Value, given: Given) -> Value | None:
        name = func.name
        held = receiver.user is not None or receiver.foreign is not None or bool(receiver.joins)
        if func.text == "re.sub" and len(given.positional) > 2:
            value = given.positional[2]
            if value.joins:
                return Value(user=value.joins[0].source, null=Null.SET, known=True)
            return value
        if receiver.listed and (name in _SAME_LIST or keeps_text(name)):
            return receiver
        if receiver.listed and name in ("pop", "shift", "get", "at"):
            return element(receiver)
        if not held:
            if receiver.const is not None and keeps_text(name):
                return receiver
            if receiver.fields and name in ("pop", "get", "setdefault"):
                return either(receiver.fields.values())
            return None
        if name in _TESTS:
            return KNOWN
        if name in ("split", "partition", "rpartition", "rsplit") and receiver.joins:
            separator = given.positional[0].const if given.positional else None
            if separator is not None and separator.strip() and "\n" not in separator:
                return Value(user=receiver.joins[0].source, null=Null.SET, known=True)
            return replace(receiver, null=Null.UNKNOWN)
        if keeps_text(name) or name in _SAME_LIST or name in ("split", "partition", "rsplit", "rpartition"):
            if receiver.user is not None and name in ("replace_doc", "filter"):
                return receiver
            null = receiver.null if receiver.null is Null.NULL else Null.SET
            return replace(receiver, null=null, const=None)
        if receiver.plain or receiver.joins:
            said = set(words(name)) & {"text", "content", "body", "raw", "clean"}
            if said and not set(words(name)) & {"reply", "send", "set", "write"}:
                return receiver
            return None if receiver.foreign is None and name in ("json", "get_json") else KNOWN
        return None

    def _add(self, func: t.Attr, receiver: Value, given: Given, state: State, frame: Frame) -> Value:
        fields = dict(receiver.fields) if receiver.listed else {}
        new = given.positional[1:] if func.name == "insert" else given.positional
        if func.name == "extend":
            new = [one for value in new for one in items(value)]
        if not receiver.listed and (receiver.user is not None or receiver.foreign is not None):
            fields = {"0": replace(receiver, fields={})}
        listed = func.base.text.rsplit(".", 1)[-1]
        told = kind_of_name(listed) is Kind.FOREIGN
        for value in new:
            if told and (unknown(value) or blank(value)):
                value = replace(value, foreign=listed, known=True)
            place = len(fields)
            if place < _MOST_ITEMS:
                fields[str(place)] = value
            else:
                fields[str(place - 1)] = either([fields[str(place - 1)], value])
        self.store(func.base, Value(fields=fields, listed=True, known=True), state, frame, quiet=True)
        return KNOWN

    def _made_text(
        self, call: t.Call, func: t.Attr, receiver: Value, given: Given, frame: Frame
    ) -> Value | None:
        name = func.name
        args = given.positional
        texts = [arg.value.text for arg in call.args]
        if name == "join":
            if receiver.listed or receiver.user is not None or receiver.foreign is not None or receiver.joins:
                return self.combine(items(receiver), call, frame)
            if args and (receiver.const is not None or args[0].listed or args[0].foreign is not None):
                return self.combine(items(args[0]), call, frame)
            return None
        if name in ("replace", "replaceAll"):
            return self._replaced(call, func, receiver, args, frame)
        if receiver.const is None:
            values = [receiver, *given.all()] if name != "%" or receiver.user is not None else []
            return self.combine(values, call, frame, [func.base.text, *texts]) if values else None
        parts: list[Value] = []
        sources: list[str] = []
        given_named = dict(given.named)
        if len(args) == 1 and args[0].fields and not args[0].listed:
            given_named.update(args[0].fields)
        at = 0
        for number, hole in enumerate(_FIELD.finditer(receiver.const)):
            parts.append(Value(const=receiver.const[at : hole.start()], known=True))
            key = hole[1] or hole[2] or hole[3] or ""
            at = hole.end()
            value = given_named.get(key)
            if value is None and (not key or key.isdigit()):
                index = int(key) if key else number
                value = args[index] if index < len(args) else None
            parts.append(value if value is not None else NOTHING)
            sources += ["", key]
        parts.append(Value(const=receiver.const[at:], known=True))
        return self.combine(parts, call, frame, sources)

    def _replaced(
        self, call: t.Call, func: t.Attr, receiver: Value, args: Sequence[Value], frame: Frame
    ) -> Value | None:
        if len(args) < 2:
            return replace(receiver, const=None) if receiver.user is not None or receiver.joins else None
        what, new = args[0], args[1]
        if receiver.joins and new.const == "" and (what.foreign is not None or what.const is None):
            return Value(user=receiver.joins[0].source, null=Null.SET, known=True)
        if receiver.const is not None and what.const and what.const in receiver.const:
            before, _, after = receiver.const.partition(what.const)
            around = [Value(const=before, known=True), new, Value(const=after, known=True)]
            return self.combine(around, call, frame, ["", call.args[1].value.text])
        if new.closure is not None:
            return replace(receiver, const=None)
        return self.combine([receiver, new], call, frame, [func.base.text, call.args[1].value.text])

    def _over(self, name: str, receiver: Value, given: Given, state: State, frame: Frame) -> Value | None:
        closure = given.positional[0].closure if given.positional else None
        if closure is None:
            if receiver.listed or receiver.user is not None or receiver.foreign is not None or receiver.joins:
                return receiver if name in ("filter", "sort", "then") else None
            return None
        one = element(receiver) if name != "then" else receiver
        if name == "reduce":
            start = given.positional[1] if len(given.positional) > 1 else one
            once = self.call_back(closure, [start, one], state, frame)
            return self.call_back(closure, [once, one], state, frame)
        made = self.call_back(closure, [one], state, frame)
        if name in ("map", "flatMap"):
            return listing([made])
        if name == "then":
            return made
        return one if name in ("find", "findLast") else receiver if name in ("filter", "sort") else KNOWN


def items(value: Value) -> list[Value]:
    """A list's items, or the value itself where it is no list that is known."""
    return list(value.fields.values()) if value.listed else [value]
