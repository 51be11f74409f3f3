"""How authors are told apart: a letter each, and words. Colour only adds to them."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.core.text import SafeText, safe
from workbench.core.turn import Author

__all__ = ["LETTERS", "legend", "place_of", "whose"]

LETTERS = {author: safe(author.letter.upper()) for author in Author}

_WHOSE = {
    Author.USER: "the user's",
    Author.TRANSPORT: "the transport's",
    Author.ATTACHMENT: "the attachment's",
    Author.QUOTED: "quoted",
    Author.HISTORY: "of earlier turns",
    Author.TOOL: "a tool's output",
    Author.SYNTHETIC: "the app's own sentence",
    Author.APP: "the app's",
}

_PLACES = {
    Author.USER: "in the user's words",
    Author.TRANSPORT: "in the transport's frame",
    Author.ATTACHMENT: "in the attachment",
    Author.QUOTED: "in the quoted text",
    Author.HISTORY: "in an earlier turn",
    Author.TOOL: "in a tool's output",
    Author.SYNTHETIC: "in the app's own sentence",
    Author.APP: "in the app's text",
}


def whose(author: Author) -> SafeText:
    """Whose words they are, to stand behind a number of characters."""
    return safe(_WHOSE[author])


def place_of(author: Author) -> SafeText:
    """Where a phrase stands."""
    return safe(_PLACES[author])


def legend(authors: Iterable[Author]) -> SafeText:
    """What the letters mean, for the authors that were drawn."""
    drawn = set(authors)
    return safe(", ".join(f"{LETTERS[author]} {_WHOSE[author]}" for author in Author if author in drawn))
