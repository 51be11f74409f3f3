"""A document as a value: rows to draw, tab by tab, whatever they were made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.core.cell import Cell
from workbench.core.text import SafeText
from workbench.tui.view.rows import DocRow
from workbench.tui.view.tabs import Tab

__all__ = ["Document", "Stop"]

NOTHING = SafeText("")


class Stop(NamedTuple):
    """A place to go to: a row, the side of it, and the character of its raw text."""

    row: int
    variant: bool
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """Rows to draw. `names` of both sides; the first is None where a cell stands by itself.

    `differences` are ranges [first, last] of rows. `cell` is the answer that it was made from, and
    `baseline` what that was held against. `tabs` holds every tab of a comparison, this document the
    first of them; a document that is none has no tabs. `common` is what both sides share, `opens` the
    key that opens folds, where there is one to press. `stops` are where something is dark.
    """

    names: tuple[SafeText | None, SafeText]
    rows: tuple[DocRow, ...]
    differences: tuple[tuple[int, int], ...] = ()
    cell: Cell | None = None
    baseline: Cell | None = None
    tabs: Mapping[Tab, Document] = field(default_factory=dict)
    common: SafeText = NOTHING
    opens: SafeText = NOTHING
    stops: tuple[Stop, ...] = ()

    def on(self, tab: Tab) -> Document:
        """What stands on a tab; this document where there are none."""
        return self.tabs.get(tab, self)

    @property
    def marked(self) -> tuple[Tab, ...]:
        """The tabs that hold a difference, in their order."""
        return tuple(tab for tab, document in self.tabs.items() if document.differences)

    @property
    def count(self) -> int:
        """The differences of all tabs."""
        if not self.tabs:
            return len(self.differences)
        return sum(len(document.differences) for document in self.tabs.values())

    def before(self, tab: Tab) -> int:
        """The differences of the tabs before one."""
        order = list(Tab)
        earlier = order[: order.index(tab)]
        return sum(len(self.tabs[one].differences) for one in earlier if one in self.tabs)
