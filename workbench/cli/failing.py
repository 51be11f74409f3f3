"""`run --only-failing`: the cells that the newest run found fault with, and their bare ones."""

from __future__ import annotations

from workbench.cli.bench import store_root
from workbench.compare.findings import find
from workbench.core.cell import BARE, CellKey, Run
from workbench.core.errors import Problem, UsageError
from workbench.core.finding import Severity
from workbench.files.workspace import Workspace
from workbench.replay.plan import Plan
from workbench.store.store import Store

__all__ = ["failing_keys", "only_failing"]


def only_failing(plan: Plan, workspace: Workspace) -> Plan:
    """The part of the plan that failed last time. Raises UsageError where nothing of it did."""
    store = Store.existing(store_root(workspace))
    newest = store.newest() if store else None
    if store is None or newest is None:
        raise UsageError(
            Problem("no run is stored that could have failed", hint="run without --only-failing")
        )
    with store:
        run = store.load(newest)
    failing = failing_keys(run)
    keys = {
        delivery.key
        for delivery in plan.deliveries
        if delivery.key in failing
        or (delivery.key.arm == BARE and any(_same_prompt(delivery.key, key) for key in failing))
    }
    if not keys:
        raise UsageError(
            Problem(f"nothing of this failed in run {run.id}", hint="run it whole, without --only-failing")
        )
    return plan.only(keys)


def failing_keys(run: Run) -> frozenset[CellKey]:
    """The cells with an error finding or a failed trial."""
    found = {
        CellKey(finding.scenario, finding.prompt, finding.arm, finding.adapter)
        for finding in find(run)
        if finding.severity is Severity.ERROR and finding.prompt is not None and finding.arm is not None
    }
    return frozenset(found | {cell.key for cell in run.cells if cell.failed})


def _same_prompt(one: CellKey, other: CellKey) -> bool:
    return (one.scenario, one.prompt, one.adapter) == (other.scenario, other.prompt, other.adapter)
