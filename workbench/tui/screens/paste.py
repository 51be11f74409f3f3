"""A wrapped turn pasted: the typed words in it are marked, and an envelope is made of the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen

from workbench.core.envelope import Ingress
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.text import safe, visible
from workbench.files.edit.fresh import envelope_from
from workbench.files.edit.marking import Marked, mark_typed
from workbench.files.edit.save import create
from workbench.tui.beginnings import envelope_path
from workbench.tui.runner import problems_of
from workbench.tui.screens.closing import Closing
from workbench.tui.screens.dialog import Entry, MenuScreen
from workbench.tui.view.ink import Line, Piece, Tone, ink
from workbench.tui.view.layout import WIDE_FROM
from workbench.tui.view.notice import problem_rows
from workbench.tui.view.rows import DocRow, Full, Words, note
from workbench.tui.widgets.area import SafeArea
from workbench.tui.widgets.field import LineField, Pick, TextField
from workbench.tui.widgets.rows_view import RowsView
from workbench.tui.widgets.safe import toast

__all__ = ["PasteScreen", "template_rows"]

REST = 0.15
MOST = 400_000
"""Characters of a turn; it is to be a template that people can read."""


class PasteScreen(Closing, ModalScreen[Path | None]):
    """The turn, the typed words, a name and an ingress. Gives the file that was written."""

    CSS_PATH = "paste.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape,ctrl+q", "leave", "back", priority=True),
    ]

    def __init__(self, root: Path, typed: str, why_not_name: Callable[[str], str | None]) -> None:
        """`typed` are the words of the chosen prompt: they are taken where they stand in the turn."""
        super().__init__()
        self._root = root
        self._known = typed
        self._why_not_name = why_not_name
        self._filled = ""
        self._chosen_words = False
        self._marked: Marked | None = None
        self._asked = False

    def compose(self) -> ComposeResult:
        with Vertical(id="fields"):
            wrapped = TextField(id="wrapped")
            wrapped.entitle((ink("the turn as the app was given it: paste it here"),))
            yield wrapped
            typed = TextField(id="typed")
            typed.entitle((ink("the words that the user typed"),))
            yield typed
            with Horizontal():
                name = LineField(id="name")
                name.entitle((ink("name"),))
                yield name
                yield Pick([ingress.value for ingress in Ingress], (ink("how it came in"),))
        yield RowsView()

    def on_mount(self) -> None:
        self.query_one("#wrapped", TextField).focus()
        self.call_after_refresh(self._look)

    def on_resize(self) -> None:
        self.set_class(self.size.width >= WIDE_FROM, "-beside")

    @property
    def _wrapped(self) -> str:
        return self.query_one("#wrapped", TextField).raw

    @property
    def _typed(self) -> str:
        return self.query_one("#typed", TextField).raw

    @property
    def _file_name(self) -> str:
        return self.query_one("#name", LineField).raw.strip()

    @on(SafeArea.Changed, "#typed")
    def _words_changed(self) -> None:
        if self._typed != self._filled:
            self._chosen_words = True

    @on(SafeArea.Changed)
    @on(Pick.Changed)
    def _changed(self) -> None:
        if not self._asked:
            self._asked = True
            self.set_timer(REST, self._look)

    def _look(self) -> None:
        self._asked = False
        if not self.is_mounted:
            return
        self._preselect()
        rows, self._marked = template_rows(self._wrapped, self._typed)
        marked = self._marked.spans if self._marked is not None else ()
        self.query_one("#wrapped", TextField).mark_words(marked)
        reason = self._reason()
        keys: Line = (ink(" ^s save  ⇥ next field  esc back ", Tone.MUTED),)
        view = self.query_one(RowsView)
        view.show(rows, (ink("the template that results"),), subject=self._wrapped)
        view.entitle((ink("the template that results"),), (ink(reason, Tone.WARNING),) if reason else keys)

    def _preselect(self) -> None:
        """The chosen prompt's words are those that were typed, if they stand in the turn."""
        field = self.query_one("#typed", TextField)
        if self._chosen_words or not self._known.strip():
            return
        try:
            mark_typed(self._wrapped, self._known)
            fitting = self._known
        except WorkbenchError:
            fitting = ""
        if field.raw != fitting:
            self._filled = fitting
            field.load_raw(fitting)

    def _reason(self) -> str | None:
        """Why nothing can be saved yet, in our own words."""
        if len(self._wrapped) > MOST:
            return f"the turn has more than {MOST:,} characters"
        if not self._wrapped.strip():
            return "paste a turn first"
        if not self._typed.strip():
            return "which words of it were typed?"
        if self._marked is None:
            return "the typed words stand nowhere in the turn"
        return self._why_not_name(self._file_name) if self._file_name else "give it a name"

    def action_save(self) -> None:
        """Write the envelope."""
        self._look()
        reason = self._reason()
        if reason is not None:
            toast(self.app, safe("not written: "), safe(reason), severity="warning")
            self._go_where_needed()
            return
        self.run_worker(self._save(), exclusive=True, group="save", exit_on_error=False)

    def _go_where_needed(self) -> None:
        if not self._wrapped.strip():
            self.query_one("#wrapped").focus()
        elif self._marked is None:
            self.query_one("#typed").focus()
        else:
            self.query_one("#name").focus()

    async def _save(self) -> None:
        marked, wrapped, typed = self._marked, self._wrapped, self._typed
        assert marked is not None
        path = envelope_path(self._root, self._file_name)
        ingress = Ingress(self.query_one(Pick).value)
        origin = f"a turn that was pasted, {date.today().isoformat()}"
        try:
            text = envelope_from(self._file_name, path, ingress, marked, wrapped, typed, origin)
            await asyncio.to_thread(create, path, self._root, text)
        except Exception as error:
            self._tell(problems_of(error)[0])
            return
        self.dismiss(path)

    def _tell(self, problem: Problem) -> None:
        hint = (safe(": "), visible(problem.hint)) if problem.hint else ()
        toast(self.app, safe("not written: "), visible(problem.message), *hint, severity="error")

    def action_leave(self) -> None:
        """Leave; what was pasted is asked about, for it may be nowhere else."""
        if self._wrapped.strip():
            self.run_worker(self._ask_to_leave(), exclusive=True, group="leave", exit_on_error=False)
        else:
            self.dismiss(None)

    async def _ask_to_leave(self) -> None:
        entries = [Entry("d", (ink("discard it"),), True), Entry("e", (ink("go on"),), False)]
        title = (ink("the pasted turn is not saved"),)
        if await self.app.push_screen_wait(MenuScreen[bool](title, entries)):
            self.dismiss(None)


def template_rows(wrapped: str, typed: str) -> tuple[list[DocRow], Marked | None]:
    """The template that a turn gives, and what it was made of; None where there is none."""
    if not wrapped.strip():
        return [note("Paste a whole turn, as it stands in a log: tags, quotes and all.")], None
    if not typed.strip():
        return [note("Which words of it did the user type? Write or paste them below it.")], None
    try:
        marked = mark_typed(wrapped, typed)
    except WorkbenchError as error:
        return problem_rows(error.problems), None
    rows: list[DocRow] = []
    for line in marked.template.split("\n"):
        said: list[Piece] = []
        for number, part in enumerate(line.split("{text}")):
            said += [ink("{text}", Tone.USER)] if number else []
            said.append(Piece(visible(part), Tone.TRANSPORT))
        rows.append(Full(Words.of(*said)))
    places = len(marked.spans)
    rows.append(note(f"{{text}} is the words: {places} place{'' if places == 1 else 's'} of the turn"))
    if marked.transform is not None:
        rows.append(note(f"transform: {marked.transform.value}, for so they stand there"))
    for slot, example in marked.slots.items():
        slot_words = (ink("slot ", Tone.MUTED), Piece(visible(slot), Tone.STRONG), ink(" stands for "))
        rows.append(Full(Words.of(*slot_words, Piece(visible(example)))))
    return rows, marked
