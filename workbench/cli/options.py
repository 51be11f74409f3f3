"""Flags that several verbs share, declared once."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.decision import Json

FORMATS = ("text", "json", "jsonl", "junit", "markdown")
PLACED = ("text", "json", "sarif")
"""Formats of a verb whose faults have places in files."""

# What decides neither what is run nor what comes out of it.
_TALK = (
    "act",
    "verb",
    "quiet",
    "verbose",
    "color",
    "print_completion",
    "format",
    "output",
    "trust",
    "baseline",
    "record",
)


def add_talk(parser: argparse.ArgumentParser) -> None:
    """How much is said, and in which colours; the same on every verb."""
    talk = parser.add_argument_group("talk")
    talk.add_argument("--quiet", "-q", action="store_true", default=argparse.SUPPRESS, help="no progress")
    talk.add_argument("--verbose", "-v", action="store_true", default=argparse.SUPPRESS, help="say more")
    talk.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default=argparse.SUPPRESS,
        help="auto: only on a terminal, and never where NO_COLOR is set",
    )


def add_delivery(parser: argparse.ArgumentParser) -> None:
    """Which adapters and envelopes, and whether to trust them."""
    parser.add_argument(
        "--adapter",
        action="append",
        metavar="NAME",
        help="this adapter instead of the scenario's; repeatable",
    )
    parser.add_argument(
        "--envelope",
        action="append",
        metavar="NAME",
        help="this envelope instead of the scenario's, or nested as outer(inner); repeatable",
    )
    parser.add_argument("--trust", action="store_true", help="trust this workspace for this run")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Formats, and the files that they go to."""
    parser.add_argument(
        "--format",
        action="append",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; several with a comma or repeated, each with an -o of its own but one",
    )
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="write here instead of stdout; without --format the ending tells the format",
    )


def add_report(parser: argparse.ArgumentParser, formats: Sequence[str] = ("text", "json")) -> None:
    """One format, to stdout or to one file."""
    parser.add_argument("--format", choices=formats, default="text", help=", ".join(formats))
    parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of stdout")


def arguments_of(arguments: argparse.Namespace) -> dict[str, Json]:
    """What was asked on the command line, as the run keeps it."""
    return {
        key: value
        for key, value in sorted(vars(arguments).items())
        if key not in _TALK and value not in (None, False, [])
    }
