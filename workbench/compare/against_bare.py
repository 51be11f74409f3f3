"""A cell held against its bare one: drift, or where the decision stands, drift of scores and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workbench.compare.calls import Change, call_rows
from workbench.compare.evidence import described
from workbench.compare.foreign_argument import foreign_arguments
from workbench.compare.making import finding, head_of, quoted
from workbench.compare.pair import window_of
from workbench.compare.score_findings import score_drift
from workbench.core.cell import Cell
from workbench.core.decision import Decision, Json, Outcome
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.relation import broken

__all__ = ["against_bare"]

_HEADS = {"attach": "ATTACHMENT", "paste": "PASTE", "substitute": "SUBSTITUTE"}


def against_bare(cell: Cell, bare: Cell) -> Iterator[Finding]:
    """`drift`, or where the decision stands `score-drift` and `call-drift`; and `foreign-argument`."""
    ours, theirs = bare.decision, cell.decision
    if ours is None or theirs is None:
        return  # a failure equals nothing, another failure neither
    if broken(cell.delivery.relation, ours, theirs):
        yield _drift(cell, bare, ours, theirs)
    elif ours.outcome is theirs.outcome and Counter(ours.tools) == Counter(theirs.tools):
        yield from score_drift(cell, bare, ours.scores, theirs.scores)
    rows = call_rows(ours.calls, theirs.calls)
    same_tools = Counter(ours.tools) == Counter(theirs.tools)
    changes = [(row.name, change) for row in rows for change in row.changes]
    if same_tools and changes:
        paths = ", ".join(dict.fromkeys(f"{name}({change.path or 'all'})" for name, change in changes))
        yield finding(
            Kind.CALL_DRIFT,
            Severity.NOTE,
            cell,
            f"CALL DRIFT [{cell.key.arm}] {quoted(cell)}: same tools, other arguments: {paths}",
            bare,
            changes=[_change_view(name, change) for name, change in changes],
        )
    yield from foreign_arguments(cell, bare, changes)


def _drift(cell: Cell, bare: Cell, ours: Decision, theirs: Decision) -> Finding:
    arm = cell.key.arm
    head = _HEADS.get(arm) or ("ATTACHMENT" if cell.delivery.document else "ENVELOPE")
    declined = theirs.outcome is ours.outcome is not Outcome.FIRE
    before = f"{ours.outcome.value} {', '.join(ours.tools)}" if declined else described(bare)
    after = f"{theirs.outcome.value} {', '.join(theirs.tools)}" if declined else described(cell)
    if ours.outcome is theirs.outcome and set(ours.tools) == set(theirs.tools):
        before, after = f"{before} x{len(ours.tools)}", f"{after} x{len(theirs.tools)} (multiplicity)"
    window = window_of(cell)
    scanned = f", scanned={head_of(window)}" if window else ""
    left, right = window_of(bare), window
    return finding(
        Kind.DRIFT,
        Severity.ERROR,
        cell,
        f"{head} DRIFT [{arm}] {quoted(cell)}: {before.strip()} -> {after.strip()}{scanned}",
        bare,
        read={
            "bare": len(left.text) if left else None,
            "variant": len(right.text) if right else None,
        },
    )


def _change_view(name: str, change: Change) -> dict[str, Json]:
    return {
        "tool": name,
        "path": change.path,
        "kind": change.kind.value,
        "before": change.before,
        "after": change.after,
    }
