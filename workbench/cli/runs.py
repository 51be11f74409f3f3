"""`workbench runs`: the stored runs, and removing the old ones."""

from __future__ import annotations

import argparse
from argparse import Namespace

from workbench.cli.options import add_talk

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench runs
  workbench runs prune --keep 20
"""

_KEEP = 50


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="text or json, of the list"
    )
    does = parser.add_subparsers(dest="does", metavar="WHAT")
    prune = does.add_parser("prune", help="remove all but the newest runs; one that is under way stays")
    prune.add_argument(
        "--keep", type=int, default=_KEEP, metavar="N", help=f"how many of the newest stay ({_KEEP})"
    )
    add_talk(prune)


def act(arguments: Namespace) -> int:
    if arguments.does == "prune":
        return _prune(arguments.keep, quiet=arguments.quiet)
    from workbench.cli import listing

    return listing.act(Namespace(what="runs", format=arguments.format, audit=False))


def _prune(keep: int, *, quiet: bool) -> int:
    from workbench.cli.bench import open_bench, store_root
    from workbench.cli.streams import say
    from workbench.core.errors import UsageError
    from workbench.core.text import safe, visible
    from workbench.store.store import Store

    if keep < 0:
        raise UsageError(f"--keep {keep}: it is 0 or more")
    store = Store.existing(store_root(open_bench().workspace))
    if store is None:
        say(safe("workbench: no run is stored here"), quiet=quiet)
        return 0
    with store:
        removed = store.prune(keep)
        left = len(store.runs())
    for run in removed:
        print(safe(f"removed {visible(run)}"))
    say(safe(f"workbench: {len(removed):,} removed, {left:,} kept"), quiet=quiet)
    return 0
