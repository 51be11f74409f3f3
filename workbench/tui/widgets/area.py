"""The door of what is typed into: a text area that draws marks for what is invisible, and keeps it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.widgets import TextArea

from workbench.core.text import is_invisible, mark
from workbench.tui.view.ink import Tone

__all__ = ["SafeArea"]


class _StandIns:
    """Each invisible character as a private one of its own, and back: nothing is lost on the way.

    A text area counts characters and splits lines by itself, so that a mark must be one character too.
    """

    FIRST = 0xF0000

    def __init__(self) -> None:
        self._of: dict[int, str] = {}
        self._raw: dict[int, str] = {}
        self._marks: dict[int, str] = {}

    def put(self, text: str) -> str:
        """A raw text as the area holds it."""
        for char in set(text):
            if char != "\n" and ord(char) not in self._of and is_invisible(char):
                stand_in = self.FIRST + len(self._raw)
                self._of[ord(char)] = chr(stand_in)
                self._raw[stand_in] = char
                shown = mark(char)
                self._marks[stand_in] = shown if len(shown) == 1 else "\ufffd"
        return text.translate(self._of)

    def raw(self, text: str) -> str:
        """What the area holds as the raw text that it stands for."""
        return text.translate(self._raw) if self._raw else text

    def drawn(self, text: str) -> str:
        """What the area holds as it is drawn: as many characters, none of them invisible."""
        return text.translate(self._marks)


class SafeArea(TextArea):
    """A text area that may hold anything: what is invisible is drawn as a mark, and given back as it was.

    Read `raw` and load that; `text` is only what it holds inside.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{tone}" for tone in Tone}
    DEFAULT_CSS = "\n".join(f"SafeArea > .ink--{tone} {{ color: $ink-{tone}; }}" for tone in Tone)

    def __init__(self, raw: str = "", **settings: Any) -> None:
        self._stand_ins = _StandIns()
        super().__init__(self._stand_ins.put(raw), **settings)

    @property
    def raw(self) -> str:
        """The text, every character as it came in, lines ended by line feeds."""
        return self._stand_ins.raw(self.text)

    def load_raw(self, raw: str) -> None:
        """Another text; what was there cannot be had back."""
        self.load_text(self._stand_ins.put(raw))

    def put_raw(self, raw: str) -> None:
        """Another text in place of all, as an edit that can be undone."""
        self.replace(self._stand_ins.put(raw), (0, 0), self.document.end)

    def insert_raw(self, raw: str) -> None:
        """Text in place of what is selected, as if it had been typed."""
        if not self.read_only:
            self.replace(self._stand_ins.put(raw), *self.selection, maintain_selection_offset=False)

    def raw_line(self, number: int) -> str:
        """One line, counted from 0, as it came in."""
        return self._stand_ins.raw(self.document.get_line(number))

    @property
    def raw_at_cursor(self) -> str:
        """The character under the cursor; empty at the end of a line."""
        row, column = self.cursor_location
        return self.raw_line(row)[column : column + 1]

    @property
    def is_marked_at_cursor(self) -> bool:
        """Whether a mark stands under the cursor for a character that cannot be seen."""
        row, column = self.cursor_location
        return column in self.marked(row)

    def marked(self, number: int) -> tuple[int, ...]:
        """Where in a line a mark stands for a character."""
        line = self.document.get_line(number)
        if line.isascii():
            return ()
        return tuple(at for at, char in enumerate(line) if ord(char) >= _StandIns.FIRST)

    def tones_of(self, number: int) -> Iterable[tuple[int, int, Tone]]:
        """What the characters [start, end) of a line mean; the later ones prevail."""
        return ()

    def get_line(self, line_index: int) -> Text:
        line = Text(self._stand_ins.drawn(self.document.get_line(line_index)), end="", no_wrap=True)
        for start, end, tone in self.tones_of(line_index):
            line.stylize(self.get_component_rich_style(f"ink--{tone}", partial=True), start, end)
        return line

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        # A terminal sends a paste's line feeds as carriage returns.
        self.insert_raw(self.pasted(event.text.replace("\r\n", "\n").replace("\r", "\n")))

    def pasted(self, raw: str) -> str:
        """What becomes of a paste."""
        return raw

    def action_copy(self) -> None:
        super().action_copy()
        self._copy_raw()

    def action_cut(self) -> None:
        super().action_cut()
        self._copy_raw()

    def _copy_raw(self) -> None:
        raw = self._stand_ins.raw(self.app.clipboard)
        if raw != self.app.clipboard:
            self.app.copy_to_clipboard(raw)

    def action_paste(self) -> None:
        self.insert_raw(self.pasted(self.app.clipboard))
