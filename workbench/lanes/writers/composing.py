"""Text that is put together of several: how, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.lanes.joins.wordlist import word_set
from workbench.lanes.writers.kinds import BINARY, CALLS, CHOICES, NAMES, STRINGS
from workbench.lanes.writers.shape import (
    arguments,
    callee,
    entries,
    holes,
    is_code,
    literal,
    named,
    receiver,
    stripped,
)
from workbench.lanes.writers.site import SiteKind
from workbench.lanes.writers.words import last_name

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["called", "composed", "operands"]

_CHAINS = word_set(
    """
    trim strip rstrip lstrip string to_string tostring into clone map filter flat tolist slice join
    encode decode as_str trimend trimstart replace concat text collect iter
    """
)
_WRAPPERS = re.compile(
    r"(?:\A|[.:_])(?:Sprintf|Sprint|Join|String|str|String::from|dedent|cleandoc)\Z"
    r"|(?:\A|[.:_])(?i:\w*(?:trunc|clip|escape|saniti[sz]e|redact|shorten|limit_?text|fence|wrap_)\w*)\Z"
)


def composed(node: SgNode, depth: int = 0) -> SiteKind | None:
    """How a text is put together of several; None: it is one name, one literal, or no text."""
    node = stripped(node)
    kind = node.kind()
    if depth > 6:
        return None
    if kind in STRINGS:
        return SiteKind.TEMPLATE if holes(node) else None
    if kind in BINARY:
        return _binary(node, depth)
    if kind in CHOICES:
        found = [composed(one, depth + 1) for one in node.children() if one.is_named()]
        return next((one for one in found if one), None)
    if kind == "macro_invocation":
        name = node.field("macro")
        return (
            SiteKind.TEMPLATE
            if name is not None and name.text() in ("format", "formatdoc", "indoc")
            else None
        )
    if kind in CALLS:
        return _call(node, depth)
    return None


def _binary(node: SgNode, depth: int) -> SiteKind | None:
    sides = (node.field("left"), node.field("right"))
    operator = next((one.text() for one in node.children() if not one.is_named()), "")
    if operator in ("||", "??"):
        found = [composed(side, depth + 1) for side in sides if side is not None]
        return next((one for one in found if one), None)
    if operator == "%":
        return SiteKind.TEMPLATE
    if operator != "+":
        return None
    leaves = list(_leaves(node))
    if all(literal(leaf) is not None for leaf in leaves):
        return None
    numbers = ("integer", "number", "float", "integer_literal", "int_literal")
    return None if any(leaf.kind() in numbers for leaf in leaves) else SiteKind.CONCAT


def _leaves(node: SgNode) -> Iterator[SgNode]:
    waiting = [node]
    while waiting:
        one = stripped(waiting.pop())
        if one.kind() in BINARY:
            waiting.extend(side for side in (one.field("right"), one.field("left")) if side is not None)
        else:
            yield one


def _call(node: SgNode, depth: int) -> SiteKind | None:
    name = callee(node)
    if name in (
        "fmt.Sprintf",
        "fmt.Sprint",
        "textwrap.dedent",
        "dedent",
        "inspect.cleandoc",
        "strings.Replace",
    ):
        return SiteKind.TEMPLATE if len(arguments(node)) > 1 else _first(node, depth)
    if name == "strings.Join":
        return SiteKind.JOIN
    found = receiver(node)
    if found is None:
        return None
    object_, method = found
    if method == "join":
        return (
            SiteKind.JOIN
            if len(arguments(node)) < 2 and not re.search(r"(?:path|os|Path)\Z", named(object_))
            else None
        )
    if method in ("format", "format_map", "safe_substitute", "substitute", "format_prompt"):
        return SiteKind.TEMPLATE
    if method == "render" and re.search(r"templ|prompt|env", named(object_), re.I):
        return SiteKind.TEMPLATE
    if method in ("replace", "replaceAll") and re.search(r"prompt|template", named(object_), re.I):
        return SiteKind.TEMPLATE
    if method.lower() in _CHAINS or method == "concat":
        return composed(object_, depth + 1)
    return None


def _first(node: SgNode, depth: int) -> SiteKind | None:
    given = arguments(node)
    return composed(given[0], depth + 1) if given else None


def operands(node: SgNode, depth: int = 0) -> Iterator[str]:
    """The places whose text goes into this one, as they are written."""
    node = stripped(node)
    kind = node.kind()
    if depth > 8:
        return
    if kind in NAMES:
        name = named(node)
        yield name
        if name.endswith("]"):
            yield name.partition("[")[0]
    elif kind == "macro_invocation":
        yield from re.findall(r"[({,]\s*&?([a-z_]\w*)\b", node.text()[:2_000])
    else:
        for inner in _inner(node, kind):
            yield from operands(inner, depth + 1)


def called(node: SgNode, depth: int = 0) -> Iterator[str]:
    """The functions whose results go into this text."""
    node = stripped(node)
    kind = node.kind()
    if depth > 8:
        return
    inner = list(_inner(node, kind))
    if kind in CALLS and not inner:
        yield last_name(callee(node))
    for one in inner:
        yield from called(one, depth + 1)


def _inner(node: SgNode, kind: str) -> Iterator[SgNode]:
    """The nodes within one that its text comes from."""
    if kind in STRINGS:
        for hole in holes(node):
            yield from (part for part in hole.children() if part.is_named())
    elif kind in BINARY:
        yield from _leaves(node)
    elif kind in CHOICES:
        yield from (child for child in node.children() if child.is_named())
    elif kind in ("list", "array"):
        yield from (child for child in node.children() if is_code(child))
    elif kind in ("generator_expression", "list_comprehension"):
        body = node.field("body")
        if body is not None:
            yield body
        for clause in node.children():
            right = clause.field("right") if clause.kind() == "for_in_clause" else None
            if right is not None:
                yield right
    elif kind in CALLS:
        yield from _inner_of_call(node)


def _inner_of_call(node: SgNode) -> Iterator[SgNode]:
    found = receiver(node)
    given = arguments(node)
    name = callee(node)
    if given and _WRAPPERS.search(name):
        yield from given[:2]
    elif found is not None and found[1] == "join" and literal(found[0]) is not None:
        yield from given
    elif found is not None and found[1].lower() in _CHAINS:
        yield found[0]
    elif found is not None and found[1] in ("format", "concat", "substitute", "safe_substitute", "render"):
        yield found[0]
        yield from given
        yield from (entry.value for entry in entries(node))
