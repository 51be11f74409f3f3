"""`workbench lanes`: prompt accounting, one verb below it for each question."""

from __future__ import annotations

import argparse
from argparse import Namespace

from workbench.cli.verbs import VerbParser, add_verb

__all__ = ["EXAMPLE", "NAME", "SUMMARY", "act", "configure"]

NAME = "lanes"
SUMMARY = "account for every character of a prompt: its writers, their budgets, and what was sent"
EXAMPLE = """\
  workbench lanes check lanes.toml --root .
  workbench lanes guard --staged
  workbench lanes writers src/
  workbench lanes joins src/ --router route
  workbench lanes ledger capture.har --receipts receipts.jsonl
  workbench lanes proxy --upstream https://api.openai.com/v1
"""


def configure(parser: argparse.ArgumentParser) -> None:
    from workbench.cli import (
        lanes_check,
        lanes_guard,
        lanes_joins,
        lanes_ledger,
        lanes_plan,
        lanes_proxy,
        lanes_writers,
    )

    verbs = parser.add_subparsers(dest="question", metavar="VERB", required=True, parser_class=VerbParser)
    every = (lanes_check, lanes_guard, lanes_writers, lanes_joins, lanes_ledger, lanes_plan, lanes_proxy)
    for verb in every:
        add_verb(verbs, verb).set_defaults(act_of_lanes=verb.act)


def act(arguments: Namespace) -> int:
    code: int = arguments.act_of_lanes(arguments)
    return code
