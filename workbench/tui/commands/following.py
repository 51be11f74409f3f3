"""The command that follows a log of past turns as it grows."""

from __future__ import annotations

from workbench.tui.commands.command import Command
from workbench.tui.state import SessionState

__all__ = ["COMMANDS"]

GROUP = "Logs"


def why_not(state: SessionState) -> str | None:
    return None if state.session.follow is not None else "logs cannot be followed here"


COMMANDS: tuple[Command, ...] = (
    Command(
        "follow-log",
        ("L",),
        "follow log",
        "Follow a log as it grows, a line per turn; a turn routed on too much is marked.",
        GROUP,
        lambda stage: stage.logs.follow_log(),
        why_not,
    ),
)
