"""The format markdown: for a chat or a pull request. Foreign text stands in code spans and fences only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.core.cell import Run
from workbench.core.finding import Finding
from workbench.core.text import SafeText, join, safe
from workbench.report.as_text import summary_lines
from workbench.report.blocks import Block, blocks
from workbench.report.details import (
    command_of,
    detail_lines,
    headline,
    place_in_file,
    severity_mark,
    where,
)
from workbench.report.holding import holding_lines
from workbench.report.margins import margin_lines
from workbench.report.measure import cut, named
from workbench.report.prompts import NOTHING_TYPED, PromptLine, mark, prompt_lines, results
from workbench.report.rates import rate_lines
from workbench.report.writer import Output, Style, Writer, own, plain

__all__ = ["code_span", "fence", "write_markdown"]

_TYPED_CELLS = 60
_MOST_ALIKE = 20


def write_markdown(run: Run, findings: Sequence[Finding], out: Output, style: Style) -> None:
    """The verdict, every prompt on one line, then the findings with their evidence."""
    writer, style = Writer(out), Style(ascii=style.ascii)
    for line in summary_lines(run, findings, style):
        writer.line(safe("> "), code_span(plain(line)), safe("  "))
    for scenario, prompts in prompt_lines(run, findings).items():
        writer.line()
        writer.line(safe("### "), code_span(named(scenario)))
        writer.line()
        for prompt in prompts:
            writer.line(_prompt(prompt, style))
        rates = [plain(line) for line in (*rate_lines(run, scenario, style), *margin_lines(run, scenario))]
        if rates:
            ticks = fence(rates)
            writer.line()
            writer.line(SafeText(f"{ticks}text"))
            for rate in rates:
                writer.line(rate)
            writer.line(ticks)
    held = [plain(line) for line in holding_lines(run)]
    if held:
        writer.line()
    for words in held:
        writer.line(safe("- "), code_span(words))
    for block in blocks(findings):
        writer.line()
        _write_block(writer, block, style)


def code_span(text: SafeText) -> SafeText:
    """`text` as a code span that no run of backticks in it can end."""
    if not text:
        return safe("*nothing (empty)*")
    ticks = _longer(text, 0)
    blank = text.isspace()
    padding = "" if blank or not (text[0] in "` " or text[-1] in "` ") else " "
    return SafeText(f"{ticks}{padding}{text}{padding}{ticks}")


def fence(lines: Sequence[SafeText]) -> SafeText:
    """The fence for a block of `lines`: longer than any run of backticks in them."""
    return _longer(join(lines, "\n"), 2)


def _longer(text: SafeText, least: int) -> SafeText:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return safe("`" * (max(longest, least) + 1))


def _prompt(prompt: PromptLine, style: Style) -> SafeText:
    label = code_span(named(prompt.label))
    typed = code_span(cut(prompt.typed, _TYPED_CELLS, style)) if prompt.typed else NOTHING_TYPED
    told = [code_span(SafeText(f"{adapters}: {result}")) for adapters, result in results(prompt)]
    outcomes = join(told, own(" · ", style))
    return SafeText(f"- {mark(prompt, style).text} {label} {typed} {own('→', style)} {outcomes}")


def _write_block(writer: Writer, block: Block, style: Style) -> None:
    for number, finding in enumerate(block.findings):
        start = "- " if number else "#### "
        severity = safe(f"{finding.severity.value} {finding.kind.value}")
        words = code_span(headline(finding, style))
        writer.line(SafeText(f"{start}{severity_mark(finding, style).text} {severity}: {words}"))
        if number in (0, len(block.findings) - 1):
            writer.line()
    file = place_in_file(block.first)
    places = [code_span(where(block.first)), *([code_span(file)] if file else [])]
    writer.line(join(places, own(" · ", style)))
    if block.alike:
        alike = join([code_span(named(prompt)) for prompt in block.alike[:_MOST_ALIKE]], ", ")
        more = len(block.alike) - _MOST_ALIKE
        writer.line()
        writer.line(SafeText(f"Alike: {alike}{f' and {more:,} more' if more > 0 else ''}"))
    lines = [plain(line) for line in detail_lines(block, style, indent=0)]
    if lines:
        ticks = fence(lines)
        writer.line()
        writer.line(SafeText(f"{ticks}diff"))
        for line in lines:
            writer.line(line)
        writer.line(ticks)
    command = command_of(block.first)
    if command is not None:
        writer.line()
        writer.line(safe("Again: "), code_span(command))
