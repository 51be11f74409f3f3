"""`workbench run`: deliver prompts bare and wrapped, and report what changed."""

from __future__ import annotations

import argparse
from argparse import Namespace

from workbench.cli.options import add_delivery, add_output, arguments_of

__all__ = ["EXAMPLE", "act", "configure"]

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
    parser.add_argument("--repeat", type=int, metavar="N", help="trials of each cell, where none samples")
    parser.add_argument(
        "--samples", type=int, metavar="N", help="trials of each cell at most, of adapters that sample"
    )
    parser.add_argument(
        "--policy",
        metavar="NAME",
        help="put this before every router, in place of the prompts' own; `none` takes these away",
    )
    parser.add_argument(
        "--only-failing", action="store_true", help="only the cells whose newest answer has a fault"
    )
    parser.add_argument(
        "--baseline",
        metavar="RUN",
        help="a JSON report, a run's id or last: what it found already is noted as known, and fails nothing",
    )
    parser.add_argument(
        "--plan", action="store_true", help="say what would be run, what it takes and cannot decide"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the newest unfinished run of this plan"
    )
    parser.add_argument("--run", metavar="ID", help="with --resume: that run")
    parser.add_argument("--no-save", action="store_true", help="keep the run in no store")
    parser.add_argument(
        "--record", metavar="FILE", help="keep the answers in a file too, for an adapter `recorded`"
    )
    parser.add_argument(
        "--allow-undecided", action="store_true", help="exit 0 where nothing but a verdict is missing"
    )


def act(arguments: Namespace) -> int:
    from workbench.cli.bench import open_bench, say_where
    from workbench.cli.exits import Exit
    from workbench.cli.output import outputs_of
    from workbench.cli.running import Running, perform
    from workbench.cli.streams import say
    from workbench.core.errors import Problem, UsageError
    from workbench.core.text import safe
    from workbench.replay.choice import Choice

    if arguments.run and not arguments.resume:
        raise UsageError("--run goes with --resume")
    if arguments.resume and arguments.no_save:
        raise UsageError("--resume goes on with a stored run, and --no-save stores none")
    outputs = outputs_of(arguments.format, arguments.output)
    recording = None
    if arguments.record is not None and not arguments.plan:
        from workbench.cli.record import target_of

        recording = target_of(arguments.record)
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    loaded = bench.load(arguments.scenarios)
    choice = Choice(
        arguments.adapter,
        arguments.envelope,
        arguments.repeat,
        arguments.samples,
        arguments.policy,
        prompts=loaded.labels,
        arguments=arguments_of(arguments),
    )
    plan, adapters = bench.plan(loaded, choice)
    if arguments.only_failing:
        from workbench.cli.failing import only_failing

        failing = only_failing(plan, bench.workspace)
        if failing is None:
            say(safe("workbench: nothing to run again: no newest answer has a fault"), quiet=arguments.quiet)
            return Exit.OK
        plan = failing
        used = {*plan.adapters, *plan.policies}
        adapters = {name: adapter for name, adapter in adapters.items() if name in used}
    if recording is not None and plan.policies:
        hint = "record without it: a recording answers the turns that are delivered"
        raise UsageError(
            Problem(f"--record does not go with a policy ({', '.join(plan.policies)})", hint=hint)
        )
    if arguments.plan:
        from workbench.cli.planning import show_plan

        return show_plan(plan, adapters, bench.workspace)
    baseline = None
    if arguments.baseline is not None:
        from workbench.cli.stored import run_named

        baseline = run_named(arguments.baseline, bench.workspace)
    bench.admit(adapters.values(), trust=arguments.trust)
    if any(delivery.samples is not None for delivery in plan.deliveries):
        from workbench.cli.planning import forecasts, takes

        for made in forecasts(plan, adapters, bench.workspace):
            say(safe(f"workbench: {takes(made)}"), quiet=arguments.quiet)
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
            record=recording,
        ),
        outputs,
        color=arguments.color,
        allow_undecided=arguments.allow_undecided,
    )
