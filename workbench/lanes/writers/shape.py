"""One view of five grammars: calls, records, places, literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from workbench.lanes.writers.kinds import CALLS, MEMBERS, STRINGS, WRAPS

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = [
    "Entry",
    "arguments",
    "assigned",
    "callee",
    "entries",
    "grows",
    "holes",
    "is_code",
    "literal",
    "named",
    "receiver",
    "stripped",
]


class Entry(NamedTuple):
    """A key of a record, or a keyword of a call. `value` is the key's own node where both are one word."""

    key: str
    value: SgNode


def is_code(node: SgNode) -> bool:
    """Whether it is no comment and no sign."""
    return node.is_named() and not node.kind().endswith("comment")


def stripped(node: SgNode) -> SgNode:
    """Without brackets, `await`, casts and references around it."""
    while node.kind() in WRAPS:
        named = [child for child in node.children() if is_code(child)]
        if not named:
            break
        node = named[0]
    return node


def named(node: SgNode, depth: int = 8) -> str:
    """What a place is called, as written, calls in it without their arguments: `client.agent().build`."""
    node = stripped(node)
    kind = node.kind()
    if kind in CALLS:
        function = node.field("function") or node.field("constructor")
        return "" if function is None else f"{_inside(function, depth)}()"
    if kind in MEMBERS:
        object_ = node.field("object") or node.field("value") or node.field("operand")
        name = node.field("attribute") or node.field("property") or node.field("field")
        if object_ is not None and name is not None:
            return f"{_inside(object_, depth)}.{name.text()}"
    if kind == "generic_function":
        function = node.field("function")
        return "" if function is None else _inside(function, depth)
    return re.sub(r"\s+", "", node.text()[:300])


def _inside(node: SgNode, depth: int) -> str:
    return named(node, depth - 1) if depth else "..."


def callee(call: SgNode) -> str:
    """What is called, as of `named`."""
    function = call.field("function") or call.field("constructor")
    return "" if function is None else named(function)


def receiver(call: SgNode) -> tuple[SgNode, str] | None:
    """Of `a.b.push(x)`: the node of `a.b`, and `push`."""
    function = call.field("function")
    if function is None or function.kind() not in MEMBERS:
        return None
    object_ = function.field("object") or function.field("value") or function.field("operand")
    name = function.field("attribute") or function.field("property") or function.field("field")
    return None if object_ is None or name is None else (object_, name.text())


def arguments(call: SgNode) -> list[SgNode]:
    """The arguments of a call, keywords left out."""
    inside = call.field("arguments")
    if inside is None:
        return []
    if inside.kind() == "generator_expression":
        return [inside]
    return [one for one in inside.children() if is_code(one) and one.kind() != "keyword_argument"]


def entries(node: SgNode) -> Iterator[Entry]:
    """The keys of a record, of a call's keywords, or of a struct or composite literal."""
    kind = node.kind()
    if kind in CALLS:
        inside = node.field("arguments")
    elif kind == "struct_expression" or kind == "composite_literal":
        inside = node.field("body")
    else:
        inside = node
    for one in inside.children() if inside is not None else ():
        entry_kind = one.kind()
        if entry_kind == "pair":
            key, value = one.field("key"), one.field("value")
        elif entry_kind == "keyword_argument":
            key, value = one.field("name"), one.field("value")
        elif entry_kind in ("shorthand_property_identifier", "shorthand_field_initializer"):
            key = value = one
        elif entry_kind in ("field_initializer", "keyed_element"):
            named = [child for child in one.children() if child.is_named()]
            key, value = (named[0], named[-1]) if len(named) > 1 else (None, None)
        else:
            continue
        if key is not None and value is not None:
            yield Entry(key.text().strip("'\"`"), stripped(value))


def assigned(node: SgNode) -> tuple[str, SgNode] | None:
    """What an assignment or a declaration gives a value: the place as written, and the value."""
    kind = node.kind()
    if kind in ("variable_declarator", "var_spec", "public_field_definition", "field_definition"):
        target = node.field("name") or node.field("property")
        value = node.field("value")
    elif kind == "let_declaration":
        target, value = node.field("pattern"), node.field("value")
    else:
        target, value = node.field("left"), node.field("right")
    if target is None or value is None:
        return None
    name = re.sub(r"\s+", "", target.text()[:300])
    return name.removeprefix("mut").strip() if kind == "let_declaration" else name, stripped(value)


def grows(node: SgNode) -> bool:
    """Whether an assignment adds to what is there."""
    return any(one.text() == "+=" for one in node.children() if not one.is_named())


def literal(node: SgNode) -> str | None:
    """The text of a string that has nothing put into it."""
    node = stripped(node)
    if node.kind() not in STRINGS or holes(node):
        return None
    return re.sub(r"""\A[rbufRBUF]*['"`]+|['"`]+\Z""", "", node.text())


def holes(node: SgNode) -> list[SgNode]:
    """The places in a string where something is put in."""
    parts = node.children()
    if node.kind() == "concatenated_string":
        return [hole for part in parts for hole in holes(part)]
    return [part for part in parts if part.kind() in ("interpolation", "template_substitution")]
