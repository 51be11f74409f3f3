"""`workbench lanes check`: what is wrong in a registry of lanes."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.lanes_exclude import add_exclude, excluded_by
from workbench.cli.options import PLACED, add_report

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.core.decision import Json
    from workbench.lanes.emits.verdicts import Emitted
    from workbench.lanes.fault import LaneFault

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench lanes check lanes.toml
  workbench lanes check lanes.toml --root . --format json
  workbench lanes check --src src/ --src hooks/ --exclude '*.gen.ts'

Errors: a field that is missing or wrong, two stanzas of one name, an uncapped lane without a reason, an
injector that does not exist (--root), a size in a stanza's own words above its budget. Warnings: no unit, or
one that the file's words contradict; a lane that nothing writes (emits = "none"), or that its own words call
unreachable or dead.

With --src, the code is held against `emits` (extra `code`; Python, TypeScript, JavaScript, Rust, Go; no
tests). A lane of "receipt" is claimed: claim("x", …), lane("x"), lanes.push({name: "x"}), a call about a
receipt. One of "log" stands in a call that logs, prints, emits or traces, itself or by way of variables and
functions, or its injector logs a size. One of "none" does neither: an error where it certainly does. Also an
error: a function that an injector spells (src/a.ts:load) and its file does not hold. Warnings: what is not
seen, and a lane that nothing names. A name that is put together at run time is not seen.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="the registry (the nearest lanes.toml, upwards from here)"
    )
    parser.add_argument("--root", metavar="DIR", help="look for the injectors' paths below this folder")
    parser.add_argument(
        "--src",
        action="append",
        default=[],
        metavar="PATH",
        help="hold `emits` against this source code, a folder or a file; repeatable",
    )
    add_exclude(parser)
    add_report(parser, PLACED)


def act(arguments: Namespace) -> int:
    from pathlib import Path

    from workbench.cli.lanes_report import exit_of, fault_lines, write_report
    from workbench.cli.streams import say
    from workbench.core.errors import Problem, UsageError
    from workbench.core.text import join, safe, visible
    from workbench.files.source import read_source
    from workbench.lanes.check.checking import check_sheet
    from workbench.lanes.emits.verdicts import check_emits
    from workbench.lanes.registry import find_registry
    from workbench.lanes.sheet import read_sheet

    file = Path(arguments.file) if arguments.file is not None else find_registry(Path())
    root = _root(arguments.root)
    if arguments.exclude and not arguments.src:
        raise UsageError(Problem("--exclude leaves out source code", hint="give --src with it"))
    sheet = read_sheet(read_source(file))
    faults = check_sheet(sheet, root)
    rows: dict[str, Json] = {"lanes": len(sheet.stanzas)}
    if arguments.src:
        emitted = check_emits(sheet, [Path(name) for name in arguments.src], excluded_by(arguments))
        faults = _both(faults, emitted)
        rows |= _rows(emitted)
    write_report(arguments, faults, rows, fault_lines(faults))
    if not faults:
        count = len(sheet.stanzas)
        code = f" here and in {rows['files']:,} files of code" if arguments.src else ""
        lanes = safe(f": {count} lane{'' if count == 1 else 's'}, nothing is wrong{code}")
        say(join((visible(f"workbench: {file}"), lanes)), quiet=arguments.quiet)
    return exit_of(faults)


def _root(name: str | None) -> Path | None:
    from pathlib import Path

    from workbench.core.errors import Problem, UsageError

    root = Path(name) if name is not None else None
    if root is not None and not root.is_dir():
        hint = "--root names the folder that injectors are in"
        raise UsageError(Problem(f"{root} is no folder", hint=hint))
    return root


def _both(faults: Sequence[LaneFault], emitted: Emitted) -> list[LaneFault]:
    """By the line of the registry, then the files that were not read. That nothing writes a lane is not
    repeated where something does."""
    from workbench.core.finding import Severity
    from workbench.lanes.fault import LaneFault, LaneKind

    written = {one.lane for one in emitted.faults if one.kind is LaneKind.EMITS}
    kept = [one for one in faults if one.kind is not LaneKind.EMITS_NONE or one.lane not in written]
    unread = [
        LaneFault(LaneKind.SKIPPED, Severity.WARNING, one.reason, file=one.file, line=one.line)
        for one in emitted.unread
    ]
    return [*sorted((*kept, *emitted.faults), key=lambda one: one.line or 0), *unread]


def _rows(emitted: Emitted) -> dict[str, Json]:
    return {
        "files": emitted.files,
        "emits": [
            {
                "lane": one.lane.name,
                "says": one.lane.emits.value,
                "seen": [
                    {
                        "how": seen.how.value,
                        "file": seen.place.file,
                        "line": seen.place.line,
                        "certain": seen.certain,
                        "by": None if seen.by is None else {"file": seen.by.file, "line": seen.by.line},
                    }
                    for seen in one.seen
                ],
            }
            for one in emitted.lanes
        ],
    }
