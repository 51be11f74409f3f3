"""The whole parser tree: one file per verb, imported when it is asked for."""

from __future__ import annotations

import argparse

from workbench import __version__
from workbench.cli.options import add_talk
from workbench.cli.verbs import VerbParser, add_verbs

__all__ = ["build_parser"]

_VERBS = {
    "run": ("run", "run scenarios through adapters, bare and wrapped, and report what changed"),
    "probe": ("probe", "show what each adapter would do with one text, bare and in the envelopes asked for"),
    "explain": ("explain", "find the words that moved a decision, and what to take away to undo it"),
    "policies": (
        "policies",
        "try fixes before a router: findings gone, findings new, and real commands lost",
    ),
    "thresholds": (
        "thresholds",
        "try every threshold on a router's scores: where all expectations hold, or what excludes that",
    ),
    "diff": ("diff", "show what changed from one run to another, cell by cell"),
    "shell": ("shell", "send each line typed to adapters and envelopes at once, and print what they do"),
    "demo": (
        "demo",
        "walk through the failures that this program finds, on scenarios that come with it, offline",
    ),
    "new": ("new", "write a scenario, an envelope or a workspace to begin with"),
    "envelope": ("envelope", "show one envelope, or print a function that takes it off"),
    "capture": (
        "capture",
        "make envelopes from logs that have both what was typed and what the router was given",
    ),
    "audit": ("audit", "find past turns in logs that were routed on what the user did not write"),
    "watch": (
        "watch",
        "follow a log as it grows, and alarm on the first turn that is routed on more than was typed",
    ),
    "tap": ("tap", "print a file for an app to copy, that logs what its router or its model is given"),
    "lanes": (
        "lanes",
        "account for every character of a prompt: its writers, their budgets, and what was sent",
    ),
    "list": ("listing", "list scenarios, envelopes, adapters or runs"),
    "runs": ("runs", "list the stored runs, or remove the old ones"),
    "info": ("info", "show versions, and which files, folders and interpreters are used"),
    "trust": ("trust", "let this workspace's adapters, as they are declared now, start programs"),
}

_EPILOG = """\
With no verb, the screen opens on the workspace of this folder.

exit codes: 0 as wanted · 1 an error finding · 2 wrong usage or a broken file · 3 an adapter that
never answered · 4 undecided or no verdict · 130 interrupted

example:
  workbench run scenarios/envelope-replay.yaml --adapter held
"""


def build_parser() -> VerbParser:
    """The whole parser tree; imports no verb."""
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
    add_verbs(verbs, _VERBS)
    parser.set_defaults(quiet=False, verbose=False, color="auto", act=None)
    return parser
