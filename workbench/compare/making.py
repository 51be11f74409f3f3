"""Making a finding of a cell: its two sides, its evidence, and the words of its headline."""

from __future__ import annotations

from workbench.compare.evidence import evidence, side
from workbench.compare.window import PlacedWindow
from workbench.core.cell import Cell
from workbench.core.decision import Json, Outcome, ToolCall
from workbench.core.finding import Finding, Kind, Severity

__all__ = ["finding", "head_of", "quoted", "shortened", "tools_fired"]


def finding(
    kind: Kind, severity: Severity, cell: Cell, headline: str, bare: Cell | None, **more: Json
) -> Finding:
    key = cell.key
    baseline = side(bare) if bare is not None and bare is not cell else {}
    return Finding(
        kind,
        severity,
        key.scenario,
        key.prompt,
        key.arm,
        key.adapter,
        headline,
        baseline=baseline,
        variant=side(cell),
        evidence=evidence(cell, **more),
    )


def tools_fired(cell: Cell) -> str:
    calls: list[ToolCall] = [
        call
        for trial in cell.ok
        if trial.decision and trial.decision.outcome is Outcome.FIRE
        for call in trial.decision.calls
    ]
    return ", ".join(dict.fromkeys(call.name for call in calls)) or "no tool named"


def quoted(cell: Cell) -> str:
    return f"'{shortened(cell.delivery.typed, 60)}'"


def head_of(window: PlacedWindow) -> str:
    return f"'{shortened(window.text, 50)}'"


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
