"""What a command line may offer the screen beyond running: earlier runs, and things to take along."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from workbench.core.cell import Cell, Run
from workbench.core.finding import Finding
from workbench.core.scenario import Prompt
from workbench.store.records import RunSummary

__all__ = ["Outbox", "Runs"]


class Runs(NamedTuple):
    """The stored runs, the newest first, and one of them with its findings. Both are called in a thread.

    Both raise WorkbenchError.
    """

    listed: Callable[[], tuple[RunSummary, ...]]
    load: Callable[[str], tuple[Run, tuple[Finding, ...]]]


class Outbox(NamedTuple):
    """`root` is the folder whose `.workbench/` takes files. The others are called in a thread.

    `report(bare, cell, findings)` is the text report of one cell. `case(cell, prompt)` is a case of its
    own as YAML; the prompt is as its scenario has it now, None where it has it no more. It raises
    WorkbenchError.
    """

    root: Path
    report: Callable[[Cell | None, Cell, tuple[Finding, ...]], str]
    case: Callable[[Cell, Prompt | None], str]
