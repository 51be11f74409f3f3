"""Commands that run cells, and why they sometimes cannot."""

from __future__ import annotations

from workbench.tui.board import CellState
from workbench.tui.commands.command import Command, Stage
from workbench.tui.state import SessionState

__all__ = ["COMMANDS"]

GROUP = "Run"


def why_not_cell(state: SessionState) -> str | None:
    key = state.place.key
    if key is not None and state.board.state(key) is CellState.NO_ARM:
        return "this adapter gets no such delivery of this prompt"
    return state.why_not_run(state.place.cell_target)


def why_not_shown(state: SessionState) -> str | None:
    return state.why_not_run(state.place.shown_target)


def why_not_stop(state: SessionState) -> str | None:
    return None if state.progress.busy or state.explanations.going else "no run is on"


def run_cell(stage: Stage) -> None:
    if (target := stage.state.place.cell_target) is not None:
        stage.run(target)


def run_shown(stage: Stage) -> None:
    if (target := stage.state.place.shown_target) is not None:
        stage.run(target)


COMMANDS: tuple[Command, ...] = (
    Command(
        "run-cell",
        ("r",),
        "run",
        "Run the chosen cell, and its bare arm beside it.",
        GROUP,
        run_cell,
        why_not_cell,
        weight=1,
    ),
    Command(
        "run-shown",
        ("R",),
        "run all",
        "Run every arm and adapter that the matrix shows.",
        GROUP,
        run_shown,
        why_not_shown,
        weight=2,
    ),
    Command(
        "stop",
        ("s",),
        "stop",
        "Stop the run and keep what is done; twice, without waiting.",
        GROUP,
        lambda stage: stage.stop(),
        why_not_stop,
        weight=3,
    ),
)
