"""The two bars: what goes on, and which keys do what here and now."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message

from workbench.core.text import safe
from workbench.tui.commands import Command
from workbench.tui.state import SessionState
from workbench.tui.view.cells import width_of
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.status import offer_line, status_line
from workbench.tui.widgets.inked import InkBar

__all__ = ["KeyBar", "StatusBar"]


class StatusBar(InkBar):
    """The workspace, what was found, and the run."""

    def __init__(self, state: SessionState) -> None:
        super().__init__()
        self._state = state
        self._told: tuple[object, ...] = ()

    def show(self) -> None:
        """Draw what has changed since it was drawn last."""
        told = (self._state.version, self._state.progress.seconds, self._state.place.pane)
        if told != self._told:
            self._told = told
            self.refresh()

    def line(self, width: int) -> Line:
        return status_line(self._state, width)

    def on_click(self, event: events.Click) -> None:
        # The offer stands at the right edge, one cell from it.
        offer = width_of(offer_line(self._state, self.size.width))
        if offer and event.x >= self.size.width - offer - 1:
            self.post_message(KeyBar.Pressed("run-shown"))


class KeyBar(InkBar):
    """Keys and their words, greyed where they cannot be used now; a click is a key press."""

    class Pressed(Message):
        """A command was clicked."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self) -> None:
        super().__init__()
        self._offered: tuple[tuple[Command, bool], ...] = ()

    def show(self, offered: Sequence[tuple[Command, bool]]) -> None:
        """Commands, each with whether it can be used now."""
        if tuple(offered) != self._offered:
            self._offered = tuple(offered)
            self.refresh()

    def _fitting(self, width: int) -> list[tuple[Command, Line]]:
        """Those that fit; help and quit always do, so that nobody is lost."""
        entries = [(command, _entry(command, usable)) for command, usable in self._offered]
        over = sum(width_of(line) for _, line in entries) - width
        for entry in reversed([entry for entry in entries if entry[0].id not in ("help", "quit")]):
            if over <= 0:
                break
            entries.remove(entry)
            over -= width_of(entry[1])
        return entries

    def line(self, width: int) -> Line:
        return tuple(piece for _, line in self._fitting(width) for piece in line)

    def on_click(self, event: events.Click) -> None:
        edge = 0
        for command, line in self._fitting(self.size.width):
            edge += width_of(line)
            if event.x < edge:
                self.post_message(self.Pressed(command.id))
                return


def _entry(command: Command, usable: bool) -> Line:
    key: Piece = ink(f" {command.shown_key}", Tone.KEY if usable else Tone.HATCH)
    return (key, ink(safe(f" {command.label} "), Tone.PLAIN if usable else Tone.HATCH))
