"""`workbench diff`: two runs, cell by cell."""

from __future__ import annotations

import argparse
from argparse import Namespace

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench diff last~1 last
  workbench diff main.json last --exit-code --format markdown
"""


def configure(parser: argparse.ArgumentParser) -> None:
    named = "last, last~1, a run's id, or a JSON report"
    parser.add_argument("before", metavar="A", help=named)
    parser.add_argument("after", metavar="B", help=f"the same, of the later run ({named})")
    parser.add_argument(
        "--format", choices=("text", "json", "markdown"), default="text", help="text, json or markdown"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of stdout; - is stdout")
    parser.add_argument("--exit-code", action="store_true", help="exit 1 if anything differs, else 0")


def act(arguments: Namespace) -> int:
    import io
    import sys
    from pathlib import Path

    from workbench.cli.bench import open_bench
    from workbench.cli.output import stdout_style
    from workbench.cli.stored import run_named
    from workbench.cli.streams import atomic_write, to_reader
    from workbench.compare.run_diff import diff_runs
    from workbench.report.as_diff import write_diff
    from workbench.report.writer import Style

    workspace = open_bench().workspace
    diff = diff_runs(run_named(arguments.before, workspace), run_named(arguments.after, workspace))
    if arguments.output in (None, "-"):
        with to_reader():
            write_diff(arguments.format, diff, sys.stdout, stdout_style(arguments.color))
    else:
        text = io.StringIO()
        write_diff(arguments.format, diff, text, Style())
        atomic_write(Path(arguments.output), text.getvalue())
    return int(arguments.exit_code and diff.any)
