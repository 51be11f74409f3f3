"""Runs, cells and findings as the records of the JSON report, version 1: fields are added, never changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from workbench.compare.rate_findings import rate_view
from workbench.compare.rates import rates_of
from workbench.compare.window import PlacedWindow, place
from workbench.core.cell import Cell, Run
from workbench.core.decision import Decision, Json, Match, Score
from workbench.core.finding import Finding
from workbench.report.holding import audit_view
from workbench.report.lanes import NO_LANES, LaneViews
from workbench.report.verdict import counts, verdict

__all__ = ["HEAD", "VERSION", "cell_views", "finding_view", "run_view", "summary_view"]

VERSION = 1
HEAD = 80
"""Code points of a window's head."""


def run_view(run: Run) -> dict[str, Json]:
    """What made the run."""
    adapters = {
        name: {"use": info.use, "fingerprint": info.fingerprint} for name, info in run.adapters.items()
    }
    return {
        "id": run.id,
        "started": run.started,
        "seconds": run.seconds,
        "adapters": adapters,
        "arguments": run.arguments,
        "interrupted": run.interrupted,
        "halted": run.halted,
        **_spent(run),
    }


def cell_views(run: Run, lanes: LaneViews = NO_LANES) -> Iterator[dict[str, Json]]:
    """Every cell, in the order of the run."""
    tools = _tools_of_prompts(run)
    groups: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in run.cells:
        if not run.adapters[cell.key.adapter].deterministic:
            key = cell.key
            groups.setdefault((key.scenario, key.prompt, key.adapter), []).append(cell)
    for cell in run.cells:
        view = _cell(cell, tools[cell.key.scenario, cell.key.prompt])
        group = groups.get((cell.key.scenario, cell.key.prompt, cell.key.adapter))
        if group is not None:
            view["rates"] = [rate_view(rate) for rate in rates_of(cell, group)]
        if cell.key in lanes:
            view["lanes"] = lanes[cell.key]
        yield view


def finding_view(finding: Finding) -> dict[str, Json]:
    """One finding with its evidence as it was found."""
    return {
        "id": finding.id,
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "scenario": finding.scenario,
        "prompt": finding.prompt,
        "arm": finding.arm,
        "adapter": finding.adapter,
        "headline": finding.headline,
        "baseline": finding.baseline,
        "variant": finding.variant,
        "evidence": finding.evidence,
    }


def summary_view(run: Run, findings: Sequence[Finding]) -> dict[str, Json]:
    """Counts and the verdict."""
    return {
        "cells": len(run.cells),
        "trials": sum(len(cell.trials) for cell in run.cells),
        "failed": sum(cell.failed for cell in run.cells),
        "findings": counts(findings),
        "verdict": verdict(run, findings).value,
        "audit": audit_view(run),
    }


def _spent(run: Run) -> dict[str, Json]:
    """Tokens and US dollars that the run's calls took, where any call says so."""
    exchanges = [trial.exchange for cell in run.cells for trial in cell.trials if trial.exchange is not None]
    costs = [exchange.cost for exchange in exchanges if exchange.cost is not None]
    usages = [exchange.usage for exchange in exchanges if exchange.usage is not None]
    spent: dict[str, Json] = {"cost": sum(costs)} if costs else {}
    if usages:
        spent["tokens"] = {
            "input": sum(usage.input or 0 for usage in usages),
            "output": sum(usage.output or 0 for usage in usages),
        }
    return spent


def _tools_of_prompts(run: Run) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Every tool seen in any arm of a prompt, on any adapter; the declined ones too."""
    seen: dict[tuple[str, str], dict[str, None]] = {}
    for cell in run.cells:
        names = seen.setdefault((cell.key.scenario, cell.key.prompt), {})
        for trial in cell.ok:
            names.update(dict.fromkeys(trial.decision.tools if trial.decision else ()))
    return {prompt: tuple(names) for prompt, names in seen.items()}


def _cell(cell: Cell, tools: Sequence[str]) -> dict[str, Json]:
    decision = cell.decision
    windows = _windows(cell, decision)
    view: dict[str, Json] = {
        "scenario": cell.key.scenario,
        "prompt": cell.key.prompt,
        "typed": cell.delivery.typed,
        "arm": cell.key.arm,
        "adapter": cell.key.adapter,
        "trials": len(cell.trials),
        "failed": cell.failed,
        "statuses": dict(cell.statuses),
        "outcomes": dict(cell.outcomes),
        "tools": _tool_counts(cell, tools),
        "decision": _decision(decision) if decision else None,
        "window": windows[-1] if windows else None,
        "scores": _scores(decision.scores) if decision and decision.scores is not None else None,
        "matches": _matches(decision.matches) if decision and decision.matches is not None else None,
        "flags": list(decision.flags) if decision else [],
        "errors": _errors(cell),
    }
    if windows is not None and len(windows) != 1:
        view["windows"] = windows
    if decision and decision.scanned is not None:
        view["scanned"] = decision.scanned
    if cell.delivery.policy is not None:
        view["policy"] = cell.delivery.policy
        view["handed"] = decision.handed if decision else None
    return view


def _tool_counts(cell: Cell, tools: Sequence[str]) -> dict[str, Json]:
    called: Counter[str] = Counter()
    for trial in cell.ok:
        if trial.decision:
            called.update(set(trial.decision.called))
    return {tool: called[tool] for tool in tools}


def _decision(decision: Decision) -> dict[str, Json]:
    calls = [{"name": call.name, "arguments": call.arguments} for call in decision.calls]
    return {"outcome": decision.outcome.value, "calls": calls, "note": decision.note}


def _windows(cell: Cell, decision: Decision | None) -> list[Json] | None:
    if decision is None or decision.windows is None:
        return None
    turn, typed = cell.delivery.turn, cell.delivery.typed
    return [_window(place(window, turn, typed)) for window in decision.windows]


def _window(window: PlacedWindow) -> dict[str, Json]:
    view: dict[str, Json] = {
        "source": window.source.value,
        "length": len(window.text),
        "head": window.text[:HEAD],
        "spans": None if window.spans is None else [list(span) for span in window.spans],
        "user_coverage": window.user_coverage,
        "foreign_share": window.foreign_share,
        "found": window.found.value,
        "ambiguous": window.ambiguous,
    }
    if window.tap is not None:
        view["tap"] = window.tap
    return view


def _scores(scores: Sequence[Score]) -> list[Json]:
    """Each with what the router itself went by, where that is another number."""
    return [
        {
            "route": score.route,
            "value": score.value,
            "threshold": score.threshold,
            **({} if score.used is None else {"used": score.used}),
        }
        for score in scores
    ]


def _matches(matches: Sequence[Match]) -> list[Json]:
    return [{"rule": m.rule, "text": m.text, "start": m.start, "end": m.end} for m in matches]


def _errors(cell: Cell) -> list[Json]:
    """How the failed trials ended: each way once, with its count."""
    ways = Counter((trial.status.value, trial.error) for trial in cell.trials if not trial.ok)
    return [{"status": status, "error": error, "count": n} for (status, error), n in ways.items()]
