"""The format text: what a person reads in a terminal, and pastes into a chat at night."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from workbench.core.cell import CellKey, Run
from workbench.core.finding import Finding, Severity
from workbench.core.text import SafeText, join, safe
from workbench.report.blocks import Block, blocks
from workbench.report.details import (
    command_of,
    detail_lines,
    headline,
    labelled,
    listed,
    place_in_file,
    severity_mark,
    where,
)
from workbench.report.holding import holding_lines
from workbench.report.lanes import NO_LANES, LaneViews, lane_lines
from workbench.report.margins import margin_lines
from workbench.report.measure import cut, named, pad, width_of
from workbench.report.prompts import NOTHING_TYPED, PromptLine, mark, prompt_lines, results
from workbench.report.rates import rate_lines
from workbench.report.verdict import Verdict, counts, silent_adapters, verdict
from workbench.report.writer import Line, Output, Piece, Style, Writer, own

__all__ = ["summary_lines", "write_excerpt", "write_text"]

_LABEL_CELLS = 20
_TYPED_CELLS = 48
_LEAST_TYPED = 20
_MOST_ALIKE = 20
_FRAME = 8
"""Cells of a prompt's line that hold neither label, text nor outcomes."""

_VERDICTS = {
    Verdict.OK: ("ok", "good"),
    Verdict.FAILED: ("FAILED", "error"),
    Verdict.UNDECIDED: ("UNDECIDED", "warning"),
    Verdict.NO_VERDICT: ("NO VERDICT", "warning"),
}


def write_text(
    run: Run, findings: Sequence[Finding], out: Output, style: Style, lanes: LaneViews = NO_LANES
) -> None:
    """Every prompt on one line, the findings, and what it comes to."""
    _write(run, findings, findings, out, style, lanes)


def write_excerpt(run: Run, findings: Sequence[Finding], at: CellKey, out: Output, style: Style) -> None:
    """What `write_text` writes, of the findings only those of one cell; the others are counted."""
    kept = [f for f in findings if CellKey(f.scenario, f.prompt or "", f.arm or "", f.adapter) == at]
    _write(run, findings, kept, out, style)


def _write(
    run: Run,
    findings: Sequence[Finding],
    told: Sequence[Finding],
    out: Output,
    style: Style,
    lanes: LaneViews = NO_LANES,
) -> None:
    writer = Writer(out, colour=style.colour)
    for scenario, prompts in prompt_lines(run, findings).items():
        writer.line(Piece(named(scenario), "strong"))
        writer.lines(_prompts(prompts, style))
        writer.lines(rate_lines(run, scenario, style))
        writer.lines(margin_lines(run, scenario))
        writer.line()
    for block in blocks(told):
        writer.lines(_block(block, style))
        writer.line()
    if len(told) < len(findings):
        more = f"… {_count(len(findings) - len(told), 'more finding')}"
        writer.line(Piece(own(more, style), "dim"))
        writer.line()
    writer.lines(holding_lines(run))
    writer.lines(lane_lines(lanes))
    writer.lines(summary_lines(run, findings, style))


def summary_lines(run: Run, findings: Sequence[Finding], style: Style) -> Iterator[Line]:
    """The adapters that never answered, what was not run, the counts and the verdict."""
    for adapter in silent_adapters(run):
        yield (Piece(SafeText(f"{named(adapter)}: not one answer in this run"), "error"),)
    waiting = sum(1 for cell in run.cells if not cell.trials)
    if run.interrupted or waiting:
        yield (Piece(safe(f"interrupted: {waiting:,} of {len(run.cells):,} cells were not run"), "warning"),)
    prompts = len({(cell.key.scenario, cell.key.prompt) for cell in run.cells})
    trials = sum(len(cell.trials) for cell in run.cells)
    failed = sum(cell.failed for cell in run.cells)
    size = [_count(prompts, "prompt"), _count(len(run.cells), "cell"), _count(trials, "trial")]
    ran = f"{', '.join(size)}{f', {failed:,} failed' if failed else ''}, {run.seconds:.1f} s"
    kinds = ", ".join(f"{n:,} {kind}" for kind, n in counts(findings).items())
    word, look = _VERDICTS[verdict(run, findings)]
    yield (
        Piece(safe(word), look),
        Piece(own(f"  {_severities(findings)}  ·  {ran}", style)),
        Piece(safe(f"  ({kinds})" if kinds else ""), "dim"),
    )


def _severities(findings: Sequence[Finding]) -> str:
    numbers = {severity: sum(1 for f in findings if f.severity is severity) for severity in Severity}
    told = [_count(n, severity.value) for severity, n in numbers.items() if n]
    return ", ".join(told) or "no findings"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _prompts(prompts: Sequence[PromptLine], style: Style) -> Iterator[Line]:
    labels = [cut(prompt.label, _LABEL_CELLS, style) for prompt in prompts]
    label_column = max(map(width_of, labels))
    outcomes = [_outcomes(prompt, label_column, style) for prompt in prompts]
    room = _TYPED_CELLS
    if style.width is not None:
        left = style.width - label_column - max(map(width_of, outcomes)) - _FRAME
        room = min(max(_least_typed(style.width), left), max(_TYPED_CELLS, style.width // 2))
    texts = [cut(prompt.typed or NOTHING_TYPED, room, style) for prompt in prompts]
    column = max(map(width_of, texts))
    for prompt, label, text, outcome in zip(prompts, labels, texts, outcomes, strict=True):
        head = SafeText(f" {pad(label, label_column)}  {pad(text, column)}  ")
        yield (Piece(safe("  ")), mark(prompt, style), Piece(head), Piece(outcome, _look(prompt)))


def _look(prompt: PromptLine) -> str:
    return "" if prompt.worst else "dim"


def _outcomes(prompt: PromptLine, label_column: int, style: Style) -> SafeText:
    """What each adapter did, shorter and at last cut where a terminal has no room for more."""
    whole = _joined(results(prompt), style)
    if style.width is None:
        return whole
    room = style.width - label_column - _least_typed(style.width) - _FRAME
    if width_of(whole) <= room:
        return whole
    return cut(_joined(results(prompt, names_arms=False), style), max(1, room), style)


def _least_typed(width: int) -> int:
    """Cells that the typed text keeps, however much there is to tell."""
    return min(_LEAST_TYPED, width // 4)


def _joined(told: Iterable[tuple[SafeText, SafeText]], style: Style) -> SafeText:
    return join([SafeText(f"{adapters}: {result}") for adapters, result in told], own(" · ", style))


def _block(block: Block, style: Style) -> Iterator[Line]:
    kinds = _columns(block.findings)
    for finding in block.findings:
        words = SafeText(f" {finding.severity.value:<7}  {kinds[finding.kind.value]}  ")
        yield (
            severity_mark(finding, style),
            Piece(words, finding.severity.value),
            Piece(headline(finding, style), "strong"),
        )
    first = block.first
    file = place_in_file(first)
    yield from labelled("where", [(Piece(SafeText(f"{where(first)}{f'  {file}' if file else ''}")),)])
    if block.alike:
        yield from labelled("alike", [(Piece(SafeText(f"{_and_prompts(block)}")),)])
    yield from detail_lines(block, style)
    command = command_of(first)
    if command is not None:
        yield from labelled("again", [(Piece(command, "strong"),)])


def _and_prompts(block: Block) -> SafeText:
    prompts = "prompt" if len(block.alike) == 1 else "prompts"
    return SafeText(f"{prompts} {listed(block.alike, _MOST_ALIKE)}")


def _columns(findings: Sequence[Finding]) -> Mapping[str, str]:
    column = max(len(finding.kind.value) for finding in findings)
    return {finding.kind.value: finding.kind.value.ljust(column) for finding in findings}
