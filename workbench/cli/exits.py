"""Exit codes: an interface as fixed as the report's."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.cell import Run
    from workbench.core.finding import Finding

__all__ = ["Exit", "exit_of"]


class Exit(IntEnum):
    """The first that applies, in the order 130, 2, 1, 3, 4, 0."""

    OK = 0  # nothing is wrong
    FINDING = 1  # an error finding
    USAGE = 2  # wrong usage, or a file that cannot be read
    NO_ANSWER = 3  # an adapter without one ok trial
    UNDECIDED = 4  # undecided, or no verdict
    FAULT = 70  # a fault of the workbench itself; never mistaken for a finding
    INTERRUPTED = 130  # stopped; what was done is kept


def exit_of(run: Run, findings: tuple[Finding, ...], *, allow_undecided: bool = False) -> Exit:
    """What a run comes to."""
    from workbench.core.finding import Kind, Severity

    if run.interrupted:
        return Exit.INTERRUPTED
    if any(finding.severity is Severity.ERROR for finding in findings):
        return Exit.FINDING
    answered = {cell.key.adapter for cell in run.cells if cell.ok}
    if {cell.key.adapter for cell in run.cells} - answered:
        return Exit.NO_ANSWER
    open_kinds = (Kind.UNDECIDED, Kind.NO_VERDICT)
    is_open = bool(run.halted) or any(finding.kind in open_kinds for finding in findings)
    if is_open and not allow_undecided:
        return Exit.UNDECIDED
    return Exit.OK
