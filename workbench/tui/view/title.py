"""What stands in the borders: where one is, in the words of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.text import safe, visible
from workbench.tui.place import RowKind
from workbench.tui.view.cells import cut
from workbench.tui.view.ink import Line, Piece, Tone, ink

if TYPE_CHECKING:
    from workbench.tui.state import SessionState
    from workbench.tui.view.paper import Document

__all__ = ["comparison_place", "comparison_title", "list_title", "matrix_title"]

PREVIEW = 400
"""Characters of a prompt that are looked at for a title; a prompt may be a megabyte."""


def _line(*pieces: Piece) -> Line:
    return pieces


def list_title(state: SessionState) -> Line:
    return _line(ink("Scenarios"), ink(f" {len(state.scenarios)}", Tone.MUTED))


def matrix_title(state: SessionState, width: int) -> Line:
    """The scenario, and the words that were typed."""
    place = state.place
    if place.scenario is None:
        return _line(ink("Matrix"))
    name = cut(visible(place.scenario), max(8, width // 3))
    if place.prompt is None:
        return _line(Piece(name), ink(" all prompts", Tone.MUTED))
    prompt = state.prompt(place.scenario, place.prompt)
    typed = prompt.text if prompt else ""
    room = max(8, width - len(name) - 9)
    words = Piece(cut(visible(typed[:PREVIEW]), room)) if typed else ink("nothing typed", Tone.MUTED)
    return _line(Piece(name), ink(" › ", Tone.MUTED), words)


def comparison_title(state: SessionState, document: Document, width: int) -> Line:
    """What is compared with what, and what both have in common; a single name where there is one side."""
    before, after = document.names
    key = state.place.key
    here = state.place.here
    pinned = (ink("pinned: ", Tone.KEY),) if state.comparisons.pinned is not None and key is not None else ()
    if key is None or before is None or here is None or here.kind is RowKind.FILE:
        tail = (
            (ink(" · ", Tone.MUTED), Piece(cut(visible(key.adapter), width // 3))) if key is not None else ()
        )
        return _line(*pinned, Piece(cut(after, width // 3)), *tail)
    room = width // 3 if pinned else width // 4
    sides = (Piece(cut(before, room)), ink(" ↔ ", Tone.MUTED), Piece(cut(after, room)))
    common = (ink(" · ", Tone.MUTED), Piece(cut(document.common, width // 4))) if document.common else ()
    return _line(*pinned, *sides, *common)


def comparison_place(state: SessionState, document: Document) -> Line:
    """Which difference of how many, on all tabs together; in words where there is none.

    Where a dark text was gone to, which of how many.
    """
    count = document.count
    dark, stops = state.place.dark, len(document.on(state.place.tab).stops)
    if dark is not None and dark.key == state.place.key and stops:
        number = min(dark.number, stops - 1) if dark.number >= 0 else stops - 1
        return _line(ink(f"dark text {number + 1:,} of {stops:,}", Tone.WARNING))
    if document.names[0] is None:
        return ()
    if not count:
        return _line(ink("no difference", Tone.OK))
    tab = state.place.tab
    here = len(document.on(tab).differences)
    if not here:
        return _line(ink(f"{count} difference{'' if count == 1 else 's'} on other tabs"))
    inside = state.place.difference if state.place.difference >= 0 else here - 1
    number = document.before(tab) + min(inside, here - 1) + 1
    return _line(ink(safe(f"difference {number} of {count}")))
