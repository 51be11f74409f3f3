"""A run, read for what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.compare.accepted import settle
from workbench.compare.against_bare import against_bare
from workbench.compare.checks import decision_alone, delivery_failed, vacuous_bare
from workbench.compare.halted import halted
from workbench.compare.rate_findings import sampled_alone
from workbench.compare.rates import Compared, readings
from workbench.compare.read import window_alone
from workbench.compare.score_findings import scores_that_tell_nothing
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Run
from workbench.core.finding import Finding, Kind, Severity

__all__ = ["find"]

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def find(run: Run) -> tuple[Finding, ...]:
    """Every finding of a run, in the order of its cells, errors first within a cell.

    What the scenarios accept is a note, and what they accept in vain an error.
    """
    bare = {_prompt_of(cell): cell for cell in run.cells if cell.key.arm == BARE}
    compared = readings(run)
    found: list[Finding] = []
    for cell in run.cells:
        if cell.trials:
            reading = compared.get(cell.key)
            found += _of_cell(cell, bare.get(_prompt_of(cell)), reading, run.adapters[cell.key.adapter])
    if not run.interrupted:
        found += _nothing_fired(run)
    told = {
        finding.id for finding in found
    }  # one of a kind: that nothing fired is more than that scores are alike
    found += (finding for finding in scores_that_tell_nothing(run) if finding.id not in told)
    found += halted(run)
    return tuple(_in_order(settle(run, found), run))


def _in_order(findings: Sequence[Finding], run: Run) -> list[Finding]:
    """By cell and severity; those of no cell last, in their order."""
    places = {cell.key: number for number, cell in enumerate(run.cells)}

    def place(finding: Finding) -> tuple[int, int]:
        key = CellKey(finding.scenario, finding.prompt or "", finding.arm or "", finding.adapter)
        at = places.get(key)
        return (len(places), 0) if at is None else (at, _ORDER[finding.severity])

    return sorted(findings, key=place)


def _prompt_of(cell: Cell) -> tuple[str, str, str]:
    return (cell.key.scenario, cell.key.prompt, cell.key.adapter)


def _of_cell(
    cell: Cell, bare: Cell | None, reading: Compared | None, adapter: AdapterInfo
) -> Iterator[Finding]:
    yield from delivery_failed(cell, bare)
    if adapter.deterministic:
        yield from decision_alone(cell, bare)
        if bare is not None and bare is not cell:
            yield from against_bare(cell, bare)
    else:
        yield from sampled_alone(cell, bare, reading, adapter)
    if adapter.router:
        yield from window_alone(cell, bare)
    if adapter.deterministic:
        yield from vacuous_bare(cell)


def _nothing_fired(run: Run) -> Iterator[Finding]:
    """`vacuous`: no prompt of a whole scenario made an adapter fire, so nothing could drift."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in run.cells:
        if cell.key.scenario in run.whole and run.adapters[cell.key.adapter].decides:
            groups.setdefault((cell.key.scenario, cell.key.adapter), []).append(cell)
    for (scenario, adapter), cells in groups.items():
        answered = sum(len(cell.ok) for cell in cells)
        if answered and not any(cell.outcomes.get("fire") for cell in cells):
            yield Finding(
                Kind.VACUOUS,
                Severity.WARNING,
                scenario,
                None,
                None,
                adapter,
                f"VACUOUS {scenario}: {adapter} fired on no prompt; add one that must fire",
                evidence={"cells": len(cells), "trials": answered, "file": cells[0].delivery.file},
            )
