"""Which files changed since the answers were given: told, offered as a rerun, and never run by itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.text import SafeText, join, safe, visible
from workbench.tui.view.layout import Pane

if TYPE_CHECKING:
    from workbench.tui.session import Target
    from workbench.tui.state import SessionState

__all__ = ["Stamp", "Watch", "changed", "offered", "stamps", "takes_enter"]

Stamp = tuple[int, int, int]
"""Time of change in nanoseconds, size, and number of a file: one of them differs after any write."""

SHOWN = 2


def stamps(paths: Iterable[Path]) -> dict[Path, Stamp | None]:
    """The stamp of each path; None where there is nothing, or nothing that may be looked at."""
    found: dict[Path, Stamp | None] = {}
    for path in paths:
        try:
            status = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            found[path] = None
        else:
            found[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found


def changed(before: Mapping[Path, Stamp | None], now: Mapping[Path, Stamp | None]) -> tuple[Path, ...]:
    """Paths known before whose stamp is another now."""
    return tuple(path for path, stamp in now.items() if path in before and before[path] != stamp)


class Watch:
    """Whether files are watched, and the names of those that changed since the last run began."""

    def __init__(self) -> None:
        self.on = True
        self.names: tuple[SafeText, ...] = ()

    def note(self, paths: Sequence[Path]) -> None:
        """These files changed."""
        self.names = tuple(dict.fromkeys((*self.names, *(visible(path.name) for path in paths))))

    def taken(self) -> None:
        """A run began: what is sent and who answers is read anew for it."""
        self.names = ()

    @property
    def told(self) -> SafeText | None:
        """Which files changed, in a few words; None where none did."""
        if not self.names:
            return None
        more = len(self.names) - SHOWN
        said = join(self.names[:SHOWN], ", ")
        return join((said, safe(f" and {more} more"))) if more > 0 else said


def offered(state: SessionState) -> Target | None:
    """The rerun that changed files call for: all that is shown. None where none does, or it cannot be run."""
    target = state.place.shown_target
    return target if state.watch.told is not None and state.why_not_run(target) is None else None


def takes_enter(state: SessionState) -> bool:
    """Whether enter takes up that offer: list and matrix use it to go deeper, the comparison can spare it."""
    return state.place.pane is Pane.COMPARISON and offered(state) is not None
