"""Commands that move a cursor, the focus, or a level up and down."""

from __future__ import annotations

from workbench.tui.commands.command import Act, Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.place import Motion
from workbench.tui.state import SessionState
from workbench.tui.view.layout import Pane
from workbench.tui.watch import offered, takes_enter

__all__ = ["COMMANDS"]

GROUP = "Move"


def why_not_open(state: SessionState) -> str | None:
    return None if state.place.here is not None else "there is nothing to open yet"


def why_not_back(state: SessionState) -> str | None:
    place = state.place
    higher = place.zoomed or place.pane is not Pane.SCENARIOS or state.comparisons.pinned is not None
    if higher or state.sieve.search is not None:
        return None
    return f"this is the top; {key_of(state, 'quit')} quits"


def move(motion: Motion) -> Act:
    def act(stage: Stage) -> None:
        if stage.state.place.pane is Pane.COMPARISON:
            stage.scroll(motion)
            return
        stage.state.place.move(motion, stage.page())
        stage.follow()

    return act


def turn_to(step: int) -> Act:
    def act(stage: Stage) -> None:
        panes = list(Pane)
        place = stage.state.place
        place.pane = panes[(panes.index(place.pane) + step) % len(panes)]
        stage.redraw()

    return act


def go_deeper(stage: Stage) -> None:
    target = offered(stage.state)
    if target is not None and takes_enter(stage.state):
        stage.run(target)
        return
    stage.state.place.open()
    stage.redraw()


def go_up(stage: Stage) -> None:
    if stage.state.sieve.search is not None:
        stage.state.sieve.search = None
        stage.state.resieved()
        stage.redraw()
        return
    place = stage.state.place
    # At the top there is one thing left to let go of.
    if place.pane is Pane.SCENARIOS and not place.zoomed and stage.state.comparisons.pinned is not None:
        stage.state.comparisons.pin(None)
    place.back()
    stage.redraw()


COMMANDS: tuple[Command, ...] = (
    Command("up", ("up", "k"), "up", "One row up.", GROUP, move(Motion.UP)),
    Command("down", ("down", "j"), "down", "One row down.", GROUP, move(Motion.DOWN)),
    Command(
        "left",
        ("left", "h"),
        "left",
        "One column left; in the list, close a scenario.",
        GROUP,
        move(Motion.LEFT),
    ),
    Command(
        "right",
        ("right", "l"),
        "right",
        "One column right; in the list, open a scenario.",
        GROUP,
        move(Motion.RIGHT),
    ),
    Command("page-up", ("pageup", "ctrl+u"), "page up", "One page up.", GROUP, move(Motion.PAGE_UP)),
    Command(
        "page-down",
        ("pagedown", "ctrl+d", "space"),
        "page down",
        "One page down.",
        GROUP,
        move(Motion.PAGE_DOWN),
    ),
    Command("top", ("g", "home"), "top", "The first row.", GROUP, move(Motion.TOP)),
    Command("bottom", ("G", "end"), "bottom", "The last row.", GROUP, move(Motion.BOTTOM)),
    Command(
        "open",
        ("enter",),
        "open",
        "One level deeper: list, matrix, comparison, comparison alone.",
        GROUP,
        go_deeper,
        why_not_open,
        weight=4,
    ),
    Command(
        "back",
        ("escape",),
        "back",
        "One level up.",
        GROUP,
        go_up,
        why_not_back,
        (Pane.MATRIX, Pane.COMPARISON),
        weight=8,
    ),
    Command("next-pane", ("tab",), "pane", "The next pane.", GROUP, turn_to(1), weight=9),
    Command("previous-pane", ("shift+tab",), "prev pane", "The previous pane.", GROUP, turn_to(-1)),
)
