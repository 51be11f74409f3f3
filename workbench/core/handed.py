"""What a policy hands on of a turn, and where each part of it stood there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.core.decision import Span
from workbench.core.segment import Edit, edit, from_turn, regions, text_of, typed_pieces
from workbench.core.turn import Author, Message, Region, Turn, TypedPiece

__all__ = ["Cut", "Handed", "keep", "typed_words", "whole", "written"]


@dataclass(frozen=True, slots=True)
class Cut:
    """[start, end) of what is handed on is [at, at_end) of the turn that was delivered.

    Character for character where both are of one length; otherwise all of it stands for all of that.
    """

    start: int
    end: int
    at: int
    at_end: int


@dataclass(frozen=True, slots=True)
class Handed:
    """`turn` is what is handed on: a text, and no files beside it. `cuts` are in its order."""

    turn: Turn
    cuts: tuple[Cut, ...] = ()

    def back(self, start: int, end: int) -> tuple[Span, ...] | None:
        """Where [start, end) of the text stood in the turn delivered, white space aside.

        None where a part of it stood nowhere.
        """
        spans: list[Span] = []
        at = start
        for cut in self.cuts:
            low, high = max(start, cut.start), min(end, cut.end)
            if low >= high:
                continue
            if self.turn.text[at:low].strip():
                return None
            if cut.end - cut.start == cut.at_end - cut.at:
                spans.append((cut.at + low - cut.start, cut.at + high - cut.start))
            else:
                spans.append((cut.at, cut.at_end))
            at = high
        return None if self.turn.text[at:end].strip() else tuple(_joined(spans))


def whole(turn: Turn) -> Handed:
    """All of it."""
    return keep(turn, ((0, len(turn.text)),))


def keep(turn: Turn, spans: Iterable[Span]) -> Handed:
    """Only those spans of the turn's text, in order; they may touch, and do not overlap."""
    kept = [(start, end) for start, end in spans if start < end]
    segments = edit(from_turn(turn), [Edit(start, end) for start, end in _between(kept, len(turn.text))])
    made = replace(_of(turn, text_of(segments)), regions=regions(segments), pieces=typed_pieces(segments))
    return Handed(made, tuple(_cuts(kept)))


def typed_words(turn: Turn) -> Handed:
    """What stands in the text box, as it was before any envelope."""
    if turn.typed == turn.text:
        return whole(turn)
    end = len(turn.typed)
    author = (Region(0, end, Author.USER),) if end else ()
    made = replace(_of(turn, turn.typed), regions=author, pieces=_all_of(end))
    cuts: list[Cut] = []
    for piece in sorted(turn.pieces, key=lambda piece: (piece.typed_start, piece.start)):
        if not cuts or piece.typed_start >= cuts[-1].end:  # words that stand twice: the first place
            cuts.append(Cut(piece.typed_start, piece.typed_end, piece.start, piece.end))
    return Handed(made, tuple(cuts))


def written(turn: Turn, text: str, parts: Sequence[tuple[int, int, Author]]) -> Handed:
    """A text that is no cut of the turn; `parts` cover it and say whose they are."""
    found = tuple(Region(start, end, author) for start, end, author in parts)
    return Handed(replace(_of(turn, text), regions=found, pieces=()))


def _of(turn: Turn, text: str) -> Turn:
    """The turn with another text, without files: whoever reads one string is handed nothing else."""
    earlier = turn.messages[:-1]
    messages = (*earlier, Message("user", text)) if turn.messages else ()
    return replace(turn, text=text, messages=messages, attachments=())


def _all_of(end: int) -> tuple[TypedPiece, ...]:
    return (TypedPiece(0, end, 0, end),) if end else ()


def _between(spans: Sequence[Span], end: int) -> Iterator[Span]:
    """What is in none of the spans."""
    at = 0
    for start, stop in spans:
        if start > at:
            yield at, start
        at = stop
    if at < end:
        yield at, end


def _cuts(spans: Iterable[Span]) -> Iterator[Cut]:
    at = 0
    for start, end in spans:
        yield Cut(at, at + end - start, start, end)
        at += end - start


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans in order, those that touch as one."""
    last: Span | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1]:
            last = (last[0], max(last[1], end))
            continue
        if last is not None:
            yield last
        last = (start, end)
    if last is not None:
        yield last
