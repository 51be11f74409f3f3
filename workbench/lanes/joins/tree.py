"""What of a program matters to a join, the same for every language: values, names, calls, branches."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from workbench.lanes.syntax.code import Place

__all__ = [
    "ANY",
    "Arg",
    "Assign",
    "Attr",
    "Bind",
    "Block",
    "Branch",
    "Call",
    "Cases",
    "Class",
    "Concat",
    "Const",
    "Define",
    "Do",
    "Each",
    "Either",
    "Expr",
    "Function",
    "Give",
    "If",
    "Import",
    "Item",
    "Lambda",
    "Leave",
    "Loop",
    "Module",
    "Name",
    "Not",
    "Param",
    "Record",
    "Same",
    "Several",
    "Spread",
    "Stmt",
    "Try",
    "Tuple",
    "Yield",
]


@dataclass(frozen=True, slots=True)
class Expr:
    """`at` is where it begins, `text` how it is written."""

    at: Place
    text: str


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """`value` is a string's; `truth` None: not known. `null`: None, null or undefined."""

    value: str | None = None
    truth: bool | None = None
    null: bool = False


@dataclass(frozen=True, slots=True)
class Name(Expr):
    @property
    def id(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Attr(Expr):
    """A property, or an item under a key that is written out. `optional`: `?.`"""

    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Item(Expr):
    """An item under a key that is not known, or a slice (`key` None)."""

    base: Expr
    key: Expr | None


@dataclass(frozen=True, slots=True)
class Arg:
    value: Expr
    name: str | None = None
    spread: bool = False


@dataclass(frozen=True, slots=True)
class Call(Expr):
    func: Expr
    args: tuple[Arg, ...]
    new: bool = False


@dataclass(frozen=True, slots=True)
class Concat(Expr):
    """One text made of several: a template, a sum, a format."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Either(Expr):
    """`op` is `or`, `and` or `??`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Branch(Expr):
    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Spread(Expr):
    inner: Expr


@dataclass(frozen=True, slots=True)
class Tuple(Expr):
    """A list, tuple, array or set; as a target, what is taken apart."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Record(Expr):
    """An object or dictionary; a key that is not written out is None. As a target, what is taken apart."""

    entries: tuple[tuple[str | None, Expr], ...]


@dataclass(frozen=True, slots=True)
class Bind(Expr):
    """An assignment that is an expression. `op` is that of an augmented one, without `=`."""

    target: Expr
    value: Expr
    op: str = ""


@dataclass(frozen=True, slots=True)
class Not(Expr):
    inner: Expr


@dataclass(frozen=True, slots=True)
class Same(Expr):
    """A comparison with null: `negated` for `is not None` and `!= null`."""

    inner: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Yield(Expr):
    value: Expr | None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Several(Expr):
    """Parts that are read and whose result is nobody's text. `pure`: the same again gives the same."""

    parts: tuple[Expr, ...]
    pure: bool = False


@dataclass(frozen=True, slots=True)
class Each(Expr):
    """A comprehension: `element` for every `target` of `source`."""

    target: Expr
    source: Expr
    element: Expr


@dataclass(frozen=True, slots=True)
class Param:
    """`kind`: "" for one, "*" for the rest, "**" for the rest by name. `field`: also stored in `this`."""

    at: Place
    name: str
    default: Expr | None = None
    pattern: Expr | None = None
    kind: str = ""
    field: bool = False


@dataclass(frozen=True, slots=True)
class Stmt:
    at: Place


@dataclass(frozen=True, slots=True)
class Block(Stmt):
    """`scoped` are the names that live in it alone."""

    body: tuple[Stmt, ...]
    scoped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    """`op` is that of an augmented assignment, without `=`."""

    target: Expr
    value: Expr
    op: str = ""


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Stmt):
    cond: Expr
    then: Block
    other: Block | None


@dataclass(frozen=True, slots=True)
class Loop(Stmt):
    """`target` and `source` where it goes over something; `least` is how often its body runs at least."""

    target: Expr | None
    source: Expr | None
    body: Block
    least: int = 0


@dataclass(frozen=True, slots=True)
class Try(Stmt):
    body: Block
    handlers: tuple[Block, ...]
    final: Block | None


@dataclass(frozen=True, slots=True)
class Cases(Stmt):
    """One of several, each of which may be none of them unless `whole`."""

    subject: Expr
    bodies: tuple[Block, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Give(Stmt):
    """`return`, or with `raised` an exception."""

    value: Expr | None
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Leave(Stmt):
    """`break` or `continue`."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`own` are the names that are its own: parameters, and what it assigns or declares."""

    name: str
    at: Place
    params: tuple[Param, ...]
    body: Block
    own: frozenset[str]
    generator: bool = False
    static: bool = False


@dataclass(frozen=True, slots=True)
class Lambda(Expr):
    function: Function


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """`fields` in the order in which a constructor that nobody wrote takes them."""

    name: str
    at: Place
    methods: dict[str, Function]
    fields: tuple[tuple[str, Expr | None], ...]
    bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Define(Stmt):
    what: Function | Class


@dataclass(frozen=True, slots=True)
class Import:
    """`local` stands for `name` of `module`; for the whole module where `name` is None."""

    local: str
    module: str
    name: str | None


ANY = "*"
"""The name under which a module exports all of another one, and the key of any item of a list."""


@dataclass(slots=True, eq=False)
class Module:
    """One file. `exports` maps the name that others use to the one in the file."""

    path: Path
    file: str
    python: bool
    body: Block
    imports: list[Import] = field(default_factory=list)
    exports: dict[str, str] = field(default_factory=dict)
