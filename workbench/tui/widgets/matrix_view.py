"""The matrix: arms by adapters, with the names of both always in view."""

from __future__ import annotations

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from workbench.tui.view.cells import pad, slices, width_of
from workbench.tui.view.fitting import Matrix, column_widths, fit_cell
from workbench.tui.view.ink import Line, Piece, Tone, gap, ink
from workbench.tui.widgets.inked import InkView

__all__ = ["MatrixView"]

SPACE = 2  # cells before each column


class MatrixView(InkView):
    """Draws the cells in view. It scrolls by whole columns, and the line of names stays."""

    DEFAULT_CSS = "MatrixView { overflow-x: hidden; }"

    class Chosen(Message):
        """A cell was clicked, the chosen one or another."""

        def __init__(self, row: int, column: int) -> None:
            super().__init__()
            self.row = row
            self.column = column

    def __init__(self) -> None:
        super().__init__()
        self._matrix: Matrix | None = None
        self._cursor = (0, 0)
        self._first = 0
        self._header = 0
        self._widths: tuple[int, ...] = ()
        self._measured = 0

    def show(self, matrix: Matrix | None, cursor: tuple[int, int]) -> None:
        """A matrix with the cursor on (row, column); None where there is none."""
        self._matrix, self._cursor, self._measured = matrix, cursor, 0
        self.virtual_size = Size(0, len(matrix.rows) + 1 if matrix else 0)
        self._follow()
        self.refresh()

    def move(self, cursor: tuple[int, int]) -> None:
        """The cursor elsewhere in the same matrix."""
        if cursor == self._cursor:
            return
        (before, _), self._cursor = self._cursor, cursor
        first = self._first
        self._follow()
        if first != self._first:
            self.refresh()
            return
        self.refresh_screen_line(0)
        for row in (before, cursor[0]):
            self.refresh_screen_line(1 + row - int(self.scroll_offset.y))

    def on_resize(self) -> None:
        self._follow()
        self.refresh()  # other columns may be in view than those that were drawn meanwhile

    def _measure(self) -> None:
        width = self.scrollable_content_region.width
        if self._matrix is not None and width > 0 and width != self._measured:
            self._header, self._widths = column_widths(self._matrix, width - 1)
            self._measured = width

    def _follow(self) -> None:
        """Scroll as little as brings the cursor into view."""
        if not self.scrollable_content_region.height:  # it has no place yet
            return
        self._measure()
        row, column = self._cursor
        self._first = min(self._first, column)
        room = self.scrollable_content_region.width - 1 - self._header
        while self._first < column and sum(w + SPACE for w in self._widths[self._first : column + 1]) > room:
            self._first += 1
        # Room that came back is used: no column hides on the left beside an empty place on the right.
        while self._first and sum(w + SPACE for w in self._widths[self._first - 1 :]) <= room:
            self._first -= 1
        top, page = int(self.scroll_offset.y), max(1, self.page_size - 1)
        if not top <= row < top + page:
            self.jump(row if row < top else row - page + 1)

    def render_line(self, y: int) -> Strip:
        matrix = self._matrix
        if matrix is None:
            return self.draw(())
        self._measure()
        if y == 0:
            return self.draw(self._names(matrix))
        row = y - 1 + int(self.scroll_offset.y)
        if row >= len(matrix.rows):
            return self.draw(())
        return self._row(matrix, row)

    def _names(self, matrix: Matrix) -> Line:
        more = ink("‹", Tone.KEY) if self._first else ink(" ")
        line: list[Piece] = [more, *pad((Piece(matrix.corner, Tone.MUTED),), self._header)]
        for number in range(self._first, len(matrix.columns)):
            chosen = number == self._cursor[1]
            name = Piece(matrix.columns[number], Tone.STRONG if chosen else Tone.HEADING)
            line += [gap(SPACE), *pad((ink("  "), name), self._widths[number])]
        if width_of(tuple(line)) > self.scrollable_content_region.width:
            kept = slices(tuple(line), 0, self.scrollable_content_region.width - 1)
            return (*kept, ink("›", Tone.KEY))
        return tuple(line)

    def _row(self, matrix: Matrix, row: int) -> Strip:
        chosen = row == self._cursor[0]
        name = Piece(matrix.rows[row], Tone.STRONG if chosen else Tone.PLAIN)
        strips = [self._piece((ink(" "), *pad((name,), self._header)))]
        for number in range(self._first, len(matrix.columns)):
            here = chosen and number == self._cursor[1]
            cell = pad(fit_cell(matrix.cells[row][number], self._widths[number]), self._widths[number])
            strips.append(self._piece((gap(SPACE - 1),)))
            strips.append(self._piece((ink(" "), *cell), self.cursor_style if here else ""))
        width = self.scrollable_content_region.width
        return Strip.join(strips).adjust_cell_length(width, self.rich_style)

    def _piece(self, line: Line, cursor: str = "") -> Strip:
        lit = self.search.light(line) if self.search is not None else line
        return self._palette.strip(lit, width_of(line), cursor)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset_capture(self)
        row = offset.y - 1 + int(self.scroll_offset.y)
        if self._matrix is None or not 0 <= row < len(self._matrix.rows):
            return
        edge = 1 + self._header
        for number in range(self._first, len(self._widths)):
            edge += SPACE + self._widths[number]
            if offset.x < edge:
                self.post_message(self.Chosen(row, number))
                return
