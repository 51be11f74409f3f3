"""One block of findings as lines: headlines, then the evidence once. Text, Markdown and JUnit share them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.core.finding import Finding, Severity
from workbench.core.text import SafeText, join, safe
from workbench.report.blocks import Block
from workbench.report.evidence import Seen, seen
from workbench.report.facts import decided, matched, read, said
from workbench.report.kinds import own_evidence
from workbench.report.measure import middle, named
from workbench.report.panes import pane_lines
from workbench.report.prompts import NOTHING_TYPED
from workbench.report.rate_evidence import sampled_calls
from workbench.report.readers import reader_lines
from workbench.report.tables import calls, scores
from workbench.report.writer import Line, Piece, Style, glyph

__all__ = [
    "command_of",
    "detail_lines",
    "headline",
    "labelled",
    "listed",
    "place_in_file",
    "severity_mark",
    "where",
]

_HEADLINE = 600
_COMMAND = 4000
_VALUE = 300
_LABEL = 10


def severity_mark(finding: Finding, style: Style) -> Piece:
    """A finding's mark. Its severity stands beside it in words."""
    marks = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.NOTE: "·"}
    char = marks[finding.severity]
    return Piece(safe(char) if char == "!" else glyph(char, style), finding.severity.value)


def headline(finding: Finding, style: Style) -> SafeText:
    """The headline on one line."""
    return middle(finding.headline, _HEADLINE, style)


def where(finding: Finding) -> SafeText:
    """The cell, or the scenario and adapter, that a finding is about: `scenario#prompt@arm:adapter`."""
    prompt = "" if finding.prompt is None else f"#{named(finding.prompt)}"
    arm = "" if finding.arm is None else f"@{named(finding.arm)}"
    return SafeText(f"{named(finding.scenario)}{prompt}{arm}:{named(finding.adapter)}")


def place_in_file(finding: Finding) -> SafeText | None:
    """`file:line`, where the evidence tells it."""
    file, line = finding.evidence.get("file"), finding.evidence.get("line")
    if not isinstance(file, str) or not file:
        return None
    return SafeText(f"{named(file)}{f':{line}' if isinstance(line, int) else ''}")


def command_of(finding: Finding) -> SafeText | None:
    """The command that shows it again."""
    command = finding.evidence.get("command")
    return middle(command, _COMMAND, Style(ascii=True)) if isinstance(command, str) and command else None


def detail_lines(block: Block, style: Style, *, indent: int = 4) -> Iterator[Line]:
    """The evidence of a block, labelled; where it is and how to see it again are the caller's.

    `indent` is that of the windows.
    """
    first = block.first
    baseline, variant = seen(first)
    sides = [side for side in (baseline, variant) if side]
    typed = first.evidence.get("typed")
    if isinstance(typed, str) and (not typed or typed not in first.headline):
        yield from labelled("typed", [(Piece(middle(typed, _VALUE, style) if typed else NOTHING_TYPED),)])
    if sides:
        yield from labelled("decided", decided(sides))
        if any(side.window for side in sides) or not any(side.answers for side in sides):
            yield from labelled("read", read(sides, style))
        yield from pane_lines(baseline, variant, style, indent)
        yield from reader_lines(baseline, variant, style, indent)
        yield from _compared(sides, style)
    for label, lines in own_evidence(block.findings, style):
        yield from labelled(label, lines)


def _compared(sides: Sequence[Seen], style: Style) -> Iterator[Line]:
    yield from labelled("matched", matched(sides, style))
    yield from labelled("scores", scores(sides, style))
    sampled = any(side.answers for side in sides)
    yield from labelled("calls", sampled_calls(sides, style) if sampled else calls(sides, style))
    for label, lines in said(sides, style):
        yield from labelled(label, lines)


def labelled(label: SafeText | str, lines: Sequence[Line]) -> Iterator[Line]:
    """`lines` behind a label, which stands once."""
    name = label if isinstance(label, SafeText) else safe(label)
    for index, line in enumerate(lines):
        head = SafeText(f"  {f'{name} ' if index == 0 else '':<{_LABEL}}")
        yield (Piece(head, "dim"), *line)


def listed(names: Sequence[str], most: int) -> SafeText:
    """Names in one line, the first `most` of them."""
    shown = join([named(name) for name in names[:most]], ", ")
    more = len(names) - most
    return SafeText(f"{shown} and {more:,} more") if more > 0 else shown
