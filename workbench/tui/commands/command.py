"""What a command is: keys, words and availability in one declaration, and the stage that it acts on."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from workbench.core.cell import CellKey
from workbench.tui.place import Motion
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.taking import Taken
from workbench.tui.view.layout import Pane

__all__ = ["Act", "Author", "Command", "Explainer", "Follower", "Keeper", "Seeker", "Stage", "Taker"]


class Author(Protocol):
    """What commands that write ask for; each may open a dialog, and says what was written where."""

    def edit_outside(self) -> None: ...

    def edit_here(self) -> None: ...

    def begin(self) -> None: ...

    def paste(self) -> None: ...

    def freeze(self) -> None: ...

    def accept(self) -> None: ...


class Taker(Protocol):
    """What commands that take something along ask for."""

    def take(self, what: Taken) -> None:
        """Copy something of the chosen cell."""

    def export(self) -> None:
        """Save the comparison that is shown as files."""

    def choose_run(self) -> None:
        """Let an earlier run be chosen as the baseline."""


class Keeper(Protocol):
    """What commands that run again, and let run, ask for."""

    def run_only(self, target: Target, keys: Collection[CellKey]) -> None:
        """Run some cells of a target."""

    def welcome(self) -> None:
        """Offer ways to begin."""

    def ask_trust(self) -> None:
        """Show what the adapters start, and trust them if that is wanted."""


class Explainer(Protocol):
    """What the command that asks why asks for."""

    def explain(self, key: CellKey) -> None:
        """Find the words that moved a cell's decision, or show them where they are known."""


class Follower(Protocol):
    """What the command that follows a log asks for."""

    def follow_log(self) -> None:
        """Ask which, and show it as it grows."""


class Seeker(Protocol):
    """What commands that find ask for."""

    def search(self) -> None: ...

    def next_match(self, step: int) -> None: ...

    def filter(self) -> None: ...

    def show_all(self) -> None: ...

    def jump(self) -> None: ...


class Stage(Protocol):
    """What a command acts on: the state, and the few things that only a screen can do."""

    state: SessionState

    @property
    def authoring(self) -> Author:
        """Writes files."""

    @property
    def taking(self) -> Taker:
        """Takes things along."""

    @property
    def seeking(self) -> Seeker:
        """Finds."""

    @property
    def explaining(self) -> Explainer:
        """Asks why."""

    @property
    def logs(self) -> Follower:
        """Follows logs."""

    @property
    def upkeep(self) -> Keeper:
        """Runs again, and lets run."""

    def redraw(self) -> None:
        """Show the state as it is now."""

    def follow(self) -> None:
        """Show that the cursor moved, then what that leads to."""

    def run(self, target: Target) -> None:
        """Start a run."""

    def stop(self) -> None:
        """Ask the run to end."""

    def page(self) -> int:
        """Rows that the focused pane shows."""

    def scroll(self, motion: Motion) -> None:
        """Scroll the comparison."""

    def tell(self, words: str) -> None:
        """A few of our own words, for a moment."""

    def show_help(self) -> None: ...

    def show_palette(self) -> None: ...

    def next_theme(self) -> None: ...

    def leave(self) -> None:
        """End the program; a run that goes on is stopped first."""


Act = Callable[[Stage], None]


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
        return next(iter(self.shown_keys), "")

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
