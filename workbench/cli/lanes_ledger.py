"""`workbench lanes ledger`: every character of captured requests, and the lane that owns it."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.options import add_report

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench lanes ledger capture.har --receipts receipts.jsonl
  workbench lanes ledger proxy.jsonl receipts.jsonl --registry lanes.toml --src src/
  workbench lanes ledger requests.jsonl --marker CANARY_MEMORY --marker CANARY_RULES

A capture is a HAR, a recording of `lanes proxy`, JSON lines of bodies (or of {"request", "response"}),
OpenTelemetry spans, or a store or recording of runs; packed files and folders too. A receipt is
{"turn", "request", "unit": "chars", "lanes": [{"name", "chars", "start"?, "text"?, "estimate"?}]}.
Characters are code points, offsets count through all texts of a body laid end to end.
Each line says dark + owned = sent for one request; a clean run says dark=0 on all of them.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("captures", nargs="*", metavar="CAPTURE", help="a file, or a folder of them")
    parser.add_argument(
        "--receipts",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="what the app says it wrote; receipts among the captures are found by their content",
    )
    parser.add_argument("--registry", metavar="FILE", help="lanes.toml; else the nearest one upwards")
    parser.add_argument(
        "--src",
        action="append",
        metavar="FOLDER",
        help="the app's source, to tell a lane that it never names",
    )
    parser.add_argument(
        "--marker",
        action="append",
        metavar="TEXT",
        help="say in which lane this text stands; repeatable",
    )
    add_report(parser)


def act(arguments: Namespace) -> int:
    from pathlib import Path

    from workbench.capture.turns import LogOptions
    from workbench.cli.lanes_ledger_rows import ledger_rows
    from workbench.cli.lanes_ledger_text import ledger_lines
    from workbench.cli.lanes_registry import registry_for
    from workbench.cli.lanes_report import exit_of, write_report
    from workbench.cli.reading import told
    from workbench.core.errors import Problem, UsageError
    from workbench.lanes.ledger.accounting import Question, account_for

    captures = [Path(name) for name in arguments.captures]
    receipts = [Path(name) for name in arguments.receipts or ()]
    if not captures:  # what stands behind --receipts may be the captures as well: their content tells
        captures, receipts = receipts, []
    if not captures:
        raise UsageError(
            Problem("no capture is named", hint="workbench lanes ledger CAPTURE --receipts FILE")
        )
    markers = arguments.marker or []
    if "" in markers:
        raise UsageError(
            Problem("--marker: an empty text stands everywhere", hint="name a text that is unique")
        )
    question = Question(
        captures,
        receipts,
        registry_for(arguments, [*captures, *map(Path, arguments.src or ())]),
        markers,
        _mentioned(arguments.src),
        LogOptions(progress=told(quiet=arguments.quiet)),
    )
    ledger = account_for(question)
    write_report(arguments, ledger.faults, ledger_rows(ledger), ledger_lines(ledger))
    return exit_of(ledger.faults)


def _mentioned(folders: list[str] | None) -> Callable[[str], bool] | None:
    """Whether the source names a lane; None where no source was given. Raises WorkbenchError."""
    from pathlib import Path

    from workbench.lanes.ledger.mentions import names_in

    return names_in(Path(folder) for folder in folders).__contains__ if folders else None
