"""Commands of the guided walk: there only while one is on, and their keys are then nobody else's."""

from __future__ import annotations

from collections.abc import Callable

from workbench.tui.commands.command import Act, Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.state import SessionState

__all__ = ["COMMANDS", "GROUP"]

GROUP = "Walk"


def why_not(step: int) -> Callable[[SessionState], str | None]:
    def reason(state: SessionState) -> str | None:
        if state.guide is None:
            return "no walk is on"
        ended = state.guide.why_not(step)
        return f"{ended}; {key_of(state, 'quit')} leaves" if ended is not None and step > 0 else ended

    return reason


def walk(step: int) -> Act:
    def act(stage: Stage) -> None:
        if stage.state.guide is not None:
            stage.state.guide.go(step)
            stage.redraw()

    return act


COMMANDS: tuple[Command, ...] = (
    Command("walk-on", ("space",), "on", "Go on to the next step of the walk.", GROUP, walk(1), why_not(1)),
    Command(
        "walk-back",
        ("backspace",),
        "back",
        "Go back to the step before, where it began.",
        GROUP,
        walk(-1),
        why_not(-1),
    ),
)
