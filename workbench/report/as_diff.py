"""What differs between two runs, as text, JSON or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from workbench.compare.margin_shift import MarginShift
from workbench.compare.run_diff import CellChange, CellFacts, Difference, FindingFacts, RunDiff, RunFacts
from workbench.core.cell import CellKey
from workbench.core.decision import Json
from workbench.core.finding import Severity
from workbench.core.text import SafeText, join, safe
from workbench.report.as_markdown import code_span
from workbench.report.measure import middle, named, pad, width_of
from workbench.report.plain import dumped
from workbench.report.tables import signed
from workbench.report.view import VERSION
from workbench.report.writer import Output, Piece, Style, Writer, own

__all__ = ["FORMATS", "cell_view", "differences_view", "write_diff"]

_SIDE = 160
_HEADLINE = 600
_SPREAD = {"median": "middle", "least": "least", "most": "most"}


def write_diff(name: str, diff: RunDiff, out: Output, style: Style) -> None:
    """Write the difference in the format `name`. Raises KeyError on an unknown one."""
    FORMATS[name](diff, out, style)


def _text(diff: RunDiff, out: Output, style: Style) -> None:
    writer = Writer(out, colour=style.colour)
    for sign, run in (("-", diff.before), ("+", diff.after)):
        writer.line(Piece(safe(f"{sign} "), "dim"), _run(run))
    for scenario, changes in _by_scenario(diff.changed).items():
        writer.line()
        writer.line(Piece(named(scenario), "strong"))
        for change in changes:
            _text_change(writer, change, style)
    for sign, words, cells in (("-", "gone", diff.only_before), ("+", "new", diff.only_after)):
        if cells:
            writer.line()
            writer.line(Piece(safe(f"{words} cells"), "strong"))
        for cell in cells:
            writer.line(safe(f"  {sign} "), _where(cell.key), safe("  "), _typed(cell, style))
    for sign, words, findings in (("-", "gone", diff.gone), ("+", "new", diff.new)):
        if findings:
            writer.line()
            writer.line(Piece(safe(f"{words} findings"), "strong"))
        for finding in findings:
            look = finding.severity.value if sign == "+" else "good"
            kind = SafeText(f"{finding.severity.value:<7}  {named(finding.kind)}  ")
            writer.line(Piece(SafeText(f"  {sign} {kind}"), look), middle(finding.headline, _HEADLINE, style))
            writer.line(Piece(SafeText(f"    {_finding_place(finding)}"), "dim"))
    if diff.margins:
        writer.line()
        writer.line(Piece(safe("margins of the best route"), "strong"))
    for shift in diff.margins:
        writer.line(safe("  ~ "), _margin_place(shift), safe("  "), _margin_words(shift, style))
    writer.line()
    writer.line(_summary(diff, style))


def _text_change(writer: Writer, change: CellChange, style: Style) -> None:
    writer.line(
        safe("  ~ "), _where(change.after.key), *_old_name(change), safe("  "), _typed(change.after, style)
    )
    labels = [safe(difference.what) for difference in change.differences]
    column = max(map(width_of, labels))
    for label, difference in zip(labels, change.differences, strict=True):
        one, other = _sides(difference, style)
        arrow = own(" → ", style)
        writer.line(Piece(SafeText(f"      {pad(label, column)}  "), "dim"), one, arrow, other)


def _json(diff: RunDiff, out: Output, style: Style) -> None:
    """One object, a line for each part; version 1: fields are added, never changed."""
    writer = Writer(out)
    lists: dict[str, Iterable[Mapping[str, Json]]] = {
        "changed": (_change_view(change) for change in diff.changed),
        "only_before": (cell_view(cell) for cell in diff.only_before),
        "only_after": (cell_view(cell) for cell in diff.only_after),
        "new_findings": (_finding_view(finding) for finding in diff.new),
        "gone_findings": (_finding_view(finding) for finding in diff.gone),
    }
    if diff.margins:
        lists["margins"] = map(_margin_view, diff.margins)
    writer.line(safe(f'{{"workbench": {VERSION},'))
    for side, run in (("before", diff.before), ("after", diff.after)):
        writer.line(safe(f' "{side}": '), dumped({"id": run.id, "started": run.started}), safe(","))
    for name, records in lists.items():
        lines = [dumped(record) for record in records]
        writer.line(safe(f' "{name}": ['))
        for number, line in enumerate(lines, 1):
            writer.line(safe("  "), line, safe("," if number < len(lines) else ""))
        writer.line(safe(" ],"))
    summary = {**_counts(diff), "same": diff.same, "differs": diff.any}
    writer.line(safe(' "summary": '), dumped(summary), safe("}"))


def _change_view(change: CellChange) -> dict[str, Json]:
    view = cell_view(change.after)
    if change.before.key.prompt != change.after.key.prompt:
        view["prompt_before"] = change.before.key.prompt
    view["differences"] = differences_view(change)
    return view


def differences_view(change: CellChange) -> list[dict[str, Json]]:
    """What differs between two cells, for JSON."""
    return [
        {"what": difference.what, "before": difference.before, "after": difference.after}
        for difference in change.differences
    ]


def cell_view(cell: CellFacts) -> dict[str, Json]:
    """Which cell it is, for JSON."""
    key = cell.key
    return {
        "scenario": key.scenario,
        "prompt": key.prompt,
        "typed": cell.typed,
        "arm": key.arm,
        "adapter": key.adapter,
    }


def _finding_view(finding: FindingFacts) -> dict[str, Json]:
    return {
        "id": finding.id,
        "kind": finding.kind,
        "severity": finding.severity.value,
        "scenario": finding.scenario,
        "prompt": finding.prompt,
        "arm": finding.arm,
        "adapter": finding.adapter,
        "headline": finding.headline,
    }


def _markdown(diff: RunDiff, out: Output, style: Style) -> None:
    writer, style = Writer(out), Style(ascii=style.ascii)
    writer.line(safe("> "), code_span(_summary(diff, style)), safe("  "))
    for words, run in (("before", diff.before), ("after", diff.after)):
        writer.line(safe(f"> {words}: "), code_span(_run(run)), safe("  "))
    for scenario, changes in _by_scenario(diff.changed).items():
        writer.line()
        writer.line(safe("### "), code_span(named(scenario)))
        writer.line()
        for change in changes:
            writer.line(safe("- "), code_span(_where(change.after.key)), *_old_name(change))
            for difference in change.differences:
                one, other = (code_span(side) for side in _sides(difference, style))
                writer.line(safe(f"  - {difference.what}: "), one, own(" → ", style), other)
    for words, cells in (("Gone cells", diff.only_before), ("New cells", diff.only_after)):
        _markdown_list(writer, words, [(safe(""), _where(cell.key)) for cell in cells])
    for words, findings in (("Gone findings", diff.gone), ("New findings", diff.new)):
        rows = [
            (
                SafeText(f"{finding.severity.value} {named(finding.kind)}: "),
                middle(finding.headline, _HEADLINE, style),
            )
            for finding in findings
        ]
        _markdown_list(writer, words, rows)
    rows = [(SafeText(f"{_margin_place(shift)} "), _margin_words(shift, style)) for shift in diff.margins]
    _markdown_list(writer, "Margins of the best route", rows)


def _margin_place(shift: MarginShift) -> SafeText:
    return SafeText(f"{named(shift.scenario)}:{named(shift.adapter)}")


def _margin_words(shift: MarginShift, style: Style) -> SafeText:
    """`median +0.050 → +0.020, least …, most …`, and the cell that moved most."""
    sides = [(word, getattr(shift.before, at), getattr(shift.after, at)) for word, at in _SPREAD.items()]
    told = [
        join((SafeText(f"{word} {signed(one)}"), own(" → ", style), signed(other)))
        for word, one, other in sides
    ]
    most = signed(max(shift.moved.least, shift.moved.most, key=abs))
    where = SafeText(f"{named(shift.farthest.prompt)}@{named(shift.farthest.arm)}")
    return SafeText(f"{join(told, ', ')} ({shift.before.count:,} cells, {where} moved by {most})")


def _margin_view(shift: MarginShift) -> dict[str, Json]:
    spreads = {"before": shift.before, "after": shift.after, "moved": shift.moved}
    return {
        "scenario": shift.scenario,
        "adapter": shift.adapter,
        "cells": shift.before.count,
        **{
            name: {"least": one.least, "median": one.middle, "most": one.most}
            for name, one in spreads.items()
        },
        "farthest": str(shift.farthest),
    }


def _markdown_list(writer: Writer, title: str, rows: Sequence[tuple[SafeText, SafeText]]) -> None:
    if rows:
        writer.line()
        writer.line(safe(f"### {title}"))
        writer.line()
    for head, words in rows:
        writer.line(safe("- "), head, code_span(words))


FORMATS: Mapping[str, Callable[[RunDiff, Output, Style], None]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
}


def _by_scenario(changes: Iterable[CellChange]) -> dict[str, list[CellChange]]:
    groups: dict[str, list[CellChange]] = {}
    for change in changes:
        groups.setdefault(change.after.key.scenario, []).append(change)
    return groups


def _run(run: RunFacts) -> SafeText:
    return SafeText(f"{named(run.id)}  {named(run.started)}  {len(run.cells):,} cells")


def _where(key: CellKey) -> SafeText:
    return SafeText(f"{named(key.scenario)}#{named(key.prompt)}@{named(key.arm)}:{named(key.adapter)}")


def _finding_place(finding: FindingFacts) -> SafeText:
    prompt = "" if finding.prompt is None else f"#{named(finding.prompt)}"
    arm = "" if finding.arm is None else f"@{named(finding.arm)}"
    return SafeText(f"{named(finding.scenario)}{prompt}{arm}:{named(finding.adapter)}")


def _old_name(change: CellChange) -> Iterator[SafeText]:
    """The prompt's other name, where a number has moved or an id has come."""
    if change.before.key.prompt != change.after.key.prompt:
        yield SafeText(f" (was {named(change.before.key.prompt)})")


def _typed(cell: CellFacts, style: Style) -> SafeText:
    return middle(cell.typed, 60, style) if cell.typed else safe("(nothing typed)")


def _sides(difference: Difference, style: Style) -> tuple[SafeText, SafeText]:
    return middle(difference.before, _SIDE, style), middle(difference.after, _SIDE, style)


def _counts(diff: RunDiff) -> dict[str, int]:
    return {
        "changed": len(diff.changed),
        "only_before": len(diff.only_before),
        "only_after": len(diff.only_after),
        "new_findings": len(diff.new),
        "gone_findings": len(diff.gone),
        "new_errors": sum(1 for finding in diff.new if finding.severity is Severity.ERROR),
    }


def _summary(diff: RunDiff, style: Style) -> SafeText:
    counts = _counts(diff)
    if not diff.any:
        return safe(f"nothing differs: {diff.same:,} cells are the same")
    told = [f"{counts['changed']:,} cells changed, {diff.same:,} the same"]
    told += [f"{counts['only_before']:,} gone"] if diff.only_before else []
    told += [f"{counts['only_after']:,} new"] if diff.only_after else []
    findings = f"findings: {counts['new_findings']:,} new ({counts['new_errors']:,} errors), "
    return join((own(", ".join(told), style), own(f" · {findings}{len(diff.gone):,} gone", style)))
