"""`workbench lanes`: prompt accounting, one verb below it for each question."""

from __future__ import annotations

import argparse
from argparse import Namespace

from workbench.cli import lanes_check, lanes_guard, lanes_joins, lanes_ledger, lanes_plan, lanes_proxy
from workbench.cli.options import add_talk

__all__ = ["EXAMPLE", "NAME", "SUMMARY", "act", "configure"]

NAME = "lanes"
SUMMARY = "account for every character of a prompt: its writers, their budgets, and what was sent"
EXAMPLE = """\
  workbench lanes check lanes.toml --root .
  workbench lanes guard --staged
  workbench lanes joins src/ --router route
  workbench lanes ledger capture.har --receipts receipts.jsonl
  workbench lanes proxy --upstream https://api.openai.com/v1
"""

_VERBS = (lanes_check, lanes_guard, lanes_joins, lanes_ledger, lanes_plan, lanes_proxy)


def configure(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="question", metavar="VERB", required=True)
    for verb in _VERBS:
        sub = verbs.add_parser(
            verb.NAME,
            help=verb.SUMMARY,
            description=verb.SUMMARY[0].upper() + verb.SUMMARY[1:] + ".",
            epilog=f"example:\n{verb.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        add_talk(sub)
        verb.configure(sub)
        sub.set_defaults(act_of_lanes=verb.act)


def act(arguments: Namespace) -> int:
    code: int = arguments.act_of_lanes(arguments)
    return code
