"""Commands that go from difference to difference."""

from __future__ import annotations

from collections.abc import Callable

from workbench.tui.commands.command import Act, Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.reading import next_case, next_dark, next_difference
from workbench.tui.state import SessionState

__all__ = ["COMMANDS"]

GROUP = "Read"


def why_not_read(state: SessionState) -> str | None:
    if state.board.cells or state.board.tallies:
        return None
    return f"nothing has been run yet, so nothing differs; {key_of(state, 'run-cell')} runs this cell"


def why_not_dark(state: SessionState) -> str | None:
    return None if state.place.key is not None else "there is no cell here: choose one"


def read_on(go: Callable[[SessionState, int], str | None], step: int) -> Act:
    def act(stage: Stage) -> None:
        reason = go(stage.state, step)
        if reason is not None:
            stage.tell(reason)
        stage.redraw()

    return act


COMMANDS: tuple[Command, ...] = (
    Command(
        "next-difference",
        ("]",),
        "next",
        "Go to the next difference, also in the next cell.",
        GROUP,
        read_on(next_difference, 1),
        why_not_read,
        weight=5,
    ),
    Command(
        "previous-difference",
        ("[",),
        "prev",
        "Go to the previous difference, also in the cell before.",
        GROUP,
        read_on(next_difference, -1),
        why_not_read,
        weight=6,
    ),
    Command(
        "next-case",
        ("}",),
        "next case",
        "Go to the next cell that differs, failed or has a finding.",
        GROUP,
        read_on(next_case, 1),
        why_not_read,
    ),
    Command(
        "previous-case",
        ("{",),
        "prev case",
        "Go to the previous cell that differs, failed or has a finding.",
        GROUP,
        read_on(next_case, -1),
        why_not_read,
    ),
    Command(
        "next-dark",
        ("d",),
        "dark",
        "Go to the next text of the request that no lane owns, on the tab Lanes.",
        GROUP,
        read_on(next_dark, 1),
        why_not_dark,
    ),
    Command(
        "previous-dark",
        ("D",),
        "prev dark",
        "Go to the previous text of the request that no lane owns.",
        GROUP,
        read_on(next_dark, -1),
        why_not_dark,
    ),
)
