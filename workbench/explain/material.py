"""What was delivered as one text with parts that can be taken away: a turn, or files that an app joins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from workbench.core.decision import Span
from workbench.core.segment import Segment, edit, text_of
from workbench.core.turn import Attachment, Author, Message, Region, Turn
from workbench.explain.parts import foreign, gaps, joined, without

__all__ = ["Material", "material_of"]

_BETWEEN = "\n\n"
_LETTER = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Material:
    """`foreign` are the spans of `text` that the user did not write and that can be taken out of the turn.

    `documents` tells where each attachment stands in `text`, None where it does not. Of a turn that the app
    makes itself, `text` is what goes in: the words typed, then the files.
    """

    turn: Turn
    text: str
    regions: tuple[Region, ...]
    foreign: tuple[Span, ...]
    documents: tuple[Span | None, ...] = ()

    def author_at(self, place: int) -> Author:
        """Who wrote the character at that place; behind the last one, who wrote that."""
        last = self.regions[-1].author if self.regions else Author.USER
        return next((r.author for r in self.regions if r.start <= place < r.end), last)

    def deliver(self, removed: Iterable[Span]) -> Turn:
        """The turn without these parts, files that came with it included."""
        gone = joined(removed)
        attachments = tuple(
            file if span is None else replace(file, text=_rest(file.text, span, gone))
            for file, span in zip(self.turn.attachments, self.documents, strict=True)
        )
        if self.turn.made_by_app:
            return replace(self.turn, attachments=attachments)
        turn = replace(without(self.turn, gone), attachments=attachments)
        # What was pasted was typed, as far as anyone but the workbench can tell.
        return replace(turn, typed=turn.text) if self.turn.typed == self.turn.text else turn

    def disguised(self) -> Material:
        """The same with an x for every letter and digit that the user did not write: as long, and at the
        same places, but without a word.
        """
        text = self.text
        for start, end in reversed(joined(self.foreign)):
            text = text[:start] + _LETTER.sub("x", text[start:end]) + text[end:]
        attachments = tuple(
            file if span is None else replace(file, text=text[slice(*span)])
            for file, span in zip(self.turn.attachments, self.documents, strict=True)
        )
        turn = replace(self.turn, attachments=attachments)
        if not turn.made_by_app:
            messages = turn.messages
            if messages and messages[-1].content == turn.text:
                messages = (*messages[:-1], Message(messages[-1].role, text))
            typed = text if turn.typed == turn.text else turn.typed
            turn = replace(turn, text=text, typed=typed, messages=messages)
        return replace(self, turn=turn, text=text)

    def attachment_of(self, span: Span) -> tuple[str, Span] | None:
        """The name of the attachment that holds a part of it, and where in that; None: in the turn itself."""
        for file, place in zip(self.turn.attachments, self.documents, strict=True):
            if place is not None and place[0] <= span[0] and span[1] <= place[1]:
                return file.name, (span[0] - place[0], span[1] - place[0])
        return None


def material_of(turn: Turn) -> Material:
    """What can be taken away of a turn."""
    if turn.made_by_app:
        return _files_of(turn)
    places = _places(turn.text, foreign(turn), turn.attachments)
    return Material(turn, turn.text, turn.regions, foreign(turn), places)


def _files_of(turn: Turn) -> Material:
    text, places = turn.typed, list[Span]()
    regions = [Region(0, len(text), Author.USER)] if text else []
    for file in turn.attachments:
        start = len(text) + len(_BETWEEN) if text else 0
        if start:
            regions.append(Region(len(text), start, Author.APP))
        text = f"{text}{_BETWEEN if text else ''}{file.text}"
        places.append((start, len(text)))
        if file.text:
            regions.append(Region(start, len(text), Author.ATTACHMENT))
    spans = tuple(span for span in places if span[1] > span[0])
    return Material(turn, text, tuple(regions), spans, tuple(places))


def _places(text: str, spans: Sequence[Span], attachments: Sequence[Attachment]) -> tuple[Span | None, ...]:
    """Where the files stand in a text that they were put into one behind the other, in one of these spans."""
    whole = _BETWEEN.join(file.text for file in attachments)
    hits = (text.find(whole, start, end) for start, end in joined(spans)) if whole else iter(())
    at = next((hit for hit in hits if hit >= 0), -1)
    found: list[Span | None] = []
    for file in attachments:
        found.append(None if at < 0 else (at, at + len(file.text)))
        at = at if at < 0 else at + len(file.text) + len(_BETWEEN)
    return tuple(found)


def _rest(text: str, span: Span, gone: Sequence[Span]) -> str:
    """What is left of the text that stands at `span`."""
    start, end = span
    here = [(max(a, start) - start, min(b, end) - start) for a, b in gone if a < end and b > start]
    return text_of(edit((Segment(text, Author.ATTACHMENT),), gaps(text, here)))
