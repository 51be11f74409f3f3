"""The format junit: a suite per scenario, a case per cell, as the common readers take it. ASCII-only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from workbench.core.cell import Cell, Run
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import SafeText, join, safe, visible
from workbench.report.blocks import Block
from workbench.report.details import command_of, detail_lines, headline, place_in_file, where
from workbench.report.measure import middle, named
from workbench.report.writer import Output, Style, Writer, plain

__all__ = ["write_junit"]

_STYLE = Style(ascii=True)
_ERROR = 400
_Key = tuple[str, str | None, str | None, str]


@dataclass(slots=True)
class _Case:
    """A test case: a cell, or what findings without a cell are about."""

    key: _Key
    cell: Cell | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def verdict(self) -> str | None:
        """`failure`, `error`, `skipped`, or None for one that passed: the first that applies, never two."""
        if any(finding.severity is Severity.ERROR for finding in self.findings):
            return "failure"
        kinds = {finding.kind for finding in self.findings}
        if Kind.NO_VERDICT in kinds or (self.cell and self.cell.trials and not self.cell.ok):
            return "error"
        if Kind.UNDECIDED in kinds or (self.cell and not self.cell.trials):
            return "skipped"
        return None


def write_junit(run: Run, findings: Sequence[Finding], out: Output) -> None:
    """The run as XML 1.0: control characters as marks, all else outside ASCII as references."""
    writer = Writer(out)
    suites = _suites(run, findings)
    cases = [case for suite in suites.values() for case in suite]
    writer.line(safe('<?xml version="1.0" encoding="utf-8"?>'))
    writer.line(_open("testsuites", name=safe("workbench"), **_counts(cases), time=_seconds(run.seconds)))
    for scenario, suite in suites.items():
        _write_suite(writer, run, scenario, suite)
    writer.line(safe("</testsuites>"))


def _suites(run: Run, findings: Sequence[Finding]) -> Mapping[str, list[_Case]]:
    cases: dict[_Key, _Case] = {}
    for cell in run.cells:
        key = (cell.key.scenario, cell.key.prompt, cell.key.arm, cell.key.adapter)
        cases[key] = _Case(key, cell)
    for finding in findings:
        about = (finding.scenario, finding.prompt, finding.arm, finding.adapter)
        cases.setdefault(about, _Case(about)).findings.append(finding)
    suites: dict[str, list[_Case]] = {}
    for case in cases.values():
        suites.setdefault(case.key[0], []).append(case)
    return suites


def _counts(cases: Sequence[_Case]) -> dict[str, SafeText]:
    verdicts = [case.verdict for case in cases]
    names = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    counted = {name: safe(str(verdicts.count(verdict))) for name, verdict in names.items()}
    return {"tests": safe(str(len(cases))), **counted}


def _write_suite(writer: Writer, run: Run, scenario: str, cases: Sequence[_Case]) -> None:
    seconds = sum(trial.seconds for case in cases if case.cell for trial in case.cell.trials)
    # Readers' schemas allow neither a fraction nor a zone.
    stamp = re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", run.started)
    stamped = {"timestamp": visible(stamp.group())} if stamp else {}
    writer.line(_open("testsuite", name=named(scenario), **_counts(cases), time=_seconds(seconds), **stamped))
    writer.line(safe("<properties>"))
    writer.line(_open("property", name=safe("run"), value=named(run.id), end="/"))
    for name, info in run.adapters.items():
        label = SafeText(f"adapter {named(name)}")
        value = SafeText(f"{named(info.use)} {named(info.fingerprint)}")
        writer.line(_open("property", name=label, value=value, end="/"))
    writer.line(safe("</properties>"))
    for case in cases:
        _write_case(writer, case)
    writer.line(safe("</testsuite>"))


def _write_case(writer: Writer, case: _Case) -> None:
    scenario, prompt, arm, adapter = case.key
    about = "every prompt" if prompt is None else named(prompt)
    name = SafeText(f"{about} @ {'every arm' if arm is None else named(arm)}")
    seconds = sum(trial.seconds for trial in case.cell.trials) if case.cell else 0.0
    place = SafeText(f"{named(scenario)}.{named(adapter)}")
    opened = {"classname": place, "name": name, "time": _seconds(seconds)}
    verdict, asides = case.verdict, list(_asides(case))
    if verdict is None and not asides:
        writer.line(_open("testcase", **opened, end="/"))
        return
    writer.line(_open("testcase", **opened))
    if verdict is not None:
        _write_verdict(writer, case, verdict)
    if asides:
        writer.line(safe("<system-out>"), _text(join(asides, "\n")), safe("</system-out>"))
    writer.line(safe("</testcase>"))


def _write_verdict(writer: Writer, case: _Case, verdict: str) -> None:
    told = _telling(case, verdict)
    if not told:
        message = safe("not run") if case.cell and not case.cell.trials else join(_failed(case), "; ")
        writer.line(_open(verdict, message=message, **_type(verdict, safe("trials")), end="/"))
        return
    kinds = safe(", ".join(dict.fromkeys(finding.kind.value for finding in told)))
    writer.line(
        _open(verdict, message=headline(told[0], _STYLE), **_type(verdict, kinds)),
        _text(join(list(_body(told)), "\n")),
        safe(f"</{verdict}>"),
    )


def _type(verdict: str, kinds: SafeText) -> dict[str, SafeText]:
    """Schemas give a skipped case a message and no type."""
    return {} if verdict == "skipped" else {"type": kinds}


def _telling(case: _Case, verdict: str) -> list[Finding]:
    """The findings that make the case what it is."""
    if verdict == "failure":
        return [finding for finding in case.findings if finding.severity is Severity.ERROR]
    kind = Kind.NO_VERDICT if verdict == "error" else Kind.UNDECIDED
    return [finding for finding in case.findings if finding.kind is kind]


def _body(findings: Sequence[Finding]) -> Iterator[SafeText]:
    """Headlines, place, evidence and command."""
    for finding in findings:
        yield SafeText(f"{finding.severity.value} {finding.kind.value}: {headline(finding, _STYLE)}")
    first = findings[0]
    file = place_in_file(first)
    yield SafeText(f"  where     {where(first)}{f'  {file}' if file else ''}")
    for line in detail_lines(Block(tuple(findings)), _STYLE):
        yield plain(line)
    command = command_of(first)
    if command is not None:
        yield SafeText(f"  again     {command}")


def _asides(case: _Case) -> Iterator[SafeText]:
    """What is no reason to fail: warnings, notes, and how trials failed."""
    told = _telling(case, case.verdict) if case.verdict else []
    for finding in case.findings:
        if not any(finding is one for one in told):
            yield SafeText(f"{finding.severity.value} {finding.kind.value}: {headline(finding, _STYLE)}")
    if case.cell and case.cell.ok:
        yield from _failed(case)


def _failed(case: _Case) -> list[SafeText]:
    lines: list[SafeText] = []
    for trial in case.cell.trials if case.cell else ():
        if not trial.ok:
            error = SafeText(f": {middle(trial.error, _ERROR, _STYLE)}") if trial.error else ""
            lines.append(SafeText(f"trial {trial.index + 1} failed: {trial.status.value}{error}"))
    return lines


def _open(tag: str, *, end: str = "", **attributes: SafeText) -> SafeText:
    told = "".join(f' {name}="{_text(value)}"' for name, value in attributes.items())
    return SafeText(f"<{tag}{told}{end}>")


def _text(text: SafeText) -> SafeText:
    """Text or attribute value. ASCII, so that no output stream can break it."""
    escaped = escape(text, quote=True)
    return SafeText(escaped.encode("ascii", "xmlcharrefreplace").decode("ascii"))


def _seconds(seconds: float) -> SafeText:
    return safe(f"{seconds:.3f}")
