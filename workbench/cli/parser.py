"""The whole parser tree: one file per verb, and of each only what its help needs."""

from __future__ import annotations

import argparse
from typing import NoReturn

from workbench import __version__
from workbench.cli import (
    audit,
    capture,
    demo,
    diff,
    envelope,
    explain,
    info,
    lanes,
    listing,
    new,
    policies,
    probe,
    run,
    runs,
    shell,
    tap,
    thresholds,
    trust,
    watch,
)
from workbench.cli.exits import Exit
from workbench.cli.options import add_talk
from workbench.cli.streams import say
from workbench.core.text import safe, visible

__all__ = ["build_parser"]

_VERBS = (
    run,
    probe,
    explain,
    policies,
    thresholds,
    diff,
    shell,
    demo,
    new,
    envelope,
    capture,
    audit,
    watch,
    tap,
    lanes,
    listing,
    runs,
    info,
    trust,
)

_EPILOG = """\
With no verb, the screen opens on the workspace of this folder.

exit codes: 0 as wanted · 1 an error finding · 2 wrong usage or a broken file · 3 an adapter that
never answered · 4 undecided or no verdict · 130 interrupted

example:
  workbench run scenarios/envelope-replay.yaml --adapter held
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose own errors cannot carry escapes to the terminal."""

    def error(self, message: str) -> NoReturn:
        say(safe(f"{visible(self.prog)}: {visible(message)}\n{visible(self.prog)} --help says more"))
        raise SystemExit(Exit.USAGE)


def build_parser() -> argparse.ArgumentParser:
    """The whole parser tree; imports no verb's machinery."""
    shared = _Parser(add_help=False)
    add_talk(shared)
    parser = _Parser(
        prog="workbench",
        description="Replay prompts through agent routers, bare and wrapped, and see what changed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
    )
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    parser.add_argument(
        "--print-completion", metavar="SHELL", choices=("bash", "zsh", "tcsh"), help="for your shell"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs", parser_class=_Parser)
    for verb in _VERBS:
        sub = verbs.add_parser(
            verb.NAME,
            help=verb.SUMMARY,
            description=verb.SUMMARY[0].upper() + verb.SUMMARY[1:] + ".",
            epilog=f"example:\n{verb.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            parents=[shared],
        )
        verb.configure(sub)
        sub.set_defaults(act=verb.act)
    parser.set_defaults(quiet=False, verbose=False, color="auto", act=None)
    return parser
