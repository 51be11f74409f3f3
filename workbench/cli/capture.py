"""`workbench capture`: the envelopes of the user's own app, from its own logs."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.audit import add_columns

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.capture.captured import Captured
    from workbench.capture.shelving import Shelf, Shelved

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench capture logs/router.jsonl
  workbench capture turns.db --table turn_log --typed user_text --wrapped router_input -o envelopes/
  workbench capture gateway.log history.jsonl --dry-run
"""

_FORMATS = ("text", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", nargs="+", metavar="LOG", help="a log file, or a folder of them")
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", help="where the envelopes go (envelopes/ of the workspace)"
    )
    add_columns(parser)
    parser.add_argument(
        "--keep-values", action="store_true", help="examples from the log, private ones masked; else made up"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")
    parser.add_argument("--format", choices=_FORMATS, default="text", help=", ".join(_FORMATS))


def act(arguments: Namespace) -> int:
    import sys
    from pathlib import Path

    from workbench.capture.capturing import capture
    from workbench.capture.opening import open_logs
    from workbench.capture.shelving import put, shelf_of
    from workbench.capture.turns import LogOptions
    from workbench.cli.audit import columns_of
    from workbench.cli.capture_report import write_captured
    from workbench.cli.exits import Exit
    from workbench.cli.output import stdout_style
    from workbench.cli.reading import told
    from workbench.cli.streams import to_reader

    logs = [Path(log) for log in arguments.logs]
    shelf = shelf_of(_folder(arguments.output))
    _say_broken(shelf)
    options = LogOptions(
        columns_of(arguments), arguments.reader, arguments.table, told(quiet=arguments.quiet)
    )
    captured = capture(open_logs(logs, options), shelf.envelopes, keep_values=arguments.keep_values)
    done = _would(captured, shelf) if arguments.dry_run else put(captured, shelf, logs)
    with to_reader():
        write_captured(captured, done, arguments.format, sys.stdout, stdout_style(arguments.color))
    return Exit.OK if captured.forms or captured.turns == captured.bare > 0 else Exit.UNDECIDED


def _folder(given: str | None) -> Path:
    """The folder asked for, else that of the workspace. Raises UsageError where there is neither."""
    from pathlib import Path

    from workbench.cli.bench import open_bench
    from workbench.core.errors import Problem, UsageError

    if given is None:
        bench = open_bench()
        if bench.workspace.packaged:
            hint = "name a folder with -o, or make a workspace: `workbench new workspace`"
            raise UsageError(Problem("there is no workspace here to write envelopes to", hint=hint))
        return bench.workspace.root / "envelopes"
    folder = Path(given)
    if folder.exists() and not folder.is_dir():
        raise UsageError(Problem(f"{folder} is no folder", hint="-o names the folder of the envelopes"))
    if not folder.parent.is_dir():
        raise UsageError(Problem(f"cannot write to {folder}", hint="name a folder in one that exists"))
    return folder


def _say_broken(shelf: Shelf) -> None:
    from workbench.cli.streams import say
    from workbench.core.text import safe, visible

    for problem in shelf.broken:
        say(safe(f"workbench: {visible(str(problem))}"))


def _would(captured: Captured, shelf: Shelf) -> list[Shelved]:
    from workbench.capture.shelving import Act, Shelved

    return [
        Shelved(form, shelf.folder / f"{form.envelope.name}.yaml", Act.LEFT, "a dry run")
        for form in captured.forms
    ]
