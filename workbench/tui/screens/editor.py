"""Editing a file on the screen: its errors below it, and what each arm will send beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import ModalScreen

from workbench.core.errors import Problem
from workbench.core.text import safe, visible
from workbench.tui.drafting import Checked, Draft, Plan, check, on_disk, write
from workbench.tui.runner import problems_of
from workbench.tui.screens.closing import Closing
from workbench.tui.screens.conflict import Settled, settle
from workbench.tui.screens.dialog import Entry, MenuScreen
from workbench.tui.view.cells import cut, middle_cut
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.layout import WIDE_FROM
from workbench.tui.view.preview import arm_rows, envelope_rows, problem_lines
from workbench.tui.view.rows import DocRow, Full, Words, note
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.field import YamlField
from workbench.tui.widgets.rows_view import RowsView
from workbench.tui.widgets.safe import toast

__all__ = ["EditorScreen", "Written"]

REST = 0.18
"""Seconds that the keys must rest before the text is looked at."""

MOST_PROBLEMS = 6

Written = Callable[[Draft], None]
"""Told after a file was written."""


class EditorScreen(Closing, ModalScreen[None]):
    """One file. ctrl+s writes it; esc leaves, and asks only where something would be lost."""

    CSS_PATH = "editor.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape,ctrl+q", "leave", "close", priority=True),
        Binding("f8", "next_problem", "next error", priority=True),
        Binding("alt+down,ctrl+down", "scroll_preview(3)", "preview down", priority=True),
        Binding("alt+up,ctrl+up", "scroll_preview(-3)", "preview up", priority=True),
    ]

    def __init__(self, draft: Draft, plan: Plan | None, on_written: Written, typed: str = "") -> None:
        """`plan` gives the preview of a scenario, `typed` the words for that of an envelope."""
        super().__init__()
        self._draft = draft
        self._plan = plan
        self._on_written = on_written
        self._typed = typed
        self._checked: Checked | None = None
        self._looked_at: tuple[str, int] | None = None
        self._looking = False
        self._timer_asked = False
        self._previewed = False

    def compose(self) -> ComposeResult:
        with Container(id="sides"):
            with Container(id="left"):
                yield YamlField(self._draft.text, id="text")
                yield RowsView()
            with Container(id="right"):
                yield RowsView()

    @property
    def _area(self) -> YamlField:
        return self.query_one(YamlField)

    @property
    def _problem_view(self) -> RowsView:
        return self.query_one("#left RowsView", RowsView)

    @property
    def _preview(self) -> RowsView:
        return self.query_one("#right RowsView", RowsView)

    def on_mount(self) -> None:
        self._area.focus()
        self._area.move_cursor((self._draft.line - 1, self._draft.column - 1), center=True)
        self._entitle()
        self._preview.show((), (ink("as it will be sent"),))
        self._look()

    def on_resize(self) -> None:
        self.set_class(self.size.width >= WIDE_FROM, "-beside")
        self._entitle()

    # Looking at the text

    @on(SafeArea.Changed)
    def _text_changed(self) -> None:
        self._entitle()
        self._ask_to_look()

    @on(SafeArea.SelectionChanged)
    def _cursor_moved(self) -> None:
        self._entitle()
        self._ask_to_look()

    def _ask_to_look(self) -> None:
        if not self._timer_asked:
            self._timer_asked = True
            self.set_timer(REST, self._rested)

    def _rested(self) -> None:
        self._timer_asked = False
        self._look()

    def _look(self) -> None:
        """Read the text in a thread, one at a time, unless it was looked at as it is."""
        if not self._looking and self.is_mounted and self._subject() != self._looked_at:
            self._looking = True
            self.run_worker(self._look_until_known(), exit_on_error=False)

    def _subject(self) -> tuple[str, int]:
        line = self._area.cursor_location[0] + 1
        known = self._checked
        same_prompt = known is not None and known.scenario is not None and self._looked_at is not None
        if same_prompt and self._looked_at is not None and self._looked_at[0] == self._area.raw:
            line = _first_line(known, line)
        return self._area.raw, line

    async def _look_until_known(self) -> None:
        try:
            while self.is_mounted and (subject := self._subject()) != self._looked_at:
                self._looked_at = subject
                try:
                    checked = await asyncio.to_thread(check, self._draft, *subject, self._plan)
                except Exception as error:
                    checked = Checked(problems_of(error))
                if self.is_mounted:
                    self._show(checked)
                    self._looked_at = (subject[0], _first_line(checked, subject[1]))
        finally:
            self._looking = False

    def _show(self, checked: Checked) -> None:
        self._checked = checked
        file = str(self._draft.path)
        self._area.mark_wrong(p.mark.line for p in checked.problems if p.mark and p.mark.file == file)
        lines = problem_lines(checked.problems, file)
        rows: list[DocRow] = [Full(Words.of(*line)) for line in lines]
        view = self._problem_view
        view.display = bool(rows)
        view.show(rows, (ink(_counted(checked.problems), Tone.ERROR),), subject=tuple(rows))
        self._fit_problems()
        self._show_preview(checked)

    @on(RowsView.LaidOut)
    def _fit_problems(self) -> None:
        view = self._problem_view
        view.styles.height = min(MOST_PROBLEMS, view.height_needed) + 2

    def _show_preview(self, checked: Checked) -> None:
        title: Line
        if checked.envelope is not None:
            rows = envelope_rows(checked.envelope, self._typed)
            self._previewed = True
            title, subject = (ink("as it will be sent"),), ""
        elif checked.prompt is not None and checked.deliveries:
            words = cut(visible((checked.prompt.id or checked.prompt.text)[:80]), 30)
            title, subject = (ink("as it will be sent: "), Piece(words, Tone.STRONG)), checked.prompt.label
            rows = arm_rows(checked.deliveries)
            self._previewed = True
        elif checked.problems and self._previewed:
            self._preview.entitle((ink("as it was before the errors", Tone.WARNING),))
            return
        elif checked.problems:
            rows, title, subject = [note("It is shown once the errors are gone.")], (ink("preview"),), ""
        else:
            rows, title, subject = [note("Nothing of this is sent by itself.")], (ink("preview"),), ""
        self._preview.show(rows, title, subject)

    # Words round the text

    def _entitle(self) -> None:
        if not self._area.is_mounted:
            return
        changed = self._draft.before is None or self._area.raw != self._draft.saved
        path = middle_cut(visible(self._draft.shown_path), max(20, self.size.width // 2))
        state = ink("  not written yet" if self._draft.before is None else "  changed", Tone.WARNING)
        row, column = self._area.cursor_location
        at = self._area.raw_at_cursor
        odd = (ink(f"  U+{ord(at):04X}", Tone.WARNING),) if at and self._area.is_marked_at_cursor else ()
        keys = ink(" ^s save  esc close  f8 error  ^↓ ^↑ preview ", Tone.MUTED)
        title = (Piece(path, Tone.STRONG), *((state,) if changed else ()))
        self._area.entitle(title, (ink(f"{row + 1}:{column + 1}"), *odd, keys))

    def action_next_problem(self) -> None:
        """Go to the next place where something is wrong."""
        file = str(self._draft.path)
        found = self._checked.problems if self._checked else ()
        marks = sorted(p.mark for p in found if p.mark and p.mark.file == file)
        if not marks:
            toast(self.app, safe("nothing is wrong here"))
            return
        row, column = self._area.cursor_location
        after = [mark for mark in marks if (mark.line, mark.column) > (row + 1, column + 1)]
        mark = (after or marks)[0]
        self._area.move_cursor((mark.line - 1, mark.column - 1), center=True)

    def action_scroll_preview(self, lines: int) -> None:
        """Scroll what will be sent."""
        self._preview.scroll_relative(y=lines, animate=False)

    # Writing and leaving

    def action_save(self) -> None:
        """Write the file."""
        self.run_worker(self._save(), exclusive=True, group="save", exit_on_error=False)

    async def _save(self) -> bool:
        """Write the text, or ask what to do about a file that somebody else changed."""
        text = self._area.raw
        try:
            held = await asyncio.to_thread(on_disk, self._draft.path)
            if held == self._draft.before:
                settled = Settled(await asyncio.to_thread(write, self._draft, text), written=True)
            else:
                settled = await settle(self.app, self._draft, text, held)
        except Exception as error:
            self._tell(problems_of(error))
            return False
        self._draft = settled.draft
        if settled.text is not None:
            self._area.put_raw(settled.text)
        self._entitle()
        if settled.written:
            self._on_written(self._draft)
        return settled.written

    def _tell(self, problems: tuple[Problem, ...]) -> None:
        problem = problems[0]
        hint = (safe(": "), visible(problem.hint)) if problem.hint else ()
        toast(self.app, safe("not written: "), visible(problem.message), *hint, severity="error")

    def action_leave(self) -> None:
        """Close; where something that was typed would be lost, ask first."""
        if self._draft.would_lose(self._area.raw):
            self.run_worker(self._ask_to_leave(), exclusive=True, group="leave", exit_on_error=False)
        else:
            self._close()

    async def _ask_to_leave(self) -> None:
        entries = [
            Entry("s", (ink("save, and close"),), "save"),
            Entry("d", (ink("discard what was typed"),), "discard"),
            Entry("e", (ink("go on editing"),), "edit"),
        ]
        title = (Piece(visible(self._draft.path.name), Tone.STRONG), ink(" is not saved"))
        chosen = await self.app.push_screen_wait(MenuScreen[str](title, entries))
        if chosen == "discard" or (chosen == "save" and await self._save()):
            self.dismiss(None)

    def _close(self) -> None:
        if self._draft.before is None or self._area.raw != self._draft.saved:
            toast(self.app, safe("nothing was written"))
        self.dismiss(None)


def _first_line(checked: Checked | None, line: int) -> int:
    """One line for all of a prompt's: moving about in it changes nothing that is shown."""
    if checked is None or checked.scenario is None:
        return 0
    lines = [prompt.mark.line for prompt in checked.scenario.prompts]
    return max((start for start in lines if start <= line), default=min(lines, default=0))


def _counted(problems: tuple[Problem, ...]) -> str:
    return f"{len(problems)} error{'' if len(problems) == 1 else 's'}"
