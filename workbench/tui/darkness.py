"""How many characters of each cell's requests are dark; worked out beside the screen, once per answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.cell import AdapterInfo, Cell, CellKey

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["AtDark", "Dark", "Darkness", "dark_in"]


class AtDark(NamedTuple):
    """Which dark text of a cell's request was gone to: -1 is the last. `times`: how often one was."""

    key: CellKey
    number: int
    times: int = 1


class Dark(NamedTuple):
    """The fewest and the most dark characters of a request of a cell."""

    low: int
    high: int


class Darkness:
    """What is known by now; an answer that came since makes it unknown again."""

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self._known: dict[CellKey, tuple[Cell, Dark | None]] = {}

    def of(self, key: CellKey) -> Dark | None:
        """None where nobody says who wrote what, where no request was sent, and before it is known."""
        known = self._known.get(key)
        return known[1] if known is not None and known[0] is self._state.board.cells.get(key) else None

    def unknown(self, scenario: str, prompt: str) -> list[tuple[CellKey, Cell, AdapterInfo]]:
        """The cells of a prompt that sent requests that have not been looked at."""
        board = self._state.board
        found = []
        for key in board.keys(scenario, prompt):
            cell, adapter = board.cells.get(key), board.adapters.get(key.adapter)
            if cell is None or adapter is None or board.is_running(key):
                continue
            known = self._known.get(key)
            if known is not None and known[0] is cell:
                continue
            if any(trial.exchange is not None for trial in cell.trials):
                found.append((key, cell, adapter))
            else:
                self._known[key] = (cell, None)
        return found

    def took(self, key: CellKey, cell: Cell, dark: Dark | None) -> None:
        """What was found out of an answer."""
        self._known[key] = (cell, dark)
        if dark is not None:
            self._state.version += 1


def dark_in(cell: Cell, adapter: AdapterInfo) -> Dark | None:
    """The dark characters of a cell's requests; None: not reported. It may take long."""
    from workbench.lanes.cell import lanes_of

    lanes = lanes_of(cell, adapter)
    return Dark(lanes.dark.low, lanes.dark.high) if lanes is not None else None
