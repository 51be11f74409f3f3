"""`workbench thresholds`: which thresholds make a scenario's expectations hold, or why none does."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.options import add_delivery, arguments_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.cli.bench import Bench
    from workbench.core.cell import Run
    from workbench.explain.thresholds import Study

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench thresholds canary --adapter semantic
  workbench thresholds canary --adapter semantic --route send_email --format json
"""

_FORMATS = ("text", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", metavar="SCENARIO", help="path, name or name#prompt")
    add_delivery(parser)
    parser.add_argument("--route", metavar="R", help="move this route's threshold alone, the others stay")
    parser.add_argument("--format", choices=_FORMATS, default="text", help=", ".join(_FORMATS))
    parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of stdout; - is stdout")


def act(arguments: Namespace) -> int:
    import asyncio
    import io
    import sys

    from workbench.cli.bench import open_bench, say_where
    from workbench.cli.exits import Exit
    from workbench.cli.output import stdout_style
    from workbench.cli.streams import atomic_write, to_reader
    from workbench.cli.threshold_report import Told, write_thresholds
    from workbench.core.errors import Problem, UsageError
    from workbench.explain.thresholds import study
    from workbench.report.writer import Style

    names = list(dict.fromkeys(arguments.adapter or ()))
    if len(names) != 1:
        hint = "give one --adapter; `workbench list adapters` names them"
        raise UsageError(Problem("thresholds are one router's: exactly one adapter is needed", hint=hint))
    target = _target(arguments.output)
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    run = asyncio.run(_run(bench, arguments))
    if run.interrupted:
        return Exit.INTERRUPTED
    if not any(cell.ok for cell in run.cells):
        _say_why(run)
        return Exit.NO_ANSWER
    found = study(run.cells)
    _require_scores(found, names[0], arguments.route)
    told = Told(run.cells[0].key.scenario, names[0], arguments.route, found)
    if target is None:
        with to_reader():
            write_thresholds(arguments.format, told, sys.stdout, stdout_style(arguments.color))
    else:
        text = io.StringIO()
        write_thresholds(arguments.format, told, text, Style())
        atomic_write(target, text.getvalue())
    if not (told.certain and found.expecting):
        return Exit.UNDECIDED
    return Exit.OK if told.possible else Exit.FINDING


def _target(output: str | None) -> Path | None:
    from pathlib import Path

    from workbench.core.errors import Problem, UsageError

    target = None if output in (None, "-") else Path(output or "")
    if target is not None and not (target.parent.is_dir() and not target.is_dir()):
        raise UsageError(Problem(f"cannot write {target}", hint="name a file in a folder that exists"))
    return target


async def _run(bench: Bench, arguments: Namespace) -> Run:
    """Bare prompts and arms, each as often as the scenario says. Raises WorkbenchError."""
    from workbench.cli.progress import Progress
    from workbench.cli.running import stoppable
    from workbench.core.errors import Problem, UsageError
    from workbench.replay.choice import Choice
    from workbench.replay.engine import replay
    from workbench.replay.executor import LocalExecutor
    from workbench.store.store import Store

    loaded = bench.load([arguments.scenario])
    choice = Choice(
        arguments.adapter, arguments.envelope, prompts=loaded.labels, arguments=arguments_of(arguments)
    )
    plan, adapters = bench.plan(loaded, choice)
    for adapter in adapters.values():
        if not adapter.capabilities.deterministic:
            raise UsageError(
                Problem(
                    f"{adapter.name} samples: its answers do not follow from a threshold",
                    hint="`workbench run` shows how often it calls what",
                )
            )
    bench.admit(adapters.values(), trust=arguments.trust)
    with Store.temporary() as store, stoppable() as stop:
        async with LocalExecutor(adapters) as executor:
            return await replay(plan, executor, store, Progress(quiet=arguments.quiet), stop)


def _require_scores(found: Study, adapter: str, route: str | None) -> None:
    """Raises UsageError where there is nothing to move a threshold over."""
    from workbench.core.errors import Problem, UsageError
    from workbench.files.problems import suggestion

    routes = [sweep.route for sweep in found.routes if sweep.route is not None]
    if not routes:
        raise UsageError(
            Problem(
                f"{adapter} reports no scores, so there is no threshold to move",
                hint='a router reports them as "scores": [{"route": …, "value": …, "threshold": …}]',
            )
        )
    if route is not None and route not in routes:
        hint = suggestion(route, routes) or f"there are {', '.join(routes)}"
        raise UsageError(Problem(f"{adapter} has no route {route!r}", hint=hint))


def _say_why(run: Run) -> None:
    from workbench.cli.streams import say
    from workbench.core.text import safe, visible

    errors: Sequence[str] = [trial.error for cell in run.cells for trial in cell.trials if trial.error]
    for error in dict.fromkeys(errors[:1]):
        say(safe(f"workbench: it never answered: {visible(error)}"))
