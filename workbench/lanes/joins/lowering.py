"""What the two lowerings share: places, texts, sums flattened, the names that a block assigns."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.wordlist import word_set
from workbench.lanes.syntax.code import Place, place_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["Lowering", "names_of", "targets", "unescaped"]

_LONGEST_TEXT = 400
_FUNCTIONS = word_set(
    """
    function_definition lambda function_declaration arrow_function function_expression function
    generator_function generator_function_declaration method_definition
    """
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}


class Lowering(ABC):
    """One file's tree as that of joins. Raises RecursionError for code nested beyond reason."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.imports: list[t.Import] = []
        self.exports: dict[str, str] = {}

    @abstractmethod
    def expr(self, node: SgNode) -> t.Expr: ...

    @abstractmethod
    def statement(self, node: SgNode) -> Iterator[t.Stmt]: ...

    def block(self, node: SgNode | None, at: Place | None = None) -> t.Block:
        """The statements of a block, or the one statement that stands for it."""
        if node is None:
            assert at is not None
            return t.Block(at, ())
        at = self.at(node)
        ones = (
            self.named(node) if node.kind() in ("block", "module", "program", "statement_block") else [node]
        )
        return t.Block(at, tuple(one for child in ones for one in self.statement(child)))

    def at(self, node: SgNode) -> Place:
        return place_of(node, self.file)

    def head(self, node: SgNode) -> tuple[Place, str]:
        return place_of(node, self.file), node.text()[:_LONGEST_TEXT]

    def named(self, node: SgNode) -> list[SgNode]:
        return [child for child in node.children() if child.is_named() and child.kind() != "comment"]

    def field(self, node: SgNode, name: str) -> t.Expr:
        """A field's expression; where the code is broken, one that is nothing."""
        found = node.field(name)
        return self.expr(found) if found is not None else t.Const(*self.head(node))

    def word(self, node: SgNode, name: str) -> str:
        found = node.field(name)
        return found.text() if found is not None else ""

    def other(self, node: SgNode) -> t.Expr:
        """What is read for its calls alone."""
        return t.Several(*self.head(node), tuple(map(self.expr, self.named(node))))

    def item(self, node: SgNode, base: t.Expr, key: t.Expr | None) -> t.Expr:
        at, text = self.head(node)
        if isinstance(key, t.Const) and key.value is not None:
            return t.Attr(at, text, base, key.value)
        if isinstance(key, t.Const) and re.fullmatch(r"-?\d+", key.text):
            return t.Attr(at, text, base, key.text)
        return t.Item(at, text, base, key)

    def called(self, node: SgNode, func: t.Expr, args: tuple[t.Arg, ...], new: bool = False) -> t.Expr:
        """A call; one that gets an item under a key that is written out is that item."""
        at, text = self.head(node)
        if isinstance(func, t.Attr) and func.name == "get" and args and not new:
            key = args[0].value
            if isinstance(key, t.Const) and key.value is not None and len(args) <= 2:
                found = t.Attr(at, text, func.base, key.value)
                return found if len(args) == 1 else t.Either(at, text, "or", found, args[1].value)
        return t.Call(at, text, func, args, new)

    def spine(self, node: SgNode, operator: str) -> list[SgNode]:
        """The operands of a chain of one operator that leans to the left, in order."""
        operands: list[SgNode] = []
        while (
            node.kind() in ("binary_operator", "binary_expression")
            and self.word(node, "operator") == operator
        ):
            left, right = node.field("left"), node.field("right")
            if left is None or right is None:
                break
            operands.append(right)
            node = left
        operands.append(node)
        return operands[::-1]

    def yields(self, function: SgNode) -> bool:
        """Whether it is a generator: what functions inside it yield is theirs."""
        waiting = function.children()
        while waiting:
            node = waiting.pop()
            if node.kind() in ("yield", "yield_expression"):
                return True
            if node.kind() not in _FUNCTIONS:
                waiting += node.children()
        return False


def unescaped(text: str) -> str:
    """The text of a string literal: only the escapes that matter to lines are told apart."""
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


def names_of(block: t.Block) -> frozenset[str]:
    """Every name that the block assigns, but not in functions inside it."""
    return frozenset(name for stmt in block.body for name in _assigned(stmt))


def targets(target: t.Expr) -> Iterator[str]:
    """The plain names that an assignment to it gives a value."""
    if isinstance(target, t.Name):
        yield target.id
    elif isinstance(target, t.Tuple):
        for item in target.items:
            yield from targets(item)
    elif isinstance(target, t.Record):
        for _, item in target.entries:
            yield from targets(item)
    elif isinstance(target, t.Spread):
        yield from targets(target.inner)
    elif isinstance(target, t.Either):
        yield from targets(target.left)


def _assigned(stmt: t.Stmt) -> Iterator[str]:
    if isinstance(stmt, t.Assign):
        yield from targets(stmt.target)
    elif isinstance(stmt, t.Define):
        yield stmt.what.name
    elif isinstance(stmt, t.Loop) and stmt.target is not None:
        yield from targets(stmt.target)
    for block in _blocks(stmt):
        for one in block.body:
            yield from (name for name in _assigned(one) if name not in block.scoped)


def _blocks(stmt: t.Stmt) -> Iterator[t.Block]:
    if isinstance(stmt, t.Block):
        yield stmt
    elif isinstance(stmt, t.If):
        yield stmt.then
        if stmt.other is not None:
            yield stmt.other
    elif isinstance(stmt, t.Loop):
        yield stmt.body
    elif isinstance(stmt, t.Try):
        yield from (stmt.body, *stmt.handlers)
        if stmt.final is not None:
            yield stmt.final
    elif isinstance(stmt, t.Cases):
        yield from stmt.bodies
