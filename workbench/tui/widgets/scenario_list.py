"""The scenario list: scenarios, their prompts, and the files that do not load."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from workbench.tui.view.ink import Line
from workbench.tui.widgets.inked import InkView

__all__ = ["ScenarioList"]


class ScenarioList(InkView):
    """Draws the rows in view, each asked for when it is needed."""

    class Chosen(Message):
        """A row was clicked, the chosen one or another."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
        self._row = 0
        self._line: Callable[[int, int], Line] = lambda row, width: ()

    def show(self, count: int, row: int, line: Callable[[int, int], Line]) -> None:
        """`count` rows with the cursor on `row`; `line` gives row and width to ink."""
        self._count, self._row, self._line = count, row, line
        self.virtual_size = Size(0, count)
        self._follow()
        self.refresh()

    def move(self, row: int) -> None:
        """The cursor elsewhere in the same rows."""
        if row != self._row:
            before, self._row = self._row, row
            self._follow()
            for number in (before, row):
                self.refresh_screen_line(number - int(self.scroll_offset.y))

    def on_resize(self) -> None:
        self._follow()

    def _follow(self) -> None:
        if not self.scrollable_content_region.height:  # it has no place yet
            return
        top, page = int(self.scroll_offset.y), self.page_size
        if not top <= self._row < top + page:
            self.jump(self._row if self._row < top else self._row - page + 1)

    def render_line(self, y: int) -> Strip:
        row = y + int(self.scroll_offset.y)
        if row >= self._count:
            return self.draw(())
        width = self.scrollable_content_region.width
        return self.draw(self._line(row, width), self.cursor_style if row == self._row else "")

    def on_click(self, event: events.Click) -> None:
        row = event.get_content_offset_capture(self).y + int(self.scroll_offset.y)
        if 0 <= row < self._count:
            self.post_message(self.Chosen(row))
