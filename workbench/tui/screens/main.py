"""The main screen: carries out commands, and hands what the state holds down to the widgets."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Size
from textual.screen import Screen

from workbench.core.text import safe
from workbench.tui.commands import COMMANDS, command_of, footer_in
from workbench.tui.place import Motion, TreeRow
from workbench.tui.reading import arrive, turn_to
from workbench.tui.runner import Runner
from workbench.tui.screens.hands import Hands
from workbench.tui.session import Target
from workbench.tui.state import SessionState
from workbench.tui.view.ink import ink
from workbench.tui.view.layout import MIN_HEIGHT, MIN_WIDTH, Layout, Pane, Shape, arrange, breakpoint_of
from workbench.tui.view.matrix import matrix_of
from workbench.tui.view.notice import notice_of
from workbench.tui.view.title import comparison_place, comparison_title, list_title, matrix_title
from workbench.tui.view.tree import tree_line
from workbench.tui.widgets.bars import KeyBar, StatusBar
from workbench.tui.widgets.comparison_view import ComparisonView
from workbench.tui.widgets.inked import InkView
from workbench.tui.widgets.matrix_view import MatrixView
from workbench.tui.widgets.safe import SafeStatic, toast
from workbench.tui.widgets.scenario_list import ScenarioList

if TYPE_CHECKING:
    from workbench.tui.app import WorkbenchApp
    from workbench.tui.view.paper import Document

__all__ = ["MainScreen"]

WARM_AFTER = 1.0
"""Seconds until what writes files is brought in: later than all that is looked at first."""

FRAMES_A_SECOND = 12
"""How often a run that goes on is drawn; its events come much faster."""


class MainScreen(Hands, Screen[None]):
    """The scenario list, the matrix and the comparison. It is the stage that commands act on."""

    app: WorkbenchApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            command.binding, f"perform('{command.id}')", command.label, id=command.id, tooltip=command.help
        )
        for command in COMMANDS
    ]

    def __init__(self, state: SessionState) -> None:
        super().__init__()
        self.state = state
        self.runner = Runner(state, self.redraw, awake=False, tell=self.tell_broken)
        self._composed = self._following = False
        self._layout: Layout | None = None
        self._listed: tuple[object, ...] = ()
        self._charted: tuple[object, ...] = ()
        self._noticed: tuple[object, Document] | None = None
        self.shown_document: Document

    def compose(self) -> ComposeResult:
        self.add_class(breakpoint_of(self.app.size.width))  # later, all that is inside would be styled anew
        yield SafeStatic()
        with Container(id="body"):
            yield ScenarioList()
            yield MatrixView()
            yield ComparisonView()
        yield StatusBar(self.state)
        yield KeyBar()

    def on_mount(self) -> None:
        self._ticker = self.set_interval(1 / FRAMES_A_SECOND, self._tick, pause=True)
        # Now, and not once it is mounted: the first frame is to be the one that is wanted.
        self._composed = True
        self.redraw()
        self.call_after_refresh(self.runner.wake)
        self.set_timer(WARM_AFTER, self.authoring.warm)

    def on_resize(self) -> None:
        self.redraw()

    def _tick(self) -> None:
        self.state.progress.tick(monotonic())
        self.redraw()

    # Drawing

    def redraw(self) -> None:
        """Show the state as it is now; what has not changed is not drawn again."""
        if not self._composed or not self.app.is_running:
            return
        self._arrange()
        self._show_list()
        self._show_matrix()
        self._show_comparison()
        self.query_one(StatusBar).show()
        offered = [(command, command.why_not(self.state) is None) for command in footer_in(self.state)]
        self.query_one(KeyBar).show(offered)
        if self.state.progress.busy:
            self._ticker.resume()
        else:
            self._ticker.pause()
        if self.state.place.scenario is not None:
            self.runner.plan(self.state.place.scenario)

    def follow(self) -> None:
        """Show at once where the cursor went, and what that leads to with the next frame.

        So a key that is held down runs through the list without waiting for what it passes.
        """
        if self.state.place.pane is Pane.SCENARIOS:
            self._show_list()
        else:
            self._show_matrix()
        if not self._following:
            self._following = True
            self.call_after_refresh(self._followed)

    def _followed(self) -> None:
        self._following = False
        self.redraw()

    @property
    def room(self) -> Size:
        """What the panes and the bars have of the screen."""
        return self.size

    def _arrange(self) -> None:
        place = self.state.place
        layout = arrange(*self.room, place.most_rows, place.zoomed)
        search = self.state.sieve.search
        for pane in Pane:
            self._pane(pane).set_class(pane is place.pane, "-current")
            self._pane(pane).seek(search if search is not None and search.pane is pane else None)
        if self.is_current and self.focused is not self._pane(place.pane):
            self.set_focus(self._pane(place.pane))
        if layout != self._layout or layout.shape is Shape.TOO_SMALL:
            self._layout = layout
            self._lay_out(layout)

    def _lay_out(self, layout: Layout) -> None:
        self.set_class(layout.shape is Shape.TOO_SMALL, "-too-small")
        self.set_class(layout.shape is Shape.ZOOMED, "-zoomed")
        if layout.shape is Shape.TOO_SMALL:
            size = f"{self.size.width}×{self.size.height}"
            self.query_one(SafeStatic).show(
                (ink("This terminal is too small"),), (ink(f"{size}; {MIN_WIDTH}×{MIN_HEIGHT} will do"),)
            )
        body = self.query_one("#body")
        zoomed = layout.shape is Shape.ZOOMED
        body.styles.grid_columns = "1fr" if zoomed else f"{layout.list_width} 1fr"
        body.styles.grid_rows = "1fr" if zoomed else f"{layout.top} 1fr"

    def _pane(self, pane: Pane) -> InkView:
        kind = {Pane.SCENARIOS: ScenarioList, Pane.MATRIX: MatrixView, Pane.COMPARISON: ComparisonView}[pane]
        return self.query_one(kind)

    def _show_list(self) -> None:
        rows, row = self.state.place.rows, self.state.place.row
        view = self.query_one(ScenarioList)
        view.entitle(list_title(self.state))
        listed = (self.state.version, rows)
        if listed != self._listed:
            self._listed = listed
            view.show(len(rows), row, lambda number, width: tree_line(self.state, rows[number], width))
        else:
            view.move(row)

    def _show_matrix(self) -> None:
        place = self.state.place
        view = self.query_one(MatrixView)
        view.entitle(matrix_title(self.state, view.size.width))
        charted = (self.state.version, place.scenario, place.prompt)
        if charted != self._charted:
            self._charted = charted
            view.show(matrix_of(self.state), place.cursor)
        else:
            view.move(place.cursor)

    def _show_comparison(self) -> None:
        place = self.state.place
        view = self.query_one(ComparisonView)
        document = self.shown_document = self._document()
        arrive(self.state, document)
        title = comparison_title(self.state, document, view.size.width)
        view.entitle(title, comparison_place(self.state, document))
        subject = (place.here, place.key)
        dark = place.dark if place.dark is not None and place.dark.key == place.key else None
        drawn = (self.state.side_by_side, self.state.unfolded, place.difference, place.tab, dark)
        view.show(document, subject, *drawn, self.state.context)

    def _document(self) -> Document:
        key = self.state.place.key
        if key is not None and not self.state.board.is_running(key):
            document = self.runner.compare(key)
            if document is not None:
                return document
        about = (self.state.version, self.state.place.here, key)
        if self._noticed is None or self._noticed[0] != about:
            self._noticed = (about, notice_of(self.state))
        return self._noticed[1]

    # Commands: this screen is their stage

    def action_perform(self, name: str) -> None:
        """Carry out a command, or say why it cannot be."""
        self.perform(name)

    def perform(self, name: str) -> None:
        """Carry out a command, or say why it cannot be; before the files are read it waits for them."""
        self.runner.reader.touch()
        if self.state.is_sketch and name != "quit":
            self.runner.once_open(partial(self.perform, name))
            return
        command = command_of(name)
        reason = command.why_not(self.state)
        if reason is None:
            command.act(self)
        else:
            self.tell(reason)

    def run(self, target: Target) -> None:
        self.runner.start(target)

    def stop(self) -> None:
        self.runner.stop()

    def page(self) -> int:
        return self._pane(self.state.place.pane).page_size

    def scroll(self, motion: Motion) -> None:
        self.query_one(ComparisonView).scroll_by(motion)

    def tell(self, words: str) -> None:
        toast(self.app, safe(words))

    def show_help(self) -> None:
        from workbench.tui.view.help import help_lines

        self.app.show_help(partial(help_lines, self.state))

    def show_palette(self) -> None:
        self.app.action_command_palette()

    def next_theme(self) -> None:
        self.app.next_theme()

    def leave(self) -> None:
        self.app.leave()

    def go_to(self, row: TreeRow) -> None:
        """Choose a row of the list, wherever it is."""
        self.state.place.open_row(row)
        self.redraw()

    # What the widgets tell

    @on(events.DescendantFocus)
    def _focus_moved(self, event: events.DescendantFocus) -> None:
        for pane in Pane:
            if event.widget is self._pane(pane) and pane is not self.state.place.pane:
                self.state.place.pane = pane
                self.redraw()

    @on(ScenarioList.Chosen)
    def _row_clicked(self, event: ScenarioList.Chosen) -> None:
        self.runner.reader.touch()
        self.state.place.select_row(event.row)
        self.redraw()

    @on(MatrixView.Chosen)
    def _cell_clicked(self, event: MatrixView.Chosen) -> None:
        self.runner.reader.touch()
        self.state.place.select_cell(event.row, event.column)
        self.redraw()

    @on(ComparisonView.FoldClicked)
    def _fold_clicked(self) -> None:
        self.perform("fold")

    @on(ComparisonView.TabClicked)
    def _tab_clicked(self, event: ComparisonView.TabClicked) -> None:
        turn_to(self.state, event.tab)
        self.redraw()

    @on(KeyBar.Pressed)
    def _key_clicked(self, event: KeyBar.Pressed) -> None:
        self.perform(event.command)
