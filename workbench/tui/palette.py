"""The palette: commands that apply now, scenarios and prompts, found by name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.fuzzy import FuzzySearch
from textual.types import IgnoreReturnCallbackType

from workbench.core.text import visible
from workbench.tui.commands import commands_in, groups_in
from workbench.tui.place import RowKind, TreeRow
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Line, Piece, Tone, ink, plain
from workbench.tui.widgets.safe import content

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen

__all__ = ["WorkbenchCommands"]

NAME_MAX = 60


class Entry(NamedTuple):
    """One thing to choose, in ink."""

    line: Line
    act: IgnoreReturnCallbackType


class WorkbenchCommands(Provider):
    """Offers what can be used now; a prompt is gone to by its scenario and words."""

    @property
    def _main(self) -> MainScreen | None:
        from workbench.tui.screens.main import MainScreen

        return self.screen if isinstance(self.screen, MainScreen) else None

    def _commands(self, main: MainScreen) -> Iterator[Entry]:
        for group in groups_in(main.state):
            for command in commands_in(main.state):
                if command.group == group and command.why_not(main.state) is None:
                    line = (
                        ink(f"{group.lower()}: ", Tone.MUTED),
                        ink(command.name),
                        ink(f"  {command.shown_key}", Tone.MUTED),
                    )
                    yield Entry(line, partial(main.perform, command.id))

    def _rows(self, main: MainScreen) -> Iterator[Entry]:
        for name in main.state.scenarios:
            label = cut(visible(name), NAME_MAX)
            yield Entry(
                (ink("go to: ", Tone.MUTED), Piece(label)),
                partial(main.go_to, TreeRow(RowKind.SCENARIO, name)),
            )
            for prompt in main.state.prompts(name):
                said = prompt.id or prompt.text or "nothing typed"
                words = cut(visible(said[: NAME_MAX * 2]), NAME_MAX)
                line = (ink("go to: ", Tone.MUTED), Piece(label), ink(" › ", Tone.MUTED), Piece(words))
                yield Entry(line, partial(main.go_to, TreeRow(RowKind.PROMPT, name, prompt.label)))

    async def discover(self) -> Hits:
        main = self._main
        if main is None:
            return
        for entry in self._commands(main):
            yield DiscoveryHit(content(entry.line), entry.act, text=str(plain(entry.line)))

    async def search(self, query: str) -> Hits:
        main = self._main
        if main is None:
            return
        # Textual's own matcher makes markup of what it lights up, so only its arithmetic is used.
        matcher = FuzzySearch()
        for entry in (*self._commands(main), *self._rows(main)):
            words = str(plain(entry.line))
            score, places = matcher.match(query, words)
            if score > 0:
                display = content(entry.line)
                for place in places:
                    display = display.stylize("bold underline", place, place + 1)
                yield Hit(score, display, entry.act, text=words)
