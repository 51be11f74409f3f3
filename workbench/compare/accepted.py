"""Known findings: what a scenario's `accept` says of a run, and what it says that is no longer so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.core.cell import BARE, Cell, Run
from workbench.core.decision import Json
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.scenario import Accept

__all__ = ["holds", "matches", "settle"]


_OPEN = (Kind.UNDECIDED, Kind.NO_VERDICT)
_SAMPLED = (Kind.RATE_DRIFT, Kind.EXPECTATION)
"""Kinds that samples may leave open."""


def settle(run: Run, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with those that are accepted turned into notes, then the stale entries as errors."""
    used: set[tuple[str, int]] = set()
    settled: list[Finding] = []
    for finding in findings:
        entries = [
            (number, entry)
            for number, entry in enumerate(run.accept.get(finding.scenario, ()))
            if matches(entry, finding)
        ]
        used.update((finding.scenario, number) for number, _ in entries)
        settled.append(_settled(finding, [entry for _, entry in entries], run))
    return (*settled, *_stale(run, used, findings))


def matches(entry: Accept, finding: Finding) -> bool:
    """Whether an entry of the finding's scenario is about it; what the entry does not name is any."""
    return entry.kind == finding.kind.value and all(
        wanted is None or wanted == found
        for wanted, found in (
            (entry.arm, finding.arm),
            (entry.adapter, finding.adapter),
            (entry.prompt, finding.prompt),
        )
    )


def holds(entry: Accept, started: str) -> bool:
    """Whether an entry still counts in a run of that start; its last day is the day of `until`, in UTC."""
    return entry.until is None or started[:10] <= entry.until


def _settled(finding: Finding, entries: Sequence[Accept], run: Run) -> Finding:
    if not entries:
        return finding
    entry = next((entry for entry in entries if holds(entry, run.started)), None)
    if entry is None:
        return _ran_out(finding, entries[-1])
    until = f", until {entry.until}" if entry.until else ""
    return replace(
        finding,
        kind=Kind.ACCEPTED,
        severity=Severity.NOTE,
        headline=f"ACCEPTED {finding.headline}: {entry.reason}{until}",
        evidence={
            **finding.evidence,
            "accepted_kind": finding.kind.value,
            "accepted_severity": finding.severity.value,
            "accepted_headline": finding.headline,
            **_told(entry),
        },
        accepts=finding.kind,
    )


def _ran_out(finding: Finding, entry: Accept) -> Finding:
    """The finding as it is, and that it was once accepted."""
    return replace(
        finding,
        headline=f"{finding.headline} (accepted until {entry.until}, which is over: {entry.reason})",
        evidence={**finding.evidence, **_told(entry)},
    )


def _told(entry: Accept) -> dict[str, Json]:
    told: dict[str, Json] = {"reason": entry.reason}
    if entry.until:
        told["until"] = entry.until
    if entry.mark.file:
        told["accepted_at"] = f"{entry.mark.file}:{entry.mark.line}"
    return told


def _stale(run: Run, used: set[tuple[str, int]], findings: Sequence[Finding]) -> Iterator[Finding]:
    """`stale-accept`: entries that met nothing, where they would have met it were it still there."""
    if run.interrupted:
        return
    still_open = {(f.scenario, f.prompt, f.adapter) for f in findings if f.kind in _OPEN}
    for scenario, entries in run.accept.items():
        cells = [cell for cell in run.cells if cell.key.scenario == scenario]
        for number, entry in enumerate(entries):
            if (scenario, number) in used or scenario not in run.whole:
                continue
            concerned = [cell for cell in cells if _concerns(entry, cell)]
            if entry.kind in _SAMPLED and any(_prompt_of(cell) in still_open for cell in concerned):
                continue  # it may still be there: the samples do not say
            if entry.kind == Kind.UNDECIDED:
                continue  # that the dice settled it this time is no change
            if concerned and not _narrowed(entry, run) and _answered(concerned, cells):
                yield _stale_entry(scenario, entry, concerned)


def _concerns(entry: Accept, cell: Cell) -> bool:
    key = cell.key
    pairs = ((entry.arm, key.arm), (entry.adapter, key.adapter), (entry.prompt, key.prompt))
    return all(wanted is None or wanted == found for wanted, found in pairs)


def _prompt_of(cell: Cell) -> tuple[str, str, str]:
    return (cell.key.scenario, cell.key.prompt, cell.key.adapter)


def _narrowed(entry: Accept, run: Run) -> bool:
    """Whether the entry is about every arm or adapter, and the run was not of all of them."""
    return (entry.arm is None and "envelope" in run.arguments) or (
        entry.adapter is None and "adapter" in run.arguments
    )


def _answered(concerned: Sequence[Cell], cells: Sequence[Cell]) -> bool:
    """Whether each cell and its bare one have an answer: what failed shows no drift, and hides none."""
    prompts = {(cell.key.prompt, cell.key.adapter) for cell in concerned}
    bare = [c for c in cells if c.key.arm == BARE and (c.key.prompt, c.key.adapter) in prompts]
    return all(cell.ok for cell in (*concerned, *bare))


def _stale_entry(scenario: str, entry: Accept, concerned: Sequence[Cell]) -> Finding:
    adapters = dict.fromkeys(cell.key.adapter for cell in concerned)
    place = "".join(
        (f" [{entry.arm}]" if entry.arm else "", f" {entry.adapter}" if entry.adapter else ""),
    )
    about = f", prompt {entry.prompt}" if entry.prompt else ""
    return Finding(
        Kind.STALE_ACCEPT,
        Severity.ERROR,
        scenario,
        entry.prompt,
        entry.arm,
        entry.adapter or ", ".join(adapters),
        f"STALE ACCEPT {entry.kind}{place}{about}: it is gone, take the entry away ({entry.reason})",
        evidence={
            "reason": entry.reason,
            **({"until": entry.until} if entry.until else {}),
            "accepted_kind": entry.kind,
            "cells": len(concerned),
            "file": entry.mark.file,
            "line": entry.mark.line,
        },
        accepts=Kind(entry.kind),
    )
