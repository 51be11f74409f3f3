"""Policies by name: those built in, the workspace's envelopes taken off, and a function of the user's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.decision import canonical
from workbench.core.envelope import Envelope
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.policy import BUILT_IN, Hand, first_and_last, unwrapped
from workbench.files.problems import shown, suggestion

__all__ = ["NONE", "POLICIES", "PYTHON", "Policy", "policy_named"]

NONE = "none"
"""No policy, also where the file names one."""

UNWRAP = "unwrap"
PYTHON = "python:"

POLICIES = (*BUILT_IN, UNWRAP)
"""Every policy that has a name of its own."""

_TARGET = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_LIMITED = re.compile(r"first-last:([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy as it is named. `hand` None: a function of the user's does it, which `target` names.

    That function runs as an adapter does, under the policy's own name, and answers with a window. `mark`
    changes with whatever else decides what is handed on.
    """

    name: str
    about: str
    hand: Hand | None = None
    target: str | None = None
    mark: str = ""


def policy_named(name: str, envelopes: Mapping[str, Envelope], mark: Mark | None = None) -> Policy | None:
    """The policy; None for `none`. `envelopes` are those that `unwrap` knows.

    Raises WorkbenchError on a name that is none, and where an envelope that is needed cannot be read.
    """
    if name == NONE:
        return None
    if name in BUILT_IN:
        return Policy(name, BUILT_IN[name].about, BUILT_IN[name].hand)
    if name == UNWRAP:
        known = dict(envelopes.items())
        forms = [[e.name, e.template, sorted(e.slots), e.transforms] for e in known.values()]
        about = "the words inside this workspace's envelopes"
        return Policy(name, about, unwrapped(known), mark=canonical(forms))
    if limited := _LIMITED.fullmatch(name):
        limit = int(limited[1])
        about = f"the first and the last sentence of a turn beyond {limit:,} characters"
        return Policy(name, about, first_and_last(limit))
    if name.startswith(PYTHON):
        target = name.removeprefix(PYTHON).strip()
        if _TARGET.fullmatch(target):
            return Policy(name, f"what {target} returns", target=target)
        hint = "expected python:package.module:function"
        raise WorkbenchError(Problem(f"{shown(target)} names no function", mark, hint))
    raise WorkbenchError(
        Problem(f"unknown policy {shown(name)}", mark, suggestion(name, (*POLICIES, NONE, "python:…")))
    )
