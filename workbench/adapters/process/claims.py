"""Hears what the app claims in a ledger while it builds one request. Loaded by the worker: see there.

It stands among the modules under a name of its own, where each ledger, the workbench's or a copy of that
file under any name, looks for it once, when it is imported.
"""

from __future__ import annotations

import contextvars
import json
import sys
import types
from typing import Any

__all__ = ["NAME", "Hearing"]

NAME = "_workbench_claims"
MOST = 64 * 1024 * 1024  # characters of JSON; more would keep the answer itself from coming through
WHOLE = 2**53  # numbers that any reader of JSON keeps


class Hearing(types.ModuleType):
    """What was claimed since `begin`, in this context and in those that began in it."""

    def __init__(self) -> None:
        super().__init__(NAME)
        self.ledgers: list[str] = []
        self.heard: contextvars.ContextVar[Any] = contextvars.ContextVar(NAME, default=None)
        sys.modules[NAME] = self

    def ledger(self, name: str) -> Any:
        """A ledger has been imported; it calls what this returns with each claim."""
        self.ledgers.append(name)
        return self.claimed

    def claimed(self, scope: Any, claims: list[Any]) -> None:
        heard = self.heard.get()
        if heard is not None:
            heard.append((scope, claims))

    def begin(self) -> None:
        """A new request is about to be built."""
        self.heard.set([])

    def end(self) -> Any:
        """The claims that hold for what was built; None where no ledger is loaded.

        What was claimed for a request that the app has sent meanwhile is of that one. Where the app has
        opened a `request()` for this one, nothing else holds.
        """
        heard = self.heard.get()
        self.heard.set(None)
        if not self.ledgers or heard is None:
            return None
        try:
            kept = [
                (scope, made) for scope, made in heard if not (scope.used and (scope.loose or scope.alone))
            ]
            own = [scope for scope, _ in kept if scope.alone][-1:]
            told = [spelled(one) for scope, made in kept if not own or scope is own[0] for one in made]
            size = len(json.dumps(told))
        except Exception as problem:
            return {"failed": f"{type(problem).__name__}: {problem}"}
        if size > MOST:
            return {"failed": f"they come to {size:,} characters, and {MOST:,} are read at most"}
        return told


def spelled(claim: Any) -> dict[str, Any]:
    """One claim as JSON: lane, and text or chars, and what was estimated."""
    told: dict[str, Any] = {"lane": str(claim.lane)}
    if claim.text is not None:
        told["text"] = claim.text
    else:
        told["chars"] = max(0, min(int(claim.chars), WHOLE))
    if isinstance(claim.estimate, int):
        told["estimate"] = max(0, min(int(claim.estimate), WHOLE))
    return told
