"""Commands that write: prompts, envelopes, scenarios, expectations, and what is accepted."""

from __future__ import annotations

from workbench.core.finding import Finding, Kind
from workbench.tui.board import CellState
from workbench.tui.commands.command import Command, Stage
from workbench.tui.keymap import key_of
from workbench.tui.place import RowKind
from workbench.tui.state import SessionState

__all__ = ["COMMANDS", "acceptable"]

GROUP = "Write"

PACKAGED = "this is the packaged workspace: `workbench new workspace` makes your own"


def why_not_write(state: SessionState) -> str | None:
    """Why no file of this workspace can be written."""
    if state.session.packaged:
        return PACKAGED
    return None if state.session.reload is not None else "what is shown here comes from no files"


def why_not_edit(state: SessionState) -> str | None:
    here = state.place.here
    if here is None:
        return why_not_write(state) or f"there is no file here yet; {key_of(state, 'new')} makes one"
    if here.kind is RowKind.FILE and not here.name:
        return "this is about no single file"
    return why_not_write(state)


def why_not_freeze(state: SessionState) -> str | None:
    if (reason := why_not_write(state)) is not None:
        return reason
    key = state.place.key
    if key is None:
        return "choose a prompt: its answers are what is frozen"
    known = state.board.state(key)
    if known is CellState.NO_ARM:
        return "this adapter gets no such delivery of this prompt"
    if known is CellState.RUNNING:
        return "this cell is running; freeze it when it is done"
    if known is CellState.NOT_RUN:
        return f"nothing was observed yet; {key_of(state, 'run-cell')} runs this cell"
    if known is CellState.FAILED:
        return "nothing was observed: every trial failed"
    return None


def acceptable(state: SessionState) -> tuple[Finding, ...]:
    """The findings under the cursor that a file may accept: of the cell, or of the scenario as a whole."""
    key, place = state.place.key, state.place
    if key is not None:
        found = state.verdicts.of_cell(key)
    elif place.scenario is not None and place.prompt is None:
        found = tuple(f for f in state.verdicts.of_scenario(place.scenario) if f.prompt is None)
    else:
        found = ()
    return tuple(f for f in found if f.kind not in (Kind.ACCEPTED, Kind.STALE_ACCEPT))


def why_not_accept(state: SessionState) -> str | None:
    if (reason := why_not_write(state)) is not None:
        return reason
    if acceptable(state):
        return None
    return f"there is no finding here; {key_of(state, 'next-case')} goes to the next"


def edit_outside(stage: Stage) -> None:
    stage.authoring.edit_outside()


def edit_here(stage: Stage) -> None:
    stage.authoring.edit_here()


def begin(stage: Stage) -> None:
    stage.authoring.begin()


def paste(stage: Stage) -> None:
    stage.authoring.paste()


def freeze(stage: Stage) -> None:
    stage.authoring.freeze()


def accept(stage: Stage) -> None:
    stage.authoring.accept()


COMMANDS: tuple[Command, ...] = (
    Command(
        "edit-outside",
        ("e",),
        "editor",
        "Open the file at this prompt in your own editor, $VISUAL or $EDITOR.",
        GROUP,
        edit_outside,
        why_not_edit,
    ),
    Command(
        "edit",
        ("i",),
        "edit",
        "Edit the file here, with its errors and what each arm will send.",
        GROUP,
        edit_here,
        why_not_edit,
        weight=7,
    ),
    Command(
        "new",
        ("o",),
        "new",
        "A new prompt, envelope or scenario like the chosen one.",
        GROUP,
        begin,
        why_not_write,
    ),
    Command(
        "paste-envelope",
        ("v",),
        "paste",
        "Make an envelope of a wrapped turn: paste it, and say which words were typed.",
        GROUP,
        paste,
        why_not_write,
    ),
    Command(
        "freeze",
        ("f",),
        "freeze",
        "Expect of this prompt what was observed.",
        GROUP,
        freeze,
        why_not_freeze,
    ),
    Command(
        "accept",
        ("A",),
        "accept",
        "Accept the finding of this cell, with a reason.",
        GROUP,
        accept,
        why_not_accept,
    ),
)
