"""`workbench audit`: past turns that were routed on what the user did not write."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.options import add_report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from workbench.adapters.protocol import Adapter
    from workbench.capture.audit.request import Request
    from workbench.capture.audit.result import Audit
    from workbench.capture.turns import Columns
    from workbench.cli.bench import Bench
    from workbench.core.envelope import Envelope

__all__ = [
    "COLUMNS",
    "EXAMPLE",
    "act",
    "add_columns",
    "columns_of",
    "configure",
    "count",
    "envelopes_of",
]

EXAMPLE = """\
  workbench audit logs/router.jsonl
  workbench audit turns.parquet --typed user_text --wrapped router_input --tools tools_called
  workbench audit postgresql://localhost/app --table turn_log --fail-on outgrown
  workbench audit logs/ --replay router --trust --format markdown
"""

_FORMATS = ("text", "json", "markdown")
_KINDS = ("outgrown", "framing", "unknown-envelope", "unreached", "replay-drift", "not-logged")
_QUESTIONS = ("outgrown", "framing", "tools", "one-by-one")
COLUMNS = ("typed", "wrapped", "id", "tools", "outcome", "session", "time", "ingress", "scanned")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "logs", nargs="+", metavar="LOG", help="a file, a folder, or the URL of an SQL database"
    )
    add_columns(parser)
    parser.add_argument(
        "--ratio",
        type=_ratio,
        default=4.0,
        metavar="N",
        help="routed text is far above the typed where it is more than N times as long (4)",
    )
    parser.add_argument(
        "--head",
        type=_head,
        default=30,
        metavar="N",
        help="characters by which heads are grouped, 30 to 80 (30)",
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=_QUESTIONS,
        help="of a database or a large file, only these questions; one-by-one reads single turns. Repeatable",
    )
    parser.add_argument(
        "--look",
        type=count,
        default=20_000,
        metavar="N",
        help="of a database or a large file, turns that are read one by one at most (20000)",
    )
    parser.add_argument("--replay", metavar="ADAPTER", help="put past turns through it, typed against routed")
    parser.add_argument(
        "--turns", type=count, default=200, metavar="N", help="with --replay, turns at most (200)"
    )
    parser.add_argument(
        "--trust", action="store_true", help="with --replay, trust this workspace for this run"
    )
    parser.add_argument(
        "--fail-on",
        action="append",
        choices=(*_KINDS, "any"),
        help="exit 1 where that is found; repeatable",
    )
    add_report(parser, _FORMATS)


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Which column of a log holds what, and which reader and table it is read with."""
    group = parser.add_argument_group("columns", "guessed where not given; a dotted path goes into JSON")
    for name in COLUMNS:
        group.add_argument(f"--{name}", metavar="COLUMN", help=argparse.SUPPRESS if name == "time" else None)
    group.add_argument("--table", metavar="NAME", help="of a database; guessed where not given")
    group.add_argument("--reader", metavar="NAME", help="the format, where its content does not tell it")


def columns_of(arguments: Namespace) -> Columns:
    """The columns that were named."""
    from workbench.capture.turns import Columns

    return Columns(**{name: getattr(arguments, name) for name in COLUMNS})


def act(arguments: Namespace) -> int:
    import asyncio
    import io
    import sys
    from dataclasses import replace
    from pathlib import Path

    from workbench.capture.audit.auditing import audit_logs
    from workbench.capture.audit.replaying import replay_past
    from workbench.capture.audit.result import Kind
    from workbench.cli.audit_report import write_audit
    from workbench.cli.bench import open_bench
    from workbench.cli.exits import Exit
    from workbench.cli.output import stdout_style
    from workbench.cli.streams import atomic_write, to_reader
    from workbench.core.errors import Problem, UsageError
    from workbench.report.writer import Style

    target = None if arguments.output in (None, "-") else Path(arguments.output)
    if target is not None and not (target.parent.is_dir() and not target.is_dir()):
        raise UsageError(Problem(f"cannot write {target}", hint="name a file in a folder that exists"))
    bench = open_bench()
    adapter = None
    if arguments.replay is not None:
        adapter = _adapter(bench, arguments.replay)
        bench.admit((adapter,), trust=arguments.trust)
    request = _request(arguments, list(envelopes_of(bench.envelope_files.values(), quiet=arguments.quiet)))
    found, past = audit_logs(arguments.logs, request)
    if adapter is not None:
        replayed = asyncio.run(replay_past(adapter, past.turns()))
        found = replace(found, replayed=replayed)
        found = replace(
            found,
            asked={**found.asked, Kind.REPLAY: replayed.turns},
            found={**found.found, Kind.REPLAY: replayed.drifted},
        )
    if target is not None:
        text = io.StringIO()
        write_audit(found, arguments.format, text, Style())
        atomic_write(target, text.getvalue())
    else:
        with to_reader():
            write_audit(found, arguments.format, sys.stdout, stdout_style(arguments.color))
    if _fails(found, arguments.fail_on or ()):
        return Exit.FINDING
    return Exit.NO_ANSWER if found.replayed is not None and found.replayed.silent else Exit.OK


def _request(arguments: Namespace, envelopes: list[Envelope]) -> Request:
    from workbench.capture.audit.request import Request
    from workbench.capture.turns import LogOptions
    from workbench.cli.reading import told

    return Request(
        envelopes=tuple(envelopes),
        options=LogOptions(
            columns_of(arguments), arguments.reader, arguments.table, told(quiet=arguments.quiet)
        ),
        ratio=arguments.ratio,
        head=arguments.head,
        look=arguments.look,
        past=arguments.turns if arguments.replay is not None else 0,
        only=frozenset(arguments.only or _QUESTIONS),
    )


def _adapter(bench: Bench, name: str) -> Adapter:
    """The adapter to replay with. Raises UsageError on an unknown one, and on one that wraps by itself."""
    from workbench.core.errors import Problem, UsageError
    from workbench.files.problems import shown, suggestion

    if name not in bench.workspace.adapters:
        hint = suggestion(name, bench.workspace.adapters)
        raise UsageError(Problem(f"no adapter is called {shown(name)}", hint=hint))
    adapter = bench.build((name,))[name]
    if adapter.capabilities.wraps:
        message = f"{shown(name)} wraps turns by itself: it cannot be given one that is wrapped already"
        raise UsageError(Problem(message, hint="name the router that it calls"))
    return adapter


def envelopes_of(files: Iterable[Path], *, quiet: bool) -> Iterator[Envelope]:
    """The envelopes of a workspace that can be read; what is wrong with the others is said."""
    from workbench.cli.streams import drawn, say
    from workbench.core.errors import WorkbenchError
    from workbench.core.text import join, safe
    from workbench.files.envelope import load_envelope

    for path in files:
        try:
            yield load_envelope(path)
        except WorkbenchError as error:
            for problem in error.problems:
                say(join((safe("workbench: "), drawn(problem))), quiet=quiet)


def _fails(found: Audit, kinds: Sequence[str]) -> bool:
    wanted = set(kinds)
    return any(number and ("any" in wanted or kind.value in wanted) for kind, number in found.found.items())


def _ratio(text: str) -> float:
    value = float(text)
    if not 1 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError("expected a number of at least 1")
    return value


def _head(text: str) -> int:
    value = int(text)
    if not 30 <= value <= 80:
        raise argparse.ArgumentTypeError("expected a number from 30 to 80")
    return value


def count(text: str) -> int:
    """An argument that is a number above 0."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("expected a number above 0")
    return value
