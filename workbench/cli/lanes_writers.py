"""`workbench lanes writers`: the places in the code that write into a prompt, and a ratchet for new ones."""

from __future__ import annotations

import argparse
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.lanes_exclude import add_exclude, excluded_by
from workbench.cli.options import PLACED, add_report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.text import SafeText
    from workbench.lanes.writers.survey import Survey

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench lanes writers src/
  workbench lanes writers src/ --stanzas >> lanes.toml
  workbench lanes writers src/ --write-baseline writers.jsonl
  workbench lanes writers src/ --baseline writers.jsonl --format sarif -o writers.sarif

Reads Python, TypeScript, JavaScript, Rust and Go (extra `code`): messages pushed or written out, text added
to a prompt or joined into one, templates, blocks of content, instructions handed to a client. Each comes
with the lane that it names, the limit near it, the tag round its text, and whether it comes after the prompt
was assembled; a lane without a stanza gets one proposed. What cannot be known is guessed, and says so.
A writer without a registered lane is a warning, as is a limit above its lane's budget. With --baseline only
changes are told: a new writer is an error, and so is one that is gone, until it is struck; lines that move
change nothing.
What builds a prompt under names that tell nothing is not found; `workbench lanes ledger` measures what was
sent.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", metavar="SRC", help="a folder of source code, or a file")
    parser.add_argument("--registry", metavar="FILE", help="(the nearest lanes.toml above the sources)")
    parser.add_argument("--all", action="store_true", help="sites of low confidence too")
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--baseline", metavar="FILE", help="tell only what is new or gone since it was written")
    does.add_argument(
        "--write-baseline", metavar="FILE", help="write the writers that are there, and what changed"
    )
    does.add_argument("--stanzas", action="store_true", help="print the proposed stanzas alone, to be pasted")
    add_exclude(parser)
    add_report(parser, PLACED)


def act(arguments: Namespace) -> int:
    from workbench.cli.lanes_registry import registry_for
    from workbench.lanes.writers.survey import survey

    _check(arguments)
    sources = [Path(name) for name in arguments.sources]
    excluded = excluded_by(arguments)
    registry = registry_for(arguments, sources)
    found = survey(sources, registry, everything=arguments.all, excluded=excluded)
    if arguments.stanzas:
        return _print_stanzas(arguments, found)
    if arguments.baseline is not None:
        return _compare(arguments, found, Path(arguments.baseline))
    if arguments.write_baseline is not None:
        return _write(arguments, found, Path(arguments.write_baseline))
    return _list(arguments, found)


def _check(arguments: Namespace) -> None:
    """Raises UsageError for what does not go together."""
    from workbench.core.errors import Problem, UsageError

    if arguments.stanzas and arguments.format != "text":
        hint = "with --format json every site has its stanza"
        raise UsageError(Problem("--stanzas prints TOML: leave out --format", hint=hint))
    if arguments.write_baseline is not None and arguments.format == "sarif":
        raise UsageError(Problem("--write-baseline finds no fault: leave out --format sarif"))


def _list(arguments: Namespace, found: Survey) -> int:
    from workbench.cli.lanes_report import exit_of, write_report
    from workbench.cli.lanes_writers_rows import rows
    from workbench.cli.lanes_writers_text import table, told
    from workbench.cli.output import stdout_style
    from workbench.lanes.writers.faults import skipped_faults, writer_faults
    from workbench.report.writer import Style

    faults = [*writer_faults(found, Path().absolute()), *skipped_faults(found.unread)]
    in_file = arguments.output not in (None, "-")
    style = Style() if in_file else stdout_style(arguments.color)
    write_report(arguments, faults, rows(found), table(found, faults, style))
    _say(arguments, told(found))
    return exit_of(faults)


def _print_stanzas(arguments: Namespace, found: Survey) -> int:
    from workbench.cli.exits import Exit
    from workbench.cli.lanes_report import write_report
    from workbench.cli.lanes_writers_text import stanzas, told

    write_report(arguments, (), {}, stanzas(found, whole=found.is_unwritten))
    _say(arguments, told(found))
    return Exit.OK


def _compare(arguments: Namespace, found: Survey, baseline: Path) -> int:
    from workbench.cli.lanes_report import exit_of, fault_lines, write_report
    from workbench.cli.lanes_writers_rows import rows
    from workbench.cli.lanes_writers_text import compared
    from workbench.lanes.writers.baseline import read_baseline
    from workbench.lanes.writers.faults import change_faults, skipped_faults

    change = found.since(read_baseline(baseline), baseline.absolute().parent)
    faults = [*change_faults(change, found, str(baseline)), *skipped_faults(found.unread)]
    write_report(arguments, faults, rows(found, change), fault_lines(faults))
    _say(arguments, compared(change, found, baseline))
    return exit_of(faults)


def _write(arguments: Namespace, found: Survey, baseline: Path) -> int:
    """What lies outside of what was read stays in the baseline as it is."""
    from workbench.cli.exits import Exit
    from workbench.cli.lanes_report import write_report
    from workbench.cli.lanes_writers_rows import rows
    from workbench.cli.lanes_writers_text import changes, written
    from workbench.cli.streams import atomic_write
    from workbench.lanes.writers.baseline import baseline_text, read_baseline

    before = read_baseline(baseline) if baseline.exists() else ()
    change = found.since(before, baseline.absolute().parent)
    now = [*change.kept, *change.aside, *(one.known for one in change.new)]
    atomic_write(baseline, baseline_text(now))
    write_report(arguments, (), rows(found, change), changes(change, found))
    _say(arguments, written(change, baseline, len(now)))
    return Exit.OK


def _say(arguments: Namespace, lines: Iterable[SafeText]) -> None:
    from workbench.cli.streams import say
    from workbench.core.text import join, safe

    for line in lines:
        say(join((safe("workbench: "), line)), quiet=arguments.quiet)
