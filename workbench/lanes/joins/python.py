"""Python's syntax tree as the one of joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.lowering import Lowering, names_of, unescaped

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["PythonLowering"]

_CONSTANTS = {"integer": None, "float": None, "true": True, "false": False, "ellipsis": True}
_LISTS = frozenset(
    {"list", "tuple", "set", "pattern_list", "tuple_pattern", "list_pattern", "expression_list"}
)


class PythonLowering(Lowering):
    """One file's."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._kinds: dict[str, Callable[[SgNode], t.Expr]] = {
            "attribute": self._attribute,
            "subscript": self._subscript,
            "call": self._call,
            "string": self._string,
            "concatenated_string": self._concatenated,
            "binary_operator": self._binary,
            "boolean_operator": self._boolean,
            "conditional_expression": self._conditional,
            "comparison_operator": self._comparison,
            "dictionary": self._dictionary,
            "named_expression": self._named,
            "lambda": self._lambda,
            "yield": self._yield,
            "not_operator": lambda node: t.Not(*self.head(node), self.field(node, "argument")),
        }

    def expr(self, node: SgNode) -> t.Expr:
        kind = node.kind()
        if kind == "identifier":
            return t.Name(*self.head(node))
        if kind in _CONSTANTS:
            return t.Const(*self.head(node), truth=_CONSTANTS[kind])
        if kind == "none":
            return t.Const(*self.head(node), truth=False, null=True)
        if kind in ("parenthesized_expression", "await", "type", "as_pattern_target"):
            inner = self.named(node)
            return self.expr(inner[0]) if inner else self.other(node)
        if kind in _LISTS:
            return t.Tuple(*self.head(node), tuple(map(self.expr, self.named(node))))
        if kind in ("list_splat", "list_splat_pattern", "dictionary_splat"):
            return t.Spread(*self.head(node), self.expr(self.named(node)[0]))
        if kind.endswith("_comprehension") or kind == "generator_expression":
            return self._comprehension(node)
        lower = self._kinds.get(kind)
        return lower(node) if lower is not None else self.other(node)

    def _attribute(self, node: SgNode) -> t.Expr:
        return t.Attr(*self.head(node), self.field(node, "object"), self.word(node, "attribute"))

    def _subscript(self, node: SgNode) -> t.Expr:
        base, key = self.field(node, "value"), node.field("subscript")
        return self.item(node, base, None if key is None or key.kind() == "slice" else self.expr(key))

    def _call(self, node: SgNode) -> t.Expr:
        func, given = self.field(node, "function"), node.field("arguments")
        if given is not None and given.kind() == "generator_expression":
            return t.Call(*self.head(node), func, (t.Arg(self.expr(given)),))
        args = tuple(self._arg(one) for one in (self.named(given) if given is not None else ()))
        return self.called(node, func, args)

    def _arg(self, node: SgNode) -> t.Arg:
        if node.kind() == "keyword_argument":
            return t.Arg(self.field(node, "value"), self.word(node, "name"))
        if node.kind() in ("list_splat", "dictionary_splat"):
            return t.Arg(self.expr(self.named(node)[0]), spread=True)
        return t.Arg(self.expr(node))

    def _string(self, node: SgNode) -> t.Expr:
        parts: list[t.Expr] = []
        raw = "r" in node.text()[:3].split('"')[0].split("'")[0].lower()
        for child in self.named(node):
            if child.kind() == "string_content":
                text = child.text()
                value = text if raw else unescaped(text)
                parts.append(t.Const(*self.head(child), value=value, truth=bool(value)))
            elif child.kind() == "interpolation":
                parts.append(self.expr(self.named(child)[0]))
        if all(isinstance(part, t.Const) for part in parts):
            whole = "".join(part.value or "" for part in parts if isinstance(part, t.Const))
            return t.Const(*self.head(node), value=whole, truth=bool(whole))
        return t.Concat(*self.head(node), tuple(parts))

    def _concatenated(self, node: SgNode) -> t.Expr:
        parts = tuple(self.expr(part) for part in self.named(node) if part.kind() == "string")
        if all(isinstance(part, t.Const) for part in parts):
            whole = "".join(part.value or "" for part in parts if isinstance(part, t.Const))
            return t.Const(*self.head(node), value=whole, truth=bool(whole))
        flat: list[t.Expr] = []
        for part in parts:
            flat.extend(part.parts if isinstance(part, t.Concat) else (part,))
        return t.Concat(*self.head(node), tuple(flat))

    def _binary(self, node: SgNode) -> t.Expr:
        op = self.word(node, "operator")
        if op == "+":
            return t.Concat(*self.head(node), tuple(self.expr(part) for part in self.spine(node, "+")))
        left, right = self.field(node, "left"), self.field(node, "right")
        if op == "%" and isinstance(left, t.Const | t.Concat | t.Name | t.Attr):
            given = right.items if isinstance(right, t.Tuple) else (right,)
            return t.Call(*self.head(node), t.Attr(left.at, left.text, left, "%"), tuple(map(t.Arg, given)))
        if op == "|":
            return t.Call(*self.head(node), t.Attr(left.at, left.text, left, "|"), (t.Arg(right),))
        return t.Several(*self.head(node), (left, right), pure=True)

    def _boolean(self, node: SgNode) -> t.Expr:
        return t.Either(
            *self.head(node), self.word(node, "operator"), self.field(node, "left"), self.field(node, "right")
        )

    def _conditional(self, node: SgNode) -> t.Expr:
        then, cond, other = map(self.expr, self.named(node)[:3])
        return t.Branch(*self.head(node), cond, then, other)

    def _comparison(self, node: SgNode) -> t.Expr:
        parts = [self.expr(part) for part in self.named(node)]
        if len(parts) == 2 and isinstance(parts[1], t.Const) and parts[1].null:
            operator = "".join(child.text() for child in node.children()[1:-1])
            return t.Same(*self.head(node), parts[0], negated="not" in operator or "!" in operator)
        return t.Several(*self.head(node), tuple(parts), pure=True)

    def _dictionary(self, node: SgNode) -> t.Expr:
        entries: list[tuple[str | None, t.Expr]] = []
        for one in self.named(node):
            if one.kind() == "pair":
                key = self.field(one, "key")
                name = key.value if isinstance(key, t.Const) else None
                entries.append((name, self.field(one, "value")))
            elif one.kind() == "dictionary_splat":
                entries.append((None, self.expr(one)))
        return t.Record(*self.head(node), tuple(entries))

    def _named(self, node: SgNode) -> t.Expr:
        return t.Bind(*self.head(node), self.field(node, "name"), self.field(node, "value"))

    def _comprehension(self, node: SgNode) -> t.Expr:
        parts = self.named(node)
        body = parts[0]
        if body.kind() == "pair":
            element: t.Expr = self.field(body, "value")
        else:
            element = self.expr(body)
        for clause in reversed(parts[1:]):
            if clause.kind() == "for_in_clause":
                target, source = self.field(clause, "left"), self.field(clause, "right")
                element = t.Each(*self.head(node), target, source, element)
        return element

    def _lambda(self, node: SgNode) -> t.Expr:
        params = node.field("parameters")
        taken = tuple(self._params(params)) if params is not None else ()
        body = self.field(node, "body")
        block = t.Block(body.at, (t.Give(body.at, body),))
        own = frozenset(param.name for param in taken)
        at, text = self.head(node)
        return t.Lambda(at, text, t.Function("", at, taken, block, own))

    def _yield(self, node: SgNode) -> t.Expr:
        inner = self.named(node)
        whole = any(child.kind() == "from" for child in node.children())
        return t.Yield(*self.head(node), self.expr(inner[0]) if inner else None, whole)

    # statements

    def statement(self, node: SgNode) -> Iterator[t.Stmt]:
        at, kind = self.at(node), node.kind()
        if kind == "expression_statement":
            for one in self.named(node):
                yield from self._simple(one)
        elif kind == "return_statement":
            inner = self.named(node)
            yield t.Give(at, self.expr(inner[0]) if inner else None)
        elif kind == "raise_statement":
            inner = self.named(node)
            yield t.Give(at, self.expr(inner[0]) if inner else None, raised=True)
        elif kind in ("break_statement", "continue_statement"):
            yield t.Leave(at)
        elif kind == "if_statement":
            yield self._if(node, [one for one in self.named(node) if one.kind().endswith("_clause")])
        elif kind in ("for_statement", "while_statement"):
            yield from self._loop(node)
        elif kind == "try_statement":
            yield self._try(node)
        elif kind == "with_statement":
            yield from self._with(node)
        elif kind == "match_statement":
            yield self._match(node)
        elif kind == "decorated_definition":
            definition = node.field("definition")
            if definition is not None:
                yield from self.statement(definition)
        elif kind == "function_definition":
            yield t.Define(at, self._function(node))
        elif kind == "class_definition":
            yield t.Define(at, self._class(node))
        elif kind in ("import_statement", "import_from_statement"):
            self._import(node)
        elif kind == "block":
            yield from self.block(node).body
        elif kind not in ("comment", "pass_statement", "global_statement", "nonlocal_statement"):
            for one in self.named(node):
                yield t.Do(at, self.expr(one))

    def _simple(self, node: SgNode) -> Iterator[t.Stmt]:
        at = self.at(node)
        if node.kind() == "assignment":
            if node.field("right") is None:
                return
            value = self.field(node, "right") if (right := node.field("right")) is not None else None
            targets = [self.field(node, "left")]
            while right is not None and right.kind() == "assignment":
                targets.append(self.field(right, "left"))
                right = right.field("right")
            value = self.expr(right) if right is not None else None
            if value is not None:
                for target in targets:
                    yield t.Assign(at, target, value)
        elif node.kind() == "augmented_assignment":
            op = self.word(node, "operator").removesuffix("=")
            yield t.Assign(at, self.field(node, "left"), self.field(node, "right"), op)
        else:
            yield t.Do(at, self.expr(node))

    def _if(self, node: SgNode, rest: list[SgNode]) -> t.If:
        other: t.Block | None = None
        if rest:
            head = rest[0]
            if head.kind() == "elif_clause":
                at = self.at(head)
                other = t.Block(at, (self._if(head, rest[1:]),))
            else:
                other = self.block(head.field("body"), self.at(head))
        return t.If(
            self.at(node),
            self.field(node, "condition"),
            self.block(node.field("consequence"), self.at(node)),
            other,
        )

    def _loop(self, node: SgNode) -> Iterator[t.Stmt]:
        at = self.at(node)
        body = self.block(node.field("body"), at)
        if node.kind() == "for_statement":
            yield t.Loop(at, self.field(node, "left"), self.field(node, "right"), body)
        else:
            cond = self.field(node, "condition")
            yield t.Do(at, cond)
            yield t.Loop(at, None, None, body, least=int(isinstance(cond, t.Const) and cond.truth is True))
        alternative = node.field("alternative")
        if alternative is not None:
            yield from self.block(alternative.field("body"), at).body

    def _try(self, node: SgNode) -> t.Try:
        at = self.at(node)
        body = self.block(node.field("body"), at)
        handlers: list[t.Block] = []
        final: t.Block | None = None
        for clause in self.named(node):
            block = next((one for one in self.named(clause) if one.kind() == "block"), None)
            if clause.kind().startswith("except"):
                handlers.append(self.block(block, at))
            elif clause.kind() == "finally_clause":
                final = self.block(block, at)
            elif clause.kind() == "else_clause":
                more = self.block(clause.field("body") or block, at)
                body = t.Block(at, (*body.body, *more.body))
        return t.Try(at, body, tuple(handlers), final)

    def _with(self, node: SgNode) -> Iterator[t.Stmt]:
        at = self.at(node)
        for item in node.find_all(kind="with_item"):
            value = item.field("value")
            if value is None or not _directly(item, node):
                continue
            if value.kind() == "as_pattern":
                inner = self.named(value)
                yield t.Assign(at, self.expr(inner[1]), self.expr(inner[0]))
            else:
                yield t.Do(at, self.expr(value))
        yield from self.block(node.field("body"), at).body

    def _match(self, node: SgNode) -> t.Cases:
        at = self.at(node)
        subject = self.field(node, "subject")
        cases = [one for body in self.named(node) if body.kind() == "block" for one in self.named(body)]
        bodies = []
        for case in cases:
            block = next((one for one in self.named(case) if one.kind() == "block"), None)
            bodies.append(self.block(block, at))
        whole = any(self.named(case)[:1] and self.named(case)[0].text() == "_" for case in cases)
        return t.Cases(at, subject, tuple(bodies), whole)

    def _function(self, node: SgNode) -> t.Function:
        at = self.at(node)
        parameters = node.field("parameters")
        params = tuple(self._params(parameters)) if parameters is not None else ()
        body = self.block(node.field("body"), at)
        own = names_of(body) | {param.name for param in params}
        own -= frozenset(
            name.text()
            for kind in ("nonlocal_statement", "global_statement")
            for one in node.find_all(kind=kind)
            for name in self.named(one)
        )
        parent = node.parent()
        static = parent is not None and "@staticmethod" in parent.text()[:200].split("def ")[0]
        return t.Function(self.word(node, "name"), at, params, body, own, self.yields(node), static)

    def _params(self, node: SgNode) -> Iterator[t.Param]:
        for one in self.named(node):
            kind, inner = one.kind(), one
            default = one.field("value")
            if kind in ("typed_parameter", "default_parameter", "typed_default_parameter"):
                inner = one.field("name") or self.named(one)[0]
            if inner.kind() in ("identifier", "list_splat_pattern", "dictionary_splat_pattern"):
                stars = "*" * (inner.text()[:2].count("*"))
                value = self.expr(default) if default is not None else None
                yield t.Param(self.at(one), inner.text().lstrip("*"), value, kind=stars)

    def _class(self, node: SgNode) -> t.Class:
        methods: dict[str, t.Function] = {}
        fields: list[tuple[str, t.Expr | None]] = []
        body = node.field("body")
        for one in self.named(body) if body is not None else ():
            definition = one.field("definition") if one.kind() == "decorated_definition" else one
            if definition is not None and definition.kind() == "function_definition":
                method = self._function(definition)
                methods[method.name] = method
            elif one.kind() == "expression_statement":
                for inner in self.named(one):
                    left = inner.field("left") if inner.kind() == "assignment" else None
                    if left is not None and left.kind() == "identifier":
                        right = inner.field("right")
                        fields.append((left.text(), self.expr(right) if right is not None else None))
        bases = node.field("superclasses")
        named = tuple(one.text().split(".")[-1] for one in self.named(bases)) if bases is not None else ()
        return t.Class(self.word(node, "name"), self.at(node), methods, tuple(fields), named)

    def _import(self, node: SgNode) -> None:
        parts = self.named(node)
        module = node.field("module_name")
        source = module.text() if module is not None else ""
        for one in parts:
            if module is not None and one.range().start.index == module.range().start.index:
                continue
            if one.kind() == "aliased_import":
                name, local = one.field("name"), one.field("alias")
                if name is None or local is None:
                    continue
                self.imports.append(
                    t.Import(local.text(), source or name.text(), name.text() if module is not None else None)
                )
            elif one.kind() == "dotted_name" and module is not None:
                self.imports.append(t.Import(one.text(), source, one.text()))
            elif one.kind() == "dotted_name":
                self.imports.append(t.Import(one.text(), one.text(), None))
            elif one.kind() == "wildcard_import":
                self.imports.append(t.Import(t.ANY, source, t.ANY))


def _directly(item: SgNode, statement: SgNode) -> bool:
    """Whether the item is the statement's own, and not one of a statement inside it."""
    clause = item.parent()
    owner = clause.parent() if clause is not None else None
    return owner is not None and owner.range().start.index == statement.range().start.index
