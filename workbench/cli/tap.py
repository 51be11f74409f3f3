"""`workbench tap`: the file that an app copies, to log what its router is given."""

from __future__ import annotations

import argparse
from argparse import Namespace

__all__ = ["EXAMPLE", "NAME", "SUMMARY", "act", "configure"]

NAME = "tap"
SUMMARY = "print the file that logs what an app's router is given, for the app to copy"
EXAMPLE = """\
  workbench tap python > tap.py
  workbench tap typescript > tap.ts
"""

_FILES = {"python": "tap.py", "typescript": "tap.ts"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("language", choices=tuple(_FILES), help="python: or import it, from workbench.tap")


def act(arguments: Namespace) -> int:
    import sys
    from importlib.resources import files

    from workbench.cli.streams import to_reader

    with to_reader():
        sys.stdout.write(files("workbench").joinpath(_FILES[arguments.language]).read_text("utf-8"))
    return 0
