"""Every command, declared once: its keys, words and availability feed bindings, footer, palette and help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.tui.actions import (
    Stage,
    draw_as,
    go_deeper,
    go_up,
    move,
    read_on,
    run_cell,
    run_shown,
    toggle_folds,
    toggle_zoom,
    turn_to,
    why_not_back,
    why_not_cell,
    why_not_open,
    why_not_read,
    why_not_shown,
    why_not_stop,
)
from workbench.tui.place import Motion
from workbench.tui.reading import next_case, next_difference
from workbench.tui.state import SessionState
from workbench.tui.view.layout import Pane, SideBySide

__all__ = ["COMMANDS", "GROUPS", "Command", "command_of", "footer_of"]


def _always(state: SessionState) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Command:
    """`keys` as typed, the first of them shown. `why_not` gives the reason why it cannot be used now.

    `panes` are those in which the footer offers it; `weight` orders the footer, lowest first, and
    None keeps it out. `label` is at most two words, `help` one sentence.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    act: Callable[[Stage], None]
    why_not: Callable[[SessionState], str | None] = _always
    panes: tuple[Pane, ...] = tuple(Pane)
    weight: int | None = None

    @property
    def name(self) -> str:
        """The command in words, for the palette."""
        return self.id.replace("-", " ")

    @property
    def binding(self) -> str:
        """The keys as a binding takes them."""
        return ",".join(self.keys)

    @property
    def shown_key(self) -> str:
        """The first key as the footer shows it."""
        return self.shown_keys[0]

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The keys as people know them."""
        return tuple(_SHOWN.get(key, key) for key in self.keys)


_SHOWN = {
    "enter": "⏎",
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


RUN, READ, MOVE, VIEW, APP = "Run", "Read", "Move", "View", "Workbench"
GROUPS = (RUN, READ, MOVE, VIEW, APP)

COMMANDS: tuple[Command, ...] = (
    Command(
        "run-cell",
        ("r",),
        "run",
        "Run the chosen cell, and its bare arm beside it.",
        RUN,
        run_cell,
        why_not_cell,
        weight=1,
    ),
    Command(
        "run-shown",
        ("R",),
        "run all",
        "Run every arm and adapter that the matrix shows.",
        RUN,
        run_shown,
        why_not_shown,
        weight=2,
    ),
    Command(
        "stop",
        ("s",),
        "stop",
        "Stop the run and keep what is done; twice, without waiting.",
        RUN,
        lambda stage: stage.stop(),
        why_not_stop,
        weight=3,
    ),
    Command(
        "next-difference",
        ("]",),
        "next",
        "Go to the next difference, also in the next cell.",
        READ,
        read_on(next_difference, 1),
        why_not_read,
        weight=5,
    ),
    Command(
        "previous-difference",
        ("[",),
        "prev",
        "Go to the previous difference, also in the cell before.",
        READ,
        read_on(next_difference, -1),
        why_not_read,
        weight=6,
    ),
    Command(
        "next-case",
        ("}",),
        "next case",
        "Go to the next cell that differs, failed or has a finding.",
        READ,
        read_on(next_case, 1),
        why_not_read,
    ),
    Command(
        "previous-case",
        ("{",),
        "prev case",
        "Go to the previous cell that differs, failed or has a finding.",
        READ,
        read_on(next_case, -1),
        why_not_read,
    ),
    Command("up", ("up", "k"), "up", "One row up.", MOVE, move(Motion.UP)),
    Command("down", ("down", "j"), "down", "One row down.", MOVE, move(Motion.DOWN)),
    Command(
        "left",
        ("left", "h"),
        "left",
        "One column left; in the list, close a scenario.",
        MOVE,
        move(Motion.LEFT),
    ),
    Command(
        "right",
        ("right", "l"),
        "right",
        "One column right; in the list, open a scenario.",
        MOVE,
        move(Motion.RIGHT),
    ),
    Command("page-up", ("pageup", "ctrl+u", "b"), "page up", "One page up.", MOVE, move(Motion.PAGE_UP)),
    Command(
        "page-down",
        ("pagedown", "ctrl+d", "space"),
        "page down",
        "One page down.",
        MOVE,
        move(Motion.PAGE_DOWN),
    ),
    Command("top", ("g", "home"), "top", "The first row.", MOVE, move(Motion.TOP)),
    Command("bottom", ("G", "end"), "bottom", "The last row.", MOVE, move(Motion.BOTTOM)),
    Command(
        "open",
        ("enter",),
        "open",
        "One level deeper: list, matrix, comparison, comparison alone.",
        MOVE,
        go_deeper,
        why_not_open,
        weight=4,
    ),
    Command(
        "back",
        ("escape",),
        "back",
        "One level up.",
        MOVE,
        go_up,
        why_not_back,
        (Pane.MATRIX, Pane.COMPARISON),
        weight=8,
    ),
    Command("next-pane", ("tab",), "pane", "The next pane.", MOVE, turn_to(1), weight=9),
    Command("previous-pane", ("shift+tab",), "prev pane", "The previous pane.", MOVE, turn_to(-1)),
    Command(
        "fold",
        ("z",),
        "folds",
        "Open or fold the long parts that are the same on both sides.",
        VIEW,
        toggle_folds,
        panes=(Pane.COMPARISON,),
        weight=7,
    ),
    Command(
        "zoom", ("m",), "maximise", "Give the whole screen to this pane, or take it back.", VIEW, toggle_zoom
    ),
    Command(
        "view-auto",
        ("0",),
        "auto view",
        "Two sides beside each other where there is room.",
        VIEW,
        draw_as(SideBySide.AUTO),
    ),
    Command(
        "view-split",
        ("1",),
        "side by side",
        "Always two sides beside each other.",
        VIEW,
        draw_as(SideBySide.SPLIT),
    ),
    Command(
        "view-unified",
        ("2",),
        "one column",
        "Always one side below the other.",
        VIEW,
        draw_as(SideBySide.UNIFIED),
    ),
    Command(
        "theme",
        ("t",),
        "theme",
        "The next theme: dark, light, the terminal's own colours.",
        VIEW,
        lambda stage: stage.next_theme(),
    ),
    Command(
        "palette",
        (":", "ctrl+p"),
        "commands",
        "Find a command, a scenario or a prompt by name.",
        APP,
        lambda stage: stage.show_palette(),
        weight=10,
    ),
    Command(
        "help",
        ("?", "f1"),
        "help",
        "These keys, those of the focused pane first.",
        APP,
        lambda stage: stage.show_help(),
        weight=11,
    ),
    Command(
        "quit",
        ("q",),
        "quit",
        "Leave; a run that goes on keeps what is done.",
        APP,
        lambda stage: stage.leave(),
        weight=12,
    ),
)

_BY_ID = {command.id: command for command in COMMANDS}


def command_of(name: str) -> Command:
    """The command of that id. Raises KeyError."""
    return _BY_ID[name]


def footer_of(pane: Pane) -> tuple[Command, ...]:
    """What the footer offers in a pane, in its order."""
    offered = [command for command in COMMANDS if command.weight is not None and pane in command.panes]
    return tuple(sorted(offered, key=lambda command: command.weight or 0))
