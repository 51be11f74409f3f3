"""What the demo's gateway sends, as files for `workbench lanes`, and what those files add up to."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import workbench.demo
from workbench.cli.streams import say
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.text import safe, visible
from workbench.demo.talk import FILE_TURN, talk
from workbench.demo.walk import Step
from workbench.files.edit.save import create
from workbench.files.workspace import packaged_root
from workbench.lanes.ledger.accounting import Ledger, Question, account_for
from workbench.lanes.ledger.ghosts import Why
from workbench.lanes.ledger.mentions import names_in
from workbench.lanes.registry import FILE, load_registry

__all__ = ["FOLDER", "SOURCE", "commands_for", "counted_sentence", "ledger_of_demo", "write_requests"]

SOURCE = Path(os.path.realpath(Path(workbench.demo.__file__).parent))
"""The gateway's source; its registry lies beside it."""

FOLDER = Path("sent")
"""Where the walk would have the requests written."""

REQUESTS, RECEIPTS = "requests.jsonl", "receipts.jsonl"


def write_requests(folder: Path, *, quiet: bool = True) -> None:
    """Run the gateway, and write the requests of a conversation and their receipts into a folder.

    Raises WorkbenchError, and replaces nothing, where it holds such files already or cannot be written.
    """
    try:
        sent = talk(str(packaged_root() / "scenarios" / "canary.txt"))
        folder.mkdir(exist_ok=True)
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror or error}"
        raise WorkbenchError(Problem(message, hint="name another folder")) from error
    create(folder / REQUESTS, folder, _lines(one.body for one in sent))
    create(folder / RECEIPTS, folder, _lines(one.receipt for one in sent))
    where = visible(str(folder))
    say(safe(f"workbench: {len(sent)} requests and their receipts are in {where}; try"), quiet=quiet)
    for command in commands_for(folder):
        say(safe(f"  {visible(command)}"), quiet=quiet)


def _lines(values: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def commands_for(folder: Path) -> tuple[str, ...]:
    """What can be asked of the gateway and of its requests in `folder`; the ledger first."""
    source, registry = str(_source()), str(_source() / FILE)
    asked = (
        ("ledger", str(folder), "--src", source),
        ("check", registry, "--root", source, "--src", source),
        ("guard", source),
        ("writers", source),
        ("joins", source, "--router", "naive"),
        ("plan", str(folder / RECEIPTS), "--budget", "800", "--registry", registry),
    )
    return tuple(shlex.join(("workbench", "lanes", *words)) for words in asked)


def _source() -> Path:
    """Where the source is, seen from here."""
    here = Path(os.path.realpath(Path.cwd()))
    return SOURCE.relative_to(here) if SOURCE.is_relative_to(here) else SOURCE


def ledger_of_demo() -> Ledger:
    """The requests of a conversation that takes place now, accounted for as `workbench lanes ledger` does.

    Nothing of it is kept; places are told as if it had been written to FOLDER. Raises WorkbenchError.
    """
    with TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True) as name:
        there = Path(name) / FOLDER
        write_requests(there)
        registry = load_registry(_source() / FILE)
        mentioned = names_in([SOURCE]).__contains__
        found = account_for(Question([there], registry=registry, mentioned=mentioned))
    inside = f"{name}{os.sep}"
    found.rows = [
        replace(row, place=replace(row.place, file=row.place.file.removeprefix(inside))) for row in found.rows
    ]
    found.faults = [
        replace(fault, file=fault.file.removeprefix(inside) if fault.file else None) for fault in found.faults
    ]
    return found


def counted_sentence(step: Step, found: Ledger) -> str:
    """What a step says of the request with the file, with the numbers of the ledger."""
    row = next(row for row in found.rows if row.turn == FILE_TURN)
    again = [one.row.name for one in row.lanes if one.row.measured > one.row.chars]
    ghosts = [ghost.lane.name for ghost in found.ghosts if ghost.why is Why.NEVER_PRODUCED]
    return step.counted.format(
        sent=f"{row.sent:,}",
        dark=f"{row.dark:,}",
        double=f"{row.double:,}",
        again=visible(" and ".join(again)),
        ghosts=visible(" and ".join(ghosts)),
    )
