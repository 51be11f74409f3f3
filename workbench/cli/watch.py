"""`workbench watch`: a log as it grows, a line per turn, and an alarm on the first that is wrong."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.audit import add_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.capture.audit.watching import Seen, Watch
    from workbench.core.text import SafeText

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench watch routes.jsonl
  workbench watch app.db --table turn_log --typed user_text --wrapped router_input
"""

_PAUSE = 0.2
_FORMATS = ("text", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", metavar="LOG", help="a file that grows, or an SQLite database")
    add_columns(parser)
    parser.add_argument(
        "--ratio", type=float, default=4.0, metavar="N", help="alarm beyond N times the typed length (4)"
    )
    parser.add_argument(
        "--for", type=float, dest="seconds", metavar="SECONDS", help="end by itself after that"
    )
    parser.add_argument(
        "--format", choices=_FORMATS, default="text", help="text, or json: an object on each line"
    )


def act(arguments: Namespace) -> int:
    import sys
    import time
    from pathlib import Path

    from workbench.capture.audit.judging import Judge
    from workbench.capture.audit.known import KnownEnvelopes
    from workbench.capture.audit.watching import Watch, watch
    from workbench.capture.turns import LogOptions
    from workbench.cli.audit import columns_of, envelopes_of
    from workbench.cli.bench import open_bench
    from workbench.cli.exits import Exit
    from workbench.cli.streams import say, to_reader, wants_colour
    from workbench.core.text import safe, visible

    files = open_bench().envelope_files.values()
    known = KnownEnvelopes(envelopes_of(files, quiet=arguments.quiet))
    watching = Watch(Judge(known, arguments.ratio))
    options = LogOptions(columns_of(arguments), arguments.reader, arguments.table)
    end = None if arguments.seconds is None else time.monotonic() + arguments.seconds
    colour = wants_colour(sys.stdout, arguments.color, _environ())
    say(safe(f"workbench: watching {visible(arguments.log)}; Ctrl-C ends it"), quiet=arguments.quiet)
    with to_reader():
        try:
            for item in watch(Path(arguments.log), watching, options):
                if isinstance(item, str):
                    say(safe(f"workbench: {visible(item)}"))
                elif item is not None:
                    for line in _lines(item, arguments.format, colour=colour):
                        sys.stdout.write(f"{line}\n")
                    sys.stdout.flush()
                if end is not None and time.monotonic() >= end:
                    break
                if item is None:
                    time.sleep(_PAUSE)
        except KeyboardInterrupt:
            pass
    say(_summary(watching), quiet=arguments.quiet)
    return Exit.OK


def _environ() -> dict[str, str]:
    import os

    return dict(os.environ)


def _lines(seen: Seen, form: str, *, colour: bool) -> Iterator[str]:
    """The turn, and one line more for what is wrong for the first time."""
    if form == "json":
        import json
        from dataclasses import asdict

        yield json.dumps(asdict(seen), ensure_ascii=True)
        return
    line = _line(seen)
    yield f"\x1b[31m{line}\x1b[0m" if seen.wrong and colour else line
    for alarm in seen.alarms:
        words = _ALARMS[alarm.value]
        yield f"\x1b[1;31mALARM\x1b[0m {words}" if colour else f"ALARM {words}"


_ALARMS = {
    "outgrown": "this turn was routed on far more than its user typed",
    "unknown-envelope": "this turn came in an envelope that is not known here",
}


def _line(seen: Seen) -> SafeText:
    from workbench.core.text import join, safe, visible

    sizes = f"typed {_size(seen.typed_size)}  routed {_size(seen.routed_size)}"
    outcome = visible(seen.outcome or "-")
    tools = "tools not logged" if seen.tools is None else visible(", ".join(seen.tools) or "no tool")
    parts = [
        visible(seen.id or seen.place),
        safe(sizes),
        safe(f"{outcome} {tools}"),
        visible(seen.envelope or seen.ingress or "-"),
        safe(f"| {visible(seen.head or '-')}"),
    ]
    wrong = join([safe(kind.value) for kind in seen.wrong], ", ")
    return join([*parts, safe(f"<- {wrong}")] if wrong else parts, "  ")


def _size(size: int | None) -> str:
    return "?" if size is None else f"{size:,}"


def _summary(watching: Watch) -> SafeText:
    from workbench.core.text import safe

    turns = f"{watching.turns:,} turn{'s' * (watching.turns != 1)}"
    wrong = ", ".join(f"{count:,} {kind.value}" for kind, count in sorted(watching.wrong.items()) if count)
    skipped = f"; {watching.skipped:,} pieces could not be read" if watching.skipped else ""
    said = f"{turns} watched, {wrong or 'nothing wrong'}{skipped}; {watching.earlier:,} were there before"
    return safe(f"workbench: {said}")
