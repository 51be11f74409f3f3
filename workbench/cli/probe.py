"""`workbench probe`: what each adapter would do with one text."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.cli.options import add_delivery, add_output, arguments_of

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.scenario import Scenario

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench probe "check my calendar" --adapter naive --envelope channel
  pbpaste | workbench probe - --adapter held
  workbench probe --window --adapter held
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="?",
        help="what the user types; - reads it from stdin. With --window a phrase that fires",
    )
    parser.add_argument(
        "--window",
        action="store_true",
        help="infer which part of a turn is read, by moving a phrase through turns of many shapes",
    )
    parser.add_argument(
        "--calls", type=int, metavar="N", help="with --window: calls of one adapter at most (150)"
    )
    parser.add_argument(
        "--attach", action="append", metavar="FILE", help="a file that comes with it; repeatable"
    )
    parser.add_argument("--repeat", type=int, metavar="N", help="trials of each cell (1), where none samples")
    parser.add_argument(
        "--samples", type=int, metavar="N", help="trials of each cell (1), of adapters that sample"
    )
    add_delivery(parser)
    add_output(parser)


def act(arguments: Namespace) -> int:
    import sys
    from dataclasses import replace

    from workbench.cli.bench import Loaded, open_bench, say_where
    from workbench.cli.output import outputs_of
    from workbench.cli.running import Running, perform
    from workbench.core.errors import Problem, UsageError
    from workbench.replay.choice import Choice

    text = arguments.text
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").removesuffix("\n")
    if arguments.window:
        return _infer(arguments, text)
    if text is None or arguments.calls is not None:
        problem = "--calls is for --window" if text is not None else "TEXT is missing: what the user types"
        raise UsageError(Problem(problem, hint='workbench probe "check my calendar", or probe --window'))
    outputs = outputs_of(arguments.format, arguments.output)
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    scenario = probe_scenario(text, arguments.attach or (), bench.cwd)
    envelopes = arguments.envelope if arguments.envelope or arguments.attach else []
    loaded = Loaded((scenario,), {scenario.name: ("1",)})
    choice = Choice(
        arguments.adapter or bench.workspace.askable or None,
        envelopes,
        1 if arguments.repeat is None else arguments.repeat,
        1 if arguments.samples is None else arguments.samples,
        prompts=loaded.labels,
        arguments=arguments_of(arguments),
    )
    plan, adapters = bench.plan(loaded, choice)
    # One text proves nothing of a whole scenario: no prompt of it need fire.
    plan = replace(plan, whole=frozenset())
    bench.admit(adapters.values(), trust=arguments.trust)
    running = Running(bench, plan, adapters, save=False, quiet=arguments.quiet)
    return perform(running, outputs, color=arguments.color)


def _infer(arguments: Namespace, phrase: str | None) -> int:
    """`--window`. Raises UsageError on what has no meaning beside it."""
    from workbench.cli import windows
    from workbench.core.errors import Problem, UsageError

    for name in ("attach", "repeat", "samples"):
        if getattr(arguments, name) is not None:
            raise UsageError(Problem(f"--{name} has no meaning with --window", hint="leave it out"))
    if phrase is not None and not (phrase.strip() and phrase.isprintable()):
        raise UsageError(Problem("with --window TEXT is one line that fires", hint="or leave it out"))
    return windows.act(arguments, phrase and phrase.strip())


def probe_scenario(text: str, files: Sequence[str], cwd: Path) -> Scenario:
    """One prompt as a scenario of its own, of no file."""
    from workbench.core.errors import Mark
    from workbench.core.scenario import Attach, Prompt, Scenario

    nowhere = Mark("")
    attach = tuple(Attach(file, str((cwd / file).resolve()), nowhere) for file in files)
    return Scenario("probe", (Prompt("1", text, nowhere, attach=attach),), file="")
