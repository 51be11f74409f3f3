"""The command that asks why a decision moved, and why it sometimes cannot be asked."""

from __future__ import annotations

from workbench.core.cell import BARE
from workbench.core.finding import Kind
from workbench.tui.board import CellState
from workbench.tui.commands.command import Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.state import SessionState

__all__ = ["COMMANDS", "is_called_for"]

GROUP = "Explain"


def why_not(state: SessionState) -> str | None:
    key = state.place.key
    if key is None:
        return "there is no cell here: choose one"
    if state.explanations.of(key) is not None:
        return None
    if state.session.explain is None:
        return "cells cannot be explained here"
    if key.arm == BARE:
        return "this is bare: nothing was added to the words typed, so nothing moved"
    if state.board.state(key) is CellState.NO_ARM:
        return "this adapter gets no such delivery of this prompt"
    if state.explanations.going is not None:
        return f"an explanation is on; {key_of(state, 'stop')} stops it with the best so far"
    return state.why_not_run(state.place.cell_target)


_MOVED = {Kind.DRIFT, Kind.RATE_DRIFT, Kind.CALL_DRIFT, Kind.FOREIGN_ARGUMENT, Kind.SCORE_DRIFT}


def is_called_for(state: SessionState) -> bool:
    """Whether the chosen cell has moved, and why can be asked now."""
    key = state.place.key
    if key is None or state.session.explain is None or why_not(state) is not None:
        return False
    moved = state.board.state(key) is CellState.DIFFERS
    return moved or any(finding.kind in _MOVED for finding in state.verdicts.of_cell(key))


def explain(stage: Stage) -> None:
    key = stage.state.place.key
    if key is not None:
        stage.explaining.explain(key)


COMMANDS: tuple[Command, ...] = (
    Command(
        "explain",
        ("x",),
        "explain",
        "Find the words that moved this decision; once they are found, show them.",
        GROUP,
        explain,
        why_not,
    ),
)
