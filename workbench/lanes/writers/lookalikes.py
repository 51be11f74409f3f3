"""Where messages are spoken of and none is sent: logs, tests, tables, screens, schemas, replies."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workbench.lanes.writers.kinds import CALLS, LAMBDAS
from workbench.lanes.writers.shape import callee
from workbench.lanes.writers.speaking import is_model_call, speaks
from workbench.lanes.writers.tree import Tree

__all__ = ["Lookalikes", "is_table"]

_CALLS = re.compile(
    r"(?:\A|[.:])(?:log|logger|logging|console|debug|info|warn|warning|error|trace|fatal|print|println|eprintln|"
    r"expect|assert\w*|toEqual|toMatchObject|toBe|toStrictEqual|deepEqual|strictEqual|isinstance|toHaveBeenCalled\w*|"
    r"ObjectContaining|objectContaining|emit|dispatch|postMessage|onEvent|on_event|sendEvent|send_event|notify|"
    r"insertOne|insertMany|insert_one|insert_many|execute|executemany|findOne|find_one|findMany|findFirst|update_one|"
    r"updateOne|add_row|addRow|bulk_create|toast|alert|describe|Printf|Println|Errorf|Fatalf|Logf|set|setState|"
    r"set[A-Z]\w*|set_state|jsonify|setItem|mock\w*|raise_for_status|where|filter_by|upsert|"
    r"len|\w*[tT]oken\w*|(?:\w*_)?count(?:_\w*)?|count[A-Z]\w*|\w*[eE]stimat\w*|hash|sha256|md5)\Z"
)
_OWNERS = re.compile(
    r"\A(?:z|v|t|zod|yup|Joi|console|log|logger|logging|assert|db|prisma|knex|supabase|mongoose|cursor|conn|session|"
    r"expect|jest|vi|socket|io|ws|window|localStorage|mock|t|res|response|reply|toast|st|tx|trx|repo|repository|"
    r"(?:this|self)\.(?:db|prisma|logger|log|repo|repository|socket|store|cursor|session|events?|emitter|\w*[rR]epo\w*))"
    r"(?:\.\w+)*\.\w+\Z"
)
_TABLE = re.compile(
    r"(?:\A|\.)(?:db|database|prisma|knex|supabase|mongoose|cursor|conn|connection|tx|trx|collection|table)"
    r"(?:\(\))?(?:\.\w+)*\.\w+\Z",
    re.I,
)
_KEYS = frozenset(
    """choices delta example examples properties schema data created_at default_factory json_schema_extra
    candidates response outputs""".split()  # noqa: SIM905
)
_EQUAL = re.compile(r"\A(?:==|!=|===|!==|in|not in|is|is not|instanceof)\Z")


def is_table(name: str) -> bool:
    """Whether a call by this name puts something into a database."""
    return _TABLE.search(name[-200:]) is not None


@dataclass(slots=True)
class Lookalikes:
    """Those of one file; each node is looked at once."""

    tree: Tree
    _known: dict[int, bool] = field(default_factory=dict)

    def covers(self, at: int) -> bool:
        """Whether the node, or what stands between it and the end of its statement, says that no model
        reads it. What is handed to a model is read, whatever happens to the answer."""
        tree = self.tree
        if tree.kinds[at] in CALLS:
            name = callee(tree.nodes[at])
            if is_table(name) or is_model_call(name) or speaks(name):
                return is_table(name)
        elif self._alone(at):
            return True
        return self._around(at) if at == tree.statements[at] else self._inside(tree.parents[at])

    def _inside(self, at: int) -> bool:
        tree, way = self.tree, []
        verdict: bool | None = None
        while verdict is None:
            verdict = self._known.get(at)
            if verdict is None:
                way.append(at)
                verdict = self._alone(at)
            if verdict is None and at == tree.statements[at]:
                verdict = self._around(at)
            at = tree.parents[at]
        self._known.update((one, verdict) for one in way)
        return verdict

    def _alone(self, at: int) -> bool | None:
        """What the node says by itself; None: nothing."""
        tree, kind = self.tree, self.tree.kinds[at]
        if kind in CALLS:
            name = callee(tree.nodes[at])
            return True if _is_other_call(name) else False if is_model_call(name) or speaks(name) else None
        if kind in ("assert_statement", "throw_statement", "raise_statement") or _compares(tree, at):
            return True
        if kind not in ("pair", "keyword_argument"):
            return None
        key = _key(tree, at)
        return True if key in _KEYS else False if key == "hookSpecificOutput" else None

    def _around(self, statement: int) -> bool:
        """An arrow's body is a statement of its own; `setMessages((old) => [...old, message])` is a call
        all the same."""
        tree, parent = self.tree, self.tree.parents[statement]
        if parent < 0 or tree.kinds[parent] not in LAMBDAS:
            return False
        further = tree.parents[parent]
        return further >= 0 and tree.kinds[further] in CALLS and _is_other_call(callee(tree.nodes[further]))


def _is_other_call(name: str) -> bool:
    return _CALLS.search(name[-200:]) is not None or _OWNERS.search(name[-200:]) is not None


def _key(tree: Tree, at: int) -> str:
    key = tree.nodes[at].field("key") or tree.nodes[at].field("name")
    return "" if key is None else key.text()[:40].strip("'\"`")


def _compares(tree: Tree, at: int) -> bool:
    kind = tree.kinds[at]
    if kind == "comparison_operator":
        return True
    if kind != "binary_expression":
        return False
    return any(_EQUAL.match(one.text()[:12]) for one in tree.nodes[at].children() if not one.is_named())
