"""Commands of the program itself."""

from __future__ import annotations

from workbench.tui.commands.command import Command

__all__ = ["COMMANDS"]

GROUP = "Workbench"


COMMANDS: tuple[Command, ...] = (
    Command(
        "palette",
        (":", "ctrl+p"),
        "commands",
        "Find a command, a scenario or a prompt by name.",
        GROUP,
        lambda stage: stage.show_palette(),
        weight=10,
    ),
    Command(
        "help",
        ("?", "f1"),
        "help",
        "These keys, those of the focused pane first.",
        GROUP,
        lambda stage: stage.show_help(),
        weight=11,
    ),
    Command(
        "quit",
        ("q",),
        "quit",
        "Leave; a run that goes on keeps what is done.",
        GROUP,
        lambda stage: stage.leave(),
        weight=12,
    ),
)
