"""Line-API widgets in ink: rows are data, only what is in view is drawn, and tones become colours here."""

from __future__ import annotations

from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from workbench.tui.place import Motion, step
from workbench.tui.search import Search
from workbench.tui.view.ink import Line
from workbench.tui.widgets.paint import Paint
from workbench.tui.widgets.safe import content

__all__ = ["InkBar", "InkView"]


class InkBar(Widget):
    """One line of ink that does not scroll."""

    DEFAULT_CSS = "InkBar { height: 1; background: $background; color: $foreground; }"

    def __init__(self) -> None:
        super().__init__()
        self._palette = Paint(self)

    def notify_style_update(self) -> None:
        self._palette.clear()
        super().notify_style_update()

    def line(self, width: int) -> Line:
        """What to draw."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        return self._palette.strip(self.line(self.size.width), self.size.width)


class InkView(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of ink that scroll; keys come from the commands, so it has none of its own."""

    DEFAULT_CSS = """
    InkView {
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        background: $background;
        color: $foreground;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._titles: tuple[Line, Line] | None = None
        self.search: Search | None = None
        self._palette = Paint(self)

    def notify_style_update(self) -> None:
        self._palette.clear()
        super().notify_style_update()

    def entitle(self, title: Line, subtitle: Line = ()) -> None:
        """What stands in the border; a border is drawn as a whole, so only what is new is."""
        if (title, subtitle) != self._titles:
            self._titles = (title, subtitle)
            self.border_title = content(title)
            self.border_subtitle = content(subtitle)

    @property
    def cursor_style(self) -> str:
        """How the chosen row is drawn: it stays to be seen when the focus is elsewhere."""
        return "cursor" if self.has_focus else "cursor-blurred"

    def refresh_screen_line(self, y: int) -> None:
        """Draw one line in view again, counted from the top of the view."""
        if 0 <= y < self.scrollable_content_region.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def draw(self, line: Line, cursor: str = "") -> Strip:
        """A line as wide as the view."""
        if self.search is not None:
            line = self.search.light(line)
        return self._palette.strip(line, self.scrollable_content_region.width, cursor)

    def seek(self, search: Search | None) -> None:
        """Light what a search finds; None: nothing is searched for here."""
        if search != self.search:
            self.search = search
            self.refresh()

    @property
    def page_size(self) -> int:
        """Rows that are in view."""
        return max(1, self.scrollable_content_region.height)

    def jump(self, y: int) -> None:
        """Put row `y` at the top, at once."""
        # Forced: rows that have just become many have no scroll bar yet, and would not be scrolled.
        self.scroll_to(y=y, animate=False, force=True)

    def scroll_by(self, motion: Motion) -> None:
        """Scroll without a cursor."""
        top = int(self.scroll_offset.y)
        self.jump(step(top, motion, max(1, int(self.max_scroll_y) + 1), max(1, self.page_size - 2)))
