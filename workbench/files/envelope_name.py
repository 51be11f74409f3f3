"""How envelopes are named and nested. Apart from what reads them, which a scenario need not load."""

from __future__ import annotations

import re

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.files.problems import shown

__all__ = ["NAME", "NAME_RULE", "RESERVED", "parse_envelope_name"]

RESERVED = ("bare", "attach", "paste", "substitute")
"""Arms that are no envelopes, so that no envelope may be named so."""

NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
NAME_RULE = 'lower-case letters, digits, "-" and "_", the first a letter or a digit'
_NESTED = re.compile(r"([^()]*)(?:\((.*)\))?", re.DOTALL)


def parse_envelope_name(spelled: str, mark: Mark | None = None) -> tuple[str, ...]:
    """`channel(reply)` as ("channel", "reply"): the outermost first. Raises WorkbenchError."""
    nested: list[str] = []
    rest: str | None = spelled
    while rest is not None:
        found = _NESTED.fullmatch(rest)
        name = found[1] if found else rest
        if found is None or not NAME.fullmatch(name):
            hint = f"write NAME, or OUTER(INNER); a name has {NAME_RULE}"
            raise WorkbenchError(Problem(f"{shown(spelled)} names no envelope", mark, hint))
        if name in RESERVED:
            hint = "it is an arm of its own, that comes with the prompt"
            raise WorkbenchError(Problem(f'"{name}" is no envelope', mark, hint))
        nested.append(name)
        rest = found[2]
    return tuple(nested)
