"""The guided walk as the screen plays it: which step is on, what it still has to do, when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.cell import CellKey
from workbench.tui.session import Target

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["Guide", "Stop", "Walk", "stand_on"]


@dataclass(frozen=True, slots=True)
class Stop:
    """One step. `at` is the cell to stand on, `run` what has to be run once; the last has neither.

    `difference` is the one to have in view, from 0. `caption` is running text, or with `lines` one line each.
    """

    title: str
    caption: tuple[str, ...]
    at: CellKey | None = None
    run: Target | None = None
    difference: int = 0
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps in their order, all in our own words. `auto`: seconds after which each goes on by itself."""

    stops: tuple[Stop, ...]
    auto: float | None = None


class Guide:
    """Where a walk is. Times are seconds of a monotonic clock, handed in."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.number = 0
        self._arrived = False
        self._aimed = False
        self._ran: set[int] = set()
        self._since: float | None = None

    @property
    def stop(self) -> Stop:
        """The step that is on."""
        return self.walk.stops[self.number]

    @property
    def is_last(self) -> bool:
        return self.number == len(self.walk.stops) - 1

    def why_not(self, step: int) -> str | None:
        """Why the walk cannot go on (1) or back (-1); None where it can."""
        if 0 <= self.number + step < len(self.walk.stops):
            return None
        return "the walk ends here; q leaves" if step > 0 else "the walk begins here"

    def go(self, step: int) -> None:
        """Go on (1) or back (-1). What was run is not run again."""
        if self.why_not(step) is None:
            self.number += step
            self._arrived = self._aimed = False
            self._since = None

    @property
    def goal(self) -> CellKey | None:
        """The cell that the step wants to stand on and does not yet; None once it did, however it went on."""
        return None if self._arrived else self.stop.at

    def arrived(self) -> None:
        """The cell of the step is chosen; where the user goes from there is the user's affair."""
        self._arrived = True

    @property
    def aim(self) -> int | None:
        """The difference that the step still wants in view, once its cell has something to show."""
        return None if self._aimed or not self._arrived or not self.stop.difference else self.stop.difference

    def aimed(self) -> None:
        """The difference is in view, or the user looks elsewhere."""
        self._aimed = True

    @property
    def to_run(self) -> Target | None:
        """What the step still has to run."""
        return None if self.number in self._ran else self.stop.run

    def began(self) -> None:
        """The run of the step is on its way."""
        self._ran.add(self.number)

    def wait(self) -> None:
        """The user does something, or a run is on: the time of the step begins anew after that."""
        self._since = None

    def is_over(self, now: float) -> bool:
        """Whether the step has been there for its time. Never without `auto`."""
        if self.walk.auto is None:
            return False
        if self._since is None:
            self._since = now
        return now - self._since >= self.walk.auto


def stand_on(state: SessionState, key: CellKey) -> bool:
    """Choose a cell anywhere, if it is known by now; returns whether it is chosen."""
    if state.prompt(key.scenario, key.prompt) is None:
        return False
    state.place.go_to(key)
    return state.place.key == key
