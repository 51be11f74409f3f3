"""`--exclude`, alike on every verb of `lanes` that reads source code."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.lanes.syntax.excluded import Excluded

__all__ = ["add_exclude", "excluded_by"]


def add_exclude(parser: argparse.ArgumentParser) -> None:
    """The option itself."""
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="leave these out, as a line of a .gitignore would: *.test.ts, tests/, src/gen/**; repeatable",
    )


def excluded_by(arguments: Namespace) -> Excluded:
    """What was asked to be left out. Raises UsageError for what is no glob."""
    from workbench.lanes.syntax.excluded import Excluded

    return Excluded.of(arguments.exclude)
