"""The tabs of a comparison: what each is called, and the bar that names them."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from workbench.core.text import safe
from workbench.tui.view.cells import pad, width_of
from workbench.tui.view.ink import Line, Tone, ink

__all__ = ["Tab", "tab_at", "tab_line"]


class Tab(StrEnum):
    """The tabs, in their order."""

    WINDOW = "Window"
    SCORES = "Scores"
    CALLS = "Calls"
    RATES = "Rates"
    TURN = "Turn"
    REQUEST = "Request"
    LANES = "Lanes"


def tab_line(chosen: Tab, marked: Collection[Tab], width: int) -> Line:
    """The bar in `width` cells: the chosen tab in brackets, `~` on those that hold a difference."""
    return pad(tuple(piece for tab in Tab for piece in _entry(tab, chosen, marked)), width)


def tab_at(x: int, chosen: Tab, marked: Collection[Tab]) -> Tab | None:
    """The tab whose name stands at cell `x` of the bar; None beside them."""
    edge = 0
    for tab in Tab:
        edge += width_of(_entry(tab, chosen, marked))
        if x < edge:
            return tab
    return None


def _entry(tab: Tab, chosen: Tab, marked: Collection[Tab]) -> Line:
    here = tab is chosen
    mark = (ink("~", Tone.WARNING),) if tab in marked else ()
    left, right = ("[", "]") if here else (" ", " ")
    edge, name = (Tone.KEY, Tone.STRONG) if here else (Tone.PLAIN, Tone.PLAIN)
    return (ink(left, edge), ink(safe(tab.value), name), *mark, ink(right, edge))
