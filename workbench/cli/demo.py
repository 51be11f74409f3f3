"""`workbench demo`: a guided walk over the scenarios that ship."""

from __future__ import annotations

import argparse
from argparse import Namespace

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench demo
  workbench demo --auto 20
  workbench demo --text | less
  workbench demo --requests sent
"""


def configure(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--auto", type=_seconds, metavar="SECONDS", help="go on by itself, so long after each step"
    )
    how.add_argument("--text", action="store_true", help="print the walk; so does a pipe")
    how.add_argument(
        "--requests",
        metavar="FOLDER",
        help="no walk: write what the demo's gateway sends to its model, and who says to have written it, for"
        " `workbench lanes`",
    )


def _seconds(written: str) -> float:
    try:
        seconds = float(written)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{written!r} is no time to wait: give seconds above 0")
    return seconds


def act(arguments: Namespace) -> int:
    import sys

    from workbench.cli.streams import has_terminal, say
    from workbench.core.text import safe

    if arguments.requests is not None:
        from pathlib import Path

        from workbench.cli.demo_requests import write_requests

        write_requests(Path(arguments.requests), quiet=arguments.quiet)
        return 0
    # The screen reads stdin and draws on stderr; who sends stdout elsewhere wants the words there.
    if not arguments.text and all(map(has_terminal, (sys.stdin, sys.stdout, sys.stderr))):
        from workbench.cli.walking import play_walk

        return play_walk(arguments.auto)
    if not arguments.text:
        say(safe("workbench: no terminal here, so this is the walk in words"), quiet=arguments.quiet)
    from workbench.cli.telling import tell_walk

    return tell_walk(color=arguments.color, quiet=arguments.quiet)
