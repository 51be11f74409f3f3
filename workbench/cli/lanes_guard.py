"""`workbench lanes guard`: no lane name enters the code without its stanza."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.lanes_exclude import add_exclude, excluded_by
from workbench.cli.options import PLACED, add_report

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.lanes.guard.git import Snapshot
    from workbench.lanes.syntax.excluded import Excluded

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench lanes guard --staged
  workbench lanes guard --base origin/main
  workbench lanes guard src/assemble.py --registry lanes.toml

Reads Python, TypeScript, JavaScript, Rust and Go. With --staged, code and registry are read as they are
staged, and a stanza that is new or altered has to be complete, whether code names its lane or not; files
named by hand are read whole, and folders with all their source files. A glob of --exclude counts from the
working folder, and from the folder named or the top of the repository. A writer that never names a lane
passes: `workbench lanes writers` finds it by the syntax of the code, and `workbench lanes ledger` measures
what was sent.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="files or folders to look at whole")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--staged", action="store_true", help="the lines that are staged for the next commit")
    which.add_argument("--base", metavar="REV", help="the lines added since the branch left this revision")
    parser.add_argument("--registry", metavar="FILE", help="(the nearest lanes.toml above each file)")
    add_exclude(parser)
    add_report(parser, PLACED)


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
    excluded = excluded_by(arguments)
    if by_git:
        snapshot = staged() if arguments.staged else against(arguments.base)
        named = None if arguments.registry is None else _inside(Path(arguments.registry), snapshot)
        found = guard_change(snapshot, named, excluded)
    else:
        registry = None if arguments.registry is None else Path(arguments.registry)
        found = guard_files(_sources(arguments.files, excluded), registry)
    folder = snapshot.root if by_git else None
    rows = {"files": found.files, "names": found.names}
    write_report(arguments, found.faults, {"looked_at": rows}, fault_lines(found.faults), folder)
    files = f"{found.files} file{'' if found.files == 1 else 's'}"
    names = f"{found.names} lane name{'' if found.names == 1 else 's'}"
    limit = "a writer that names no lane is not seen here: `workbench lanes writers` finds it"
    say(safe(f"workbench: {names} in {files}; {limit}"), quiet=arguments.quiet)
    return exit_of(found.faults)


def _sources(names: list[str], excluded: Excluded) -> list[Path]:
    """The files named, and those below the folders named, but what is excluded. Raises WorkbenchError."""
    from pathlib import Path

    from workbench.core.errors import Problem, WorkbenchError
    from workbench.lanes.syntax.code import Unread
    from workbench.lanes.syntax.language import Language
    from workbench.lanes.syntax.walking import walk

    files = []
    for one in walk([Path(name) for name in names], tuple(Language), excluded):
        if isinstance(one, Unread):
            raise WorkbenchError(Problem(f"{one.file}: {one.reason}"))
        files.append(one)
    return files


def _inside(registry: Path, snapshot: Snapshot) -> str:
    """The registry's path from the top of the repository, as git names it. Raises UsageError."""
    from workbench.core.errors import Problem, UsageError

    try:
        path = registry.resolve().relative_to(snapshot.root.resolve()).as_posix()
    except ValueError:
        hint = "with --staged or --base the registry is read as git has it"
        raise UsageError(
            Problem(f"{registry} is outside the repository {snapshot.root}", hint=hint)
        ) from None
    sides = (snapshot.read, *snapshot.before)
    if not registry.exists() and all(read(path) is None for read in sides):
        raise UsageError(Problem(f"{registry}: no such file", hint="--registry names the lanes.toml to read"))
    return path
