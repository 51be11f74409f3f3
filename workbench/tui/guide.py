"""The guided walk as the screen plays it: which step is on, what it still has to do, when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.cell import CellKey
from workbench.core.text import SafeText, visible
from workbench.tui.keymap import key_of
from workbench.tui.session import Target

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["ExplainedSentence", "Guide", "RatedSentence", "Stop", "Walk", "stand_on"]

SEARCHING = "They are being looked for."

COUNTING = "… of … with the file, … of … without: nothing is known before the run is over"
"""Stands where a verdict will: about as long, so that the panes stay where they are."""


class RatedSentence(NamedTuple):
    """A sentence of a caption with a verdict in it, that the run of the step says. `at` is its cell."""

    at: CellKey
    before: str
    after: str


class ExplainedSentence(NamedTuple):
    """A sentence of a caption with the words that moved its cell, and the calls that it took to find them."""

    before: str
    between: str
    after: str


@dataclass(frozen=True, slots=True)
class Stop:
    """One step. `at` is the cell to stand on, `run` what has to be run once; the last has neither.

    `difference` is the one to have in view, from 0. `caption` is running text, or with `lines` one line each;
    `rated` goes on with it, and has the rates in view; `lanes` has the lanes of the request in view.
    `explained` goes on with it once it is known why the decision at `at` moved, which the step finds out.
    """

    title: str
    caption: tuple[str, ...]
    at: CellKey | None = None
    run: Target | None = None
    difference: int = 0
    lines: bool = False
    rated: tuple[RatedSentence, ...] = ()
    explained: ExplainedSentence | None = None
    lanes: bool = False


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
        self._words: dict[CellKey, SafeText] = {}
        self._asked: set[int] = set()
        self._why: dict[CellKey, tuple[int, SafeText, str]] = {}

    @property
    def stop(self) -> Stop:
        """The step that is on."""
        return self.walk.stops[self.number]

    def told(self, stop: Stop) -> tuple[str, ...]:
        """The caption of a step, with what is known of its rates by now."""
        rated = (f"{one.before}{self._words.get(one.at, COUNTING)}{one.after}" for one in stop.rated)
        return (*stop.caption, *rated, *self._explained(stop))

    def _explained(self, stop: Stop) -> tuple[str, ...]:
        if stop.explained is None or stop.at is None:
            return ()
        known = self._why.get(stop.at)
        if known is None:
            return (SEARCHING,)
        calls, words, key = known
        said = f"{stop.explained.before}{calls}{stop.explained.between}{words}{stop.explained.after}"
        return (said, f"{key} shows them in place.")

    def listen(self, state: SessionState) -> None:
        """Take the verdicts of the step from what was judged."""
        for one in self.stop.rated:
            judged = state.rates.of(state.board.cells.get(one.at))
            if judged is not None and judged.reading is not None:
                self._words[one.at] = visible(judged.reading.words)
        at = self.stop.at
        found = state.explanations.of(at) if at is not None and self.stop.explained is not None else None
        if at is not None and found is not None and found.cause:
            from workbench.explain.wording import words_of

            self._why[at] = (found.calls, words_of(found), key_of(state, "explain"))

    @property
    def is_last(self) -> bool:
        return self.number == len(self.walk.stops) - 1

    def why_not(self, step: int) -> str | None:
        """Why the walk cannot go on (1) or back (-1); None where it can."""
        if 0 <= self.number + step < len(self.walk.stops):
            return None
        return "the walk ends here" if step > 0 else "the walk begins here"

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

    def to_explain(self, state: SessionState) -> CellKey | None:
        """The cell whose decision the step still has to explain, once it has its answer."""
        at = self.stop.at
        if self.stop.explained is None or at is None or self.number in self._asked or self.to_run is not None:
            return None
        return at if at in state.board.cells and state.place.key == at else None

    def asked(self) -> None:
        """The explanation of the step is on its way."""
        self._asked.add(self.number)

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
