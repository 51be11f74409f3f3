"""Where a name stands in a syntax tree: what is done with it there, and what carries it further."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from workbench.lanes.emits.doing import (
    CALLS,
    GETTERS,
    GROWERS,
    How,
    callee_of,
    chain_of,
    does,
    is_certain,
    is_lane_word,
)
from workbench.lanes.guard.values import words_of
from workbench.lanes.syntax.code import below

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["FUNCTIONS", "Carrier", "Handed", "Reach", "Standing", "names_of", "standing_of"]

# fmt: off
FUNCTIONS = frozenset({
    "function_definition", "function_declaration", "function_expression",
    "generator_function_declaration", "function_item", "arrow_function", "method_definition",
    "method_declaration", "lambda", "func_literal", "closure_expression",
})
# fmt: on
# fmt: off
_BLOCKS = frozenset({
    "block", "statement_block", "class_body", "program", "module", "source_file", "declaration_list",
    "statement_list", "enum_body", "switch_body", "field_declaration_list", "interface_body",
    "object_type", "literal_type", "union_type", "type_annotation", "import_statement",
    "import_from_statement", "import_spec", "import_declaration", "use_declaration", "export_clause",
    "import_clause",
})
# fmt: on
_COMPARED = frozenset(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"])
_KEYS = {
    "pair": "key",
    "keyword_argument": "name",
    "field_initializer": "field",
    "jsx_attribute": None,
    "keyed_element": None,
}
_INDEXED = frozenset({"subscript", "subscript_expression", "index_expression"})
_BINDERS = {  # kind: the field that is bound, the field that it is bound to
    "variable_declarator": ("name", "value"),
    "assignment": ("left", "right"),
    "augmented_assignment": ("left", "right"),
    "assignment_expression": ("left", "right"),
    "augmented_assignment_expression": ("left", "right"),
    "compound_assignment_expr": ("left", "right"),
    "assignment_statement": ("left", "right"),
    "short_var_declaration": ("left", "right"),
    "named_expression": ("name", "value"),
    "let_declaration": ("pattern", "value"),
    "const_item": ("name", "value"),
    "static_item": ("name", "value"),
    "const_spec": ("name", "value"),
    "var_spec": ("name", "value"),
    "public_field_definition": ("name", "value"),
    "field_definition": ("property", "value"),
    "enum_assignment": ("name", "value"),
    "default_parameter": ("name", "value"),
    "typed_default_parameter": ("name", "value"),
    "required_parameter": ("pattern", "value"),
    "optional_parameter": ("pattern", "value"),
    "assignment_pattern": ("left", "right"),
    "object_assignment_pattern": ("left", "right"),
    "for_statement": ("left", "right"),
    "for_in_statement": ("left", "right"),
    "for_expression": ("pattern", "value"),
    "for_in_clause": ("left", "right"),
    "range_clause": ("left", "right"),
}
_DECLARES = _BINDERS.keys() - {
    "assignment_expression",
    "augmented_assignment_expression",
    "augmented_assignment",
    "compound_assignment_expr",
    "assignment_statement",
}
_CLASSES = frozenset({"class_definition", "class_declaration", "class", "enum_declaration"})
_MEMBERS = frozenset({"public_field_definition", "field_definition", "enum_assignment"})


class Reach(Enum):
    """Where an identifier may be used."""

    LOCAL = auto()
    SHARED = auto()  # in other files too: a function, a constant
    MEMBER = auto()  # anywhere, behind a dot


@dataclass(frozen=True, slots=True)
class Carrier:
    """An identifier that holds the name. `within`: the function that it is local to; None: the whole file.

    `owner`: the class or enumeration that it is a member of, where that is known.
    """

    name: str
    within: SgNode | None
    reach: Reach
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Handed:
    """An argument of a call whose name does not tell what it does: `function` by its last name."""

    function: str
    argument: int | None
    keyword: str | None
    method: bool


@dataclass(slots=True)
class Standing:
    """`how`: each thing that is done with it. `keyed`: it stands there as a lane's name, not as a word."""

    how: set[How] = field(default_factory=set)
    keyed: bool = False
    carriers: list[Carrier] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)


def standing_of(node: SgNode) -> Standing:
    """What becomes of a literal or an identifier, up to the statement that it stands in."""
    return _Climb(node).climbed()


class _Climb:
    """From a node upwards; `inner` is how far it has come, `below` what it came from."""

    def __init__(self, node: SgNode) -> None:
        self.node = self.inner = self.below = node
        self.found = Standing()
        self.key: str | None = None  # of the entry that the node is the value of

    def climbed(self) -> Standing:
        outer = self.node.parent()
        while outer is not None and not self._ends(outer):
            kind = outer.kind()
            if kind in CALLS:
                self._call(outer)
            elif kind == "token_tree":
                self._macro()
            elif kind in _KEYS:
                self._entry(outer)
            elif kind in _BINDERS:
                self._bound(outer, *_BINDERS[kind])
            elif kind in ("return_statement", "return_expression"):
                self._returned(outer)
            elif kind in FUNCTIONS:
                if outer.field("body") == self.inner:
                    self._returned(outer)
                break
            self.below, self.inner, outer = self.inner, outer, outer.parent()
        return self.found

    def _ends(self, outer: SgNode) -> bool:
        kind = outer.kind()
        if kind in _BLOCKS:
            return not self._is_value_of(outer)
        if kind in ("if_statement", "if_expression", "while_statement", "ternary_expression", "elif_clause"):
            return outer.field("condition") == self.inner
        if kind == "conditional_expression":  # of Python: value, condition, other value
            return outer.children()[2:3] == [self.inner]
        if kind == "binary_expression":
            operator = outer.field("operator")
            return operator is not None and operator.text() in _COMPARED
        if kind in ("switch_case", "expression_case", "case_pattern", "match_pattern"):
            return True
        return kind == "comparison_operator"

    def _call(self, call: SgNode) -> None:
        chain = callee_of(call)
        macro = call.kind() == "macro_invocation"
        if not macro and call.field("arguments") != self.inner:
            self._receiver(call)
            return
        number, keyword = (None, None) if macro else self._argument()
        how = does(call, number)
        if how is None and chain == ["append"] and number:
            first = next((one for one in self.inner.children() if one.is_named()), self.inner)
            how = How.RECEIPT if words_of(first.text())[-1:] == ["lanes"] else None
        if how is not None:
            self.found.how.add(how)
            self.found.keyed = self.found.keyed or is_certain(call, how) or self._behind_key()
        elif chain:
            if chain[-1] in GROWERS:
                self._grown(chain[:-1], call)
            self.found.handed.append(Handed(chain[-1], number, keyword or self.key, len(chain) > 1))

    def _receiver(self, call: SgNode) -> None:
        """`["a", "b"].forEach(lane => …)`: the parameters of what is called with each."""
        arguments = call.field("arguments")
        for one in arguments.children() if arguments is not None else ():
            parameters = one.field("parameters") or one.field("parameter")
            if one.kind() in FUNCTIONS and parameters is not None:
                self.found.carriers += [Carrier(name, one, Reach.LOCAL) for name in names_of(parameters)]

    def _argument(self) -> tuple[int | None, str | None]:
        """By its number or its keyword, which argument of the call the climb came through."""
        named = [one for one in self.inner.children() if one.is_named() and "comment" not in one.kind()]
        if self.below.kind() == "keyword_argument":
            name = self.below.field("name")
            return None, name.text() if name is not None else None
        return next((number for number, one in enumerate(named) if one == self.below), None), None

    def _behind_key(self) -> bool:
        """`("lane", "memory")`: the argument in front is a key."""
        before = self.below.prev()
        before = before.prev() if before is not None and before.text() == "," else None
        return before is not None and is_lane_word(before.text().strip("\"'`"))

    def _macro(self) -> None:
        """The tokens of a macro of Rust are no tree: `lane = "memory"`, `"lane": "memory"`."""
        sign = self.inner.prev()
        if sign is not None and sign.text() in ("=", ":"):
            name = sign.prev()
            self.found.keyed = self.found.keyed or (name is not None and is_lane_word(name.text().strip('"')))

    def _entry(self, entry: SgNode) -> None:
        field_name = _KEYS[entry.kind()]
        parts = [one for one in entry.children() if one.is_named()]
        key = entry.field(field_name) if field_name else (parts[0] if parts else None)
        if key is None or key == self.inner:
            return
        name = key.text().strip("\"'`")
        self.key = self.key or name
        self.found.keyed = self.found.keyed or is_lane_word(name)
        self._held(words_of(name))

    def _bound(self, outer: SgNode, left: str, right: str) -> None:
        target, value = outer.field(left), outer.field(right)
        if target is None:
            return
        if target == self.inner:
            stored = self.below if target.kind() == "expression_list" else target
            if stored.kind() in _INDEXED:
                self._stored(chain_of(stored))
            return
        if value != self.inner:
            return
        for one in (target, *target.children()) if target.kind() == "expression_list" else (target,):
            names = [name for name in chain_of(one) if name]
            if not names:
                for name in names_of(one):
                    self._carried(name, outer)
                continue
            if not names[-1].isupper():  # a constant tells which lanes there are
                self._held([word for name in names for word in words_of(name)])
            in_class = outer.kind() in _MEMBERS or _in_class(outer)
            if len(names) > 1 or in_class:
                owner = _owner(outer) if in_class else None
                self.found.carriers.append(Carrier(names[-1], None, Reach.MEMBER, owner))
            if not in_class and names[0] not in ("this", "self"):
                self._carried(names[0], outer)

    def _held(self, words: list[str]) -> None:
        """In a structure called lanes or receipt: a list of bare names is only what may be in one."""
        receipt = bool({"receipt", "receipts"} & set(words))
        if receipt or (words[-1:] == ["lanes"] and self.key is not None and self.key.lower() in _NAME_KEYS):
            self.found.how.add(How.RECEIPT)

    def _stored(self, chain: list[str]) -> None:
        words = [word for name in chain for word in words_of(name)]
        if {"receipt", "receipts", "lanes"} & set(words):
            self.found.how.add(How.RECEIPT)

    def _returned(self, outer: SgNode) -> None:
        function = outer if outer.kind() in FUNCTIONS else _round(outer)
        name = _name_of(function) if function is not None else None
        if name is not None:
            self.found.carriers.append(Carrier(name, None, Reach.SHARED))

    def _is_value_of(self, block: SgNode) -> bool:
        """Whether it is the last expression of a block of Rust, which goes on as the value of the block."""
        parent = block.parent()
        named = [one for one in block.children() if one.is_named()]
        if block.kind() != "block" or parent is None or named[-1:] != [self.inner]:
            return False
        if self.inner.text().endswith(";"):
            return False
        if parent.kind() == "function_item":
            self._returned(parent)
        return parent.kind() in ("if_expression", "else_clause", "match_arm")

    def _grown(self, holder: list[str], call: SgNode) -> None:
        """`pieces.push(…)`, `this.pieces.push(…)`, `pending.get(id).push(…)`."""
        names = [name for name in holder if name and name not in ("this", "self", *GETTERS)]
        if len(names) == 1 and names[0] == holder[0]:
            self._carried(names[0], call)
        elif names:
            self.found.carriers.append(Carrier(names[-1], None, Reach.MEMBER))

    def _carried(self, name: str, where: SgNode) -> None:
        within = next(
            (one for one in where.ancestors() if one.kind() in FUNCTIONS and _owns(one, name)), None
        )
        shared = within is None and name.isupper()
        self.found.carriers.append(Carrier(name, within, Reach.SHARED if shared else Reach.LOCAL))


_NAME_KEYS = frozenset(("name", "lane", "id", "key"))


def names_of(node: SgNode) -> list[str]:
    """The identifiers of a pattern."""
    kinds = ("identifier", "shorthand_property_identifier_pattern")
    return [one.text() for one in below(node) if one.kind() in kinds]


def _name_of(function: SgNode) -> str | None:
    """The name by which a function is called."""
    name = function.field("name")
    parent = function.parent()
    if name is None and parent is not None and parent.kind() in ("variable_declarator", "pair"):
        name = parent.field("name") or parent.field("key")
    return name.text() if name is not None else None


def _owner(member: SgNode) -> str | None:
    """The name of the class or enumeration round a member."""
    names = (one.field("name") for one in member.ancestors() if one.kind() in _CLASSES)
    return next((name.text() for name in names if name is not None), None)


def _in_class(outer: SgNode) -> bool:
    """An assignment directly in the body of a class of Python."""
    kinds = [one.kind() for one in outer.ancestors()[:3]]
    return kinds[-1:] == ["class_definition"] and outer.kind() == "assignment"


def _owns(function: SgNode, name: str) -> bool:
    """Whether a function has a variable or a parameter of that name."""
    given = function.field("parameters") or function.field("parameter")
    if given is not None and name in names_of(given):
        return True
    for one in function.find_all({"rule": {"kind": "identifier", "regex": f"^{re.escape(name)}$"}}):
        parent = one.parent()
        if parent is not None and parent.kind() in ("expression_list", "pattern_list", "mut_pattern"):
            one, parent = parent, parent.parent()
        if (
            parent is not None
            and parent.kind() in _DECLARES
            and parent.field(_BINDERS[parent.kind()][0]) == one
        ):
            return True
    return False


def _round(node: SgNode) -> SgNode | None:
    """The innermost function round a node."""
    return next((one for one in node.ancestors() if one.kind() in FUNCTIONS), None)
