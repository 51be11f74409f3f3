"""`workbench lanes check`: what is wrong in a registry of lanes."""

from __future__ import annotations

import argparse
from argparse import Namespace

from workbench.cli.options import add_report

__all__ = ["EXAMPLE", "NAME", "SUMMARY", "act", "configure"]

NAME = "check"
SUMMARY = "say what is wrong in a lanes.toml: faults only"
EXAMPLE = """\
  workbench lanes check lanes.toml
  workbench lanes check lanes.toml --root . --format json

Errors: a field that is missing or wrong, two stanzas of one name, an uncapped lane without a reason, an
injector that does not exist (--root), a size in a stanza's own words above its budget. Warnings: no unit, or
one that the file's words contradict; a lane that nothing writes (emits = "none"), or that its own words call
unreachable or dead. What the code does is not looked at.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="the registry (the nearest lanes.toml, upwards from here)"
    )
    parser.add_argument("--root", metavar="DIR", help="look for the injectors' paths below this folder")
    add_report(parser)


def act(arguments: Namespace) -> int:
    from pathlib import Path

    from workbench.cli.lanes_report import exit_of, fault_lines, write_report
    from workbench.cli.streams import say
    from workbench.core.errors import Problem, UsageError
    from workbench.core.text import join, safe, visible
    from workbench.files.source import read_source
    from workbench.lanes.check.checking import check_sheet
    from workbench.lanes.registry import find_registry
    from workbench.lanes.sheet import read_sheet

    file = Path(arguments.file) if arguments.file is not None else find_registry(Path())
    root = Path(arguments.root) if arguments.root is not None else None
    if root is not None and not root.is_dir():
        raise UsageError(
            Problem(f"{root} is no folder", hint="--root names the folder that injectors are in")
        )
    sheet = read_sheet(read_source(file))
    faults = check_sheet(sheet, root)
    write_report(arguments, faults, {"lanes": len(sheet.stanzas)}, fault_lines(faults))
    if not faults:
        count = len(sheet.stanzas)
        lanes = safe(f": {count} lane{'' if count == 1 else 's'}, nothing is wrong")
        say(join((visible(f"workbench: {file}"), lanes)), quiet=arguments.quiet)
    return exit_of(faults)
