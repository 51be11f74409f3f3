"""`run --only-failing`: the cells whose newest answer has a fault, and their bare ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from workbench.cli.bench import store_root
from workbench.compare.findings import find
from workbench.core.cell import BARE, Cell, CellKey, Delivery, Run
from workbench.core.errors import Problem, UsageError
from workbench.core.finding import Severity
from workbench.files.workspace import Workspace
from workbench.replay.plan import Plan
from workbench.store.newest import NewestAnswers, Stored

__all__ = ["failing_keys", "only_failing"]


def only_failing(plan: Plan, workspace: Workspace) -> Plan | None:
    """The part of the plan that failed when it was last run, whichever run that was; None: nothing did.

    What was an error then is run again, and so is what its file calls one now. Raises UsageError where
    nothing of the plan has been run.
    """
    answers = NewestAnswers(store_root(workspace))
    planned = {delivery.key: delivery for delivery in plan.deliveries}
    failing: set[CellKey] = set()
    known = False
    for scenario in dict.fromkeys(key.scenario for key in planned):
        stored = answers.read(scenario)
        known = known or any(cell.key in planned for cell in stored.cells)
        for cells in (stored.cells, _held_to(planned, stored)):
            failing |= failing_keys(_as_run(cells, stored, plan))
    if not known:
        message = "nothing of this has been run yet, so that nothing of it can have failed"
        raise UsageError(Problem(message, hint="run without --only-failing"))
    prompts = {(key.scenario, key.prompt, key.adapter) for key in failing if key in planned}
    keys = {
        key
        for key in planned
        if key in failing or (key.arm == BARE and (key.scenario, key.prompt, key.adapter) in prompts)
    }
    return plan.only(keys) if keys else None


def failing_keys(run: Run) -> frozenset[CellKey]:
    """The cells with an error finding or a failed trial."""
    found = {
        CellKey(finding.scenario, finding.prompt, finding.arm, finding.adapter)
        for finding in find(run)
        if finding.severity is Severity.ERROR and finding.prompt is not None and finding.arm is not None
    }
    return frozenset(found | {cell.key for cell in run.cells if cell.failed})


def _held_to(planned: Mapping[CellKey, Delivery], stored: Stored) -> tuple[Cell, ...]:
    """The answers to turns that are still the same, held to what is expected of them now."""
    return tuple(
        Cell(replace(cell.delivery, expect=now.expect, relation=now.relation), cell.trials)
        if (now := planned.get(cell.key)) is not None and now.sends_as(cell.delivery)
        else cell
        for cell in stored.cells
    )


def _as_run(cells: tuple[Cell, ...], stored: Stored, plan: Plan) -> Run:
    started = datetime.now(UTC).isoformat()
    return Run("", started, 0.0, stored.adapters, cells, accept=plan.accept)
