"""How far a scenario's scored decisions lie from their thresholds, and which is nearest to another one."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.compare.margins import Flip, flip, lead, spread
from workbench.core.cell import Cell, Run
from workbench.core.text import SafeText, safe
from workbench.report.measure import named
from workbench.report.tables import number, signed
from workbench.report.writer import Line, Piece

__all__ = ["margin_lines"]


def margin_lines(run: Run, scenario: str) -> Iterator[Line]:
    """A line for each adapter that scores against thresholds: the best route's margins, and the thinnest."""
    groups: dict[str, list[Cell]] = {}
    for cell in run.cells:
        if cell.key.scenario == scenario and _lead(cell) is not None:
            groups.setdefault(cell.key.adapter, []).append(cell)
    for adapter, cells in groups.items():
        margins = [margin for cell in cells if (margin := _lead(cell)) is not None]
        known = spread(margins)
        if known is None or known.count < 2:
            continue
        words = f"best margin {signed(known.least)} to {signed(known.most)}, median {signed(known.middle)}"
        yield (
            Piece(SafeText(f"  {named(adapter)}: {words}, {known.count:,} cells")),
            Piece(_thinnest(cells), "dim"),
        )


def _lead(cell: Cell) -> float | None:
    return lead(cell.decision.scores) if cell.decision else None


def _thinnest(cells: list[Cell]) -> SafeText:
    """The cell that the least change of a score would decide otherwise."""
    flips: list[tuple[Flip, Cell]] = []
    for cell in cells:
        nearest = flip(cell.decision.scores or ()) if cell.decision else None
        if nearest is not None:
            flips.append((nearest, cell))
    if not flips:
        return safe("")
    nearest, cell = min(flips, key=lambda one: one[0].distance)
    where = f"{named(cell.key.prompt)}@{named(cell.key.arm)}"
    return SafeText(f"; thinnest {where}: by {number(nearest.distance)}, {_flipped(nearest)}")


def _flipped(nearest: Flip) -> SafeText:
    return SafeText(f"{named(nearest.route)} {named(nearest.how)}")
