"""`workbench run`: deliver prompts bare and wrapped, and report what changed."""

from __future__ import annotations

import argparse
from argparse import Namespace

from workbench.cli.options import add_delivery, add_output, arguments_of

__all__ = ["EXAMPLE", "NAME", "SUMMARY", "act", "configure"]

NAME = "run"
SUMMARY = "run scenarios through adapters, bare and wrapped, and report what changed"
EXAMPLE = """\
  workbench run scenarios/envelope-replay.yaml --adapter held
  workbench run 'canary#1' --adapter naive --format json -o report.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenarios",
        nargs="*",
        metavar="SCENARIO",
        help="path, name or name#prompt; all of the workspace by default",
    )
    add_delivery(parser)
    add_output(parser)
    parser.add_argument("--repeat", type=int, metavar="N", help="trials of each cell")
    parser.add_argument(
        "--only-failing", action="store_true", help="only the cells that the newest run found fault with"
    )
    parser.add_argument(
        "--baseline",
        metavar="RUN",
        help="a JSON report, a run's id or last: what it found already is noted as known, and fails nothing",
    )
    parser.add_argument("--plan", action="store_true", help="say what would be run, and run nothing")
    parser.add_argument(
        "--resume", action="store_true", help="go on with the newest unfinished run of this plan"
    )
    parser.add_argument("--run", metavar="ID", help="with --resume: that run")
    parser.add_argument("--no-save", action="store_true", help="keep the run in no store")
    parser.add_argument(
        "--allow-undecided", action="store_true", help="exit 0 where nothing but a verdict is missing"
    )


def act(arguments: Namespace) -> int:
    from workbench.cli.bench import open_bench, say_where
    from workbench.cli.output import outputs_of
    from workbench.cli.running import Running, perform
    from workbench.core.errors import UsageError
    from workbench.replay.choice import Choice

    if arguments.run and not arguments.resume:
        raise UsageError("--run goes with --resume")
    if arguments.resume and arguments.no_save:
        raise UsageError("--resume goes on with a stored run, and --no-save stores none")
    outputs = outputs_of(arguments.format, arguments.output)
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    loaded = bench.load(arguments.scenarios)
    choice = Choice(
        arguments.adapter, arguments.envelope, arguments.repeat, loaded.labels, arguments_of(arguments)
    )
    plan, adapters = bench.plan(loaded, choice)
    if arguments.only_failing:
        from workbench.cli.failing import only_failing

        plan = only_failing(plan, bench.workspace)
        adapters = {name: adapter for name, adapter in adapters.items() if name in plan.adapters}
    if arguments.plan:
        from workbench.cli.planning import show_plan

        return show_plan(plan)
    baseline = None
    if arguments.baseline is not None:
        from workbench.cli.stored import run_named

        baseline = run_named(arguments.baseline, bench.workspace)
    bench.admit(adapters.values(), trust=arguments.trust)
    return perform(
        Running(
            bench,
            plan,
            adapters,
            resume=arguments.resume,
            run=arguments.run,
            save=not arguments.no_save,
            quiet=arguments.quiet,
            verbose=arguments.verbose,
            baseline=baseline,
        ),
        outputs,
        color=arguments.color,
        allow_undecided=arguments.allow_undecided,
    )
