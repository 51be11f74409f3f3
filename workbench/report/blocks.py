"""Findings gathered for people: those of one cell together, alike ones over several prompts as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.core.decision import Json
from workbench.core.finding import Finding, Kind, Severity
from workbench.report.plain import spelled

__all__ = ["Block", "blocks"]

_Cell = tuple[str, str | None, str | None, str]
_WORST = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class Block:
    """The findings of one cell, worst first.

    `alike` are the other prompts that have the same ones; `prompt@arm` where it is another arm too.
    """

    findings: tuple[Finding, ...]
    alike: tuple[str, ...] = ()

    @property
    def first(self) -> Finding:
        """The finding whose evidence is shown."""
        return self.findings[0]


def blocks(findings: Sequence[Finding]) -> tuple[Block, ...]:
    """Blocks with errors first, then in the order of the cells. No finding is left out."""
    cells: dict[_Cell, list[Finding]] = {}
    for finding in findings:
        cells.setdefault((finding.scenario, finding.prompt, finding.arm, finding.adapter), []).append(finding)
    folded: dict[object, Block] = {}
    for (scenario, prompt, arm, adapter), members in cells.items():
        members.sort(key=lambda finding: _WORST[finding.severity])
        # An adapter that does not answer is one trouble, however many arms it is asked on.
        silent = all(finding.kind is Kind.NO_VERDICT for finding in members)
        shapes = tuple(_silence(finding) if silent else _shape(finding) for finding in members)
        shape = (scenario, prompt is None, None if silent else arm, adapter, shapes)
        if shape not in folded or prompt is None:
            folded[shape] = Block(tuple(members))
        else:
            first = folded[shape]
            label = prompt if arm == first.first.arm else f"{prompt}@{arm}"
            folded[shape] = replace(first, alike=(*first.alike, label))
    return tuple(sorted(folded.values(), key=lambda block: _WORST[block.first.severity]))


def _shape(finding: Finding) -> tuple[object, ...]:
    """What two findings have to have in common to be told as one."""
    expected = finding.evidence.get("expect")
    return (
        finding.kind,
        finding.severity,
        _side(finding.baseline),
        _side(finding.variant),
        spelled(expected),
    )


def _silence(finding: Finding) -> tuple[object, ...]:
    return (finding.severity, _side(finding.variant), spelled(finding.variant.get("error")))


def _side(side: Mapping[str, Json]) -> tuple[object, ...]:
    statuses = side.get("statuses")
    return (
        side.get("outcome"),
        spelled(side.get("tools")),
        tuple(sorted(statuses)) if isinstance(statuses, Mapping) else (),
        side.get("window") is None,
    )
