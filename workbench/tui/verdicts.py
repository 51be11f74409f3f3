"""Findings by the cell they are about, and counts of them with the cells: what a row or a mark says."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from workbench.core.cell import CellKey
from workbench.core.finding import Finding, Severity

__all__ = ["Counts", "Verdicts"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Findings, and cells by what is known of them. `failed`: none of the cell's trials is ok.

    `unread` counts those of the answered and failed ones whose stored trials have not been looked through
    for findings, `unjudged` those that a run has just answered and that have not been either.
    """

    errors: int = 0
    warnings: int = 0
    ok: int = 0
    failed: int = 0
    not_run: int = 0
    running: int = 0
    unread: int = 0
    unjudged: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.errors + other.errors,
            self.warnings + other.warnings,
            self.ok + other.ok,
            self.failed + other.failed,
            self.not_run + other.not_run,
            self.running + other.running,
            self.unread + other.unread,
            self.unjudged + other.unjudged,
        )

    @property
    def cells(self) -> int:
        return self.ok + self.failed + self.not_run + self.running


class Verdicts:
    """Every finding of what the screen shows. The findings of one scenario are replaced as a whole."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self._cells: defaultdict[CellKey, list[Finding]] = defaultdict(list)
        self._prompts: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
        self._scenarios: defaultdict[str, list[Finding]] = defaultdict(list)
        self._index(findings)

    def _index(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self._scenarios[finding.scenario].append(finding)
            if finding.prompt is None:
                continue
            self._prompts[finding.scenario, finding.prompt].append(finding)
            if finding.arm is not None:
                key = CellKey(finding.scenario, finding.prompt, finding.arm, finding.adapter)
                self._cells[key].append(finding)

    def replace(self, scenarios: frozenset[str], findings: Iterable[Finding]) -> None:
        """New findings of some scenarios, in place of their old ones."""
        kept = [f for name, known in self._scenarios.items() if name not in scenarios for f in known]
        for index in (self._cells, self._prompts, self._scenarios):
            index.clear()
        self._index([*kept, *findings])

    def relabel(self, scenario: str, labels: Mapping[str, str]) -> None:
        """Prompts of a scenario have other labels now; findings of those not in `labels` go."""
        known = self._scenarios.get(scenario, [])
        kept = [
            finding if finding.prompt is None else dataclasses.replace(finding, prompt=labels[finding.prompt])
            for finding in known
            if finding.prompt is None or finding.prompt in labels
        ]
        self.replace(frozenset((scenario,)), kept)

    def replace_prompt(self, scenario: str, prompt: str, findings: Iterable[Finding]) -> None:
        """New findings of one prompt, in place of its old ones."""
        old = self._prompts.pop((scenario, prompt), [])
        if old:
            gone = {id(finding) for finding in old}
            kept = [finding for finding in self._scenarios[scenario] if id(finding) not in gone]
            self._scenarios[scenario] = kept
            for finding in old:
                arm = finding.arm or ""
                self._cells.pop(CellKey(scenario, prompt, arm, finding.adapter), None)
        self._index(findings)

    def of_cell(self, key: CellKey) -> tuple[Finding, ...]:
        return tuple(self._cells.get(key, ()))

    def of_prompt(self, scenario: str, prompt: str) -> tuple[Finding, ...]:
        return tuple(self._prompts.get((scenario, prompt), ()))

    def of_scenario(self, scenario: str) -> tuple[Finding, ...]:
        """Those of its prompts, and those about the scenario as a whole."""
        return tuple(self._scenarios.get(scenario, ()))

    def worst(self, key: CellKey) -> Severity | None:
        """The heaviest finding of a cell; None without one."""
        found = {finding.severity for finding in self.of_cell(key)}
        return next((severity for severity in Severity if severity in found), None)

    @staticmethod
    def count(findings: Iterable[Finding]) -> Counts:
        """Errors and warnings among findings; notes are no trouble and are not counted."""
        severities = [finding.severity for finding in findings]
        return Counts(severities.count(Severity.ERROR), severities.count(Severity.WARNING))
