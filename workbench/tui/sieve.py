"""What of a workspace is shown: filters by findings, changes, adapter and ingress, and the list's search."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.core.cell import BARE, CellKey
from workbench.core.scenario import Prompt
from workbench.core.text import SafeText, join, safe, visible
from workbench.tui.board import CellState
from workbench.tui.search import Search
from workbench.tui.view.layout import Pane

if TYPE_CHECKING:
    from workbench.tui.state import SessionState

__all__ = ["Only", "Sieve"]


class Only(StrEnum):
    """Filters that are on or off."""

    FAILING = "failing"
    CHANGED = "changed since it ran"


class Sieve:
    """Filters add up. Nothing is filtered to begin with."""

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self.only: frozenset[Only] = frozenset()
        self.adapter: str | None = None
        self.ingress: str | None = None
        self.search: Search | None = None

    @property
    def is_open(self) -> bool:
        """Whether everything is shown in the list."""
        return not (self.only or self.adapter or self.ingress or self._listed)

    @property
    def _listed(self) -> Search | None:
        search = self.search
        return search if search is not None and search.pane is Pane.SCENARIOS and search.needle else None

    def clear(self) -> None:
        """Show everything again."""
        self.only, self.adapter, self.ingress, self.search = frozenset(), None, None, None

    def toggle(self, filter_: Only) -> None:
        """Turn one filter on or off."""
        self.only ^= {filter_}

    @property
    def told(self) -> SafeText | None:
        """The filters in words; None without any. The search is told elsewhere."""
        said = [safe(one.value) for one in Only if one in self.only]
        said += [visible(name) for name in (self.adapter, self.ingress) if name is not None]
        return join(said, ", ") if said else None

    def keeps(self, scenario: str, prompt: Prompt) -> bool:
        """Whether a prompt stays in the list."""
        state, label = self._state, prompt.label
        if self._listed is not None and not self._listed.keeps(scenario, prompt.id or "", prompt.text):
            return False
        keys = state.board.keys(scenario, label)
        if self.adapter is not None and keys and not any(key.adapter == self.adapter for key in keys):
            return False
        if self.ingress is not None and not any(self.ingress_of(key) == self.ingress for key in keys):
            return False
        if Only.FAILING in self.only and not self._fails(scenario, label, keys):
            return False
        return Only.CHANGED not in self.only or any(self._is_old(key) for key in keys)

    def _fails(self, scenario: str, label: str, keys: Iterable[CellKey]) -> bool:
        counts = self._state.counts(scenario, label)
        return bool(counts.errors or counts.failed) or any(self._state.board.failures(key) for key in keys)

    def _is_old(self, key: CellKey) -> bool:
        board = self._state.board
        return board.stale(key) or board.state(key) is CellState.NOT_RUN

    def arms(self, scenario: str, prompt: str, arms: tuple[str, ...]) -> tuple[str, ...]:
        """The arms of a matrix that are shown; bare always is."""
        if self.ingress is None:
            return arms
        wanted = {
            key.arm
            for key in self._state.board.keys(scenario, prompt)
            if self.ingress_of(key) == self.ingress
        }
        return tuple(arm for arm in arms if arm == BARE or arm in wanted)

    def columns(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """The adapters of a matrix that are shown; all where the chosen one is not among them."""
        return (self.adapter,) if self.adapter in columns else columns

    def ingress_of(self, key: CellKey) -> str | None:
        """By which way in a cell's turn comes; None for a bare one, and where it is not known."""
        board = self._state.board
        cell = board.cells.get(key)
        delivery = board.planned.get(key) or (cell.delivery if cell is not None else None)
        return delivery.ingress if delivery is not None else None

    @property
    def ingresses(self) -> tuple[str, ...]:
        """Every way in that is known of, by name."""
        board = self._state.board
        known = {self.ingress_of(key) for key in (*board.planned, *board.cells)}
        return tuple(sorted(name for name in known if name is not None))
