"""A file's nodes that matter, each with what it stands in: linear, and at ease with deep trees."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.lanes.syntax.code import Code
from workbench.lanes.writers.kinds import (
    ASSIGNS,
    BLOCKS,
    CALLS,
    CLASSES,
    FUNCTIONS,
    LAMBDAS,
    STATEMENTS,
    WANTED,
)
from workbench.lanes.writers.shape import assigned

if TYPE_CHECKING:
    from ast_grep_py import Config, SgNode

__all__ = ["TOP", "Tree"]

TOP = "<module>"
_FAR = 60  # steps upwards after which nothing is near


@dataclass(slots=True)
class Tree:
    """Nodes in the order of the text, known by their number. `parents`: the node around; -1: none.
    `statements`: the one around,
    or itself. `functions`: the innermost function around, `outer` the outermost; -1: none.
    `lines`: the text's."""

    code: Code
    nodes: list[SgNode] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    statements: list[int] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    outer: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    _names: dict[int, str | None] = field(default_factory=dict)

    @classmethod
    def of(cls, code: Code) -> Tree:
        """Reads the file's tree once."""
        tree = cls(code, lines=code.text.split("\n"))
        around: list[int] = []
        for node in code.root.find_all(_config(code)):
            where = node.range()
            start, end = where.start.index, where.end.index
            while around and tree.ends[around[-1]] <= start:
                around.pop()
            tree._add(node, start, end, around[-1] if around else -1)
            around.append(len(tree.nodes) - 1)
        return tree

    def _add(self, node: SgNode, start: int, end: int, parent: int) -> None:
        self.nodes.append(node)
        self.kinds.append(node.kind())
        self.starts.append(start)
        self.ends.append(end)
        self.parents.append(parent)
        self.statements.append(self._statement(len(self.parents) - 1, parent))
        if parent < 0:
            self.functions.append(-1)
            self.outer.append(-1)
            return
        inside = self.kinds[parent] in FUNCTIONS
        self.functions.append(parent if inside else self.functions[parent])
        outer = self.outer[parent]
        self.outer.append(parent if inside and outer < 0 else outer)

    def above(self, at: int) -> Iterator[int]:
        """What stands around it, from the inside out; as far as is near."""
        for _ in range(_FAR):
            at = self.parents[at]
            if at < 0:
                return
            yield at

    def functions_of(self, at: int) -> Iterator[int]:
        """The functions around it, from the inside out; as far as is near."""
        for _ in range(_FAR):
            at = self.functions[at]
            if at < 0:
                return
            yield at

    def named_function(self, at: int) -> int:
        """The innermost function around it that has a name; -1: none."""
        return next((one for one in self.functions_of(at) if self.name_of(one) is not None), -1)

    def _statement(self, at: int, parent: int) -> int:
        """The innermost statement around it, or what stands alone in a block. The body of an arrow function
        that is kept in a name counts as one; that of one handed to a call is of the call's statement."""
        if self.kinds[at] in STATEMENTS or parent < 0 or self.kinds[parent] in BLOCKS:
            return at
        if self.kinds[parent] in LAMBDAS:
            further = self.parents[parent]
            while further >= 0 and self.kinds[further] == "pair":
                further = self.parents[further]
            if further < 0 or self.kinds[further] not in CALLS:
                return at
        return self.statements[parent]

    def head(self, at: int, most: int) -> str:
        """The beginning of its text."""
        return self.code.text[self.starts[at] : min(self.ends[at], self.starts[at] + most)]

    def is_tested(self, at: int) -> bool:
        """Whether it stands in a module of tests, as Rust has them in a file."""
        return any(
            self.kinds[one] == "mod_item" and self.head(one, 12).startswith(("mod tests", "mod test "))
            for one in self.above(at)
        )

    def name_of(self, function: int) -> str | None:
        """The name of a function, of the variable that it is kept in, or of the property."""
        if function < 0:
            return None
        if function not in self._names:
            self._names[function] = self._name(function)
        return self._names[function]

    def _name(self, function: int) -> str | None:
        name = self.nodes[function].field("name")
        if name is not None:
            return name.text().strip("'\"`")
        for one in self.above(function):
            kind = self.kinds[one]
            if kind in ASSIGNS:
                found = assigned(self.nodes[one])
                return re.sub(r"\W+", ".", found[0]).strip(".") or None if found else None
            if kind == "pair":
                key = self.nodes[one].field("key")
                return None if key is None else key.text().strip("'\"`")
            if kind not in CALLS or self.starts[one] == self.starts[function]:
                return None
            around = self.parents[one]
            if around < 0 or self.kinds[around] != "variable_declarator":  # useCallback(async () => ...)
                return None
        return None

    def function_name(self, at: int) -> str:
        """`Class.method.inner`; TOP outside of functions."""
        names = []
        for one in self.above(at):
            if self.kinds[one] in FUNCTIONS:
                names.append(self.name_of(one))
            elif self.kinds[one] in CLASSES:
                title = self.nodes[one].field("name") or self.nodes[one].field("type")
                names.append(None if title is None else title.text())
        return ".".join(name for name in reversed(names) if name) or TOP

    def number_of(self, node: SgNode, at: int) -> int:
        """The number of a node below the one at `at`; `at` itself where it has none."""
        where = node.range()
        start, end = where.start.index, where.end.index
        for one in range(bisect_left(self.starts, start, at + 1), len(self.starts)):
            if self.starts[one] != start:
                break
            if self.ends[one] == end:
                return one
        return at

    def line(self, at: int) -> int:
        """From 1."""
        return self.nodes[at].range().start.line + 1


_CONFIGS: dict[str, Config] = {}


def _config(code: Code) -> Config:
    """The rule for the kinds that this grammar has."""
    name = code.language.value
    if name not in _CONFIGS:
        _CONFIGS[name] = {"rule": {"any": [{"kind": kind} for kind in sorted(WANTED) if _knows(code, kind)]}}
    return _CONFIGS[name]


def _knows(code: Code, kind: str) -> bool:
    try:
        code.root.find(kind=kind)
    except (RuntimeError, ValueError):
        return False
    return True
