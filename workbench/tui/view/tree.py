"""The rows of the scenario list: a mark, a name, and what was found, in words."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from workbench.core.text import SafeText, safe, visible
from workbench.tui.place import RowKind, TreeRow
from workbench.tui.verdicts import Counts
from workbench.tui.view.cells import clip, spread
from workbench.tui.view.ink import Line, Piece, Tone, ink

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["in_words", "mark", "tree_line"]

ROOMY = 34
"""Cells from which a row says all of its counts, rather than the heaviest."""


def mark(counts: Counts, broken: bool = False) -> Piece:
    """✗ an error, ! a warning or a failure, … running, · not all run yet, ✓ nothing wrong."""
    if counts.errors:
        return ink("✗", Tone.ERROR)
    if broken or counts.warnings or counts.failed:
        return ink("!", Tone.WARNING)
    if counts.running:
        return ink("…", Tone.RUNNING)
    if counts.unread or counts.unjudged:
        return ink("·", Tone.MUTED)
    if counts.not_run or not counts.ok:
        return ink("·", Tone.MUTED)
    return ink("✓", Tone.OK)


def in_words(counts: Counts, broken: bool = False) -> tuple[Piece, ...]:
    """What the mark stands for, heaviest first."""
    said: list[Piece] = []
    if broken:
        said.append(ink("bad file", Tone.WARNING))
    for number, word, tone in (
        (counts.errors, "err", Tone.ERROR),
        (counts.warnings, "warn", Tone.WARNING),
        (counts.failed, "failed", Tone.WARNING),
        (counts.running, "running", Tone.RUNNING),
    ):
        if number:
            said.append(ink(f"{number} {word}", tone))
    if counts.not_run or not (counts.cells or counts.unread):
        missing = f"{counts.not_run} not run" if counts.ok or counts.failed else "not run"
        said.append(ink(missing, Tone.MUTED))
    if counts.unread:
        said.append(ink("reading", Tone.MUTED))
    elif counts.unjudged:
        said.append(ink("judging", Tone.MUTED))
    return tuple(said) or (ink("ok", Tone.OK),)


def tree_line(state: SessionState, row: TreeRow, width: int) -> Line:
    """One row of the list in `width` cells."""
    if row.kind is RowKind.FILE:
        return _file_line(state, row, width)
    counts = state.counts(row.name, row.prompt)
    broken = row.prompt is None and bool(state.plan_problems(row.name))
    words = in_words(counts, broken)
    said: list[Piece] = []
    for word in words if width >= ROOMY else words[:1]:
        said.extend((ink(" "), word) if said else (word,))
    if row.kind is RowKind.SCENARIO:
        fold = "▸" if row.name in state.place.closed else "▾"
        label: Line = (
            ink(f"{fold} ", Tone.MUTED),
            mark(counts, broken),
            ink(" "),
            Piece(visible(row.name), Tone.STRONG),
        )
    else:
        label = (ink("  "), mark(counts), ink(" "), *_prompt_label(state, row))
    return spread(label, tuple(said), width)


def _prompt_label(state: SessionState, row: TreeRow) -> Line:
    prompt = state.prompt(row.name, row.prompt or "")
    if prompt is None:
        return ()
    text = visible(prompt.text[:200])
    if prompt.id is not None:
        return (Piece(visible(prompt.id)), ink("  "), Piece(text, Tone.MUTED))
    return (Piece(text),) if prompt.text else (ink("nothing typed", Tone.MUTED),)


def _file_line(state: SessionState, row: TreeRow, width: int) -> Line:
    count = sum(1 for p in state.session.problems if (p.mark.file if p.mark else "") == row.name)
    name: SafeText = visible(PurePath(row.name).name) if row.name else safe("workspace")
    label = (ink("  "), ink("!", Tone.WARNING), ink(" "), Piece(name))
    return spread(clip(label, width), (ink(f"{count} err", Tone.WARNING),), width)
