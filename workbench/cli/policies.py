"""`workbench policies`: a contest of fixes before one router, no line of the app changed."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.options import add_delivery, add_report, arguments_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.adapters.protocol import Adapter
    from workbench.cli.bench import Bench, Loaded
    from workbench.explain.policies import Tried
    from workbench.replay.plan import Plan

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench policies envelope-replay canary --adapter keywords
  workbench policies quotes-and-code --adapter commands --policy outside-quotes --format json
"""

_FORMATS = ("text", "json", "markdown")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenarios", nargs="+", metavar="SCENARIO", help="path, name or name#prompt")
    add_delivery(parser)
    parser.add_argument(
        "--policy",
        action="append",
        metavar="NAME",
        help="only this one; repeatable. first-last:N cuts beyond N characters, python:pkg.mod:fn is yours",
    )
    parser.add_argument("--repeat", type=int, metavar="N", help="trials of each cell, where none samples")
    parser.add_argument(
        "--samples", type=int, metavar="N", help="trials of each cell at most, of adapters that sample"
    )
    add_report(parser, _FORMATS)


def act(arguments: Namespace) -> int:
    import io
    import sys
    from pathlib import Path

    from workbench.cli.bench import open_bench, say_where
    from workbench.cli.exits import Exit
    from workbench.cli.output import stdout_style
    from workbench.cli.policy_table import write_contests
    from workbench.cli.streams import atomic_write, to_reader
    from workbench.core.errors import Problem, UsageError
    from workbench.explain.policies import contest
    from workbench.replay.policies import NONE, POLICIES
    from workbench.report.writer import Style

    if not arguments.adapter:
        hint = "give --adapter; `workbench list adapters` names them"
        raise UsageError(Problem("a contest is held before one router, and none is named", hint=hint))
    target = None if arguments.output in (None, "-") else Path(arguments.output)
    if target is not None and not (target.parent.is_dir() and not target.is_dir()):
        raise UsageError(Problem(f"cannot write {target}", hint="name a file in a folder that exists"))
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    loaded = bench.load(arguments.scenarios)
    names = [name for name in dict.fromkeys(arguments.policy or POLICIES) if name != NONE]
    tried = _tried(bench, loaded, arguments, (NONE, *names))
    if tried is None:
        return Exit.INTERRUPTED
    before, *others = tried
    adapters = list(dict.fromkeys(key.adapter for key in (cell.key for cell in before.run.cells)))
    contests = {adapter: contest(before, others, adapter) for adapter in adapters}
    scenarios = [scenario.name for scenario in loaded.scenarios]
    if target is not None:
        text = io.StringIO()
        write_contests(contests, scenarios, arguments.format, text, Style())
        atomic_write(target, text.getvalue())
    else:
        with to_reader():
            write_contests(contests, scenarios, arguments.format, sys.stdout, stdout_style(arguments.color))
    answered = {cell.key.adapter for one in tried for cell in one.run.cells if cell.ok}
    return Exit.OK if answered.issuperset(adapters) else Exit.NO_ANSWER


def _tried(bench: Bench, loaded: Loaded, arguments: Namespace, names: Sequence[str]) -> list[Tried] | None:
    """Every policy's run, that without one first; None where it was interrupted. Raises WorkbenchError."""
    import asyncio

    from workbench.replay.choice import Choice

    plans: dict[str, Plan] = {}
    adapters: dict[str, Adapter] = {}
    for name in names:
        choice = Choice(
            arguments.adapter,
            arguments.envelope,
            arguments.repeat,
            arguments.samples,
            name,
            prompts=loaded.labels,
            arguments=arguments_of(arguments),
        )
        plans[name], needed = bench.plan(loaded, choice)
        adapters = {**needed, **adapters}
    bench.admit(adapters.values(), trust=arguments.trust)
    return asyncio.run(_runs(plans, adapters, quiet=arguments.quiet))


async def _runs(plans: dict[str, Plan], adapters: dict[str, Adapter], *, quiet: bool) -> list[Tried] | None:
    from workbench.cli.progress import Progress
    from workbench.cli.running import stoppable
    from workbench.compare.findings import find
    from workbench.explain.policies import Tried
    from workbench.replay.engine import replay
    from workbench.replay.executor import LocalExecutor
    from workbench.store.store import Store

    tried: list[Tried] = []
    with Store.temporary() as store, stoppable() as stop:
        async with LocalExecutor(adapters) as executor:
            for name, plan in plans.items():
                run = await replay(plan, executor, store, Progress(quiet=quiet), stop)
                if run.interrupted:
                    return None
                policy = plan.policies.get(name)
                about = "the router as it is" if policy is None else policy.about
                tried.append(Tried(name, about, run, find(run)))
    return tried
