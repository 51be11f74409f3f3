"""What a guest printed beside its answer: a traceback, or its author's own notes."""

from __future__ import annotations

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
    for number in range(max(len(before), len(after))):
        left = None if baseline is None else _words(before, number)
        section.append(Pair(" ", left, _words(after, number)))
    return section


def _lines(cell: Cell | None) -> list[str]:
    """The log of the first trial that failed, else of the first that has one."""
    if cell is None:
        return []
    talking = [trial for trial in cell.trials if trial.log.strip()]
    told = next((trial for trial in talking if not trial.ok), talking[0] if talking else None)
    # Not splitlines: what else it takes for the end of a line would be gone, and must be seen.
    return told.log.rstrip("\n").split("\n") if told is not None else []


def _words(lines: list[str], number: int) -> Words:
    if number >= len(lines):
        return Words.of()
    return Words.of(Piece(visible(lines[number][:LONGEST])))
