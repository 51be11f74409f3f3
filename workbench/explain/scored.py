"""One delivery with its scores, and what would come of it under other thresholds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from workbench.compare.expect import why_not
from workbench.core.cell import BARE, Cell, CellKey
from workbench.core.decision import Decision, Outcome, Score, ToolCall
from workbench.core.scenario import Expectation

__all__ = ["Scored", "Tools", "scored", "tools_of"]

Tools = Mapping[str, tuple[str, ...]]
"""By route, the tools that were called when it fired; a route that never fired stands for itself."""


@dataclass(frozen=True)
class Scored:
    """A delivery, its decision, and its routes, the highest score first, equal ones as they were reported.

    A score is what the router itself went by. `steady`: each of its trials had the same ones. `typed`: the
    prompt's text.
    """

    key: CellKey
    typed: str
    expect: Expectation | None
    decision: Decision
    scores: tuple[Score, ...]
    steady: bool = True

    @property
    def top(self) -> Score | None:
        """The highest score; None where no route was scored."""
        return self.scores[0] if self.scores else None

    def of(self, route: str) -> float:
        """A route's score; minus infinity where it has none."""
        return next((score.deciding for score in self.scores if score.route == route), -math.inf)

    def fires(self, thresholds: Mapping[str, float]) -> str | None:
        """The highest route that reaches its threshold; None: none does. One without a threshold passes."""
        for score in self.scores:
            if score.deciding >= thresholds.get(score.route, -math.inf):
                return score.route
        return None

    @property
    def wrong_now(self) -> bool:
        """Whether what the adapter really decided is not as expected."""
        return self.expect is not None and why_not(self.expect, self.decision) is not None

    def wrong(self, route: str | None, tools: Tools) -> str | None:
        """Why it is not as expected that `route` fires, or none; None where it is, or nothing is expected."""
        return None if self.expect is None else why_not(self.expect, self._decision(route, tools))

    def accepts(self, route: str | None, tools: Tools) -> bool:
        return self.wrong(route, tools) is None

    def _decision(self, route: str | None, tools: Tools) -> Decision:
        """What the adapter would decide. One that held for reasons of its own still does."""
        if route is None:
            return Decision(Outcome.PASS)
        held = self.decision.outcome is Outcome.HOLD
        arguments = {call.name: call.arguments for call in self.decision.calls}
        calls = tuple(ToolCall(name, arguments.get(name)) for name in tools.get(route, (route,)))
        return Decision(Outcome.HOLD if held else Outcome.FIRE, calls)


def scored(cells: Iterable[Cell]) -> tuple[tuple[Scored, ...], tuple[Cell, ...]]:
    """The cells with scores, and those without: no ok trial, or no scores reported."""
    found: list[Scored] = []
    without: list[Cell] = []
    for cell in cells:
        decision = cell.decision
        if decision is None or decision.scores is None:
            without.append(cell)
            continue
        delivery = cell.delivery
        reported = {_values(trial.decision) for trial in cell.ok}
        scores = tuple(sorted(filter(_finite, decision.scores), key=lambda score: -score.deciding))
        found.append(
            Scored(cell.key, delivery.typed, delivery.expect, decision, scores, steady=len(reported) == 1)
        )
    return tuple(found), tuple(without)


def tools_of(deliveries: Sequence[Scored], stock: Mapping[str, float]) -> Tools:
    """What each route was seen to call, in deliveries where the rule explains that it fired."""
    found: dict[str, tuple[str, ...]] = {}
    # A bare prompt shows most plainly what a route stands for.
    for one in sorted(deliveries, key=lambda one: one.key.arm != BARE):
        route = one.fires(stock)
        if route is not None and one.decision.tools:
            found.setdefault(route, one.decision.tools)
    return found


def _values(decision: Decision | None) -> tuple[tuple[str, float], ...]:
    scores = decision.scores if decision is not None else None
    return tuple(sorted((score.route, score.deciding) for score in scores or ()))


def _finite(score: Score) -> bool:
    """A score that is no number reaches no threshold."""
    return not math.isnan(score.deciding)
