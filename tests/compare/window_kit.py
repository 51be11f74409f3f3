"""Turns made of parts by author, and windows placed in them."""

from __future__ import annotations

from workbench.compare.window import PlacedWindow, place
from workbench.core.decision import Span, Window, WindowSource
from workbench.core.turn import Author, Region, Turn, TypedPiece

HEAD = '<tag channel="chat">\n'
TYPED = "Check my  calendar, and email"
TAIL = "\n</tag>"


def turn_of(*parts: tuple[str, Author]) -> Turn:
    """A turn of parts by author; the user's parts are the typed words, in order."""
    text, typed = "", ""
    regions: list[Region] = []
    pieces: list[TypedPiece] = []
    for part, author in parts:
        regions.append(Region(len(text), len(text) + len(part), author))
        if author is Author.USER:
            pieces.append(TypedPiece(len(text), len(text) + len(part), len(typed), len(typed) + len(part)))
            typed += part
        text += part
    return Turn(text, typed, tuple(regions), tuple(pieces))


def placed(text: str, turn: Turn, spans: tuple[Span, ...] | None = None) -> PlacedWindow:
    return place(Window(text, WindowSource.REPORTED, spans), turn, turn.typed)


def authors(window: PlacedWindow) -> list[tuple[str, str]]:
    return [(window.text[part.start : part.end], part.author.value) for part in window.parts]
