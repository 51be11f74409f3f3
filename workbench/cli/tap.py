"""`workbench tap`: the files that an app copies, to log what its router or its model is given."""

from __future__ import annotations

import argparse
from argparse import Namespace

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench tap python > tap.py
  workbench tap typescript > tap.ts
  workbench tap ledger > ledger.py
"""

_FILES = {"python": "tap.py", "typescript": "tap.ts", "ledger": "ledger.py"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        choices=tuple(_FILES),
        help="python, typescript: a tap on the router (or import workbench.tap); "
        "ledger: who wrote what of a model's request (or import workbench.ledger)",
    )


def act(arguments: Namespace) -> int:
    import sys
    from importlib.resources import files

    from workbench.cli.streams import to_reader

    with to_reader():
        sys.stdout.write(files("workbench").joinpath(_FILES[arguments.file]).read_text("utf-8"))
    return 0
