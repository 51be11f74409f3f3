"""The caption bar of a guided walk; a click on its keys is a key press."""

from __future__ import annotations

from textual import events
from textual.strip import Strip

from workbench.tui.guide import Guide
from workbench.tui.view.caption import caption_height, caption_lines, key_line
from workbench.tui.view.cells import width_of
from workbench.tui.widgets.bars import KeyBar
from workbench.tui.widgets.inked import InkBar

__all__ = ["Caption"]


class Caption(InkBar):
    """Draws the caption of the step that is on."""

    DEFAULT_CSS = "Caption { background: $panel; }"

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._guide = guide
        self._drawn: tuple[int, tuple[str, ...]] = (0, ())

    def height_in(self, width: int, height: int, rest: int) -> int:
        """Lines that it takes on a screen of `width` by `height` cells that leaves `rest` to the panes."""
        return max(1, min(caption_height(self._guide, width), height - rest))

    def show(self, height: int) -> None:
        """Draw the step that is on, in `height` lines, if that is not what stands there."""
        drawn = (height, (self._guide.stop.title, *self._guide.told(self._guide.stop)))
        if drawn != self._drawn:
            self._drawn = drawn
            self.styles.height = height
            self.refresh()

    def render_line(self, y: int) -> Strip:
        lines = caption_lines(self._guide, self.size.width, self.size.height)
        return self._palette.strip(lines[y] if y < len(lines) else (), self.size.width)

    def on_click(self, event: events.Click) -> None:
        # The keys stand at the right edge of the title, the one that goes on behind the one that goes back.
        keys, left = key_line(self._guide), self.size.width - event.x
        if event.y == 0 and left <= width_of(keys):
            self.post_message(KeyBar.Pressed("walk-on" if left <= width_of(keys[2:]) else "walk-back"))
