"""Commands that take something along: to the clipboard, or into a file."""

from __future__ import annotations

from collections.abc import Callable

from workbench.tui.commands.command import Act, Command
from workbench.tui.state import SessionState
from workbench.tui.taking import Taken, why_not_take

__all__ = ["COMMANDS"]

GROUP = "Take along"


def take(what: Taken) -> Act:
    return lambda stage: stage.taking.take(what)


def why_not(what: Taken) -> Callable[[SessionState], str | None]:
    return lambda state: why_not_take(state, what)


def why_not_export(state: SessionState) -> str | None:
    return None if state.place.key is not None else "there is no comparison here: choose a cell"


COMMANDS: tuple[Command, ...] = (
    Command(
        "copy-cell",
        ("y",),
        "copy",
        "Copy the report of this cell, as `workbench run` prints it.",
        GROUP,
        take(Taken.REPORT),
        why_not(Taken.REPORT),
    ),
    Command(
        "copy-command",
        ("Y",),
        "copy command",
        "Copy the command that shows this cell again.",
        GROUP,
        take(Taken.COMMAND),
        why_not(Taken.COMMAND),
    ),
    Command(
        "copy-case",
        ("c",),
        "copy case",
        "Copy prompt, envelope, document and adapter as a case of its own in YAML, no secrets.",
        GROUP,
        take(Taken.CASE),
        why_not(Taken.CASE),
    ),
    Command(
        "export",
        ("X",),
        "export",
        "Save this tab of the comparison, the whole of it, as SVG, HTML and Markdown.",
        GROUP,
        lambda stage: stage.taking.export(),
        why_not_export,
    ),
)
