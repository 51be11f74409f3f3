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

__all__ = ["EXAMPLE", "NAME", "SUMMARY", "act", "configure"]

NAME = "probe"
SUMMARY = "show what each adapter would do with one text, bare and in the envelopes asked for"
EXAMPLE = """\
  workbench probe "check my calendar" --adapter naive --envelope channel
  pbpaste | workbench probe - --adapter held
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what the user types; - reads it from stdin")
    parser.add_argument(
        "--attach", action="append", metavar="FILE", help="a file that comes with it; repeatable"
    )
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="trials of each cell (1)")
    add_delivery(parser)
    add_output(parser)


def act(arguments: Namespace) -> int:
    import sys
    from dataclasses import replace

    from workbench.cli.bench import Loaded, open_bench, say_where
    from workbench.cli.output import outputs_of
    from workbench.cli.running import Running, perform
    from workbench.replay.choice import Choice

    outputs = outputs_of(arguments.format, arguments.output)
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    text = arguments.text
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").removesuffix("\n")
    scenario = probe_scenario(text, arguments.attach or (), bench.cwd)
    envelopes = arguments.envelope if arguments.envelope or arguments.attach else []
    loaded = Loaded((scenario,), {scenario.name: ("1",)})
    choice = Choice(arguments.adapter, envelopes, arguments.repeat, loaded.labels, arguments_of(arguments))
    plan, adapters = bench.plan(loaded, choice)
    # One text proves nothing of a whole scenario: no prompt of it need fire.
    plan = replace(plan, whole=frozenset())
    bench.admit(adapters.values(), trust=arguments.trust)
    running = Running(bench, plan, adapters, save=False, quiet=arguments.quiet)
    return perform(running, outputs, color=arguments.color)


def probe_scenario(text: str, files: Sequence[str], cwd: Path) -> Scenario:
    """One prompt as a scenario of its own, of no file."""
    from workbench.core.errors import Mark
    from workbench.core.scenario import Attach, Prompt, Scenario

    nowhere = Mark("")
    attach = tuple(Attach(file, str((cwd / file).resolve()), nowhere) for file in files)
    return Scenario(NAME, (Prompt("1", text, nowhere, attach=attach),), file="")
