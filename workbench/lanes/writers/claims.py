"""Code that says itself which lane a text belongs to, in the words of `workbench.ledger`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.lanes.writers.kinds import CALLS
from workbench.lanes.writers.shape import arguments, callee, literal
from workbench.lanes.writers.tree import Tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["Claimed", "claim_at"]

_CLAIM = re.compile(r"(?:\A|[.:_])(?:claim|lane)\Z")
_AS = re.compile(r"""\bwith\s+[\w.]*\blane\(\s*['"](\w[\w.:-]*)['"][^\n]*?\)\s+as\s+(\w+)""")


class Claimed(NamedTuple):
    """`texts`: what was claimed, `name`: a list that stands for it."""

    lane: str
    texts: list[SgNode]
    name: str | None = None


def claim_at(tree: Tree, at: int) -> Claimed | None:
    """What `claim("memory", text)` or `with lane("memory") as parts` claims."""
    kind, node = tree.kinds[at], tree.nodes[at]
    if kind == "with_statement":
        found = _AS.search(tree.head(at, 300))
        return Claimed(found[1], [], found[2]) if found else None
    if kind not in CALLS or not _CLAIM.search(callee(node)):
        return None
    given = arguments(node)
    lane = literal(given[0]) if len(given) > 1 else None
    return None if not lane else Claimed(lane, given[1:])
