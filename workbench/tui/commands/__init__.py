"""Every command, declared once: bindings, footer, palette and help are made from these."""

from __future__ import annotations

from dataclasses import replace

from workbench.tui.commands import (
    again,
    authoring,
    comparing,
    explaining,
    following,
    guiding,
    moving,
    program,
    reading,
    running,
    seeking,
    taking,
    viewing,
)
from workbench.tui.commands.command import Command, Stage
from workbench.tui.keymap import keyed
from workbench.tui.state import SessionState
from workbench.tui.view.layout import Pane
from workbench.tui.view.tabs import Tab
from workbench.tui.watch import takes_enter

__all__ = [
    "COMMANDS",
    "GROUPS",
    "Command",
    "Stage",
    "command_now",
    "command_of",
    "commands_in",
    "footer_in",
    "footer_of",
    "groups_in",
]

_MODULES = (
    running,
    again,
    reading,
    comparing,
    explaining,
    authoring,
    taking,
    following,
    moving,
    seeking,
    viewing,
    program,
)

COMMANDS: tuple[Command, ...] = tuple(command for module in _MODULES for command in module.COMMANDS)

GROUPS = tuple(module.GROUP for module in _MODULES)
"""The groups of the palette and the help, in their order."""

_BY_ID = {command.id: command for command in (*COMMANDS, *guiding.COMMANDS)}


def command_of(name: str) -> Command:
    """The command of that id. Raises KeyError."""
    return _BY_ID[name]


def commands_in(state: SessionState) -> tuple[Command, ...]:
    """Every command that there is now: on a guided walk its own too, whose keys no other has then."""
    commands = keyed(COMMANDS, state.keymap)
    if state.guide is None:
        return commands
    taken = {key for command in guiding.COMMANDS for key in command.keys}
    others = (
        replace(command, keys=tuple(key for key in command.keys if key not in taken)) for command in commands
    )
    return (*guiding.COMMANDS, *others)


def command_now(state: SessionState, name: str) -> Command:
    """The command of that id with the keys that it has now. Raises KeyError."""
    if not state.keymap and state.guide is None:
        return _BY_ID[name]
    return next((command for command in commands_in(state) if command.id == name), _BY_ID[name])


def groups_in(state: SessionState) -> tuple[str, ...]:
    """The groups of those commands, in their order."""
    return GROUPS if state.guide is None else (guiding.GROUP, *GROUPS)


def footer_of(pane: Pane) -> tuple[Command, ...]:
    """What the footer offers in a pane, in its order."""
    offered = [command for command in COMMANDS if command.weight is not None and pane in command.panes]
    return tuple(sorted(offered, key=lambda command: command.weight or 0))


def footer_in(state: SessionState) -> tuple[Command, ...]:
    """What the footer offers now, with the keys that count; enter is named after what it does.

    On a cell that has moved it offers to explain it, where stopping would stand that has nothing to stop;
    beside lanes the next dark text, where editing would stand.
    """
    commands = footer_of(state.place.pane)
    if state.place.pane is Pane.COMPARISON and state.place.tab is Tab.LANES:
        commands = tuple(_BY_ID["next-dark"] if one.id == "edit" else one for one in commands)
    if explaining.is_called_for(state):
        commands = tuple(_BY_ID["explain"] if one.id == "stop" else one for one in commands)
    commands = keyed(commands, state.keymap)
    if not takes_enter(state):
        return commands
    return tuple(replace(one, label="rerun") if one.id == "open" else one for one in commands)
