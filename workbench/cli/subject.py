"""What `explain` is given: a cell spelled out, or the id of a finding of a stored run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from workbench.adapters.protocol import Adapter
from workbench.cli.bench import Bench, store_root
from workbench.compare.findings import find
from workbench.core.cell import BARE, CellKey
from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.finding import Finding, Kind
from workbench.explain.explaining import Subject
from workbench.explain.question import Way
from workbench.files.problems import shown, suggestion
from workbench.replay.arms import ATTACH, PASTE, SUBSTITUTE
from workbench.replay.choice import Choice
from workbench.replay.plan import Plan
from workbench.store.store import Store

__all__ = ["Named", "cell_named", "subject_of", "way_of"]

_ID = re.compile(r"[0-9a-f]{4,12}")
_RUNS = 10
"""The newest runs whose findings are looked through."""

_FORM = "name a cell as SCENARIO#PROMPT@ARM:ADAPTER, or a finding by its id"


@dataclass(frozen=True, slots=True)
class Named:
    """A cell by its names; `target` as the command line takes scenarios. `finding`: what it was named by,
    `policy`: what its run was told to put before the adapter.
    """

    target: str
    arm: str
    adapter: str
    finding: Finding | None = None
    policy: str | None = None


def cell_named(argument: str, bench: Bench) -> Named:
    """The cell that an argument of the command line names. Raises UsageError where none can be meant."""
    if _ID.fullmatch(argument):
        finding, policy = _finding(argument, bench)
        if finding.prompt is None or finding.arm is None:
            message = (
                f"finding {argument} ({finding.kind}) is about all of {finding.scenario}, not of one cell"
            )
            raise UsageError(Problem(message, hint=_FORM))
        return Named(f"{finding.scenario}#{finding.prompt}", finding.arm, finding.adapter, finding, policy)
    found = next(_split(argument, bench.workspace.adapters), None)
    if found is None:
        raise UsageError(Problem(f"{shown(argument)} names no cell", hint=_FORM))
    return found


def _split(argument: str, adapters: Mapping[str, object]) -> Iterator[Named]:
    """Every way to read it, adapters that the workspace has first: names may hold the signs too."""
    for name in sorted(adapters, key=len, reverse=True):
        if argument.endswith(f":{name}"):
            rest = argument.removesuffix(f":{name}")
            target, sign, arm = rest.rpartition("@")
            if sign and "#" in target:
                yield Named(target, arm, name)
    target, sign, arm = argument.rpartition("@")
    arm, colon, adapter = arm.rpartition(":")
    if sign and colon and "#" in target and adapter:
        raise UsageError(
            Problem(f"unknown adapter {shown(adapter)}", hint=suggestion(adapter, list(adapters)))
        )


def subject_of(bench: Bench, named: Named) -> tuple[Subject, dict[str, Adapter]]:
    """The delivery as it would be sent now, bare beside it, and the adapters that this takes.

    Raises WorkbenchError where the files are broken, UsageError where there is no such cell.
    """
    loaded = bench.load([named.target])
    choice = Choice((named.adapter,), policy=named.policy, prompts=loaded.labels)
    plan, adapters = bench.plan(loaded, choice)
    if named.arm not in _arms(plan) and named.arm not in (BARE, ATTACH, PASTE, SUBSTITUTE):
        # Not one of the scenario's own, but --envelope takes it all the same.
        try:
            plan, adapters = bench.plan(loaded, replace(choice, envelopes=(named.arm,)))
        except WorkbenchError as error:
            raise _no_arm(named, plan) from error
    deliveries = {delivery.key.arm: delivery for delivery in plan.deliveries}
    variant = deliveries.get(named.arm)
    if variant is None:
        raise _no_arm(named, plan)
    info = plan.adapters[named.adapter]
    return Subject(variant, deliveries.get(BARE), info, plan.policies.get(variant.policy or "")), adapters


def way_of(finding: Finding | None) -> Way | None:
    """In what the two sides of a finding differ, where its kind tells."""
    ways = {
        Kind.CALL_DRIFT: Way.ARGUMENTS,
        Kind.FOREIGN_ARGUMENT: Way.ARGUMENTS,
        Kind.SCORE_DRIFT: Way.SCORES,
        Kind.DRIFT: Way.DECISION,
    }
    return None if finding is None else ways.get(finding.accepts or finding.kind)


def _arms(plan: Plan) -> tuple[str, ...]:
    return tuple(delivery.key.arm for delivery in plan.deliveries)


def _no_arm(named: Named, plan: Plan) -> UsageError:
    arms = _arms(plan)
    message = f"{named.target} has no arm {shown(named.arm)} for {named.adapter}"
    return UsageError(Problem(message, hint=suggestion(named.arm, arms) or f"it has {', '.join(arms)}"))


def _finding(prefix: str, bench: Bench) -> tuple[Finding, str | None]:
    """The finding of the newest run that has one of that id, and the policy that this run was told."""
    store = Store.existing(store_root(bench.workspace))
    if store is None:
        hint = "`workbench run` first, or spell the cell: SCENARIO#PROMPT@ARM:ADAPTER"
        raise UsageError(Problem(f"there is no finding {prefix}: no run is stored here", hint=hint))
    with store:
        for run in store.runs(_RUNS):
            hits = {one.id: one for one in find(store.load(run.id)) if one.id.startswith(prefix)}
            policy = run.arguments.get("policy")
            if len(hits) > 1:
                listed = ", ".join(f"{number} ({one.kind}, {_cell(one)})" for number, one in hits.items())
                raise UsageError(
                    Problem(f"{len(hits)} findings begin with {prefix}: {listed}", hint="give more of it")
                )
            if hits:
                return next(iter(hits.values())), policy if isinstance(policy, str) else None
    message = f"none of the newest {_RUNS} runs has a finding {prefix}"
    raise UsageError(Problem(message, hint="ids stand in the report's JSON; or spell the cell"))


def _cell(finding: Finding) -> str:
    return str(CellKey(finding.scenario, finding.prompt or "", finding.arm or "", finding.adapter))
