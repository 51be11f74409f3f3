"""The stored runs as palette entries: the chosen one becomes the baseline."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.fuzzy import FuzzySearch

from workbench.core.errors import WorkbenchError
from workbench.core.text import join, safe, visible
from workbench.store.records import RunSummary
from workbench.tui.palette import Entry
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Line, Piece, Tone, ink, plain
from workbench.tui.widgets.safe import content

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen

__all__ = ["RunCommands", "run_line"]

NAMES_MAX = 48


def run_line(run: RunSummary) -> Line:
    """One run: when, how much of it, and over what."""
    when = visible(run.started[:16].replace("T", " "))
    names = cut(join([visible(name) for name in run.scenarios], ", "), NAMES_MAX)
    done = f"{run.done:,} trials" if run.finished else f"{run.done:,} of {run.total:,} trials"
    return (
        ink("compare with run: ", Tone.MUTED),
        Piece(when, Tone.STRONG),
        Piece(join((safe("  "), visible(run.id)))),
        ink(f"  {done}  ", Tone.MUTED),
        Piece(names),
    )


class RunCommands(Provider):
    """Offers every stored run of the workspace, the newest first."""

    async def startup(self) -> None:
        self._runs: tuple[RunSummary, ...] = ()
        main = self._main
        if main is not None and main.state.session.runs is not None:
            try:
                self._runs = await asyncio.to_thread(main.state.session.runs.listed)
            except WorkbenchError as error:
                main.taking.complain(error)

    @property
    def _main(self) -> MainScreen | None:
        from workbench.tui.screens.main import MainScreen

        return self.screen if isinstance(self.screen, MainScreen) else None

    def _entries(self) -> Iterator[Entry]:
        main = self._main
        if main is not None:
            for run in self._runs:
                yield Entry(run_line(run), partial(main.taking.hold_against, run.id))

    async def discover(self) -> Hits:
        for entry in self._entries():
            yield DiscoveryHit(content(entry.line), entry.act, text=str(plain(entry.line)))

    async def search(self, query: str) -> Hits:
        matcher = FuzzySearch()
        for entry in self._entries():
            words = str(plain(entry.line))
            score, places = matcher.match(query, words)
            if score > 0:
                display = content(entry.line)
                for place in places:
                    display = display.stylize("bold underline", place, place + 1)
                yield Hit(score, display, entry.act, text=words)
