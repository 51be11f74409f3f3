"""Every place where source code names a lane, and what comes of the name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

from workbench.lanes.emits.doing import How, chain_of
from workbench.lanes.emits.sources import Sources
from workbench.lanes.emits.standing import (
    FUNCTIONS,
    Carrier,
    Handed,
    Reach,
    Standing,
    names_of,
    standing_of,
)
from workbench.lanes.syntax.code import Code, Place
from workbench.lanes.syntax.language import Language

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["Seen", "Sight"]

_Kinds: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
_SCRIPT: _Kinds = (
    ("string", "template_string"),
    ("identifier", "property_identifier", "shorthand_property_identifier"),
)
_KINDS: dict[Language, _Kinds] = {  # of literals, and of identifiers
    Language.PYTHON: (("string",), ("identifier",)),
    Language.JAVASCRIPT: _SCRIPT,
    Language.TYPESCRIPT: _SCRIPT,
    Language.TSX: _SCRIPT,
    Language.RUST: (("string_literal", "raw_string_literal"), ("identifier", "field_identifier")),
    Language.GO: (("interpreted_string_literal", "raw_string_literal"), ("identifier", "field_identifier")),
}
_DEEPEST = 3
_MOST_DEFINITIONS = 8
# fmt: off
_COMMON = frozenset({
    "name", "id", "key", "label", "kind", "type", "value", "text", "data", "get", "set", "push",
    "append", "add", "map", "self", "this",
})
# fmt: on


@dataclass(frozen=True, slots=True)
class Seen:
    """A place that names a lane. `certain`: it is named there as a lane, and that goes to what does it, as
    it stands or by variables and functions that nothing else can be meant by.

    `by`: where that happens, if not there.
    """

    how: How
    place: Place
    certain: bool = False
    by: Place | None = None


class _Way(IntEnum):
    """How sure it is that the variables and functions on the way are those that are meant."""

    LOOSE = 0  # a member of any object, or one of several functions of the name
    FAIR = 1  # the only one of that name
    EXACT = 2


@dataclass(frozen=True, slots=True)
class _End:
    """Where a name that was followed ends. `keyed`: what ends there is named as a lane."""

    place: Place
    way: _Way
    keyed: bool


_Ends: TypeAlias = dict[How, _End]


class Sight:
    """Looks for lanes in a source tree; what is learnt of a variable or a function is kept."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._known: dict[tuple[str, str, int, Reach, int], _Ends] = {}
        self._defined: dict[tuple[str, _Kinds], list[tuple[Code, SgNode]]] = {}

    def of(self, lane: str) -> list[Seen]:
        """Everything that is seen of a lane, by its place; each way of each place once."""
        found: dict[tuple[How, Place], Seen] = {}
        for code in self._sources.holding(lane):
            for one in self._in_file(code, lane):
                held = found.get((one.how, one.place))
                if held is None or (one.certain and not held.certain):
                    found[one.how, one.place] = one
        return sorted(found.values(), key=lambda one: (one.place, one.how))

    def _in_file(self, code: Code, lane: str) -> Iterator[Seen]:
        quoted = _escaped(lane)
        for node in _literals(code, rf"""^[bcfru]*#*["'`]+{quoted}["'`]+#*$"""):
            if not _in_tests(node):
                yield from self._seen(code, node)
        for node in _identifiers(code, code.root, lane):
            standing = standing_of(node) if _is_key(node) and not _in_tests(node) else Standing()
            yield from (Seen(how, code.place(node)) for how in standing.how)
        for node in _literals(code, _spoken(quoted)):
            if How.LOG in standing_of(node).how and not _in_tests(node):
                yield Seen(How.LOG, code.place(node))

    def _seen(self, code: Code, node: SgNode) -> Iterator[Seen]:
        place, standing = code.place(node), standing_of(node)
        for how in standing.how:
            yield Seen(how, place, standing.keyed)
        if standing.how:
            return
        followed = self._followed(code, standing, 1)
        told = False
        for how, end in followed.items():
            keyed = end.keyed or standing.keyed
            if keyed or end.way is not _Way.LOOSE:
                told = True
                yield Seen(how, place, keyed and end.way is _Way.EXACT, end.place)
        if not told:
            yield Seen(How.NAMED, place, standing.keyed)

    def _followed(self, code: Code, standing: Standing, depth: int) -> _Ends:
        """What becomes of the name further on, with one end for each."""
        found: _Ends = {}
        if depth > _DEEPEST:
            return found
        for carrier in standing.carriers:
            _add(found, self._carried(code, carrier, depth))
        for handed in standing.handed:
            functions = self._definitions(handed.function, code.language)
            for where, function in functions:
                for name in _parameters(function, handed):
                    ends = self._carried(where, Carrier(name, function, Reach.LOCAL), depth)
                    only = _Way.FAIR if handed.method else _Way.EXACT
                    _add(found, ends, only if len(functions) == 1 else _Way.LOOSE)
        return found

    def _carried(self, code: Code, carrier: Carrier, depth: int) -> _Ends:
        start = carrier.within.range().start.index if carrier.within is not None else -1
        where = carrier.owner or "" if _is_wide(carrier) else code.name
        key = (where, carrier.name, start, carrier.reach, depth)
        if key not in self._known:
            self._known[key] = self._used(code, carrier, depth)
        return self._known[key]

    def _used(self, code: Code, carrier: Carrier, depth: int) -> _Ends:
        found: _Ends = {}
        for one in self._sources.holding(carrier.name) if _is_wide(carrier) else (code,):
            root = carrier.within if carrier.within is not None else one.root
            for node in _identifiers(one, root, carrier.name):
                member = _is_member(node)
                if _is_only_key(node) or carrier.reach is (Reach.LOCAL if member else Reach.MEMBER):
                    continue
                way = _Way.EXACT if one.name == code.name else _Way.FAIR
                if member:
                    way = _Way.FAIR if _is_of(node, carrier.owner) else _Way.LOOSE
                standing = standing_of(node)
                end = _End(one.place(node), way, standing.keyed)
                _add(found, dict.fromkeys(standing.how, end))
                if not standing.how:
                    _add(found, self._followed(one, standing, depth + 1), way)
        return found

    def _definitions(self, name: str, language: Language) -> list[tuple[Code, SgNode]]:
        kinds = _KINDS[language]
        if (name, kinds) not in self._defined:
            found = [] if name in _COMMON else list(self._functions(name, kinds))
            self._defined[name, kinds] = found if len(found) <= _MOST_DEFINITIONS else []
        return self._defined[name, kinds]

    def _functions(self, name: str, kinds: _Kinds) -> Iterator[tuple[Code, SgNode]]:
        """The functions of that name in the languages that have these kinds of nodes."""
        for code in self._sources.holding(name):
            if _KINDS[code.language] != kinds:
                continue
            for node in _identifiers(code, code.root, name):
                parent = node.parent()
                if parent is None or (parent.field("name") or parent.field("key")) != node:
                    continue
                value = parent.field("value")
                if parent.kind() in FUNCTIONS:
                    yield code, parent
                elif value is not None and value.kind() in FUNCTIONS:
                    yield code, value


def _add(found: _Ends, more: _Ends, way: _Way = _Way.EXACT) -> None:
    """Takes in what is new, or surer than what was known."""
    for how, end in more.items():
        one = replace(end, way=min(end.way, way))
        if how not in found or (one.way, one.keyed) > (found[how].way, found[how].keyed):
            found[how] = one


def _is_wide(carrier: Carrier) -> bool:
    """Whether other files may use it."""
    return carrier.reach is not Reach.LOCAL and carrier.name not in _COMMON


def _literals(code: Code, regex: str) -> list[SgNode]:
    return _found(code.root, _KINDS[code.language][0], regex)


def _identifiers(code: Code, root: SgNode, name: str) -> list[SgNode]:
    return _found(root, _KINDS[code.language][1], f"^{_escaped(name)}$")


def _found(root: SgNode, kinds: tuple[str, ...], regex: str) -> list[SgNode]:
    return root.find_all({"rule": {"any": [{"kind": kind} for kind in kinds], "regex": regex}})


def _escaped(name: str) -> str:
    """As the parser's own regular expressions want it: they refuse a backslash where none is needed."""
    return re.sub(r"[\\.+*?()|\[\]{}^$#&~-]", r"\\\g<0>", name)


def _spoken(quoted: str) -> str:
    """The name within a message, where it can only be the lane's: `memory=3`, `lane memory`, `[memory]`."""
    said = (
        rf"""(^|[^\w.-])lane[\s=:'"`]+{quoted}([^\w-]|$)""",
        rf"""(^|[^\w.-]){quoted}(\s*[=:]|['"`]?\s+lane([^\w]|$))""",
        rf"""\[{quoted}\]""",
    )
    return "|".join(said)


def _is_key(node: SgNode) -> bool:
    """Whether an identifier is the key of an entry, or a member that something is stored in."""
    parent = node.parent()
    if parent is None:
        return False
    kind = parent.kind()
    if kind == "token_tree":
        after = node.next()
        return after is not None and after.text() == "="
    if node.kind() == "shorthand_property_identifier":
        return True
    key = parent.field("key") or parent.field("name") or parent.field("field")
    if kind in ("pair", "keyword_argument", "field_initializer"):
        return key == node
    above = parent.parent()
    return kind == "literal_element" and above is not None and above.child(0) == parent


def _is_only_key(node: SgNode) -> bool:
    """Whether an identifier names an entry, and is no value at the same time."""
    return node.kind() != "shorthand_property_identifier" and _is_key(node)


def _is_member(node: SgNode) -> bool:
    parent = node.parent()
    if parent is None:
        return False
    tails = (parent.field("property"), parent.field("attribute"), parent.field("field"), parent.field("name"))
    heads = ("member_expression", "attribute", "field_expression", "selector_expression", "scoped_identifier")
    return parent.kind() in heads and node in tails


def _is_of(node: SgNode, owner: str | None) -> bool:
    """Whether a member is asked of its own class or enumeration: `Lane.MEMORY`."""
    chain = chain_of(node.parent() or node)
    return owner is not None and owner in chain[:-1]


def _in_tests(node: SgNode) -> bool:
    """Whether it stands in the tests at the end of a file of Rust."""
    for one in node.ancestors():
        if one.kind() == "mod_item" and (name := one.field("name")) is not None:
            return name.text() in ("tests", "test")
    return False


def _parameters(function: SgNode, handed: Handed) -> Iterator[str]:
    """The identifiers by which a function gets an argument."""
    given = function.field("parameters") or function.field("parameter")
    if given is None:
        return
    slots: list[list[str]] = []
    for one in given.children() if given.kind() != "identifier" else (given,):
        if not one.is_named() or one.kind() in ("self_parameter", "comment"):
            continue
        if one.kind() == "parameter_declaration":  # of Go: several may share a type
            slots += [[name.text()] for name in one.field_children("name")]
            continue
        holder = one.field("pattern") or one.field("name") or one.field("left")
        if holder is None:
            holder = next((part for part in one.children() if part.is_named()), one)
        slots.append(names_of(holder))
    if slots and slots[0] in (["self"], ["cls"]):
        del slots[0]
    for number, names in enumerate(slots):
        if handed.argument is None:
            yield from (name for name in names if name == handed.keyword)
        elif number == handed.argument:
            exact = [name for name in names if name == handed.keyword]
            yield from exact or names
