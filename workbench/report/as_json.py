"""The formats json and jsonl: every field of a run, ASCII-only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.core.cell import Run
from workbench.core.decision import Json
from workbench.core.finding import Finding
from workbench.core.text import SafeText, safe
from workbench.report.lanes import NO_LANES, LaneViews
from workbench.report.plain import dumped
from workbench.report.view import VERSION, cell_views, finding_view, run_view, summary_view
from workbench.report.writer import Output, Writer

__all__ = ["write_json", "write_jsonl"]


def write_json(run: Run, findings: Sequence[Finding], out: Output, lanes: LaneViews = NO_LANES) -> None:
    """One object; a line for each cell and each finding, so that two reports can be compared by line."""
    writer = Writer(out)
    writer.line(safe(f'{{"workbench": {VERSION},'))
    writer.line(safe(' "run": '), dumped(run_view(run)), safe(","))
    _array(writer, "cells", cell_views(run, lanes))
    _array(writer, "findings", (finding_view(finding) for finding in findings))
    writer.line(safe(' "summary": '), dumped(summary_view(run, findings)), safe("}"))


def write_jsonl(run: Run, findings: Sequence[Finding], out: Output, lanes: LaneViews = NO_LANES) -> None:
    """One object per line: the run, its cells, its findings, the summary; `type` says which."""
    writer = Writer(out)
    writer.line(dumped({"type": "run", "workbench": VERSION, **run_view(run)}))
    for view in cell_views(run, lanes):
        writer.line(dumped({"type": "cell", **view}))
    for finding in findings:
        writer.line(dumped({"type": "finding", **finding_view(finding)}))
    writer.line(dumped({"type": "summary", **summary_view(run, findings)}))


def _array(writer: Writer, name: str, records: Iterable[dict[str, Json]]) -> None:
    last: SafeText | None = None
    writer.line(safe(f' "{name}": ['))
    for line in _lines(records):
        if last is not None:
            writer.line(safe("  "), last, safe(","))
        last = line
    if last is not None:
        writer.line(safe("  "), last)
    writer.line(safe(" ],"))


def _lines(records: Iterable[dict[str, Json]]) -> Iterator[SafeText]:
    for record in records:
        yield dumped(record)
