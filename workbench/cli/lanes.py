"""`workbench lanes`: prompt accounting, one verb below it for each question."""

from __future__ import annotations

import argparse

from workbench.cli.verbs import VerbParser, add_verbs

__all__ = ["EXAMPLE", "configure"]

EXAMPLE = """\
  workbench lanes check lanes.toml --root .
  workbench lanes guard --staged
  workbench lanes writers src/
  workbench lanes joins src/ --router route
  workbench lanes ledger capture.har --receipts receipts.jsonl
  workbench lanes proxy --upstream https://api.openai.com/v1
"""

_VERBS = {
    "check": (
        "lanes_check",
        "say what is wrong in a lanes.toml, and where the code does otherwise: faults only",
    ),
    "guard": (
        "lanes_guard",
        "refuse lane names in new lines of code that have no complete stanza in lanes.toml",
    ),
    "writers": (
        "lanes_writers",
        "find the places in the code that write into a prompt, whether they name a lane or not",
    ),
    "joins": (
        "lanes_joins",
        "find where attached, retrieved or quoted text joins the user's words, and which routers read both",
    ),
    "ledger": (
        "lanes_ledger",
        "compare what captured requests sent with what receipts say was written: dark, double, missing text",
    ),
    "plan": (
        "lanes_plan",
        "put one budget over the receipts of past requests: which would have been cut, what each lane lost",
    ),
    "proxy": (
        "lanes_proxy",
        "record what an app sends to a model: a proxy on this machine that it takes for its base URL",
    ),
}


def configure(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="question", metavar="VERB", required=True, parser_class=VerbParser)
    add_verbs(verbs, _VERBS)
