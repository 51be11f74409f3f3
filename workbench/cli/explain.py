"""`workbench explain`: the words that moved a decision."""

from __future__ import annotations

import argparse
from argparse import Namespace

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench explain canary#question@attached:naive
  workbench explain 'envelope-replay#1@channel:naive' --calls 50 --format json
  workbench explain 1f09c2      the finding whose id begins so, of the newest runs
"""

_GRAINS = ("region", "line", "sentence", "word")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "finding",
        metavar="FINDING",
        help="SCENARIO#PROMPT@ARM:ADAPTER, or a finding's id or the beginning of one",
    )
    parser.add_argument(
        "--calls", type=int, metavar="N", help="calls at most (200; 1,000 where the adapter samples)"
    )
    parser.add_argument(
        "--grain", choices=_GRAINS, help="how small the parts get (word; sentence where the adapter samples)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text or json")
    parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of stdout")
    parser.add_argument("--trust", action="store_true", help="trust this workspace for this run")


def act(arguments: Namespace) -> int:
    import asyncio
    import io
    import sys
    from pathlib import Path

    from workbench.cli.bench import open_bench, say_where
    from workbench.cli.exits import Exit
    from workbench.cli.explained import write_explanation
    from workbench.cli.explaining import exit_of, searched
    from workbench.cli.output import stdout_style
    from workbench.cli.streams import atomic_write, say, to_reader
    from workbench.cli.subject import cell_named, subject_of, way_of
    from workbench.core.errors import Problem, UsageError
    from workbench.core.text import safe, visible
    from workbench.explain.explaining import CALLS_SAMPLED, Options
    from workbench.explain.parts import Grain
    from workbench.report.writer import Style

    if arguments.calls is not None and arguments.calls < 1:
        raise UsageError(f"--calls {arguments.calls}: at least 1 is needed")
    target = None if arguments.output in (None, "-") else Path(arguments.output)
    if target is not None and not (target.parent.is_dir() and not target.is_dir()):
        raise UsageError(Problem(f"cannot write {target}", hint="name a file in a folder that exists"))
    bench = open_bench()
    say_where(bench, quiet=arguments.quiet)
    named = cell_named(arguments.finding, bench)
    subject, adapters = subject_of(bench, named)
    bench.admit(adapters.values(), trust=arguments.trust)
    if not subject.info.deterministic:
        most = arguments.calls or CALLS_SAMPLED
        words = f"workbench: {visible(named.adapter)} samples, so this takes up to {most:,} calls of it"
        say(safe(words), quiet=arguments.quiet)
    grain = None if arguments.grain is None else Grain(arguments.grain)
    options = Options(arguments.calls, grain, way_of(named.finding))
    try:
        found = asyncio.run(searched(subject, adapters, options, quiet=arguments.quiet))
    except asyncio.CancelledError:  # the second Ctrl-C
        return Exit.INTERRUPTED
    if target is not None:
        text = io.StringIO()
        write_explanation(arguments.format, found, named.finding, text, Style())
        atomic_write(target, text.getvalue())
    else:
        style = stdout_style(arguments.color)
        with to_reader():
            write_explanation(arguments.format, found, named.finding, sys.stdout, style)
    return exit_of(found)
