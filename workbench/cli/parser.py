"""The whole parser tree: one file per verb, and of each only what its help needs."""

from __future__ import annotations

import argparse

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
from workbench.cli.options import add_talk
from workbench.cli.verbs import VerbParser, add_verb

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


def build_parser() -> VerbParser:
    """The whole parser tree; imports no verb's machinery."""
    parser = VerbParser(
        prog="workbench",
        description="Replay prompts through agent routers, bare and wrapped, and see what changed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_talk(parser)
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    parser.add_argument(
        "--print-completion", metavar="SHELL", choices=("bash", "zsh", "tcsh"), help="for your shell"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs", parser_class=VerbParser)
    for verb in _VERBS:
        add_verb(verbs, verb).set_defaults(act=verb.act)
    parser.set_defaults(quiet=False, verbose=False, color="auto", act=None)
    return parser
