"""Carries out what takes something along: clipboards, files, and an earlier run as the baseline."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.command import CommandPalette

from workbench.core.text import SafeText, join, safe, visible
from workbench.tui import clipboard
from workbench.tui.baseline import PinnedRun
from workbench.tui.keymap import key_of
from workbench.tui.run_palette import RunCommands
from workbench.tui.runner import problems_of
from workbench.tui.taking import Parcel, Taken, pack, slug
from workbench.tui.themes import picture_colours
from workbench.tui.view.export import as_html, as_markdown, as_svg, picture
from workbench.tui.view.ink import plain
from workbench.tui.view.paper import Document
from workbench.tui.view.title import comparison_title
from workbench.tui.widgets.safe import toast

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen

__all__ = ["Taking"]

TITLE = 400
"""Cells that the title of an exported comparison may take."""


class Taking:
    """Works beside the screen, which is never kept waiting, and says in a toast what came of it."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._going: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._going)

    def take(self, what: Taken) -> None:
        """Copy something of the chosen cell, by every way that there is."""
        self._spawn(self._take(what))

    def export(self) -> None:
        """Save the tab that is shown, the whole of it, as SVG, HTML and Markdown."""
        state = self._screen.state
        key = state.place.key
        if key is None:
            return
        shown = self._screen.shown_document.on(state.place.tab)
        place = visible(f"{key.scenario}#{key.prompt}")
        title = join((place, safe(": "), plain(comparison_title(state, shown, TITLE))))
        tab = f"-{state.place.tab.value.lower()}" if self._screen.shown_document.tabs else ""
        self._spawn(self._export(f"{slug(key)}{tab}", title, shown))

    def choose_run(self) -> None:
        """Open the palette on the stored runs."""
        self._screen.app.push_screen(CommandPalette(providers=[RunCommands]))

    def hold_against(self, run: str) -> None:
        """Load a stored run and make it the baseline."""
        self._spawn(self._hold_against(run))

    def complain(self, error: BaseException) -> None:
        """Say what went wrong."""
        toast(self._screen.app, visible(problems_of(error)[0].message), severity="error")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(work))
        self._going.add(task)
        task.add_done_callback(self._going.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            self.complain(error)

    async def _take(self, what: Taken) -> None:
        state = self._screen.state
        parcel = await asyncio.to_thread(pack, state, what)
        if parcel is None:
            return
        text = clipboard.readable(parcel.text)
        self._screen.app.copy_to_clipboard(text)
        argv = clipboard.tool()
        taken = argv is not None and await asyncio.to_thread(clipboard.hand_over, text, argv)
        file = await asyncio.to_thread(self._kept, parcel)
        root = state.session.outbox.root if state.session.outbox is not None else Path()
        name = argv[0] if argv is not None and taken else None
        toast(self._screen.app, clipboard.told(what.value, len(text.encode()), name, file, root))

    def _kept(self, parcel: Parcel) -> Path | None:
        """The file that a parcel is kept in too; None where there can be none."""
        outbox = self._screen.state.session.outbox
        if outbox is None:
            return None
        try:
            return clipboard.keep(outbox.root, parcel.file, parcel.text)
        except Exception:
            # The clipboards have it by now, and the toast names only what took it.
            return None

    async def _export(self, name: str, title: SafeText, document: Document) -> None:
        state, app = self._screen.state, self._screen.app
        if state.session.outbox is None:
            self._screen.tell("there is no workspace here to save it in")
            return
        root = state.session.outbox.root
        colours = picture_colours(app.current_theme.dark)
        unfolded, context = state.unfolded, state.context

        def write() -> list[Path]:
            wide = picture(document, title, colours, split=True, unfolded=unfolded, context=context)
            narrow = picture(document, title, colours, split=False, unfolded=unfolded, context=context)
            made = {"svg": as_svg(wide), "html": as_html(wide), "md": as_markdown(narrow)}
            return [clipboard.keep(root, f"{name}.{kind}", text) for kind, text in made.items()]

        files = await asyncio.to_thread(write)
        folder = files[0].parent
        place = folder.relative_to(root) if folder.is_relative_to(root) else folder
        listed = join([visible(file.name) for file in files], ", ")
        toast(app, safe("saved in "), visible(str(place)), safe(": "), listed)

    async def _hold_against(self, run: str) -> None:
        state = self._screen.state
        if state.session.runs is None:
            return
        loaded, findings = await asyncio.to_thread(state.session.runs.load, run)
        state.comparisons.pin(PinnedRun.made(loaded, findings))
        toast(
            self._screen.app,
            safe("every cell is held against run "),
            visible(loaded.id),
            safe(f" now; {key_of(state, 'unpin')} lets go of it"),
        )
        self._screen.redraw()
