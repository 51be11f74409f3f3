"""`workbench lanes joins`: where other text joins the user's message, and which router reads both."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from workbench.cli.lanes_exclude import add_exclude, excluded_by
from workbench.cli.options import PLACED, add_report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.decision import Json
    from workbench.core.text import SafeText
    from workbench.lanes.fault import LaneFault
    from workbench.lanes.joins.analysis import Joins
    from workbench.lanes.joins.reading import Found
    from workbench.lanes.joins.value import Step
    from workbench.lanes.syntax.code import Place

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench lanes joins src/ --router route --router classify
  workbench lanes joins src/handler.ts --router router.route --format json

Reads Python, TypeScript and JavaScript (extra `code`). Whose words a variable holds is told by its name
(message, query, user_text, req.body.message; document, context, chunks, quoted), by calls that read files,
pages or an index, and by tags and headers around the message. Values are followed through assignments,
templates, lists, fields, closures, parameters and returns, and into one other file.
Not followed: what is called only at run time (by a name in a variable, a plug-in, a decorator), a call in
another file that leads into a third one, values that pass through a queue, a database or a network.
No finding is no proof: read how many router calls were seen.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", metavar="SRC", help="a folder of source code, or a file")
    parser.add_argument(
        "--router",
        action="append",
        default=[],
        metavar="NAME",
        help="a router or classifier, known by the last part of its name; repeatable; without it, guessed",
    )
    add_exclude(parser)
    add_report(parser, PLACED)


def act(arguments: Namespace) -> int:
    from pathlib import Path

    from workbench.cli.lanes_report import exit_of, write_report
    from workbench.lanes.joins.analysis import find_joins
    from workbench.lanes.joins.routers import Routers

    routers = Routers(frozenset(_last(name) for name in arguments.router))
    joins = find_joins([Path(name) for name in arguments.sources], routers, excluded_by(arguments))
    faults = [*map(_fault, joins.found), *_unread(joins)]
    write_report(arguments, faults, _rows(joins, arguments.router), _lines(joins))
    _talk(joins, arguments)
    return exit_of(faults)


def _last(name: str) -> str:
    from workbench.core.errors import UsageError

    last = name.removesuffix("()").replace("::", ".").rsplit(".", 1)[-1].strip()
    if not last.isidentifier():
        raise UsageError(
            f"--router {name!r} is no name of a function: expected one like route or router.route"
        )
    return last


def _fault(found: Found) -> LaneFault:
    from workbench.core.finding import Severity
    from workbench.lanes.fault import LaneFault, LaneKind

    join = found.join
    at = f"{join.place.file}:{join.place.line}"
    read = f"{found.router} reads {_short(found.argument)}"
    told = f"{read}: {_short(join.foreign)} joined the user's words at {at}"
    if found.instead is None:
        told += (
            "; no variable in reach holds them alone by then: keep them in one of their own before the join"
        )
    else:
        told += f"; read {found.instead.variable} instead"
    return LaneFault(LaneKind.JOINED, Severity.ERROR, told, file=found.call.file, line=found.call.line)


def _unread(joins: Joins) -> Iterator[LaneFault]:
    from workbench.core.finding import Severity
    from workbench.lanes.fault import LaneFault, LaneKind

    for one in joins.unread:
        yield LaneFault(LaneKind.SKIPPED, Severity.WARNING, one.reason, file=one.file, line=one.line)
    for place in joins.unfinished:
        reason = "too many ways through this function: it was not followed to its end"
        yield LaneFault(LaneKind.SKIPPED, Severity.WARNING, reason, file=place.file, line=place.line)


def _lines(joins: Joins) -> Iterator[SafeText]:
    from workbench.cli.lanes_report import fault_lines
    from workbench.core.text import safe

    for number, found in enumerate(joins.found):
        if number:
            yield safe("")
        yield from fault_lines([_fault(found)])
        yield _step("join", found.join.place, found.join.text)
        for step in found.join.path:
            yield _step("held", step.place, step.variable)
        yield _step("call", found.call, found.text)
        if found.instead is not None:
            yield _step("read", found.instead.place, found.instead.variable)
    yield from fault_lines(_unread(joins))


def _step(kind: str, place: Place, text: str) -> SafeText:
    from workbench.core.text import join, safe, visible

    where = visible(f"{place.file}:{place.line}:{place.column}")
    return join((safe(f"  {kind}  "), where, safe("  "), visible(_short(text, 100))))


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _talk(joins: Joins, arguments: Namespace) -> None:
    from workbench.cli.streams import say
    from workbench.core.text import join, safe, visible

    quiet = arguments.quiet
    names = sorted(set(joins.calls.values()))
    given = ", ".join(sorted(set(arguments.router)))
    if not arguments.router and names:
        told = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
        hint = safe(" (name them with --router)")
        say(join((safe("workbench: guessed to be routers: "), visible(told), hint)), quiet=quiet)
    files = f"{joins.files:,} file{'' if joins.files == 1 else 's'}"
    if joins.unseen and joins.calls:
        say(join((safe("workbench: nowhere called: "), visible(", ".join(joins.unseen)))), quiet=quiet)
    if not joins.calls:
        what = visible(f"call of {given}" if given else "call that looks like a router's")
        told_none = safe(f" in {files}: nothing was checked")
        say(join((safe("workbench: no "), what, told_none)), quiet=quiet)
    else:
        reading = len({found.call for found in joins.found})
        seen = f"{len(joins.calls):,} router call{'' if len(joins.calls) == 1 else 's'}"
        say(safe(f"workbench: {seen} in {files}; {reading:,} of them read a join"), quiet=quiet)
    if joins.likely:
        meant = f"may be meant: {', '.join(f'--router {name}' for name in joins.likely)}"
        say(join((safe("workbench: "), visible(meant))), quiet=quiet)
    deep = f" ({len(joins.too_deep):,} here)" if joins.too_deep else ""
    limit = f"what is called only at run time, and calls into a third file{deep}"
    say(safe(f"workbench: not followed: {limit}"), quiet=quiet)


def _rows(joins: Joins, given: Sequence[str]) -> dict[str, Json]:
    return {
        "joins": [_row(found) for found in joins.found],
        "routers": {
            "names": sorted(set(given)) or sorted(set(joins.calls.values())),
            "guessed": not given,
            "unseen": list(joins.unseen),
            "likely": list(joins.likely),
        },
        "router_calls": len(joins.calls),
        "calls": [{**_place(place), "router": name} for place, name in joins.calls.items()],
        "files": joins.files,
        "skipped": [
            {"file": fault.file, "line": fault.line, "reason": fault.message} for fault in _unread(joins)
        ],
        "not_followed": [_place(place) for place in joins.too_deep],
    }


def _row(found: Found) -> dict[str, Json]:
    join = found.join
    return {
        "router": found.router,
        "join": {**_place(join.place), "text": join.text, "user": join.user, "foreign": join.foreign},
        "call": {**_place(found.call), "text": found.text, "variable": found.argument},
        "path": [_held(step) for step in join.path],
        "instead": _held(found.instead) if found.instead is not None else None,
    }


def _held(step: Step) -> dict[str, Json]:
    return {**_place(step.place), "variable": step.variable}


def _place(place: Place) -> dict[str, Json]:
    return {"file": place.file, "line": place.line, "column": place.column}
