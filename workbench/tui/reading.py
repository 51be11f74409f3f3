"""From difference to difference: inside one comparison, and on to the next cell that has any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.core.cell import CellKey
from workbench.tui.board import CellState
from workbench.tui.darkness import AtDark
from workbench.tui.place import RowKind
from workbench.tui.state import SessionState
from workbench.tui.view.tabs import Tab

if TYPE_CHECKING:
    from workbench.tui.view.paper import Document

__all__ = ["arrive", "next_case", "next_dark", "next_difference", "turn_to"]

LAST = -1


def next_difference(state: SessionState, step: int) -> str | None:
    """Go to the next difference (`step` 1) or the previous one (-1), over the edge into the next case.

    Returns why there is none; None where there was one.
    """
    state.place.dark = None
    key = state.place.key
    document = state.comparisons.kept(key) if key else None
    if document is not None:
        arrive(state, document)
        place = state.place
        count = len(document.on(place.tab).differences)
        here = place.difference if place.difference != LAST else count - 1
        if count and 0 <= here + step < count:
            place.difference = here + step
            return None
        order = list(Tab)
        at = order.index(place.tab)
        further = order[at + 1 :] if step > 0 else order[:at][::-1]
        tab = next((tab for tab in further if tab in document.marked), None)
        if tab is not None:
            place.tab, place.difference = tab, (0 if step > 0 else LAST)
            return None
    return next_case(state, step, LAST if step < 0 else 0)


def turn_to(state: SessionState, tab: Tab) -> None:
    """Choose a tab of the comparison, at its first difference."""
    state.place.tab, state.place.difference, state.place.arriving = tab, 0, 0
    state.place.dark = None


def next_dark(state: SessionState, step: int) -> str | None:
    """Go to the next text that no lane owns (`step` 1), or the previous one (-1), round the end.

    It turns to the tab of lanes. Returns why there is none, as far as that is known by now.
    """
    place, key = state.place, state.place.key
    if key is None:
        return "there is no cell here: choose one"
    before = place.dark if place.tab is Tab.LANES else None
    turn_to(state, Tab.LANES)
    document = state.comparisons.kept(key)
    if document is not None and document.tabs:
        count = len(document.on(Tab.LANES).stops)
        if not count:
            return "nothing that is known to be dark is in this request"
        if before is not None and before.key == key:
            number = (before.number + step) % count if before.number != LAST else count - 1 + step
            place.dark = AtDark(key, number % count, before.times + 1)
            return None
    place.dark = AtDark(key, 0 if step > 0 else LAST)
    return None


def arrive(state: SessionState, document: Document) -> None:
    """Once the comparison of a cell that was gone to is known: choose the tab that has its difference."""
    place = state.place
    step, place.arriving = place.arriving, 0
    if step and document.tabs:
        marked = document.marked or (Tab.WINDOW,)
        place.tab = marked[0] if step > 0 else marked[-1]


def next_case(state: SessionState, step: int, difference: int = 0) -> str | None:
    """Go to the next cell that differs, failed or has a finding; the previous one with `step` -1.

    Returns why there is none; None where there was one.
    """
    for key in _after(state, step):
        if is_case(state, key):
            state.place.go_to(key, difference)
            state.place.arriving = 1 if difference != LAST else -1
            return None
    return "no further difference" if step > 0 else "no earlier difference"


def is_case(state: SessionState, key: CellKey) -> bool:
    """Whether a cell is worth a look: it differs, failed, or has a finding that is more than a note."""
    pinned, cell = state.comparisons.pinned, state.board.cells.get(key)
    differs = pinned.differs(cell) if pinned is not None and cell is not None else None
    if differs is not None:
        return differs
    if state.verdicts.worst(key) is not None:
        return True
    return state.board.state(key) in (CellState.DIFFERS, CellState.FAILED)


def _after(state: SessionState, step: int) -> Iterator[CellKey]:
    """Every cell after the chosen one in reading order, or every one before it, nearest first."""
    order = [(name, prompt.label) for name in state.scenarios for prompt in state.prompts(name)]
    here = state.place.here
    if here is None or here.kind is RowKind.FILE or not order:
        start = len(order) if here is not None and step < 0 else 0
        yield from _keys(state, order[start:] if step > 0 else order[:start][::-1], step)
        return
    if here.prompt is None:
        first = next((n for n, (name, _) in enumerate(order) if name == here.name), len(order))
        yield from _keys(state, order[first:] if step > 0 else order[:first][::-1], step)
        return
    number = order.index((here.name, here.prompt))
    own = list(_cells(state, *order[number]))
    key = state.place.key
    position = own.index(key) if key in own else -1
    yield from own[position + 1 :] if step > 0 else own[: max(position, 0)][::-1]
    yield from _keys(state, order[number + 1 :] if step > 0 else order[:number][::-1], step)


def _keys(state: SessionState, prompts: list[tuple[str, str]], step: int) -> Iterator[CellKey]:
    for scenario, label in prompts:
        cells = list(_cells(state, scenario, label))
        yield from cells if step > 0 else cells[::-1]


def _cells(state: SessionState, scenario: str, prompt: str) -> Iterator[CellKey]:
    for arm in state.board.arms(scenario, prompt):
        for adapter in state.board.columns(scenario):
            yield CellKey(scenario, prompt, arm, adapter)
