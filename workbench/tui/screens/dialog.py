"""Small dialogs: one choice out of a few, or a line or two to type in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen

from workbench.tui.place import Motion, step
from workbench.tui.screens.closing import Closing
from workbench.tui.view.cells import pad
from workbench.tui.view.ink import Line, Tone, gap, ink
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.field import LineField
from workbench.tui.widgets.safe import SafeStatic, content
from workbench.tui.widgets.scenario_list import ScenarioList

__all__ = ["AskScreen", "Entry", "Field", "MenuScreen"]

T = TypeVar("T")

MOST_ROWS = 12


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """One thing to choose: a key, words, and what is given back."""

    key: str
    line: Line
    value: T


class MenuScreen(Closing, ModalScreen[T | None], Generic[T]):
    """A few entries; the first is chosen to begin with. Gives the value, or None when it is left."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+q", "leave", "back", priority=True),
        Binding("enter", "take", "choose"),
        *(
            Binding(key, f"move('{motion.name}')")
            for key, motion in (("up", Motion.UP), ("down", Motion.DOWN))
        ),
        Binding("ctrl+p", "move('UP')", show=False),
        Binding("ctrl+n,tab", "move('DOWN')", show=False),
        Binding("pagedown,ctrl+d,space", "read_on(1)", show=False),
        Binding("pageup,ctrl+u", "read_on(-1)", show=False),
    ]

    def __init__(self, title: Line, entries: Sequence[Entry[T]], *about: Line) -> None:
        super().__init__()
        self._title = title
        self._entries = tuple(entries)
        self._about = about
        self._row = 0

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = content(self._title)
            box.border_subtitle = content((ink("⏎ choose  esc back"),))
            if self._about:
                with VerticalScroll(can_focus=False):
                    yield SafeStatic(*self._about)
            yield ScenarioList()

    def on_mount(self) -> None:
        view = self.query_one(ScenarioList)
        view.styles.height = min(MOST_ROWS, len(self._entries))
        view.focus()
        self._show()

    def on_resize(self) -> None:
        self._show()
        self.call_after_refresh(self._tell_keys)

    def _tell_keys(self) -> None:
        """Name the key that reads on, where not all of the words are in sight."""
        long = any(about.max_scroll_y for about in self.query(VerticalScroll))
        keys = "pgdn pgup read on  ⏎ choose  esc back" if long else "⏎ choose  esc back"
        self.query_one(Vertical).border_subtitle = content((ink(keys),))

    def action_read_on(self, pages: int) -> None:
        """Scroll what stands above the entries."""
        for about in self.query(VerticalScroll):
            about.scroll_relative(y=pages * max(1, about.size.height - 1), animate=False)

    def _show(self) -> None:
        self.query_one(ScenarioList).show(len(self._entries), self._row, self._line)

    def _line(self, row: int, width: int) -> Line:
        entry = self._entries[row]
        return pad((gap(1), ink(entry.key, Tone.KEY), gap(2), *entry.line), width)

    def on_key(self, event: events.Key) -> None:
        """The key of an entry chooses it; j and k move, unless they are one."""
        for entry in self._entries:
            if event.character == entry.key:
                event.stop()  # or the screen below would take it too
                self.dismiss(entry.value)
                return
        if event.character in ("j", "k"):
            self.action_move("DOWN" if event.character == "j" else "UP")

    def action_move(self, motion: str) -> None:
        """The next entry, or the one before."""
        self._row = step(self._row, Motion[motion], len(self._entries), 1)
        self._show()

    def action_take(self) -> None:
        """Give back what is chosen."""
        self.dismiss(self._entries[self._row].value)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    @on(ScenarioList.Chosen)
    def _clicked(self, event: ScenarioList.Chosen) -> None:
        self.dismiss(self._entries[event.row].value)


@dataclass(frozen=True, slots=True)
class Field:
    """A line to type in. `why_not` tells why what stands there will not do, in our own words."""

    title: Line
    start: str = ""
    why_not: Callable[[str], str | None] = lambda raw: None


class AskScreen(Closing, ModalScreen[tuple[str, ...] | None]):
    """One or more lines; enter goes on, and from the last hands in. Gives them, or None when it is left."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+q", "leave", "back", priority=True),
        Binding("ctrl+s", "hand_in", "done", priority=True),
    ]

    def __init__(self, title: Line, fields: Sequence[Field], *about: Line) -> None:
        super().__init__()
        self._title = title
        self._fields = tuple(fields)
        self._about = about

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = content(self._title)
            box.border_subtitle = content((ink("⏎ done  esc back"),))
            if self._about:
                yield SafeStatic(*self._about)
            for field in self._fields:
                line = LineField(field.start)
                line.entitle(field.title)
                yield line
            yield SafeStatic()

    def on_mount(self) -> None:
        self.query(LineField).first().focus()
        self._check()

    @property
    def _values(self) -> tuple[str, ...]:
        return tuple(field.raw for field in self.query(LineField))

    def _reasons(self) -> list[str | None]:
        return [field.why_not(raw) for field, raw in zip(self._fields, self._values, strict=True)]

    @on(SafeArea.Changed)
    def _check(self) -> None:
        reason = next((reason for reason in self._reasons() if reason is not None), None)
        last = self.query(SafeStatic).last()
        last.show((ink(reason or " ", Tone.WARNING),))

    @on(LineField.Submitted)
    def _next(self) -> None:
        fields = list(self.query(LineField))
        at = next((number for number, field in enumerate(fields) if field.has_focus), 0)
        if self._reasons()[at] is not None:
            return
        if at + 1 < len(fields):
            fields[at + 1].focus()
        else:
            self.action_hand_in()

    def action_hand_in(self) -> None:
        """Give back what was typed, if all of it will do; else go to what will not."""
        for field, reason in zip(self.query(LineField), self._reasons(), strict=True):
            if reason is not None:
                field.focus()
                return
        self.dismiss(self._values)

    def action_leave(self) -> None:
        """Give nothing back."""
        self.dismiss(None)
