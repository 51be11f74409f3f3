"""Rows of a document by themselves: a preview, a list of problems. No cursor, and no sides."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from workbench.core.text import SafeText
from workbench.tui.view.ink import Line
from workbench.tui.view.page import Page
from workbench.tui.view.paper import Document
from workbench.tui.view.rows import DocRow
from workbench.tui.widgets.inked import InkView

__all__ = ["RowsView"]


class RowsView(InkView, can_focus=False):
    """Lays rows out in its width and scrolls; what is drawn is what is in view."""

    DEFAULT_CSS = """
    RowsView { overflow-x: hidden; border: round $border-blurred; background: $background;
               border-title-color: $foreground; border-title-background: $background;
               border-subtitle-color: $foreground; border-subtitle-background: $background; }
    """

    class LaidOut(Message):
        """It is known how many screen lines the rows take."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[DocRow, ...] = ()
        self._page: Page | None = None
        self._subject: object = None

    def show(self, rows: Sequence[DocRow], title: Line, subject: object = None) -> None:
        """Other rows; with the same `subject` the place is kept."""
        self._rows = tuple(rows)
        self.entitle(title)
        if subject != self._subject:
            self._subject = subject
            self.jump(0)
        self._lay_out()

    @property
    def height_needed(self) -> int:
        """Screen lines of all rows."""
        return self._page.height if self._page is not None else len(self._rows)

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width >= 8:
            self._page = Page(Document((None, SafeText("")), self._rows), width, split=False)
            self.virtual_size = Size(0, self._page.height)
            self.post_message(self.LaidOut())
        self.refresh()

    def on_resize(self) -> None:
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        if self._page is None:
            return self.draw(())
        return self.draw(self._page.line(y + int(self.scroll_offset.y)))
