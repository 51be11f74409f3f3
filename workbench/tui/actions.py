"""What commands do, and why they sometimes cannot: steps on the state, testable without a screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from workbench.tui.board import CellState
from workbench.tui.place import Motion
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.view.layout import Pane, SideBySide

__all__ = [
    "Stage",
    "draw_as",
    "go_deeper",
    "go_up",
    "move",
    "read_on",
    "run_cell",
    "run_shown",
    "toggle_folds",
    "toggle_zoom",
    "turn_to",
    "why_not_back",
    "why_not_cell",
    "why_not_open",
    "why_not_read",
    "why_not_shown",
    "why_not_stop",
]


class Stage(Protocol):
    """What a command acts on: the state, and the few things that only a screen can do."""

    state: SessionState

    def redraw(self) -> None:
        """Show the state as it is now."""

    def run(self, target: Target) -> None:
        """Start a run."""

    def stop(self) -> None:
        """Ask the run to end."""

    def page(self) -> int:
        """Rows that the focused pane shows."""

    def scroll(self, motion: Motion) -> None:
        """Scroll the comparison."""

    def tell(self, words: str) -> None:
        """A few of our own words, for a moment."""

    def show_help(self) -> None: ...

    def show_palette(self) -> None: ...

    def next_theme(self) -> None: ...

    def leave(self) -> None:
        """End the program; a run that goes on is stopped first."""


def why_not_cell(state: SessionState) -> str | None:
    key = state.place.key
    if key is not None and state.board.state(key) is CellState.NO_ARM:
        return "this adapter gets no such delivery of this prompt"
    return state.why_not_run(state.place.cell_target)


def why_not_shown(state: SessionState) -> str | None:
    return state.why_not_run(state.place.shown_target)


def why_not_stop(state: SessionState) -> str | None:
    return None if state.progress.busy else "no run is on"


def why_not_open(state: SessionState) -> str | None:
    return None if state.place.here is not None else "there is nothing to open yet"


def why_not_back(state: SessionState) -> str | None:
    place = state.place
    return None if place.zoomed or place.pane is not Pane.SCENARIOS else "this is the top; q quits"


def why_not_read(state: SessionState) -> str | None:
    return None if state.board.cells else "nothing has been run yet, so nothing differs; r runs this cell"


def run_cell(stage: Stage) -> None:
    if (target := stage.state.place.cell_target) is not None:
        stage.run(target)


def run_shown(stage: Stage) -> None:
    if (target := stage.state.place.shown_target) is not None:
        stage.run(target)


def move(motion: Motion) -> Callable[[Stage], None]:
    def act(stage: Stage) -> None:
        if stage.state.place.pane is Pane.COMPARISON:
            stage.scroll(motion)
            return
        stage.state.place.move(motion, stage.page())
        stage.redraw()

    return act


def turn_to(step: int) -> Callable[[Stage], None]:
    def act(stage: Stage) -> None:
        panes = list(Pane)
        place = stage.state.place
        place.pane = panes[(panes.index(place.pane) + step) % len(panes)]
        stage.redraw()

    return act


def read_on(go: Callable[[SessionState, int], str | None], step: int) -> Callable[[Stage], None]:
    def act(stage: Stage) -> None:
        reason = go(stage.state, step)
        if reason is not None:
            stage.tell(reason)
        stage.redraw()

    return act


def go_deeper(stage: Stage) -> None:
    stage.state.place.open()
    stage.redraw()


def go_up(stage: Stage) -> None:
    stage.state.place.back()
    stage.redraw()


def toggle_zoom(stage: Stage) -> None:
    stage.state.place.zoomed = not stage.state.place.zoomed
    stage.redraw()


def toggle_folds(stage: Stage) -> None:
    stage.state.unfolded = not stage.state.unfolded
    stage.redraw()


def draw_as(side_by_side: SideBySide) -> Callable[[Stage], None]:
    def act(stage: Stage) -> None:
        stage.state.side_by_side = side_by_side
        stage.redraw()

    return act
