"""The syntax tree of TypeScript and JavaScript as the one of joins: statements, imports, exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.lanes.joins import tree as t
from workbench.lanes.joins.lowering import targets
from workbench.lanes.joins.script import ScriptExpressions
from workbench.lanes.syntax.code import Place

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["ScriptLowering"]

_FUNCTIONS = ("function_declaration", "generator_function_declaration")
_CLASSES = ("class_declaration", "abstract_class_declaration", "class")
_IGNORED = frozenset(  # declarations of types, and nothing
    [
        "comment",
        "empty_statement",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "debugger_statement",
        "ambient_declaration",
        "hash_bang_line",
        "function_signature",
    ]
)


class ScriptLowering(ScriptExpressions):
    """One file's."""

    def block(self, node: SgNode | None, at: Place | None = None) -> t.Block:
        """With the names that `let`, `const`, functions and classes give to it alone."""
        block = super().block(node, at)
        if node is None:
            return block
        ones = self.named(node) if node.kind() in ("program", "statement_block") else [node]
        scoped = {name for one in ones for name in self._declares(one)}
        return t.Block(block.at, block.body, frozenset(scoped))

    def _declares(self, node: SgNode) -> Iterator[str]:
        if node.kind() in ("lexical_declaration", "variable_declaration"):
            for one in self.named(node):
                name = one.field("name") if one.kind() == "variable_declarator" else None
                if name is not None:
                    yield from targets(self.expr(name))
        elif node.kind() in (*_FUNCTIONS, *_CLASSES):
            yield self.word(node, "name")

    def statement(self, node: SgNode) -> Iterator[t.Stmt]:
        at, kind = self.at(node), node.kind()
        if kind == "expression_statement":
            for one in self.named(node):
                yield from self._simple(one)
        elif kind in ("lexical_declaration", "variable_declaration"):
            yield from self._declaration(node)
        elif kind == "return_statement":
            inner = self.named(node)
            yield t.Give(at, self.expr(inner[0]) if inner else None)
        elif kind == "throw_statement":
            yield t.Give(at, self.expr(self.named(node)[0]), raised=True)
        elif kind in ("break_statement", "continue_statement"):
            yield t.Leave(at)
        elif kind == "statement_block":
            yield self.block(node)
        elif kind == "if_statement":
            yield self._if(node)
        elif kind in ("for_statement", "for_in_statement", "while_statement", "do_statement"):
            yield from self._loop(node)
        elif kind == "try_statement":
            yield self._try(node)
        elif kind == "switch_statement":
            yield self._switch(node)
        elif kind in _FUNCTIONS:
            yield t.Define(at, self.function(node))
        elif kind in _CLASSES:
            yield t.Define(at, self._class(node))
        elif kind == "import_statement":
            self._import(node)
        elif kind == "export_statement":
            yield from self._export(node)
        elif kind == "labeled_statement":
            yield from self.statement(self.named(node)[-1])
        elif kind not in _IGNORED:
            yield t.Do(at, self.other(node))

    def _simple(self, node: SgNode) -> Iterator[t.Stmt]:
        at = self.at(node)
        if node.kind() == "parenthesized_expression" and self.named(node):
            yield from self._simple(self.named(node)[0])
            return
        value = self.expr(node)
        if isinstance(value, t.Bind):
            yield t.Assign(at, value.target, value.value, value.op)
            yield from self._exported(value)
        else:
            yield t.Do(at, value)

    def _exported(self, bind: t.Bind) -> Iterator[t.Stmt]:
        """`module.exports = …` and `exports.name = …`"""
        target, value = bind.target.text, bind.value
        if target == "module.exports" and isinstance(value, t.Record):
            for key, one in value.entries:
                if key is not None:
                    yield from self._gives(key, one)
        elif target == "module.exports":
            yield from self._gives("default", value)
        elif target.startswith(("module.exports.", "exports.")):
            yield from self._gives(target.rsplit(".", 1)[1], bind.target)

    def _gives(self, name: str, value: t.Expr) -> Iterator[t.Stmt]:
        """Exports a value, under a name of its own where it has none."""
        if isinstance(value, t.Name):
            self.exports[name] = value.id
            return
        self.exports[name] = f"<{name}>"
        yield t.Assign(value.at, t.Name(value.at, f"<{name}>"), value)

    def _declaration(self, node: SgNode) -> Iterator[t.Stmt]:
        for one in self.named(node):
            name, value = one.field("name"), one.field("value")
            if one.kind() != "variable_declarator" or name is None:
                continue
            at = self.at(one)
            if value is None:
                yield t.Assign(at, self.expr(name), t.Const(at, "undefined", truth=False, null=True))
            elif not self._required(name, value):
                yield t.Assign(at, self.expr(name), self.expr(value))

    def _required(self, name: SgNode, value: SgNode) -> bool:
        """Takes `const x = require("y")` and its taking apart as imports."""
        call = self.expr(value)
        field = None
        if isinstance(call, t.Attr):
            field, call = call.name, call.base
        if not (isinstance(call, t.Call) and call.func.text in ("require", "import") and len(call.args) == 1):
            return False
        source = call.args[0].value
        if not isinstance(source, t.Const) or source.value is None:
            return False
        target = self.expr(name)
        if isinstance(target, t.Name):
            self.imports.append(t.Import(target.id, source.value, field))
        elif isinstance(target, t.Record):
            for key, one in target.entries:
                if isinstance(one, t.Name) and key is not None:
                    self.imports.append(t.Import(one.id, source.value, key))
        return True

    def _if(self, node: SgNode) -> t.If:
        at = self.at(node)
        alternative = node.field("alternative")
        other = self.block(self.named(alternative)[0]) if alternative is not None else None
        return t.If(at, self.field(node, "condition"), self.block(node.field("consequence"), at), other)

    def _loop(self, node: SgNode) -> Iterator[t.Stmt]:
        at = self.at(node)
        body = self.block(node.field("body"), at)
        if node.kind() == "for_in_statement":
            target, source = self.field(node, "left"), self.field(node, "right")
            if self.word(node, "operator") == "in":
                source = t.Several(source.at, source.text, (source,))
            yield t.Loop(at, target, source, body)
            return
        first = node.field("initializer")
        if first is not None:
            yield from self.statement(first)
        condition = node.field("condition")
        if condition is not None and node.kind() != "do_statement":
            yield t.Do(
                at, self.expr(condition) if condition.kind() != "empty_statement" else self.other(condition)
            )
        endless = condition is not None and condition.text() in ("(true)", "true;", ";")
        yield t.Loop(at, None, None, body, least=int(endless or node.kind() == "do_statement"))

    def _try(self, node: SgNode) -> t.Try:
        at = self.at(node)
        handler, final = node.field("handler"), node.field("finalizer")
        handlers = (self.block(handler.field("body"), at),) if handler is not None else ()
        ending = self.block(final.field("body"), at) if final is not None else None
        return t.Try(at, self.block(node.field("body"), at), handlers, ending)

    def _switch(self, node: SgNode) -> t.Cases:
        at = self.at(node)
        subject, body = self.field(node, "value"), node.field("body")
        bodies: list[t.Block] = []
        whole = False
        falling: tuple[t.Stmt, ...] = ()
        for case in self.named(body) if body is not None else ():
            whole = whole or case.kind() == "switch_default"
            tested = case.field("value")
            start = tested.range().end.index if tested is not None else -1
            ones = [
                one
                for one in self.named(case)
                if one.range().start.index >= start and one.kind() != "comment"
            ]
            stmts = (*falling, *(stmt for one in ones for stmt in self.statement(one)))
            ends = bool(stmts) and isinstance(_last(stmts[-1]), t.Leave | t.Give)
            falling = () if ends else stmts
            if ends:
                bodies.append(t.Block(at, _without_break(stmts)))
        if falling:
            bodies.append(t.Block(at, falling))
        return t.Cases(at, subject, tuple(bodies), whole)

    def _class(self, node: SgNode) -> t.Class:
        methods: dict[str, t.Function] = {}
        fields: list[tuple[str, t.Expr | None]] = []
        body = node.field("body")
        for one in self.named(body) if body is not None else ():
            if one.kind() == "method_definition":
                methods[self.word(one, "name").lstrip("#")] = self.function(one)
            elif one.kind() in ("public_field_definition", "field_definition"):
                name = one.field("name") or one.field("property")
                value = one.field("value")
                if name is None:
                    continue
                lowered = self.expr(value) if value is not None else None
                if isinstance(lowered, t.Lambda):
                    methods[name.text().lstrip("#")] = lowered.function
                else:
                    fields.append((name.text().lstrip("#"), lowered))
        heritage = next((one for one in self.named(node) if one.kind() == "class_heritage"), None)
        words = heritage.text().replace("{", " ").split() if heritage is not None else []
        bases = (words[1].split("<")[0].split(".")[-1],) if len(words) > 1 and words[0] == "extends" else ()
        return t.Class(self.word(node, "name"), self.at(node), methods, tuple(fields), bases)

    def _import(self, node: SgNode) -> None:
        source = self._source(node)
        for clause in self.named(node):
            for one in self.named(clause) if clause.kind() == "import_clause" else ():
                if one.kind() == "identifier":
                    self.imports.append(t.Import(one.text(), source, "default"))
                elif one.kind() == "namespace_import":
                    self.imports.append(t.Import(self.named(one)[0].text(), source, None))
                elif one.kind() == "named_imports":
                    for named in self.named(one):
                        name, local = self.word(named, "name"), self.word(named, "alias")
                        self.imports.append(t.Import(local or name, source, name))

    def _source(self, node: SgNode) -> str:
        source = node.field("source")
        return source.text().strip("\"'`") if source is not None else ""

    def _export(self, node: SgNode) -> Iterator[t.Stmt]:
        default = any(child.kind() == "default" for child in node.children())
        declaration, value = node.field("declaration"), node.field("value")
        if declaration is not None:
            names = list(self._declares(declaration))
            self.exports.update((name, name) for name in names)
            if default and names:
                self.exports["default"] = names[0]
            yield from self.statement(declaration)
        elif value is not None:
            yield from self._gives("default", self.expr(value))
        else:
            source = self._source(node)
            clause = next((one for one in self.named(node) if one.kind() == "export_clause"), None)
            for one in self.named(clause) if clause is not None else ():
                name, shown = self.word(one, "name"), self.word(one, "alias")
                local = f"<{shown or name}>" if source else name
                self.exports[shown or name] = local
                if source:
                    self.imports.append(t.Import(local, source, name))
            if clause is None and source:
                self.imports.append(t.Import(t.ANY, source, t.ANY))


def _last(stmt: t.Stmt) -> t.Stmt:
    while isinstance(stmt, t.Block) and stmt.body:
        stmt = stmt.body[-1]
    return stmt


def _without_break(stmts: tuple[t.Stmt, ...]) -> tuple[t.Stmt, ...]:
    """A `break` that ends a case leaves the switch, not the loop around it."""
    kept: list[t.Stmt] = []
    for stmt in stmts:
        if isinstance(stmt, t.Leave):
            break
        kept.append(
            t.Block(stmt.at, _without_break(stmt.body), stmt.scoped) if isinstance(stmt, t.Block) else stmt
        )
    return tuple(kept)
