"""Fields that are typed into: a file with its colours, a text of several lines, a line, a choice of words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from workbench.core.decision import Span
from workbench.core.text import safe
from workbench.tui.view.ink import Line, Tone, ink
from workbench.tui.view.yaml import yaml_tones
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.inked import InkBar
from workbench.tui.widgets.safe import content

__all__ = ["LineField", "Pick", "TextField", "YamlField"]

_PAINT = """
_Field {
    border: round $border-blurred;
    border-title-color: $foreground;
    border-title-background: $surface;
    border-subtitle-color: $foreground;
    border-subtitle-background: $surface;
    background: $surface;
    padding: 0;
    scrollbar-size-vertical: 1;
    scrollbar-size-horizontal: 1;
}
_Field:focus { border: round $border; border-title-style: bold; }
_Field:nocolor:focus { border: double $foreground; }
_Field > .ink--error { text-style: underline; }
_Field > .ink--warning { text-style: bold reverse; }
_Field > .ink--user { text-style: bold underline; }
"""


class _Field(SafeArea):
    """Invisible characters stand out, and borders say what the field is for."""

    DEFAULT_CSS = _PAINT

    def __init__(self, raw: str = "", **settings: Any) -> None:
        # A lit line would lose its colours.
        super().__init__(raw, highlight_cursor_line=False, **settings)

    def entitle(self, title: Line, subtitle: Line = ()) -> None:
        """What stands in the border."""
        self.border_title = content(title)
        self.border_subtitle = content(subtitle)

    def tones_of(self, number: int) -> Iterable[tuple[int, int, Tone]]:
        yield from ((at, at + 1, Tone.WARNING) for at in self.marked(number))


class TextField(_Field):
    """A text of several lines, parts of which may be marked as the user's; tab goes on to the next field."""

    def __init__(self, raw: str = "", **settings: Any) -> None:
        super().__init__(raw, soft_wrap=True, tab_behavior="focus", **settings)
        self._spans: tuple[Span, ...] = ()
        self._by_line: dict[int, list[Span]] = {}

    def mark_words(self, spans: Sequence[Span]) -> None:
        """The characters [start, end) of the text that the user wrote."""
        if tuple(spans) == self._spans:
            return
        self._spans, self._by_line = tuple(spans), {}
        starts = list(accumulate((len(line) + 1 for line in self.document.lines), initial=0))
        for start, end in spans:
            for row in range(bisect_right(starts, start) - 1, bisect_left(starts, end)):
                part = (max(0, start - starts[row]), end - starts[row])
                self._by_line.setdefault(row, []).append(part)
        self.notify_style_update()  # which forgets the lines that are drawn already
        self.refresh()

    def tones_of(self, number: int) -> Iterable[tuple[int, int, Tone]]:
        yield from ((start, end, Tone.USER) for start, end in self._by_line.get(number, ()))
        yield from super().tones_of(number)


class YamlField(_Field):
    """A YAML file with its colours, line numbers, and a mark on the lines that are wrong."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("shift+tab", "outdent", show=False)]
    LONG_LINE = 2_000  # characters of a line from which colours are left out: they slow the cursor down

    def __init__(self, raw: str = "", **settings: Any) -> None:
        super().__init__(raw, soft_wrap=True, show_line_numbers=True, tab_behavior="indent", **settings)
        self.indent_width = 2
        self._wrong: frozenset[int] = frozenset()

    def mark_wrong(self, lines: Iterable[int]) -> None:
        """The lines, counted from 1, that something is wrong with."""
        wrong = frozenset(lines)
        if wrong != self._wrong:
            self._wrong = wrong
            self.notify_style_update()  # which forgets the lines that are drawn already
            self.refresh()

    def tones_of(self, number: int) -> Iterable[tuple[int, int, Tone]]:
        length = len(self.document.get_line(number))
        if length <= self.LONG_LINE:
            yield from yaml_tones(self.document.get_line, number)
        if number + 1 in self._wrong:
            yield 0, length, Tone.ERROR
        yield from super().tones_of(number)

    def on_key(self, event: events.Key) -> None:
        """A new line begins where the one before it did."""
        if event.key == "enter" and not self.read_only:
            event.prevent_default()
            event.stop()
            row, column = min(self.selection.start, self.selection.end)
            line = self.document.get_line(row)[:column]
            self.insert_raw("\n" + " " * (len(line) - len(line.lstrip(" "))))

    def action_outdent(self) -> None:
        """Two blanks less before this line."""
        row, _ = self.cursor_location
        line = self.document.get_line(row)
        blanks = min(self.indent_width, len(line) - len(line.lstrip(" ")))
        if blanks:
            self.delete((row, 0), (row, blanks))


class LineField(_Field):
    """A single line; enter hands it in, tab goes on to the next field."""

    DEFAULT_CSS = "LineField { height: 3; scrollbar-size-horizontal: 0; scrollbar-size-vertical: 0; }"

    class Submitted(Message):
        """Enter was pressed."""

    def __init__(self, raw: str = "", **settings: Any) -> None:
        super().__init__(_one_line(raw), soft_wrap=False, tab_behavior="focus", **settings)
        self.move_cursor(self.document.end)

    def pasted(self, raw: str) -> str:
        return _one_line(raw)

    def on_key(self, event: events.Key) -> None:
        """Enter is no part of a line."""
        if event.key == "enter":
            event.prevent_default()
            event.stop()
            self.post_message(self.Submitted())


def _one_line(raw: str) -> str:
    return " ".join(line.strip() for line in raw.split("\n")).strip()


class Pick(InkBar, can_focus=True):
    """One of a few words; left, right, space and a click change it."""

    DEFAULT_CSS = """
    Pick { height: 3; border: round $border-blurred; background: $surface;
           border-title-color: $foreground; border-title-background: $surface; }
    Pick:focus { border: round $border; border-title-style: bold; }
    Pick:nocolor:focus { border: double $foreground; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,space,down,j", "turn(1)", show=False),
        Binding("left,h,up,k", "turn(-1)", show=False),
    ]

    class Changed(Message):
        """Another word was chosen."""

    def __init__(self, words: Sequence[str], title: Line, chosen: int = 0) -> None:
        super().__init__()
        self._words = tuple(words)
        self._chosen = chosen
        self.border_title = content(title)

    @property
    def value(self) -> str:
        return self._words[self._chosen]

    def action_turn(self, step: int) -> None:
        """The next word, or the one before."""
        self._chosen = (self._chosen + step) % len(self._words)
        self.refresh()
        self.post_message(self.Changed())

    def line(self, width: int) -> Line:
        number = ink(f"  {self._chosen + 1} of {len(self._words)}", Tone.MUTED)
        return (ink("‹ ", Tone.KEY), ink(safe(self.value), Tone.STRONG), ink(" ›", Tone.KEY), number)

    def on_click(self, event: events.Click) -> None:
        self.focus()
        self.action_turn(1)
