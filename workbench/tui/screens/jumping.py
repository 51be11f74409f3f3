"""Jump mode: a letter on everything in view; pressing it goes there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.geometry import Offset
from textual.screen import ModalScreen

from workbench.tui.view.ink import Tone, ink
from workbench.tui.view.layout import Pane
from workbench.tui.widgets.comparison_view import ComparisonView
from workbench.tui.widgets.inked import InkView
from workbench.tui.widgets.matrix_view import MatrixView
from workbench.tui.widgets.safe import SafeStatic
from workbench.tui.widgets.scenario_list import ScenarioList

if TYPE_CHECKING:
    from workbench.tui.screens.main import MainScreen

__all__ = ["JumpScreen", "Spot", "spots_of"]

LIST_LETTERS = "abcdefghijklmnopqrstuvwxyz"
MATRIX_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PANES = {"1": Pane.SCENARIOS, "2": Pane.MATRIX, "3": Pane.COMPARISON}


@dataclass(frozen=True, slots=True)
class Spot:
    """One place to go to: a pane, or a row of it; `at` is where its letter stands on the screen."""

    key: str
    at: Offset
    pane: Pane
    row: int | None = None


def spots_of(main: MainScreen) -> tuple[Spot, ...]:
    """The panes and rows that are in view; where there are more rows than letters, the first of them."""
    kinds: dict[Pane, type[InkView]] = {
        Pane.SCENARIOS: ScenarioList,
        Pane.MATRIX: MatrixView,
        Pane.COMPARISON: ComparisonView,
    }
    shown = {pane: main.query_one(kind) for pane, kind in kinds.items()}
    shown = {pane: view for pane, view in shown.items() if view.region.height}
    spots = [
        Spot(key, _moved(shown[pane].region.offset, 1, 0), pane)
        for key, pane in _PANES.items()
        if pane in shown
    ]
    place = main.state.place
    for pane, letters, count, head in (
        (Pane.SCENARIOS, LIST_LETTERS, len(place.rows), 0),
        (Pane.MATRIX, MATRIX_LETTERS, len(place.row_names), 1),
    ):
        view = shown.get(pane)
        if view is not None:
            top = int(view.scroll_offset.y)
            rows = range(top, min(count, top + view.page_size - head))
            at = _moved(view.content_region.offset, 0, head - top)
            spots += [
                Spot(key, _moved(at, 0, row), pane, row) for key, row in zip(letters, rows, strict=False)
            ]
    return tuple(spots)


def _moved(at: Offset, right: int, down: int) -> Offset:
    return Offset(at.x + right, at.y + down)


class JumpScreen(ModalScreen[Spot | None]):
    """Gives the spot whose letter is pressed or clicked; any other key gives None."""

    DEFAULT_CSS = """
    JumpScreen { background: transparent; layers: spots; }
    JumpScreen SafeStatic {
        layer: spots; position: absolute; width: 3; height: 1; display: block;
        background: $warning; color: $background; text-style: bold; text-align: center;
    }
    JumpScreen SafeStatic:ansi { text-style: reverse bold; }
    JumpScreen SafeStatic:nocolor { text-style: reverse bold; }
    """

    def __init__(self, spots: tuple[Spot, ...]) -> None:
        super().__init__()
        self._spots = {spot.key: spot for spot in spots}

    def compose(self) -> ComposeResult:
        for spot in self._spots.values():
            label = SafeStatic((ink(f" {spot.key} ", Tone.STRONG),))
            label.styles.offset = spot.at
            yield label

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(self._spots.get(event.character or ""))

    def on_click(self, event: events.Click) -> None:
        at = event.screen_offset
        near = (spot for spot in self._spots.values() if spot.at.y == at.y and 0 <= at.x - spot.at.x < 3)
        self.dismiss(next(near, None))

    def on_resize(self, event: events.Resize) -> None:
        if event.size != self.app.size:
            self.dismiss(None)
