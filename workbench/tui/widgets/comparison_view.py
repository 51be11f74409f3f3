"""The comparison: two sides of one document, however long, drawn line by line."""

from __future__ import annotations

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from workbench.tui.darkness import AtDark
from workbench.tui.search import Search
from workbench.tui.view.ink import plain
from workbench.tui.view.layout import SideBySide, is_split
from workbench.tui.view.page import Page
from workbench.tui.view.paper import Document
from workbench.tui.view.tabs import Tab, tab_at, tab_line
from workbench.tui.widgets.inked import InkView

__all__ = ["ComparisonView"]

SEARCHED = 20_000  # lines of a page that are searched: a key press must not wait for more
ABOVE = 2  # lines that stay in view above a difference


class ComparisonView(InkView):
    """Lays a document out in its width, and keeps its place through a resize."""

    DEFAULT_CSS = "ComparisonView { overflow-x: hidden; }"

    class FoldClicked(Message):
        """A line that stands for others was clicked."""

    class TabClicked(Message):
        """The name of a tab was clicked."""

        def __init__(self, tab: Tab) -> None:
            super().__init__()
            self.tab = tab

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self._tab = Tab.WINDOW
        self._marked: tuple[Tab, ...] = ()
        self._tabbed = False
        self._asked = SideBySide.AUTO
        self._unfolded = False
        self._more = 0
        self._difference: int | None = None
        self._stop: AtDark | None = None
        self._page: Page | None = None
        self._above = 0
        self._drawn: tuple[object, ...] = ()
        self._subject: object = None
        self._hits: tuple[Page, Search, tuple[int, ...]] | None = None
        self._hit = -1

    def show(
        self,
        whole: Document,
        about: object,
        asked: SideBySide,
        unfolded: bool,
        difference: int,
        tab: Tab = Tab.WINDOW,
        stop: AtDark | None = None,
        context: int = 0,
    ) -> None:
        """One tab of a document, with one of its differences lit, and in view when it is a new one.

        `about` says what it is about: with a new document on the same one the place is kept. `stop`: the
        dark text to light, and to bring into view when it is newly gone to. `context`: so many rows more
        than the usual ones stand round a difference.
        """
        document, subject = whole.on(tab), (about, tab)
        stop = stop if document.stops else None
        drawn = (document, asked, unfolded, context, difference, stop)
        if drawn == self._drawn:
            return
        self._tab, self._marked = tab, whole.marked
        self._tabbed = bool(whole.tabs)
        fresh = subject != self._subject
        moved = fresh or difference != self._difference or not (self._document and self._document.differences)
        relaid = drawn[:4] != self._drawn[:4]
        arrived = stop if stop != self._stop or fresh else None
        self._drawn, self._subject, self._stop = drawn, subject, stop
        self._document, self._asked, self._unfolded, self._more = document, asked, unfolded, context
        self._difference = difference
        if relaid:
            self._lay_out(keep=not fresh)
        if arrived is not None:
            self._bring_up(arrived)
        elif moved and stop is None:
            self._go_to_difference(fresh)
        self.refresh()

    @property
    def side_count(self) -> int:
        """How many sides stand beside each other."""
        return 2 if self._page is not None and self._page.split else 1

    def _lay_out(self, keep: bool) -> None:
        width = self.scrollable_content_region.width
        if self._document is None or width < 8:
            return
        anchor = self._page.row_at(int(self.scroll_offset.y)) if keep and self._page is not None else 0
        split = is_split(self._asked, width)
        self._page = Page(self._document, width, split, self._unfolded, self._more)
        self._above = int(self._tabbed) + (0 if self._page.header() is None else 1)
        self.virtual_size = Size(0, self._page.height + self._above)
        self.jump(self._page.start_of(anchor))

    def _go_to_difference(self, fresh: bool) -> None:
        if self._page is None or self._difference is None:
            return
        top = self._page.top_of(self._difference)
        # The first difference of a fresh document is read from the top: headlines come before it.
        if fresh and self._difference == 0:
            self.jump(0)
        elif not int(self.scroll_offset.y) + ABOVE <= top < int(self.scroll_offset.y) + self.page_size - 2:
            self.jump(max(0, top - ABOVE))

    def _bring_up(self, stop: AtDark) -> None:
        if self._page is not None:
            top = self._page.line_of(stop.number)
            if not int(self.scroll_offset.y) + ABOVE <= top < int(self.scroll_offset.y) + self.page_size - 2:
                self.jump(max(0, top - ABOVE))

    def _found(self, search: Search) -> tuple[int, ...]:
        """The lines, in order, that hold what is searched for; of a huge page, among the first of them."""
        page = self._page
        if page is None:
            return ()
        if self._hits is None or self._hits[:2] != (page, search):
            lines = range(min(page.height, SEARCHED))
            self._hits = (page, search, tuple(y for y in lines if search.finds(plain(page.line(y)))))
        return self._hits[2]

    def count(self, search: Search) -> int:
        """How many lines hold what is searched for."""
        return len(self._found(search))

    def find(self, search: Search, step: int) -> bool:
        """Bring another matching line to the top: the next, the one before, or with 0 the first from here."""
        hits = self._found(search)
        if not hits:
            return False
        here = self._hit if step and self._hit in hits else int(self.scroll_offset.y)
        if step < 0:
            self._hit = next((y for y in reversed(hits) if y < here), hits[-1])
        else:
            self._hit = next((y for y in hits if (y > here if step else y >= here)), hits[0])
        if not int(self.scroll_offset.y) <= self._hit < int(self.scroll_offset.y) + self.page_size - 2:
            self.jump(max(0, self._hit - ABOVE))
        return True

    def on_resize(self) -> None:
        if self._page is None or self._page.width != self.scrollable_content_region.width:
            self._lay_out(keep=True)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        page = self._page
        if page is None:
            return self.draw(())
        if y == 0 and self._tabbed:
            return self.draw(tab_line(self._tab, self._marked, page.width))
        header = page.header() if y < self._above else None
        if header is not None:
            return self.draw(header)
        stop = self._stop.number if self._stop is not None else None
        return self.draw(page.line(y - self._above + int(self.scroll_offset.y), self._difference, stop))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset_capture(self)
        y = offset.y - self._above
        if offset.y == 0 and self._tabbed:
            tab = tab_at(offset.x, self._tab, self._marked)
            if tab is not None:
                self.post_message(self.TabClicked(tab))
        if y >= 0 and self._page is not None and self._page.is_fold(y + int(self.scroll_offset.y)):
            self.post_message(self.FoldClicked())
