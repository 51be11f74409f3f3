"""Every command, declared once: bindings, footer, palette and help are made from these."""

from __future__ import annotations

from workbench.tui.commands import moving, program, reading, running, viewing
from workbench.tui.commands.command import Command, Stage
from workbench.tui.view.layout import Pane

__all__ = ["COMMANDS", "GROUPS", "Command", "Stage", "command_of", "footer_of"]

_MODULES = (running, reading, moving, viewing, program)

COMMANDS: tuple[Command, ...] = tuple(command for module in _MODULES for command in module.COMMANDS)

GROUPS = tuple(module.GROUP for module in _MODULES)
"""The groups of the palette and the help, in their order."""

_BY_ID = {command.id: command for command in COMMANDS}


def command_of(name: str) -> Command:
    """The command of that id. Raises KeyError."""
    return _BY_ID[name]


def footer_of(pane: Pane) -> tuple[Command, ...]:
    """What the footer offers in a pane, in its order."""
    offered = [command for command in COMMANDS if command.weight is not None and pane in command.panes]
    return tuple(sorted(offered, key=lambda command: command.weight or 0))
