"""What a call does with what it is given, told by the name by which it is called."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.lanes.guard.values import words_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = [
    "CALLS",
    "GETTERS",
    "GROWERS",
    "How",
    "callee_of",
    "chain_of",
    "does",
    "is_certain",
    "is_lane_word",
]


class How(StrEnum):
    """Where a lane's name goes. Only a name that goes nowhere else is NAMED."""

    LOG = "log"
    RECEIPT = "receipt"
    NAMED = "named"


CALLS = frozenset({"call", "call_expression", "new_expression", "macro_invocation"})
# fmt: off
GROWERS = frozenset({
    "push", "append", "add", "insert", "unshift", "extend", "push_back", "set", "put", "record",
    "write", "upsert", "create",
})
# fmt: on
GETTERS = frozenset({"get", "setdefault", "entry", "or_default", "or_insert_with", "at", "last", "unwrap"})
_LEDGERS = frozenset(["ledger", "lanes", "lane", "workbench", "turn", "request", "wb"])
# fmt: off
_LOGS = frozenset({
    "log", "logs", "logger", "loggers", "logging", "console", "print", "println", "printf", "eprint",
    "eprintln", "eprintf", "fprint", "fprintln", "fprintf", "pprint", "dbg", "emit", "emits", "emitted",
    "telemetry", "metric", "metrics", "statsd", "analytics", "tracer", "span", "tracing", "slog", "zap",
    "zerolog", "logrus", "loguru", "structlog", "pino", "winston", "bunyan", "sentry", "track", "gauge",
    "histogram", "counter",
})
# fmt: on
# Macros of Rust that stand alone, and Go's and Python's levels behind a logger of any name.
_MACROS = frozenset(["trace", "debug", "info", "warn", "error", "event", "counter", "gauge", "histogram"])
# They make or set up a logger: its name is no record.
# fmt: off
_MAKERS = frozenset({
    "get", "set", "create", "make", "new", "child", "with", "configure", "add", "remove", "build",
    "init", "use",
})
_RECORDS = frozenset({
    "attribute", "attributes", "event", "fields", "field", "values", "value", "context", "tag", "extra",
})
# fmt: on
_READERS = frozenset(
    {"read", "load", "find", "parse", "has", "is", "render", "show", "format", "list", "filter", "select"}
)
_WRITERS = GROWERS | {"note", "save", "log", "emit", "track", "mark", "count", "update", "report", "account"}
_NUMBERS = frozenset(["math", "np", "numpy", "torch", "cmath", "jnp", "tf"])
_MEMBERS = ("member_expression", "attribute", "field_expression", "selector_expression", "scoped_identifier")


def does(call: SgNode, argument: int | None) -> How | None:
    """What a call does with its argument of that number, from 0; None where its name does not tell.

    `argument` None: it is given by a keyword, or in a macro.
    """
    chain = callee_of(call)
    if not chain:
        return None
    last = words_of(chain[-1])
    before = [word for name in chain[:-1] for word in words_of(name)]
    if _claims(chain, argument) or _is_receipt(chain, last, before):
        return How.RECEIPT
    if call.kind() == "macro_invocation" and chain[-1] in _MACROS:
        return How.LOG
    if set(before[-1:]) & _NUMBERS or not last:
        return None
    if last[0] in _MAKERS and not set(last) & _RECORDS:
        return None
    # A receiver is what its last word says: log_dir is a folder.
    receivers = (words[-1] for name in chain[:-1] if (words := words_of(name)))
    return How.LOG if _LOGS.intersection(last) or not _LOGS.isdisjoint(receivers) else None


def callee_of(call: SgNode) -> list[str]:
    """The names by which a call is called: `turn.ledger.claim(…)` is [turn, ledger, claim]."""
    callee = call.field("function") or call.field("constructor") or call.field("macro")
    return chain_of(callee) if callee is not None else []


def chain_of(node: SgNode) -> list[str]:
    """The names of a chain of members, without what stands in brackets on the way."""
    names: list[str] = []
    one: SgNode | None = node
    while one is not None:
        kind = one.kind()
        if kind in _MEMBERS:
            tail = next((found for key in _TAILS if (found := one.field(key)) is not None), None)
            names.append(tail.text() if tail is not None else "")
            one = next((found for key in _HEADS if (found := one.field(key)) is not None), None)
        elif kind in CALLS:
            one = one.field("function") or one.field("constructor") or one.field("macro")
        elif kind in ("subscript", "subscript_expression", "index_expression", "await_expression", "await"):
            one = one.child(0) if kind != "await_expression" else one.child(1)
        elif kind in ("generic_function", "instantiation_expression", "parenthesized_expression"):
            one = one.field("function") or next((part for part in one.children() if part.is_named()), None)
        else:
            names.append(one.text() if kind in _NAMES else "")
            one = None
    return names[::-1]


_TAILS = ("property", "attribute", "field", "name")
_HEADS = ("object", "operand", "value", "path")
# fmt: off
_NAMES = frozenset({
    "identifier", "property_identifier", "field_identifier", "this", "self", "super", "crate",
    "type_identifier",
})
# fmt: on


def is_lane_word(name: str) -> bool:
    """Whether a key or a function speaks of a lane: lane, laneName, lane_id, appendLane."""
    return "lane" in words_of(name)


def is_certain(call: SgNode, how: How) -> bool:
    """Whether a call that does this with its argument can only mean a lane by it."""
    name = callee_of(call)[-1]
    if how is How.LOG:
        return is_lane_word(name)
    return name.lower() in ("claim", "lane", "receipt") or not _WRITERS.isdisjoint(words_of(name))


def _claims(chain: list[str], argument: int | None) -> bool:
    """`claim("x", …)`, `lane("x")`, of nothing or of a ledger."""
    if argument not in (0, None) or chain[-1] not in ("claim", "lane", "Claim", "Lane"):
        return False
    if len(chain) == 1:
        return chain[-1].islower()
    return chain[-2].lower() in _LEDGERS or bool(_LEDGERS.intersection(words_of(chain[-2])))


def _is_receipt(chain: list[str], last: list[str], before: list[str]) -> bool:
    if "receipt" in last or "receipts" in last:
        return last[0] not in (_MAKERS - _WRITERS) | _READERS
    grows = bool(last) and last[0] in GROWERS
    holder = words_of(chain[-2]) if len(chain) > 1 else []
    return grows and (holder[-1:] == ["lanes"] or bool({"receipt", "receipts"}.intersection(before)))
