"""Carries out what finds: the search line, the menu of filters, the letters of a jump."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.core.cell import CellKey
from workbench.core.text import visible
from workbench.tui.keymap import key_of
from workbench.tui.matches import count_matches, next_match
from workbench.tui.search import Search
from workbench.tui.sieve import Only
from workbench.tui.view.ink import Piece, Tone, ink
from workbench.tui.view.layout import Pane
from workbench.tui.widgets.comparison_view import ComparisonView

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen

__all__ = ["Seeking"]


class Seeking:
    """Changes what the state shows, and where it stands."""

    def __init__(self, main: MainScreen) -> None:
        self._main = main
        self._state = main.state
        self._began: CellKey | None = None

    # Search

    def search(self) -> None:
        """Ask for words, and show what they find while they are typed."""
        from workbench.tui.screens.searching import SearchScreen

        known = self._state.sieve.search
        self._began = self._state.place.key
        start = known.words if known is not None and known.pane is self._state.place.pane else ""
        self._main.app.push_screen(SearchScreen(start, self.look_for, self._told))

    def look_for(self, words: str | None) -> None:
        """Search for words in the focused pane; None or nothing ends the search."""
        pane = self._state.place.pane
        self._state.sieve.search = Search(pane, words) if words else None
        self._state.resieved()
        if words:
            self.next_match(0, quiet=True)
        elif self._began is not None and self._began != self._state.place.key:
            self._state.place.go_to(self._began)  # where one stood before anything was typed
        self._main.redraw()

    def next_match(self, step: int, quiet: bool = False) -> None:
        """Go to another match of the search, in the pane that was searched."""
        search = self._state.sieve.search
        if search is None:
            return
        if search.pane is Pane.COMPARISON:
            found = self._main.query_one(ComparisonView).find(search, step)
        else:
            found = next_match(self._state, search, step)
        if not quiet:
            self._state.place.pane = search.pane
            if not found:
                again = key_of(self._state, "search")
                self._main.tell(f"nothing matches; {again} searches for something else")
        self._main.redraw()

    def _told(self) -> str:
        """How much the search finds, in our own words."""
        search = self._state.sieve.search
        if search is None:
            return ""
        if search.pane is Pane.COMPARISON:
            view = self._main.query_one(ComparisonView)
            return f"{view.count(search):,} line{'' if view.count(search) == 1 else 's'}"
        count = count_matches(self._state, search)
        what = "prompt" if search.pane is Pane.SCENARIOS else "cell"
        return f"{count:,} {what}{'' if count == 1 else 's'}"

    # Filters

    def filter(self) -> None:
        """Choose a filter to turn on or off."""
        self._main.run_worker(self._filter(), exit_on_error=False)

    async def _filter(self) -> None:
        from workbench.tui.screens.dialog import Entry, MenuScreen

        sieve = self._state.sieve
        for scenario in self._state.scenarios:
            self._main.runner.plan(scenario)
        entries = [
            Entry("f", self._line(Only.FAILING.value, Only.FAILING in sieve.only), "f"),
            Entry("c", self._line(Only.CHANGED.value, Only.CHANGED in sieve.only), "c"),
            Entry("a", self._line("one adapter", sieve.adapter is not None), "a"),
            Entry("i", self._line("one way in", sieve.ingress is not None), "i"),
            Entry("x", self._line("show all", False), "x"),
        ]
        chosen = await self._main.app.push_screen_wait(MenuScreen((ink("show only"),), entries))
        match chosen:
            case "f" | "c":
                sieve.toggle(Only.FAILING if chosen == "f" else Only.CHANGED)
            case "a":
                sieve.adapter = await self._one_of("one adapter", self._adapters, sieve.adapter)
            case "i":
                sieve.ingress = await self._one_of("one way in", sieve.ingresses, sieve.ingress)
            case "x":
                sieve.clear()
            case _:
                return
        self._state.resieved()
        self._main.redraw()

    @staticmethod
    def _line(words: str, on: bool) -> tuple[Piece, ...]:
        return (ink("✓ " if on else "  ", Tone.OK), ink(words))

    @property
    def _adapters(self) -> tuple[str, ...]:
        columns = (name for scenario in self._state.scenarios for name in self._state.board.columns(scenario))
        return tuple(dict.fromkeys((*self._state.session.adapters, *columns)))

    async def _one_of(self, title: str, names: tuple[str, ...], now: str | None) -> str | None:
        """One of some names; all again where the chosen one is chosen once more."""
        from workbench.tui.screens.dialog import Entry, MenuScreen

        if not names:
            self._main.tell("there is none yet")
            return None
        keys = "123456789abcdefghilmnoprstuvwxyz"
        entries = [
            Entry(
                keys[number] if number < len(keys) else " ",
                (ink("✓ " if name == now else "  ", Tone.OK), Piece(visible(name))),
                name,
            )
            for number, name in enumerate(names)
        ]
        chosen = await self._main.app.push_screen_wait(MenuScreen((ink(title),), entries))
        return now if chosen is None else None if chosen == now else chosen

    def show_all(self) -> None:
        """Take filters and search away."""
        self._state.sieve.clear()
        self._state.resieved()
        self._main.redraw()

    # Jumps

    def jump(self) -> None:
        """Put letters on what is in view."""
        from workbench.tui.screens.jumping import JumpScreen, spots_of

        spots = spots_of(self._main)
        self._main.app.push_screen(JumpScreen(spots), partial(self._land))

    def _land(self, spot: object) -> None:
        from workbench.tui.screens.jumping import Spot

        if isinstance(spot, Spot):
            self._state.place.pane = spot.pane
            if spot.row is not None and spot.pane is Pane.SCENARIOS:
                self._state.place.select_row(spot.row)
            elif spot.row is not None:
                self._state.place.select_cell(spot.row, self._state.place.cursor[1])
        self._main.redraw()
