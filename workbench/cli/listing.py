"""`workbench list`: what this workspace has, and what is installed."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.core.text import SafeText, safe, visible

if TYPE_CHECKING:
    from workbench.cli.bench import Bench
    from workbench.core.decision import Json
    from workbench.files.workspace import Workspace

__all__ = ["EXAMPLE", "act", "adapter_lines", "configure"]

EXAMPLE = """\
  workbench list envelopes
  workbench list adapters --format json
  workbench list adapters --audit
"""

_WHAT = ("scenarios", "envelopes", "adapters", "runs")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=_WHAT, metavar="WHAT", help=", ".join(_WHAT))
    parser.add_argument(
        "--audit",
        action="store_true",
        help="of adapters: whether they ever hold, what they fire, with which arguments, by stored answers",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text or json")


def act(arguments: Namespace) -> int:
    from workbench.cli.bench import open_bench
    from workbench.core.errors import Problem, UsageError

    if arguments.audit and arguments.what != "adapters":
        raise UsageError(Problem(f"--audit says nothing of {arguments.what}", hint="list adapters --audit"))
    bench = open_bench()
    if arguments.audit:
        return _audit(bench, arguments.format)
    rows, code = {"scenarios": _scenarios, "envelopes": _envelopes, "adapters": _adapters, "runs": _runs}[
        arguments.what
    ](bench)
    if arguments.format == "json":
        import json

        print(json.dumps(rows, ensure_ascii=True, indent=1))
    elif arguments.what == "adapters":
        for line in (*adapter_lines(bench.workspace), *_kind_lines()):
            print(line)
    else:
        for line in _columns([[visible(str(value)) for value in row.values()] for row in rows]):
            print(line)
    return code


def _audit(bench: Bench, form: str) -> int:
    """The hold audit of every adapter. Nothing is run: an adapter without a stored answer is unknown."""
    from workbench.cli.auditing import audit_lines, audit_view, audited

    rows = audited(bench)
    if form == "json":
        import json

        print(json.dumps(audit_view(rows), ensure_ascii=True, indent=1))
        return 0
    for line in audit_lines(rows):
        print(line)
    return 0


def _scenarios(bench: Bench) -> tuple[list[dict[str, Json]], int]:
    """Every scenario that loads; problems of the others go to stderr, and make the code 2."""
    from workbench.cli.streams import show_problems
    from workbench.core.errors import WorkbenchError
    from workbench.files.locate import find_scenarios
    from workbench.files.scenario import load_scenario

    rows: list[dict[str, Json]] = []
    code = 0
    for path in find_scenarios(bench.workspace.root):
        try:
            scenario = load_scenario(bench.near(path), bench.workspace.root)
        except WorkbenchError as error:
            show_problems(error)
            code = 2
            continue
        rows.append(
            {"scenario": scenario.name, "prompts": len(scenario.prompts), "about": scenario.about.strip()}
        )
    return rows, code


def _envelopes(bench: Bench) -> tuple[list[dict[str, Json]], int]:
    from workbench.cli.streams import show_problems
    from workbench.core.errors import WorkbenchError
    from workbench.core.transform import LOSSY
    from workbench.files.envelope import load_envelope

    rows: list[dict[str, Json]] = []
    code = 0
    for path in bench.envelope_files.values():
        try:
            envelope = load_envelope(path)
        except WorkbenchError as error:
            show_problems(error)
            code = 2
            continue
        rows.append(
            {
                "envelope": envelope.name,
                "ingress": envelope.ingress.value,
                "carries": "document" if envelope.carries_document else "text",
                "loses": ", ".join(step for step, _ in envelope.transforms if step in LOSSY) or "nothing",
                "status": envelope.source.status,
                "from": envelope.source.origin,
            }
        )
    return rows, code


def _adapters(bench: Bench) -> tuple[list[dict[str, Json]], int]:
    rows: list[dict[str, Json]] = [
        {"adapter": spec.name, "use": spec.use, "line": spec.mark.line}
        for spec in bench.workspace.adapters.values()
    ]
    return rows, 0


def _runs(bench: Bench) -> tuple[list[dict[str, Json]], int]:
    from workbench.cli.bench import store_root
    from workbench.store.store import Store

    store = Store.existing(store_root(bench.workspace))
    if store is None:
        return [], 0
    with store:
        return [
            {
                "run": run.id,
                "started": run.started,
                "trials": f"{run.done} of {run.total}",
                "state": "finished" if run.finished else "unfinished",
                "scenarios": ", ".join(run.scenarios),
                "adapters": ", ".join(run.adapters),
            }
            for run in store.runs()
        ], 0


def adapter_lines(workspace: Workspace) -> Iterator[SafeText]:
    """One line per adapter of a workspace: its name, kind and options as they are written."""
    from workbench.files.written import as_written

    for spec in workspace.adapters.values():
        options = ", ".join(
            f"{visible(key)}: {visible(as_written(key, node))}" for key, node in spec.options.items()
        )
        yield safe(f"{visible(spec.name)}  {visible(spec.use)}  {options}".rstrip())


def _kind_lines() -> Iterator[SafeText]:
    """Every installed kind with its options, as the adapters declare them; a broken plug-in is named."""
    from workbench.adapters.registry import load, names
    from workbench.core.errors import WorkbenchError

    yield safe("")
    yield safe("installed kinds, for `use:`")
    for name in names():
        try:
            kind = load(name)
        except WorkbenchError as error:
            yield safe(f"{visible(name)}  broken: {visible(str(error))}")
            continue
        yield safe(f"{visible(name)}  {visible(kind.summary)}")
        for option in kind.options:
            needed = "required" if option.required else f"default {option.default!r}"
            if not option.required and option.default is None:
                needed = "optional"
            choices = f" ({', '.join(option.choices)})" if option.choices else ""
            yield safe(f"    {option.name}: {option.type.value}{choices}, {needed}: {visible(option.help)}")


def _columns(rows: list[list[SafeText]]) -> Iterator[SafeText]:
    """Rows with all but the last column padded to the widest."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield safe("  ".join(padded).rstrip())
