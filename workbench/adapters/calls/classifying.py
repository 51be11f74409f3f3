"""A model as a router: it picks one of the routes by structured output, and is offered no tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from workbench.core.decision import Decision, Json, Outcome, ToolCall, Window, WindowSource

__all__ = ["Routes", "routes_of"]

_WANTED = "expected a list of routes, or a mapping of each to fire, hold or pass"


@dataclass(frozen=True, slots=True)
class Routes:
    """`names` in the order of the file. `meant` says, where the file does, what becomes of each."""

    names: tuple[str, ...]
    meant: Mapping[str, Outcome] | None = None

    def decided(self, decision: Decision, sent: str | None) -> Decision:
        """The decision with what the workspace means by the route. `sent` is what the model was given to
        route, which is its window; None: that is not known.
        """
        if self.meant is not None and decision.raw is not None:
            chosen = json.loads(decision.raw)["route"]
            outcome = self.meant[chosen]
            calls = () if outcome is Outcome.PASS else (ToolCall(chosen),)
            decision = replace(decision, outcome=outcome, calls=calls)
        if sent is None:
            return decision
        return replace(decision, windows=(Window(sent, WindowSource.CAPTURED),))


def routes_of(value: Json) -> tuple[Routes | None, list[str]]:
    """The routes that the option `classify` says, and what is wrong with it."""
    if value is None:
        return None, []
    if isinstance(value, Mapping):
        return _mapped(value)
    if not isinstance(value, list | tuple) or not all(
        isinstance(name, str) and name.strip() for name in value
    ):
        return None, [f"classify: {_WANTED}"]
    names = tuple(str(name) for name in value)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice or len(names) < 2:
        return None, [
            f"classify: {twice[0]!r} stands there twice"
            if twice
            else f"classify: one route is no choice; {_WANTED}"
        ]
    return Routes(names), []


def _mapped(value: Mapping[str, Json]) -> tuple[Routes | None, list[str]]:
    known = {outcome.value: outcome for outcome in Outcome}
    problems = [
        f"classify.{name}: {meant!r} is none of fire, hold, pass"
        for name, meant in value.items()
        if not isinstance(meant, str) or meant not in known
    ]
    if not problems and len(value) < 2:
        problems.append(f"classify: one route is no choice; {_WANTED}")
    if problems:
        return None, problems
    return Routes(tuple(value), {name: known[str(meant)] for name, meant in value.items()}), []
