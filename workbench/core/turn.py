"""A turn: one delivery of a prompt, cut into regions by author."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Attachment", "Author", "Message", "Region", "Turn", "TypedPiece", "bare", "user_spans"]


class Author(StrEnum):
    """Who wrote a region."""

    USER = "user"
    TRANSPORT = "transport"
    ATTACHMENT = "attachment"
    QUOTED = "quoted"
    HISTORY = "history"
    TOOL = "tool"
    SYNTHETIC = "synthetic"
    APP = "app"

    @property
    def letter(self) -> str:
        """The letter that stands for this author where there is room for one: the same on every front end."""
        return _LETTERS[self]


_LETTERS = {
    Author.USER: "u",
    Author.TRANSPORT: "t",
    Author.ATTACHMENT: "a",
    Author.QUOTED: "q",
    Author.HISTORY: "h",
    Author.TOOL: "o",  # its output
    Author.SYNTHETIC: "s",
    Author.APP: "p",
}


@dataclass(frozen=True, slots=True)
class Region:
    """The span [start, end) of a turn's text, in code points, with its author."""

    start: int
    end: int
    author: Author


@dataclass(frozen=True, slots=True)
class TypedPiece:
    """Where typed characters stand in a turn: [start, end) there holds typed [typed_start, typed_end).

    Both lengths are equal where the words are verbatim; an escaped character is a piece of its own.
    """

    start: int
    end: int
    typed_start: int
    typed_end: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with the turn; its author is not the user. `path` is absolute."""

    name: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The text as the app hands it on, with `regions` that cover it without gap or overlap.

    `typed` is what the user put into the text box. `pieces` tell where those characters stand in
    `text`. `made_by_app` says that the app itself joins the attachments to the typed words, so
    that `text` is only what goes in. `messages` are earlier turns, then this one.
    """

    text: str
    typed: str
    regions: tuple[Region, ...]
    pieces: tuple[TypedPiece, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    messages: tuple[Message, ...] = ()
    made_by_app: bool = False


def bare(typed: str) -> Turn:
    """The baseline: the typed words alone."""
    end = len(typed)
    if not typed:
        return Turn("", "", ())
    return Turn(typed, typed, (Region(0, end, Author.USER),), (TypedPiece(0, end, 0, end),))


def user_spans(turn: Turn) -> tuple[tuple[int, int], ...]:
    """The spans of `turn.text` that the user wrote."""
    return tuple((r.start, r.end) for r in turn.regions if r.author is Author.USER)
