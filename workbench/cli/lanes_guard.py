"""`workbench lanes guard`: no lane name enters the code without its stanza."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.options import add_report

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["EXAMPLE", "NAME", "SUMMARY", "act", "configure"]

NAME = "guard"
SUMMARY = "refuse lane names in new lines of code that have no complete stanza in lanes.toml"
EXAMPLE = """\
  workbench lanes guard --staged
  workbench lanes guard --base origin/main
  workbench lanes guard src/assemble.py --registry lanes.toml

Reads Python, TypeScript, JavaScript, Rust and Go. With --staged, code and registry are read as they are
staged; files named by hand are read whole, and
folders with all their source files. A writer that never names a lane passes: only the syntax of the
code, or measuring what was sent (`workbench lanes ledger`), shows that one.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="files or folders to look at whole")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--staged", action="store_true", help="the lines that are staged for the next commit")
    which.add_argument("--base", metavar="REV", help="the lines added since the branch left this revision")
    parser.add_argument("--registry", metavar="FILE", help="(the nearest lanes.toml above each file)")
    add_report(parser)


def act(arguments: Namespace) -> int:
    from pathlib import Path

    from workbench.cli.lanes_report import exit_of, fault_lines, write_report
    from workbench.cli.streams import say
    from workbench.core.errors import Problem, UsageError
    from workbench.core.text import safe
    from workbench.lanes.guard.git import against, staged
    from workbench.lanes.guard.guarding import guard_change, guard_files

    by_git = arguments.staged or arguments.base is not None
    if by_git == bool(arguments.files):
        raise UsageError(Problem("what to look at?", hint="give one of --staged, --base REV, or files"))
    if by_git:
        snapshot = staged() if arguments.staged else against(arguments.base)
        named = None if arguments.registry is None else _inside(Path(arguments.registry), snapshot.root)
        found = guard_change(snapshot, named)
    else:
        registry = None if arguments.registry is None else Path(arguments.registry)
        found = guard_files(_sources(arguments.files), registry)
    rows = {"files": found.files, "names": found.names}
    write_report(arguments, found.faults, {"looked_at": rows}, fault_lines(found.faults))
    files = f"{found.files} file{'' if found.files == 1 else 's'}"
    names = f"{found.names} lane name{'' if found.names == 1 else 's'}"
    limit = "a writer that names no lane is not seen here: measure with `workbench lanes ledger`"
    say(safe(f"workbench: {names} in {files}; {limit}"), quiet=arguments.quiet)
    return exit_of(found.faults)


def _sources(names: list[str]) -> list[Path]:
    """The files named, and those below the folders named. Raises WorkbenchError."""
    from pathlib import Path

    from workbench.core.errors import Problem, WorkbenchError
    from workbench.lanes.syntax.code import Unread
    from workbench.lanes.syntax.language import Language
    from workbench.lanes.syntax.walking import walk

    files = []
    for one in walk([Path(name) for name in names], tuple(Language)):
        if isinstance(one, Unread):
            raise WorkbenchError(Problem(f"{one.file}: {one.reason}"))
        files.append(one)
    return files


def _inside(registry: Path, root: Path) -> str:
    """The registry's path from the top of the repository, as git names it. Raises UsageError."""
    from workbench.core.errors import Problem, UsageError

    try:
        return registry.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        hint = "with --staged or --base the registry is read as git has it"
        raise UsageError(Problem(f"{registry} is outside the repository {root}", hint=hint)) from None
