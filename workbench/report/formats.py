"""The table of report formats: a name to what writes it. Each writer is imported when it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from workbench.core.cell import Run
from workbench.core.errors import Problem, UsageError
from workbench.core.finding import Finding
from workbench.report.lanes import NO_LANES, LaneViews
from workbench.report.writer import Output, Style

__all__ = ["FORMATS", "Format", "Style", "write"]

Format = Callable[[Run, Sequence[Finding], Output, Style, LaneViews], None]


def _text(run: Run, findings: Sequence[Finding], out: Output, style: Style, lanes: LaneViews) -> None:
    from workbench.report.as_text import write_text

    write_text(run, findings, out, style, lanes)


def _json(run: Run, findings: Sequence[Finding], out: Output, style: Style, lanes: LaneViews) -> None:
    from workbench.report.as_json import write_json

    write_json(run, findings, out, lanes)


def _jsonl(run: Run, findings: Sequence[Finding], out: Output, style: Style, lanes: LaneViews) -> None:
    from workbench.report.as_json import write_jsonl

    write_jsonl(run, findings, out, lanes)


def _junit(run: Run, findings: Sequence[Finding], out: Output, style: Style, lanes: LaneViews) -> None:
    from workbench.report.as_junit import write_junit

    write_junit(run, findings, out)


def _markdown(run: Run, findings: Sequence[Finding], out: Output, style: Style, lanes: LaneViews) -> None:
    from workbench.report.as_markdown import write_markdown

    write_markdown(run, findings, out, style)


FORMATS: Mapping[str, Format] = {
    "text": _text,
    "json": _json,
    "jsonl": _jsonl,
    "junit": _junit,
    "markdown": _markdown,
}


def write(
    name: str,
    run: Run,
    findings: Sequence[Finding],
    out: Output,
    style: Style,
    lanes: LaneViews = NO_LANES,
) -> None:
    """Write a run and its findings in the format `name`. Raises UsageError on an unknown name.

    `lanes` stand in json and jsonl; text tells those in which something is wrong.
    """
    if name not in FORMATS:
        raise UsageError(Problem(f"no format {name!r}", hint=f"one of {', '.join(FORMATS)}"))
    FORMATS[name](run, findings, out, style, lanes)
