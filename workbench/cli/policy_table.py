"""A contest of policies drawn: a table and what was lost, as text or Markdown; all of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from workbench.core.decision import Json
from workbench.core.finding import Finding, Severity
from workbench.core.text import SafeText, join, safe, visible
from workbench.explain.policies import Entry, Place
from workbench.report.as_markdown import code_span
from workbench.report.measure import middle, pad, width_of
from workbench.report.writer import Output, Piece, Style, Writer, glyph

__all__ = ["write_contests"]

_HEAD = ("policy", "gone", "new", "left on wrappers", "on files", "on paste", "elsewhere", "commands lost")
_MOST = 8
_HEADLINE = 160
_NOTHING = safe("-")

Contests = Mapping[str, Sequence[Entry]]


def write_contests(
    contests: Contests, scenarios: Sequence[str], form: str, out: Output, style: Style
) -> None:
    """Every contest, by adapter, in the format named."""
    if form == "json":
        view = {
            "workbench": 1,
            "scenarios": list(scenarios),
            "contests": [
                {"adapter": name, "policies": [_view(entry) for entry in entries]}
                for name, entries in contests.items()
            ],
        }
        out.write(json.dumps(view, ensure_ascii=True, indent=1) + "\n")
        return
    writer = Writer(out, colour=style.colour)
    for number, (name, entries) in enumerate(contests.items()):
        if number:
            writer.line()
        if form == "markdown":
            _write_markdown(writer, name, scenarios, entries)
        else:
            _write_text(writer, name, scenarios, entries, style)


def _cells(entry: Entry, first: bool) -> list[SafeText]:
    places = entry.places
    elsewhere = sum(
        count for place, count in places.items() if place not in (Place.WRAPPERS, Place.FILES, Place.PASTE)
    )
    compared = [_NOTHING] * 3 if first else [_number(len(n)) for n in (entry.gone, entry.new, entry.lost)]
    there = [places.get(place, 0) for place in (Place.WRAPPERS, Place.FILES, Place.PASTE)]
    return [*compared[:2], *map(_number, (*there, elsewhere)), compared[2]]


def _number(count: int) -> SafeText:
    return safe(f"{count:,}")


def _write_text(
    writer: Writer, adapter: str, scenarios: Sequence[str], entries: Sequence[Entry], style: Style
) -> None:
    listed = join([visible(name) for name in scenarios], ", ")
    writer.line(Piece(visible(adapter), "strong"), safe("  on "), listed)
    rows = [[safe(name) for name in _HEAD]]
    rows += [[visible(entry.policy), *_cells(entry, n == 0)] for n, entry in enumerate(entries)]
    widths = [max(width_of(row[column]) for row in rows) for column in range(len(_HEAD))]
    for index, row in enumerate(rows):
        first, *rest = (pad(cell, width) for cell, width in zip(row, widths, strict=True))
        numbers = [SafeText(cell.rstrip().rjust(width)) for cell, width in zip(rest, widths[1:], strict=True)]
        writer.line(Piece(join([first, *numbers], "  "), "dim" if index == 0 else ""))
    for entry in entries:
        for line in _told(entry, style):
            writer.line(line)
    writer.line()
    writer.line(Piece(_best(entries), "strong"))


def _told(entry: Entry, style: Style) -> Iterator[SafeText]:
    """What a policy cost, line by line; of a long list the first few."""
    lines = [
        SafeText(f"lost {visible(str(lost.key))}: wants {visible(lost.expected)}, got {visible(lost.got)}")
        for lost in entry.lost
    ]
    lines += [
        SafeText(f"new  {middle(finding.headline, _HEADLINE, style)}")
        for finding in sorted(entry.new, key=lambda finding: finding.severity is not Severity.ERROR)
    ]
    if entry.failed:
        lines.insert(0, safe(f"{entry.failed:,} trials failed, and prove nothing"))
    if not lines:
        return
    yield safe("")
    yield SafeText(f"{visible(entry.policy)}: {visible(entry.about)}")
    for line in lines[:_MOST]:
        yield SafeText(f"  {line}")
    if len(lines) > _MOST:
        yield SafeText(f"  {glyph('…', style)} and {len(lines) - _MOST:,} more; --format json has them all")


def _best(entries: Sequence[Entry]) -> SafeText:
    """Which policy leaves least wrong, findings and lost commands told alike; or that none helps."""
    before, *others = entries
    best = min(others, key=lambda entry: entry.cost, default=None)
    if best is None or best.cost >= before.cost:
        return safe("no policy leaves less wrong than the router as it is")
    lost = len(best.lost)
    commands = "no command lost" if not lost else f"{lost} command{'s' * (lost != 1)} lost"
    left = len(best.left) + len(best.new)
    return SafeText(
        f"least wrong: {visible(best.policy)}, {left:,} of {len(before.left):,} findings left, {commands}"
    )


def _write_markdown(writer: Writer, adapter: str, scenarios: Sequence[str], entries: Sequence[Entry]) -> None:
    listed = join([code_span(visible(name)) for name in scenarios], ", ")
    writer.line(code_span(visible(adapter)), safe(" on "), listed)
    writer.line()
    writer.line(safe(f"| {' | '.join(_HEAD)} |"))
    writer.line(safe(f"|---|{'--:|' * (len(_HEAD) - 1)}"))
    for number, entry in enumerate(entries):
        name = SafeText(code_span(visible(entry.policy)).replace("|", "\\|"))
        writer.line(SafeText(f"| {join([name, *_cells(entry, number == 0)], ' | ')} |"))


def _view(entry: Entry) -> dict[str, Json]:
    return {
        "policy": entry.policy,
        "about": entry.about,
        "gone": [_finding(finding) for finding in entry.gone],
        "new": [_finding(finding) for finding in entry.new],
        "left": [_finding(finding) for finding in entry.left],
        "places": {place.value: entry.places.get(place, 0) for place in Place},
        "lost": [
            {
                "scenario": lost.key.scenario,
                "prompt": lost.key.prompt,
                "arm": lost.key.arm,
                "expected": lost.expected,
                "got": lost.got,
            }
            for lost in entry.lost
        ],
        "failed": entry.failed,
    }


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "id": finding.id,
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "scenario": finding.scenario,
        "prompt": finding.prompt,
        "arm": finding.arm,
        "headline": finding.headline,
    }
