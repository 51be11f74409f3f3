"""What the screen takes along: the report of one cell, a case of its own, earlier runs to compare with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path

from workbench.cli.bench import Bench, store_root
from workbench.compare.evidence import described
from workbench.compare.findings import find
from workbench.core.cell import BARE, AdapterInfo, Cell, Run
from workbench.core.errors import Mark, WorkbenchError
from workbench.core.finding import Finding
from workbench.core.scenario import Attach, Prompt
from workbench.files.case import Case, spell_case
from workbench.files.envelope import RESERVED, parse_envelope_name
from workbench.files.workspace import AdapterSpec
from workbench.replay.plan import Plan
from workbench.replay.policies import PYTHON
from workbench.report.formats import Style, write
from workbench.store.records import RunSummary
from workbench.store.store import Store

__all__ = ["case_of", "report_of", "stored_run", "stored_runs"]

Planner = Callable[[str, str | None, str | None, str | None], Plan]


def stored_runs(bench: Bench) -> tuple[RunSummary, ...]:
    """The stored runs of a workspace, the newest first. Raises WorkbenchError."""
    store = Store.existing(store_root(bench.workspace))
    if store is None:
        return ()
    with store:
        return store.runs()


def stored_run(bench: Bench, run: str) -> tuple[Run, tuple[Finding, ...]]:
    """A stored run, and what it is found to hold. Raises WorkbenchError."""
    store = Store.existing(store_root(bench.workspace))
    if store is None:
        raise WorkbenchError("no run is stored")
    with store:
        loaded = store.load(run)
    return loaded, find(loaded)


def report_of(bare: Cell | None, cell: Cell, findings: tuple[Finding, ...]) -> str:
    """The text report of one cell, its bare one beside it, as a pipe gets it."""
    cells = (cell,) if bare is None or bare is cell else (bare, cell)
    seconds = sum(trial.seconds for one in cells for trial in one.trials)
    name = cell.key.adapter
    run = Run("", "", seconds, {name: AdapterInfo(name, "")}, cells)
    out = StringIO()
    write("text", run, findings, out, Style())
    return out.getvalue()


def case_of(bench: Bench, plan: Planner, cell: Cell, prompt: Prompt | None) -> str:
    """One cell as a case of its own, from the files as they are now; `plan` is the screen's.

    `prompt` is as its scenario has it now, None where it has it no more. Raises WorkbenchError.
    """
    key = cell.key
    spec = bench.workspace.adapters.get(key.adapter)
    if spec is None:
        raise WorkbenchError(f"the workspace has no adapter {key.adapter} any more")
    case = Case(
        replace(prompt or _prompt_of(cell), policy=cell.delivery.policy),
        key.arm,
        key.adapter,
        spec.use,
        spec.options,
        {**_table(bench, spec), **_envelopes(bench, key.arm)},
        cell.delivery.turn.attachments,
        cell.delivery.relation,
        tuple(_notes(plan, cell, prompt)),
    )
    return spell_case(case)


def _envelopes(bench: Bench, arm: str) -> dict[str, str]:
    if arm in (BARE, *RESERVED):
        return {}
    found: dict[str, str] = {}
    for name in parse_envelope_name(arm):
        if name not in bench.envelope_files:
            raise WorkbenchError(f"the workspace has no envelope {name} any more")
        found[f"envelopes/{name}.yaml"] = _text(bench.envelope_files[name])
    return found


def _table(bench: Bench, spec: AdapterSpec) -> dict[str, str]:
    """A keyword table is data, so that it goes along."""
    node = spec.options.get("table") if spec.use == "keyword" else None
    return {} if node is None else {node.value: _text(bench.workspace.root / node.value)}


def _notes(plan: Planner, cell: Cell, prompt: Prompt | None) -> list[str]:
    """What a reader of a case must know."""
    key = cell.key
    notes = [f"{key}: {described(cell)}"]
    if prompt is None:
        notes.append("its scenario has this prompt no more: it is spelled from what was delivered")
    policy = cell.delivery.policy
    if policy is not None and policy.startswith(PYTHON):
        notes.append(f"the function of its policy {policy} is not part of this")
    now = None
    with suppress(WorkbenchError):
        deliveries = plan(key.scenario, key.prompt, key.arm, key.adapter).deliveries
        now = next((delivery.turn.text for delivery in deliveries if delivery.key == key), None)
    if now != cell.delivery.turn.text:
        notes.append("the files have changed since this answer: this is what they say now")
    return notes


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise WorkbenchError(f"{path} cannot be read: {error}") from error


def _prompt_of(cell: Cell) -> Prompt:
    delivery = cell.delivery
    mark = Mark(delivery.file, delivery.line)
    attach = tuple(Attach(item.name, item.path, mark) for item in delivery.turn.attachments)
    return Prompt(cell.key.prompt, delivery.typed, mark, attach=attach, expect=delivery.expect)
