"""What a guest printed beside its answer: a traceback, or its author's own notes."""

from __future__ import annotations

from workbench.compare.runs import EqualRun, equal_runs
from workbench.core.cell import Cell
from workbench.core.text import safe, visible
from workbench.tui.view.ink import Piece, Tone, ink
from workbench.tui.view.rows import DocRow, Heading, Pair, Words, note

__all__ = ["log_section"]

MOST_LINES = 16
"""Lines of one side: a traceback is rarely longer, and what scrolls by is in the text report."""

LONGEST = 400
"""Characters of one line."""


def log_section(baseline: Cell | None, variant: Cell) -> list[DocRow]:
    """What both sides printed, side by side; nothing where neither did. No row of it is a difference:
    times and addresses are never twice the same.
    """
    before, after = _lines(baseline), _lines(variant)
    if not before and not after:
        return []
    section: list[DocRow] = [
        Heading(safe("printed"), (ink("by the adapter, beside its answer", Tone.MUTED),))
    ]
    left_out = max(len(before), len(after)) - MOST_LINES
    if left_out > 0:
        section.append(note(f"⋯ the last {MOST_LINES} lines of {left_out + MOST_LINES:,}"))
    before, after = before[-MOST_LINES:], after[-MOST_LINES:]
    if baseline is None:
        return section + [Pair(" ", None, _words(line)) for line in after]
    at = (0, 0)
    for run in (*equal_runs(before, after), EqualRun(len(before), len(after), 0)):
        # In one column the lines of one side must not run between those of the other.
        section += [Pair("-", _words(line), None, quiet=True) for line in before[at[0] : run.baseline]]
        section += [Pair("+", None, _words(line), quiet=True) for line in after[at[1] : run.variant]]
        same = before[run.baseline : run.baseline + run.length]
        section += [Pair(" ", _words(line), _words(line), twin=True) for line in same]
        at = (run.baseline + run.length, run.variant + run.length)
    return section


def _lines(cell: Cell | None) -> list[str]:
    """The log of the first trial that failed, else of the first that has one."""
    if cell is None:
        return []
    talking = [trial for trial in cell.trials if trial.log.strip()]
    told = next((trial for trial in talking if not trial.ok), talking[0] if talking else None)
    # Not splitlines: what else it takes for the end of a line would be gone, and must be seen.
    return told.log.rstrip("\n").split("\n") if told is not None else []


def _words(line: str) -> Words:
    return Words.of(Piece(visible(line[:LONGEST])))
