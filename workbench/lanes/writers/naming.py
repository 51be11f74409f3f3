"""The lane that a site names: in its statement, round it, or in a comment beside it."""

from __future__ import annotations

import re
from collections.abc import Collection

from workbench.lanes.writers.kinds import CALLS
from workbench.lanes.writers.shape import callee
from workbench.lanes.writers.tree import Tree

__all__ = ["lane_of"]

_WORD = r"[A-Za-z][\w.:-]{0,80}"
_LANE = re.compile(
    rf"""\b(?:lane|laneName|lane_name)\b['"]?\s*(?:[:=]|=>)\s*(?:&)?['"`]({_WORD})['"`]"""
    rf"""|(?:\b|_)(?:lane|claim|addLane|add_lane|pushLane|push_lane|withLane|with_lane|toLane|to_lane|emitLane|emit_lane|"""
    rf"""recordLane|record_lane|writeLane|write_lane|Lane)(?:::new)?\(\s*['"`]({_WORD})['"`]"""
)
_COMMENT = re.compile(rf"(?:#|//|\*|--)\s*(?:.*\W)?lane\s*[:=]\s*['\"`]?({_WORD})", re.I)
_QUOTED = re.compile(rf"""['"`]({_WORD})['"`](?!\s*(?::|\]|=>))""")


def lane_of(tree: Tree, statement: int, text: str, known: Collection[str]) -> str | None:
    """`text`: the statement's. A lane's name of `known` counts wherever it is quoted."""
    found = _LANE.search(text)
    if found is not None:
        return found[1] or found[2]
    commented = _commented(tree, statement)
    if commented is not None:
        return commented
    if known:
        for quoted in _QUOTED.finditer(text):
            if quoted[1] in known:
                return quoted[1]
    return _around(tree, statement)


def _commented(tree: Tree, statement: int) -> str | None:
    """On one of its lines, or alone on the line before."""
    where = tree.nodes[statement].range()
    lines = tree.lines
    first, last = where.start.line, min(where.end.line, where.start.line + 40)
    for at in range(first, last + 1):
        found = _COMMENT.search(lines[at]) if at < len(lines) else None
        if found is not None:
            return found[1].rstrip(".:")
    before = lines[first - 1].strip() if 0 < first <= len(lines) else ""
    found = _COMMENT.match(before)
    return found[1].rstrip(".:") if found else None


def _around(tree: Tree, statement: int) -> str | None:
    """`with lane("memory"):` and `lane("memory", () => ...)`."""
    for one in tree.above(statement):
        kind = tree.kinds[one]
        if kind == "with_statement":
            head = tree.head(one, 400).partition("\n")[0]
            found = _LANE.search(head)
            if found is not None:
                return found[1] or found[2]
        elif kind in CALLS and re.search(
            r"(?:\A|[._])(?:with_?)?lane\Z", callee(tree.nodes[one])[-80:], re.I
        ):
            found = _LANE.search(tree.head(one, 200))
            if found is not None:
                return found[1] or found[2]
        elif kind in ("function_definition", "function_item", "method_definition", "function_declaration"):
            return None
    return None
