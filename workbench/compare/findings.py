"""A run, read for what is wrong with it."""

from __future__ import annotations

from workbench.core.cell import Run
from workbench.core.finding import Finding

__all__ = ["find"]


def find(run: Run) -> tuple[Finding, ...]:
    """Every finding of a run, in the order of its cells, errors first within a cell."""
    raise NotImplementedError
