"""The syntax tree of TypeScript and JavaScript as the one of joins: values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.lowering import Lowering, targets, unescaped

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["ScriptExpressions"]

_WRAPPED = frozenset(
    {
        "parenthesized_expression",
        "await_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
    }
)
_FUNCTIONS = frozenset(
    {"arrow_function", "function_expression", "function", "generator_function", "method_definition"}
)
_NAMES = frozenset(
    {
        "identifier",
        "this",
        "super",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "property_identifier",
        "private_property_identifier",
    }
)


class ScriptExpressions(Lowering):
    """One file's."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._kinds: dict[str, Callable[[SgNode], t.Expr]] = {
            "member_expression": self._member,
            "subscript_expression": self._subscript,
            "call_expression": self._call,
            "new_expression": self._new,
            "template_string": self._template,
            "string": self._string,
            "binary_expression": self._binary,
            "ternary_expression": self._ternary,
            "object": self._object,
            "object_pattern": self._object_pattern,
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._augmented,
            "yield_expression": self._yield,
            "unary_expression": self._unary,
        }

    def expr(self, node: SgNode) -> t.Expr:
        kind = node.kind()
        if kind in _NAMES:
            return t.Name(*self.head(node))
        if kind == "undefined" or kind == "null":
            return t.Const(*self.head(node), truth=False, null=True)
        if kind in ("number", "regex", "true", "false"):
            truth = {"true": True, "false": False}.get(kind)
            return t.Const(*self.head(node), truth=truth)
        if kind in _WRAPPED:
            inner = self.named(node)
            return self.expr(inner[0]) if inner else self.other(node)
        if kind == "type_assertion":
            return self.expr(self.named(node)[-1])
        if kind in ("array", "array_pattern"):
            return t.Tuple(*self.head(node), tuple(map(self.expr, self.named(node))))
        if kind in ("spread_element", "rest_pattern"):
            return t.Spread(*self.head(node), self.expr(self.named(node)[0]))
        if kind in ("assignment_pattern", "object_assignment_pattern"):
            return t.Either(*self.head(node), "??", self.field(node, "left"), self.field(node, "right"))
        if kind in _FUNCTIONS:
            at, text = self.head(node)
            return t.Lambda(at, text, self.function(node))
        lower = self._kinds.get(kind)
        return lower(node) if lower is not None else self.other(node)

    def _member(self, node: SgNode) -> t.Expr:
        return t.Attr(*self.head(node), self.field(node, "object"), self.word(node, "property").lstrip("#"))

    def _subscript(self, node: SgNode) -> t.Expr:
        index = node.field("index")
        return self.item(node, self.field(node, "object"), self.expr(index) if index is not None else None)

    def _call(self, node: SgNode) -> t.Expr:
        func, given = self.field(node, "function"), node.field("arguments")
        if given is not None and given.kind() == "template_string":
            template = self._template(given)
            if func.text.split(".")[-1] in ("dedent", "html", "raw", "outdent", "stripIndent", "prompt"):
                return template
            parts = template.parts if isinstance(template, t.Concat) else (template,)
            return t.Call(*self.head(node), func, tuple(map(t.Arg, parts)))
        return self.called(node, func, self._args(given))

    def _new(self, node: SgNode) -> t.Expr:
        func = self.field(node, "constructor")
        return t.Call(*self.head(node), func, self._args(node.field("arguments")), new=True)

    def _args(self, node: SgNode | None) -> tuple[t.Arg, ...]:
        args = []
        for one in self.named(node) if node is not None else ():
            if one.kind() == "spread_element":
                args.append(t.Arg(self.expr(self.named(one)[0]), spread=True))
            else:
                args.append(t.Arg(self.expr(one)))
        return tuple(args)

    def _template(self, node: SgNode) -> t.Expr:
        parts: list[t.Expr] = []
        for child in self.named(node):
            if child.kind() == "template_substitution":
                inner = self.named(child)
                if inner:
                    parts.append(self.expr(inner[0]))
            else:
                value = unescaped(child.text())
                parts.append(t.Const(*self.head(child), value=value, truth=True))
        if all(isinstance(part, t.Const) and part.value is not None for part in parts):
            whole = "".join(part.value or "" for part in parts if isinstance(part, t.Const))
            return t.Const(*self.head(node), value=whole, truth=bool(whole))
        return t.Concat(*self.head(node), tuple(parts))

    def _string(self, node: SgNode) -> t.Expr:
        value = unescaped(node.text()[1:-1])
        return t.Const(*self.head(node), value=value, truth=bool(value))

    def _binary(self, node: SgNode) -> t.Expr:
        op = self.word(node, "operator")
        at, text = self.head(node)
        if op == "+":
            return t.Concat(at, text, tuple(self.expr(part) for part in self.spine(node, "+")))
        left, right = self.field(node, "left"), self.field(node, "right")
        if op in ("||", "&&", "??"):
            return t.Either(at, text, {"||": "or", "&&": "and"}.get(op, op), left, right)
        if op in ("==", "===", "!=", "!==") and isinstance(right, t.Const) and right.null:
            return t.Same(at, text, left, negated=op[0] == "!")
        return t.Several(at, text, (left, right), pure=True)

    def _ternary(self, node: SgNode) -> t.Expr:
        cond, then = self.field(node, "condition"), self.field(node, "consequence")
        return t.Branch(*self.head(node), cond, then, self.field(node, "alternative"))

    def _object(self, node: SgNode) -> t.Expr:
        entries: list[tuple[str | None, t.Expr]] = []
        for one in self.named(node):
            kind = one.kind()
            if kind == "pair":
                entries.append((self._key(one.field("key")), self.field(one, "value")))
            elif kind == "method_definition":
                entries.append((self.word(one, "name"), self.expr(one)))
            elif kind == "spread_element":
                entries.append((None, self.expr(one)))
            elif kind == "shorthand_property_identifier":
                entries.append((one.text(), self.expr(one)))
        return t.Record(*self.head(node), tuple(entries))

    def _object_pattern(self, node: SgNode) -> t.Expr:
        entries: list[tuple[str | None, t.Expr]] = []
        for one in self.named(node):
            kind = one.kind()
            if kind == "pair_pattern":
                entries.append((self._key(one.field("key")), self.field(one, "value")))
            elif kind == "object_assignment_pattern":
                entries.append((self.word(one, "left"), self.expr(one)))
            elif kind == "rest_pattern":
                entries.append((None, self.expr(one)))
            else:
                entries.append((one.text(), self.expr(one)))
        return t.Record(*self.head(node), tuple(entries))

    def _key(self, node: SgNode | None) -> str | None:
        if node is None or node.kind() == "computed_property_name":
            return None
        return node.text().strip("\"'")

    def _assignment(self, node: SgNode) -> t.Expr:
        return t.Bind(*self.head(node), self.field(node, "left"), self.field(node, "right"))

    def _augmented(self, node: SgNode) -> t.Expr:
        op = self.word(node, "operator").removesuffix("=")
        return t.Bind(*self.head(node), self.field(node, "left"), self.field(node, "right"), op)

    def _yield(self, node: SgNode) -> t.Expr:
        inner = self.named(node)
        whole = any(child.kind() == "*" for child in node.children())
        return t.Yield(*self.head(node), self.expr(inner[0]) if inner else None, whole)

    def _unary(self, node: SgNode) -> t.Expr:
        inner = self.field(node, "argument")
        if self.word(node, "operator") == "!":
            return t.Not(*self.head(node), inner)
        return t.Several(*self.head(node), (inner,), pure=True)

    # functions

    def function(self, node: SgNode) -> t.Function:
        at = self.at(node)
        single, many, inner = node.field("parameter"), node.field("parameters"), node.field("body")
        params: tuple[t.Param, ...] = ()
        if single is not None:
            params = (t.Param(self.at(single), single.text()),)
        elif many is not None:
            params = tuple(self._params(many))
        if inner is not None and inner.kind() != "statement_block":
            value = self.expr(inner)
            body = t.Block(value.at, (t.Give(value.at, value),))
        else:
            body = self.block(inner, at)
        patterns = (param.pattern for param in params if param.pattern is not None)
        taken = {name for pattern in patterns for name in targets(pattern)}
        own = body.scoped | taken | {param.name for param in params}
        static = any(child.kind() == "static" for child in node.children())
        return t.Function(self.word(node, "name"), at, params, body, own, self.yields(node), static)

    def _params(self, node: SgNode) -> Iterator[t.Param]:
        for number, one in enumerate(self.named(node)):
            pattern, default, stored = one, None, False
            if one.kind() in ("required_parameter", "optional_parameter"):
                stored = any(
                    child.kind() in ("accessibility_modifier", "readonly") for child in one.children()
                )
                pattern = one.field("pattern") or self.named(one)[0]
                default = one.field("value")
            elif one.kind() == "assignment_pattern":
                pattern, default = one.field("left") or one, one.field("right")
            value = self.expr(default) if default is not None else None
            at, kind = self.at(one), pattern.kind()
            if kind == "rest_pattern":
                yield t.Param(at, pattern.text().lstrip("."), kind="*")
            elif kind in ("object_pattern", "array_pattern"):
                yield t.Param(at, f"<{number}>", value, pattern=self.expr(pattern))
            elif kind in ("identifier", "this"):
                yield t.Param(at, pattern.text(), value, field=stored)
