"""A mapping with known keys, read key by key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from workbench.files.node import Node, NodeKind
from workbench.files.problems import Problems, check_keys

__all__ = ["Fields", "read_fields"]

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Fields:
    """The values of one mapping. Each reader is None where the key is absent or its value is wrong."""

    nodes: Mapping[str, Node]
    problems: Problems

    def get(self, key: str) -> Node | None:
        return self.nodes.get(key)

    def text(self, key: str) -> str | None:
        node = self.nodes.get(key)
        return None if node is None else node.text(self.problems)

    def word(self, key: str) -> str | None:
        node = self.nodes.get(key)
        return None if node is None else node.word(self.problems)

    def words(self, key: str) -> tuple[str, ...] | None:
        node = self.nodes.get(key)
        return None if node is None else node.words(self.problems)

    def option(self, key: str, choices: Collection[str]) -> str | None:
        node = self.nodes.get(key)
        return None if node is None else node.option(self.problems, choices)

    def choice(self, key: str, words: type[Word]) -> Word | None:
        node = self.nodes.get(key)
        return None if node is None else node.choice(self.problems, words)

    def integer(self, key: str, low: int | None = None, high: int | None = None) -> int | None:
        node = self.nodes.get(key)
        return None if node is None else node.integer(self.problems, low, high)

    def number(self, key: str, low: float | None = None, high: float | None = None) -> float | None:
        node = self.nodes.get(key)
        return None if node is None else node.number(self.problems, low, high)

    def boolean(self, key: str) -> bool | None:
        node = self.nodes.get(key)
        return None if node is None else node.boolean(self.problems)

    def listed(self, key: str) -> tuple[Node, ...]:
        """The entries of a list; none where the key is absent."""
        node = self.nodes.get(key)
        return () if node is None else node.listed(self.problems)


def read_fields(
    node: Node, problems: Problems, known: Collection[str], required: Collection[str] = ()
) -> Fields:
    """The values of `node` by key; complains of unknown and missing keys, and of any other kind."""
    pairs = node.entries(problems, "a mapping with " + ", ".join(required or known))
    if node.kind is NodeKind.MAPPING:
        check_keys(problems, node.mark, {key.value: key.mark for key, _ in pairs}, known, required)
    return Fields({key.value: value for key, value in pairs}, problems)
