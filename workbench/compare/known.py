"""Findings held against an earlier run: what stood there already is told, and fails nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.compare.run_diff import RunFacts
from workbench.core.decision import Json
from workbench.core.finding import Finding, Severity

__all__ = ["mark_known"]

_KNOWN = "KNOWN "


def mark_known(findings: Sequence[Finding], baseline: RunFacts) -> tuple[Finding, ...]:
    """The findings, those with the id of one of `baseline` as notes headed KNOWN; kind and id stay.

    Where the headline was another one, it is kept as evidence: the fault may have changed its form.
    """
    before = {finding.id: finding.headline.removeprefix(_KNOWN) for finding in baseline.findings}
    return tuple(
        _known(finding, before[finding.id], baseline.id) if finding.id in before else finding
        for finding in findings
    )


def _known(finding: Finding, headline: str, run: str) -> Finding:
    told: dict[str, Json] = {"known": f"{finding.severity.value} in run {run} already"}
    if headline != finding.headline:
        told["known_as"] = headline
    return replace(
        finding,
        severity=Severity.NOTE,
        headline=f"{_KNOWN}{finding.headline}",
        evidence={**finding.evidence, **told},
    )
