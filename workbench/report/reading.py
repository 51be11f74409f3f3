"""A JSON report read back, as far as it tells of the run that it is of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workbench.compare.margins import lead
from workbench.compare.rate_change import RateFacts
from workbench.compare.run_diff import CellFacts, FindingFacts, RunFacts, WindowFacts
from workbench.core.cell import CellKey
from workbench.core.decision import Score, Span, ToolCall
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.finding import Severity
from workbench.report.view import VERSION

__all__ = ["read_report"]

_HINT = "name a report that `workbench run --format json -o FILE` wrote"


def read_report(text: str, file: str) -> RunFacts:
    """The run, cells and findings of a report. Raises WorkbenchError where it is none, or a newer one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = Mark(file, getattr(error, "lineno", 1), getattr(error, "colno", 1))
        raise WorkbenchError(Problem("this is not JSON", where, _HINT)) from None
    if not isinstance(value, dict) or "workbench" not in value:
        raise WorkbenchError(Problem("this is no report of the workbench", Mark(file), _HINT))
    if value["workbench"] != VERSION:
        message = f"this report is of version {value['workbench']!r}, and version {VERSION} is read"
        raise WorkbenchError(Problem(message, Mark(file), "install a newer workbench"))
    top = _Record(value, file, "")
    run = top.record("run")
    return RunFacts(
        run.text("id"),
        run.text("started"),
        tuple(map(_cell, top.records("cells"))),
        tuple(map(_finding, top.records("findings"))),
    )


def _cell(cell: _Record) -> CellFacts:
    decision = cell.maybe_record("decision")
    failed = {status: count for status, count in cell.counts("statuses").items() if status != "ok"}
    return CellFacts(
        CellKey(cell.text("scenario"), cell.text("prompt"), cell.text("arm"), cell.text("adapter")),
        cell.text("typed"),
        {**cell.counts("outcomes"), **failed},
        decision.text("outcome") if decision else None,
        tuple(map(_call, decision.records("calls"))) if decision else (),
        _window(cell.maybe_record("window")),
        _rate(cell) if cell.value.get("rates") else None,
        _margin(cell) if cell.value.get("scores") else None,
    )


def _rate(cell: _Record) -> RateFacts:
    """The event that the scenario is about: it stands first."""
    first = cell.records("rates")[0]
    return RateFacts(first.text("event"), first.whole("k"), first.whole("n"))


def _margin(cell: _Record) -> float | None:
    """The best route's. A number that JSON does not know stands there as text, and counts for nothing."""
    scores = [
        Score("", value, threshold, score.number("used"))
        for score in cell.records("scores")
        if (value := score.number("value")) is not None
        and (threshold := score.number("threshold")) is not None
    ]
    return lead(scores)


def _call(call: _Record) -> ToolCall:
    return ToolCall(call.text("name"), call.value.get("arguments"))


def _window(window: _Record | None) -> WindowFacts | None:
    if window is None:
        return None
    return WindowFacts(
        window.whole("length"),
        window.text("head"),
        None,
        window.spans("spans"),
        window.share("user_coverage"),
        window.share("foreign_share"),
    )


def _finding(finding: _Record) -> FindingFacts:
    accepts = None
    if finding.text("kind") in ("accepted", "stale-accept"):
        accepts = finding.record("evidence").maybe_text("accepted_kind")
    severity = finding.text("severity")
    if severity not in list(Severity):
        raise finding.wrong("severity", "error, warning or note")
    return FindingFacts(
        finding.text("id"),
        finding.text("kind"),
        Severity(severity),
        finding.text("scenario"),
        finding.maybe_text("prompt"),
        finding.maybe_text("arm"),
        finding.text("adapter"),
        finding.text("headline"),
        accepts,
    )


class _Record:
    """One object of a report and its path, read key by key. Every reader raises WorkbenchError."""

    def __init__(self, value: Mapping[str, Any], file: str, path: str) -> None:
        self.value, self._file, self._path = value, file, path

    def wrong(self, key: str, wanted: str) -> WorkbenchError:
        where = f"{self._path}.{key}".lstrip(".")
        return WorkbenchError(Problem(f"{where}: {wanted} was expected here", Mark(self._file), _HINT))

    def text(self, key: str) -> str:
        found = self.value.get(key)
        if not isinstance(found, str):
            raise self.wrong(key, "text")
        return found

    def maybe_text(self, key: str) -> str | None:
        return None if self.value.get(key) is None else self.text(key)

    def whole(self, key: str) -> int:
        found = self.value.get(key)
        if not isinstance(found, int) or isinstance(found, bool):
            raise self.wrong(key, "a whole number")
        return found

    def share(self, key: str) -> float | None:
        found = self.value.get(key)
        if found is None:
            return None
        if not isinstance(found, int | float) or isinstance(found, bool):
            raise self.wrong(key, "a number")
        return float(found)

    def number(self, key: str) -> float | None:
        """A number; None of anything else."""
        found = self.value.get(key)
        return None if isinstance(found, bool) or not isinstance(found, int | float) else float(found)

    def counts(self, key: str) -> dict[str, int]:
        inner = self.record(key)
        return {name: inner.whole(name) for name in inner.value}

    def spans(self, key: str) -> tuple[Span, ...] | None:
        found = self.value.get(key)
        if found is None:
            return None
        spans: list[Span] = []
        for pair in found if isinstance(found, list) else [None]:
            if not isinstance(pair, list) or [type(bound) for bound in pair] != [int, int]:
                raise self.wrong(key, "a list of [start, end]")
            spans.append((pair[0], pair[1]))
        return tuple(spans)

    def record(self, key: str) -> _Record:
        found = self.value.get(key)
        if not isinstance(found, dict):
            raise self.wrong(key, "an object")
        return _Record(found, self._file, f"{self._path}.{key}")

    def maybe_record(self, key: str) -> _Record | None:
        return None if self.value.get(key) is None else self.record(key)

    def records(self, key: str) -> list[_Record]:
        found = self.value.get(key)
        if not isinstance(found, list):
            raise self.wrong(key, "a list")
        made = []
        for number, item in enumerate(found):
            if not isinstance(item, dict):
                raise self.wrong(f"{key}[{number}]", "an object")
            made.append(_Record(item, self._file, f"{self._path}.{key}[{number}]"))
        return made
