"""What every `lanes` verb prints: its faults as lines, as JSON with its own rows beside, or as SARIF."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from workbench.cli.exits import Exit
from workbench.cli.streams import atomic_write, to_reader
from workbench.core.decision import Json
from workbench.core.finding import Severity
from workbench.core.text import SafeText, join, safe, visible
from workbench.lanes.fault import LaneFault

__all__ = ["exit_of", "fault_lines", "write_report"]


def exit_of(faults: Iterable[LaneFault]) -> Exit:
    """1 on an error, 0 on warnings and notes alone."""
    return Exit.FINDING if any(fault.severity is Severity.ERROR for fault in faults) else Exit.OK


def fault_lines(faults: Iterable[LaneFault]) -> list[SafeText]:
    """One line for each: `file:line: severity kind, lane: message`."""
    lines = []
    for fault in faults:
        place = ":".join(str(part) for part in (fault.file, fault.line) if part is not None)
        where = visible(f"{place}: ") if place else safe("")
        lane = visible(f" {fault.lane}") if fault.lane is not None else safe("")
        told = visible(fault.message)
        lines.append(join((where, safe(f"{fault.severity} {fault.kind}"), lane, safe(": "), told)))
    return lines


def write_report(
    arguments: Namespace,
    faults: Sequence[LaneFault],
    rows: Mapping[str, Json],
    text: Iterable[SafeText],
    folder: Path | None = None,
) -> None:
    """To stdout or the file of `-o`: the lines of `text`, JSON with `rows` beside the findings, or SARIF.

    `folder`: what the files of faults are relative to, if not to the working folder. Raises WorkbenchError
    where the file cannot be written.
    """
    if arguments.format == "json":
        whole = _as_json(faults, rows)
    elif arguments.format == "sarif":
        from workbench.cli.lanes_sarif import faults_as_sarif

        whole = faults_as_sarif(faults, arguments.question, folder)
    else:
        whole = "".join(f"{line}\n" for line in text)
    if arguments.output is not None and arguments.output != "-":
        atomic_write(Path(arguments.output), whole)
        return
    with to_reader():
        sys.stdout.write(whole)


def _as_json(faults: Sequence[LaneFault], rows: Mapping[str, Json]) -> str:
    findings = [
        {
            "kind": fault.kind.value,
            "severity": fault.severity.value,
            "lane": fault.lane,
            "file": fault.file,
            "line": fault.line,
            "message": fault.message,
        }
        for fault in faults
    ]
    return json.dumps({"workbench": 1, "findings": findings, **rows}, indent=2) + "\n"
