"""What a run comes to: its verdict, and the adapters that never answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from workbench.core.cell import Run
from workbench.core.finding import Finding, Kind, Severity

__all__ = ["Verdict", "counts", "silent_adapters", "verdict"]


class Verdict(StrEnum):
    """The four ends of a run."""

    OK = "ok"
    FAILED = "failed"
    UNDECIDED = "undecided"
    NO_VERDICT = "no-verdict"


def silent_adapters(run: Run) -> tuple[str, ...]:
    """Adapters that were to answer and have not one ok trial, in the order of the run."""
    asked: dict[str, bool] = {}
    for cell in run.cells:
        asked[cell.key.adapter] = asked.get(cell.key.adapter, False) or bool(cell.ok)
    return tuple(name for name, answered in asked.items() if not answered)


def verdict(run: Run, findings: Sequence[Finding]) -> Verdict:
    """The first that applies: an error finding, no verdict, undecided, ok.

    No cells, an adapter that never answered, or a run that was stopped are no verdict.
    """
    if any(finding.severity is Severity.ERROR for finding in findings):
        return Verdict.FAILED
    kinds = {finding.kind for finding in findings}
    if Kind.NO_VERDICT in kinds or not run.cells or run.interrupted or silent_adapters(run):
        return Verdict.NO_VERDICT
    return Verdict.UNDECIDED if Kind.UNDECIDED in kinds else Verdict.OK


def counts(findings: Sequence[Finding]) -> Mapping[str, int]:
    """How many findings there are of each kind, in the order of the kinds."""
    found = Counter(finding.kind for finding in findings)
    return {kind.value: found[kind] for kind in Kind if kind in found}
