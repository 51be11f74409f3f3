"""Line-API widgets in ink: rows are data, only what is in view is drawn, and tones become colours here."""

from __future__ import annotations

from rich.style import Style
from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from workbench.tui.place import Motion, step
from workbench.tui.view.ink import Ground, Line, Piece, Tone
from workbench.tui.widgets.safe import content, strip

__all__ = ["InkBar", "InkView"]

_TONES = {f"ink--{tone}" for tone in Tone}
_GROUNDS = {f"ground--{ground}" for ground in Ground if ground is not Ground.NONE}
_CURSORS = {"ink--cursor", "ink--cursor-blurred"}

_BOLD = {Tone.STRONG, Tone.HEADING, Tone.KEY, Tone.FIRE, Tone.HOLD, Tone.USER}


def _css(widget: str) -> str:
    """The rules of one widget: colours from the theme, and other signs where there are none."""
    rules = [f"{widget} {{ background: $background; color: $foreground; }}"]
    for tone in Tone:
        bold = " text-style: bold;" if tone in _BOLD else ""
        rules.append(f"{widget} > .ink--{tone} {{ color: $ink-{tone};{bold} }}")
    for ground in _GROUNDS:
        rules.append(f"{widget} > .{ground} {{ background: $ground-{ground.removeprefix('ground--')}; }}")
    for plain in ("ansi", "nocolor"):
        for ground in ("removed-word", "added-word"):
            rules.append(f"{widget}:{plain} > .ground--{ground} {{ text-style: reverse; }}")
        rules.append(f"{widget}:{plain} > .ink--cursor-blurred {{ text-style: underline; }}")
    rules.append(f"{widget} > .ground--current {{ color: $background; text-style: bold; }}")
    rules.append(f"{widget}:ansi > .ground--current {{ color: ansi_default; text-style: reverse; }}")
    rules.append(f"{widget} > .ink--cursor {{ background: $ink-cursor; text-style: bold; }}")
    rules.append(f"{widget}:ansi > .ink--cursor {{ color: ansi_bright_white; }}")
    rules.append(f"{widget} > .ink--cursor-blurred {{ background: $ink-cursor-blurred; }}")
    rules.append(f"{widget}:nocolor > .ink--cursor {{ text-style: reverse; }}")
    rules.append(f"{widget}:nocolor > .ink--user {{ text-style: bold underline; }}")
    return "\n".join(rules)


class _Palette:
    """The Rich styles of one widget, put together once for each mixture of tone, ground and cursor."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[tuple[Tone, Ground, str], Style] = {}
        self._bases: dict[str, Style] = {}

    def clear(self) -> None:
        """The style sheet changed."""
        self._styles.clear()
        self._bases.clear()

    def base(self, cursor: str) -> Style:
        """The style of what no piece covers."""
        style = self._bases.get(cursor)
        if style is None:
            style = self._widget.rich_style
            if cursor:
                style += self._widget.get_component_rich_style(cursor, partial=True)
            self._bases[cursor] = style
        return style

    def of(self, piece: Piece, cursor: str) -> Style:
        key = (piece.tone, piece.ground, cursor)
        style = self._styles.get(key)
        if style is None:
            style = self.base(cursor)
            # The terminal's own colours on its own cursor cannot all be read.
            if cursor == "ink--cursor" and self._widget.app.native_ansi_color:
                return style
            style += self._widget.get_component_rich_style(f"ink--{piece.tone}", partial=True)
            if piece.ground is not Ground.NONE:
                style += self._widget.get_component_rich_style(f"ground--{piece.ground}", partial=True)
            self._styles[key] = style
        return style

    def strip(self, line: Line, width: int, cursor: str = "") -> Strip:
        return strip(line, lambda piece: self.of(piece, cursor), self.base(cursor), width)


class InkBar(Widget):
    """One line of ink that does not scroll."""

    COMPONENT_CLASSES = _TONES | _GROUNDS | _CURSORS
    DEFAULT_CSS = "InkBar { height: 1; }\n" + _css("InkBar")

    def __init__(self) -> None:
        super().__init__()
        self._palette = _Palette(self)

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

    COMPONENT_CLASSES = _TONES | _GROUNDS | _CURSORS
    DEFAULT_CSS = "InkView { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }\n" + _css("InkView")

    def __init__(self) -> None:
        super().__init__()
        self._titles: tuple[Line, Line] | None = None
        self._palette = _Palette(self)

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
        """The component of the chosen row: it stays to be seen when the focus is elsewhere."""
        return "ink--cursor" if self.has_focus else "ink--cursor-blurred"

    def refresh_screen_line(self, y: int) -> None:
        """Draw one line in view again, counted from the top of the view."""
        if 0 <= y < self.scrollable_content_region.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def draw(self, line: Line, cursor: str = "") -> Strip:
        """A line as wide as the view."""
        return self._palette.strip(line, self.scrollable_content_region.width, cursor)

    @property
    def page_size(self) -> int:
        """Rows that are in view."""
        return max(1, self.scrollable_content_region.height)

    def jump(self, y: int) -> None:
        """Put row `y` at the top, at once."""
        self.scroll_to(y=y, animate=False)

    def scroll_by(self, motion: Motion) -> None:
        """Scroll without a cursor."""
        top = int(self.scroll_offset.y)
        self.jump(step(top, motion, max(1, int(self.max_scroll_y) + 1), max(1, self.page_size - 2)))
