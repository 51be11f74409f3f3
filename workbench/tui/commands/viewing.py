"""Commands that change how things are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.tui.commands.command import Act, Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.view.layout import Pane, SideBySide

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["COMMANDS"]

GROUP = "View"
STEP = 5
"""Lines more, or less, at each end of what is folded."""


def toggle_zoom(stage: Stage) -> None:
    stage.state.place.zoomed = not stage.state.place.zoomed
    stage.redraw()


def toggle_folds(stage: Stage) -> None:
    stage.state.unfolded = not stage.state.unfolded
    stage.redraw()


def widen(by: int) -> Act:
    def act(stage: Stage) -> None:
        stage.state.context = max(0, stage.state.context + by)
        stage.redraw()

    return act


def why_not_more(state: SessionState) -> str | None:
    if state.unfolded:
        return f"every line is shown already; {key_of(state, 'fold')} folds what is the same"
    return None


def why_not_less(state: SessionState) -> str | None:
    if reason := why_not_more(state):
        return reason
    return None if state.context else f"it was not widened; {key_of(state, 'more-context')} does that"


def draw_as(side_by_side: SideBySide) -> Act:
    def act(stage: Stage) -> None:
        stage.state.side_by_side = side_by_side
        stage.redraw()

    return act


COMMANDS: tuple[Command, ...] = (
    Command(
        "fold",
        ("z",),
        "folds",
        "Open or fold the long parts that are the same on both sides.",
        GROUP,
        toggle_folds,
        panes=(Pane.COMPARISON,),
        weight=7,
    ),
    Command(
        "more-context",
        ("+",),
        "more",
        "Show more of the same lines round each difference.",
        GROUP,
        widen(STEP),
        why_not_more,
    ),
    Command(
        "less-context",
        ("-",),
        "less",
        "Show less of the same lines round each difference.",
        GROUP,
        widen(-STEP),
        why_not_less,
    ),
    Command(
        "zoom", ("m",), "maximise", "Give the whole screen to this pane, or take it back.", GROUP, toggle_zoom
    ),
    Command(
        "view-auto",
        ("0",),
        "auto view",
        "Two sides beside each other where there is room.",
        GROUP,
        draw_as(SideBySide.AUTO),
    ),
    Command(
        "view-split",
        ("1",),
        "side by side",
        "Always two sides beside each other.",
        GROUP,
        draw_as(SideBySide.SPLIT),
    ),
    Command(
        "view-unified",
        ("2",),
        "one column",
        "Always one side below the other.",
        GROUP,
        draw_as(SideBySide.UNIFIED),
    ),
    Command(
        "theme",
        ("t",),
        "theme",
        "The next theme: dark, light, the terminal's own colours, none.",
        GROUP,
        lambda stage: stage.next_theme(),
    ),
)
