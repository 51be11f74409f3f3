"""`undecided` where an adapter was not called to the end: a cap was reached, or no call can succeed."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.cell import Cell, Run
from workbench.core.finding import Finding, Kind, Severity

__all__ = ["halted"]


def halted(run: Run) -> Iterator[Finding]:
    """One for each scenario that a halted adapter has cells in."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in run.cells:
        if cell.key.adapter in run.halted:
            groups.setdefault((cell.key.scenario, cell.key.adapter), []).append(cell)
    for (scenario, adapter), cells in groups.items():
        reason = run.halted[adapter]
        trials = sum(len(cell.trials) for cell in cells)
        yield Finding(
            Kind.UNDECIDED,
            Severity.WARNING,
            scenario,
            None,
            None,
            adapter,
            f"STOPPED {scenario}: {adapter} was not called to the end: {reason}",
            evidence={"reason": reason, "cells": len(cells), "trials": trials},
        )
