"""Whole values of a YAML file: as JSON, as one canonical spelling, and as their author wrote them."""

from __future__ import annotations

import json

from workbench.core.decision import Json
from workbench.files.node import Node, NodeKind
from workbench.files.problems import Problems
from workbench.files.scalars import as_boolean, as_number, is_null

__all__ = ["canonical", "json_value", "spelled"]


def json_value(node: Node, problems: Problems) -> Json:
    """The value that JSON would have here: plain 10, true and null are no text. Keys are text."""
    if node.kind is NodeKind.LIST:
        return [json_value(item, problems) for item in node.items]
    if node.kind is NodeKind.MAPPING:
        return {key.value: json_value(value, problems) for key, value in node.pairs}
    return _scalar(node, problems)


def _scalar(node: Node, problems: Problems) -> Json:
    if node.kind is NodeKind.NOTHING and not node.value:
        node.expected(problems, "a value", 'write null or ""')
    if not node.plain:
        return node.value if node.kind is NodeKind.TEXT else None
    truth, number = as_boolean(node.value), as_number(node.value)
    if truth is not None:
        return truth
    return node.value if number is None else number


def canonical(node: Node) -> str:
    """One spelling for what `node` says: comments, layout, key order and quotes of words do not count."""
    return json.dumps(_parts(node), ensure_ascii=True, separators=(",", ":"))


def _parts(node: Node) -> Json:
    if node.kind is NodeKind.LIST:
        return ["list", *(_parts(item) for item in node.items)]
    if node.kind is NodeKind.MAPPING:
        pairs = sorted(node.pairs, key=lambda pair: pair[0].value)
        return ["mapping", *([key.value, _parts(value)] for key, value in pairs)]
    # Plain text that could be read as another type is not the same value as that text in quotes.
    typed = node.plain and (as_boolean(node.value) is not None or as_number(node.value) is not None)
    if node.kind is NodeKind.NOTHING:
        return ["nothing"]
    return ["plain" if typed else "text", node.value]


def spelled(node: Node) -> str:
    """The value on one line, near to how its author wrote it."""
    if node.kind is NodeKind.LIST:
        return "[" + ", ".join(spelled(item) for item in node.items) + "]"
    if node.kind is NodeKind.MAPPING:
        return "{" + ", ".join(f"{key.value}: {spelled(value)}" for key, value in node.pairs) + "}"
    means_more = (
        is_null(node.value) or as_number(node.value) is not None or as_boolean(node.value) is not None
    )
    if node.style and (means_more or not node.value.isprintable()):
        return json.dumps(node.value, ensure_ascii=False)
    return node.value
