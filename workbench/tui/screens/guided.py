"""The main screen with a guided walk on it: the walk leads to a cell and runs it, and the user is free."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size

from workbench.tui.commands import guiding
from workbench.tui.guide import Guide, stand_on
from workbench.tui.screens.main import MainScreen
from workbench.tui.state import SessionState
from workbench.tui.view.layout import MIN_HEIGHT, Pane
from workbench.tui.view.tabs import Tab
from workbench.tui.widgets.caption import Caption

__all__ = ["GuidedScreen"]

TICK = 0.1
"""Seconds between looks at the clock, and at what is still to be done."""


class GuidedScreen(MainScreen):
    """Everything that the main screen is, under a caption."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            command.binding, f"perform('{command.id}')", command.label, id=command.id, tooltip=command.help
        )
        for command in guiding.COMMANDS
    ]

    def __init__(self, state: SessionState, guide: Guide) -> None:
        super().__init__(state)
        self.guide = guide
        self._caption = Caption(guide)

    def compose(self) -> ComposeResult:
        yield self._caption
        yield from super().compose()

    def on_mount(self) -> None:
        self.set_interval(TICK, self._tick)

    @property
    def room(self) -> Size:
        """What the caption leaves. It gives way until the panes have what they need."""
        taken = self._caption.height_in(*self.size, rest=MIN_HEIGHT)
        return Size(self.size.width, max(self.size.height - taken, min(self.size.height, MIN_HEIGHT)))

    def redraw(self) -> None:
        if not self.is_mounted or not self.app.is_running:
            return
        self._lead()
        super().redraw()
        self._caption.show(self._caption.height_in(*self.size, rest=MIN_HEIGHT))

    def _lead(self) -> None:
        goal, place = self.guide.goal, self.state.place
        self.guide.listen(self.state)
        if goal is not None and stand_on(self.state, goal):
            stop = self.guide.stop
            tab = Tab.RATES if stop.rated else Tab.LANES if stop.lanes else Tab.WINDOW
            place.pane, place.zoomed, place.tab = Pane.MATRIX, False, tab
            self.guide.arrived()
        # Not before the findings are there: they stand above the differences and would push them down.
        aim = self.guide.aim
        if aim is not None and place.key is not None and self.state.verdicts.of_cell(place.key):
            place.difference = aim
            self.guide.aimed()
        target = self.guide.to_run
        if target is not None and self.state.why_not_run(target) is None:
            self.guide.began()
            # Later: what the run before it found is being taken in just now.
            self.call_later(self.run, target)

    def _explain(self) -> None:
        """Ask why, where the step wants it: once all is quiet, so that it is about the answer that stays."""
        asked = self.guide.to_explain(self.state)
        if asked is not None and not self.runner.busy:
            self.guide.asked()
            self.runner.explainer.start(asked, lambda key: self.redraw())

    def perform(self, name: str) -> None:
        self._touched()
        super().perform(name)

    def on_mouse_down(self) -> None:
        self._touched()

    def _touched(self) -> None:
        self.guide.wait()
        self.guide.aimed()

    def _tick(self) -> None:
        self._explain()
        if self.guide.walk.auto is not None:
            self._play()

    def _play(self) -> None:
        """Go on once the step had its time: not under a dialog, and not while a run is on."""
        # A screen under a dialog is a current one too.
        if self.app.screen is not self or self.state.progress.busy or self.guide.to_run is not None:
            self.guide.wait()
        elif self.guide.is_over(monotonic()):
            if self.guide.is_last:
                self.leave()
            else:
                self.guide.go(1)
                self.redraw()
