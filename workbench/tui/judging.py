"""Looking through a run for what is wrong, and for what its rates prove: slow, so beside the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.cell import BARE, Cell, CellKey, Run
from workbench.core.finding import Finding

if TYPE_CHECKING:
    from workbench.compare.rate_limits import Gate
    from workbench.compare.rates import Compared, Rate

__all__ = ["JudgedRate", "Rates", "Ruling", "rule_on"]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRate:
    """The rate of a sampled `cell` by the event that its scenario is about, and what is claimed of it.

    `gate` holds it against the expectation, None without one; `reading` against bare, None where there
    is no bare turn.
    """

    cell: Cell
    rate: Rate
    gate: Gate | None
    reading: Compared | None

    @property
    def wanted(self) -> bool:
        """Whether the event is to happen: then it is the lower bound that matters."""
        return self.gate is not None and self.gate.min_rate is not None


class Ruling(NamedTuple):
    """What a run was found to hold, and the rates of its sampled cells."""

    findings: tuple[Finding, ...]
    rates: Mapping[CellKey, JudgedRate]


def rule_on(find: Callable[[Run], tuple[Finding, ...]], run: Run) -> Ruling:
    """The findings of a run, by `find`, and its rates."""
    return Ruling(find(run), _rates(run))


def _rates(run: Run) -> dict[CellKey, JudgedRate]:
    cells = {cell.key: cell for cell in run.cells if cell.delivery.samples is not None and cell.trials}
    if not cells:
        return {}
    from workbench.compare.events import declared_event
    from workbench.compare.rate_limits import gate_of
    from workbench.compare.rates import called_by, rate_of, readings

    verdicts = readings(replace(run, cells=tuple(cells.values())))
    found: dict[CellKey, JudgedRate] = {}
    for key, cell in cells.items():
        bare = cells.get(replace(key, arm=BARE))
        known = called_by(bare) if bare is not None else frozenset()
        rate = rate_of(cell, declared_event(cell.delivery), known, declared=True)
        found[key] = JudgedRate(cell, rate, gate_of(cell), verdicts.get(key))
    return found


class Rates:
    """The rates that were judged last. One is of an answer, and gone once its cell has a new one."""

    def __init__(self) -> None:
        self._judged: dict[CellKey, JudgedRate] = {}

    def take(self, rates: Mapping[CellKey, JudgedRate]) -> None:
        """Rates of some cells, in place of their old ones."""
        self._judged.update(rates)

    def of(self, cell: Cell | None) -> JudgedRate | None:
        """The rate of just these trials; None where they have not been judged."""
        known = self._judged.get(cell.key) if cell is not None else None
        return known if known is not None and known.cell is cell else None
