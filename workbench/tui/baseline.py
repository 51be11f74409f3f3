"""What the chosen cell is held against, where that is not bare: a pinned answer, or an earlier run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.core.cell import AdapterInfo, Cell, CellKey, Run
from workbench.core.finding import Finding
from workbench.core.relation import Relation, broken
from workbench.core.text import SafeText, join, safe, visible
from workbench.tui.counting import count_cell
from workbench.tui.verdicts import Verdicts

__all__ = ["Baseline", "PinnedCell", "PinnedRun"]

NOW = safe("now")


@dataclass(frozen=True, slots=True, eq=False)
class PinnedCell:
    """One answer, kept as it was when it was pinned, also once its cell has been run again."""

    cell: Cell
    info: AdapterInfo | None = None

    def of(self, cell: Cell) -> Cell | None:
        """What a cell is held against; None for the pinned answer itself."""
        return None if cell is self.cell else self.cell

    def infos(self, info: AdapterInfo | None) -> tuple[AdapterInfo | None, AdapterInfo | None]:
        """The adapters of both sides, where `info` is the cell's."""
        return self.info, info

    def when(self, newest: Mapping[CellKey, Cell]) -> tuple[SafeText, SafeText]:
        """The times of both sides: alike while the pinned answer is its cell's newest."""
        earlier = newest.get(self.cell.key) is not self.cell
        return (safe("earlier answer") if earlier else NOW, NOW)

    def lacking(self, cell: Cell) -> str:
        """Why a cell stands by itself."""
        return "this is the pinned answer: other cells, and new answers of this one, are held against it"

    def findings(self, key: CellKey) -> tuple[Finding, ...]:
        """What was found wrong then."""
        return ()

    def differs(self, cell: Cell) -> bool | None:
        """Whether a cell is a case; None: the baseline has no say in that."""
        return None


@dataclass(frozen=True, slots=True, eq=False)
class PinnedRun:
    """An earlier run: each of its cells is held against the newest answer of the same cell."""

    run: Run
    verdicts: Verdicts
    cells: Mapping[CellKey, Cell] = field(default_factory=dict)

    @classmethod
    def made(cls, run: Run, findings: tuple[Finding, ...]) -> PinnedRun:
        """A run with what it was found to hold."""
        cells = {cell.key: cell for cell in run.cells if cell.trials}
        return cls(run, Verdicts(findings), cells)

    def of(self, cell: Cell) -> Cell | None:
        """The same cell in that run; None where it has none."""
        return self.cells.get(cell.key)

    def infos(self, info: AdapterInfo | None) -> tuple[AdapterInfo | None, AdapterInfo | None]:
        """The adapters of both sides, where `info` is the cell's."""
        return (self.run.adapters.get(info.name) if info is not None else None), info

    def when(self, newest: Mapping[CellKey, Cell]) -> tuple[SafeText, SafeText]:
        """The run by its name, and now."""
        return join((safe("run "), visible(self.run.id))), NOW

    def lacking(self, cell: Cell) -> str:
        """Why a cell stands by itself."""
        return "! the run that was chosen as the baseline has no answer of this cell"

    def findings(self, key: CellKey) -> tuple[Finding, ...]:
        """What was found wrong then."""
        return self.verdicts.of_cell(key)

    def differs(self, cell: Cell) -> bool | None:
        """Whether a cell decides otherwise than it did, failed since, or has gained or lost a finding."""
        then = self.cells.get(cell.key)
        if then is None:
            return None
        if cell.delivery.samples is not None and then.delivery.samples is not None:
            return _rates_differ(then, cell)
        before, after = then.decision, cell.decision
        if before is None or after is None:
            return before is not after
        return broken(Relation.EQUAL, before, after)


def _rates_differ(then: Cell, now: Cell) -> bool:
    """Whether the rates of a sampled cell are further apart than chance would have it."""
    from workbench.compare.rate_change import RateFacts, changed_rates

    before, after = (
        RateFacts(count.event.name, count.k, count.n) for count in (count_cell(then), count_cell(now))
    )
    if not (before.n and after.n):
        return before.n != after.n
    return changed_rates(((before, after),))[0]


Baseline = PinnedCell | PinnedRun
