"""`workbench diff`: two runs, cell by cell, or any two cells."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.cli.bench import Bench
    from workbench.report.writer import Output, Style

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench diff last~1 last
  workbench diff main.json last --exit-code --format markdown
  workbench diff 'canary#question@bare:naive' 'canary#question@attached:naive'
"""


class _Told(NamedTuple):
    """How to write a difference, and whether there is one."""

    write: Callable[[Output, Style], None]
    any: bool


def configure(parser: argparse.ArgumentParser) -> None:
    named = "last, last~1, a run's id, or a JSON report; or a cell, SCENARIO#PROMPT@ARM:ADAPTER"
    parser.add_argument("before", metavar="A", help=named)
    parser.add_argument("after", metavar="B", help="the same, of what is held against A")
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
    from workbench.cli.stored_cell import names_a_cell
    from workbench.cli.streams import atomic_write, to_reader
    from workbench.core.errors import Problem, UsageError
    from workbench.report.writer import Style

    bench = open_bench()
    cells = [names_a_cell(name) for name in (arguments.before, arguments.after)]
    if any(cells) and not all(cells):
        hint = "name two runs, or two cells"
        raise UsageError(Problem("a cell and a run cannot be held against each other", hint=hint))
    diff = _of_cells(arguments, bench) if all(cells) else _of_runs(arguments, bench)
    if arguments.output in (None, "-"):
        with to_reader():
            diff.write(sys.stdout, stdout_style(arguments.color))
    else:
        text = io.StringIO()
        diff.write(text, Style())
        atomic_write(Path(arguments.output), text.getvalue())
    return int(arguments.exit_code and diff.any)


def _of_runs(arguments: Namespace, bench: Bench) -> _Told:
    from functools import partial

    from workbench.cli.stored import run_named
    from workbench.compare.run_diff import diff_runs
    from workbench.report.as_diff import write_diff

    sides = (run_named(name, bench.workspace) for name in (arguments.before, arguments.after))
    diff = diff_runs(*sides)
    return _Told(partial(write_diff, arguments.format, diff), diff.any)


def _of_cells(arguments: Namespace, bench: Bench) -> _Told:
    from functools import partial

    from workbench.cli.stored_cell import cell_stored
    from workbench.compare.run_diff import diff_cells
    from workbench.report.as_cell_diff import CellDiff, write_cell_diff

    before, after = (cell_stored(name, bench) for name in (arguments.before, arguments.after))
    diff = CellDiff(diff_cells(before.facts, after.facts), (before.run, after.run))
    return _Told(partial(write_cell_diff, arguments.format, diff), bool(diff.change.differences))
