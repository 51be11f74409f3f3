"""A value of a file as its author wrote it, but for its secrets: what a list or a report may show."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.mask import MASK, Masker
from workbench.core.shapes import is_secret_name
from workbench.files.node import Node, NodeKind

__all__ = ["as_written"]

_MASKER = Masker()


def as_written(key: str, node: Node) -> str:
    """The value that stands under `key`: masked where a name, its own or one within, is that of a secret."""
    text, done = node.source.text, node.start
    parts: list[str] = []
    for start, end in _secrets(node, secret=is_secret_name(key)):
        parts += (text[done:start], MASK)
        done = end
    return _MASKER.text("".join((*parts, text[done : node.end])).strip())


def _secrets(node: Node, *, secret: bool) -> Iterator[tuple[int, int]]:
    """Where texts stand under a name that secrets have; the name of a variable is none."""
    if node.kind is NodeKind.TEXT and secret:
        yield node.start, node.end
    for item in node.items:
        yield from _secrets(item, secret=secret)
    for key, value in node.pairs:
        named = key.value != "env" and (secret or is_secret_name(key.value))
        yield from _secrets(value, secret=named)
