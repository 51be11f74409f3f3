"""Text that remembers who wrote it and what was typed, while edits go over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from workbench.core.turn import Author, Region, Turn, TypedPiece

__all__ = ["Edit", "Segment", "covered", "edit", "from_turn", "regions", "text_of", "typed_pieces"]


class Segment(NamedTuple):
    """A run of text by one author. `typed` are the typed characters it holds, None where none are.

    Character for character where both lengths are equal; otherwise the segment is an atom: all of
    it stands for all of `typed`, as an escape does.
    """

    text: str
    author: Author
    typed: tuple[int, int] | None = None


class Edit(NamedTuple):
    """Put `text` in the place of [start, end). Author None: that of what is replaced."""

    start: int
    end: int
    text: str = ""
    author: Author | None = None


class _Fragment(NamedTuple):
    """A part of a text; `source` is the number of the atom that it is cut from, if it is."""

    text: str
    author: Author
    typed: tuple[int, int] | None = None
    source: int = -1


def text_of(segments: Iterable[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def from_turn(turn: Turn) -> tuple[Segment, ...]:
    """The text of a turn, cut where its regions and its pieces begin and end."""
    found: list[Segment] = []
    pieces = sorted(turn.pieces, key=lambda piece: piece.start)
    number = 0
    for region in turn.regions:
        at = region.start
        while number < len(pieces) and pieces[number].start < region.end:
            piece = pieces[number]
            start, end = max(piece.start, at), min(piece.end, region.end)
            if end > start:
                if start > at:
                    found.append(Segment(turn.text[at:start], region.author))
                found.append(Segment(turn.text[start:end], region.author, _typed(piece, start, end)))
                at = end
            if piece.end > region.end:
                break
            number += 1
        if region.end > at:
            found.append(Segment(turn.text[at : region.end], region.author))
    return tuple(found)


def _typed(piece: TypedPiece, start: int, end: int) -> tuple[int, int] | None:
    """What [start, end) of a piece stands for; an atom that two regions share goes to the first."""
    if piece.end - piece.start == piece.typed_end - piece.typed_start:
        shift = piece.typed_start - piece.start
        return (start + shift, end + shift)
    return (piece.typed_start, piece.typed_end) if start == piece.start else None


def regions(segments: Iterable[Segment]) -> tuple[Region, ...]:
    """Regions that cover the text; neighbours of one author are one region."""
    found: list[Region] = []
    at = 0
    start, author = 0, None
    for segment in segments:
        if segment.author is not author:
            if author is not None and at > start:
                found.append(Region(start, at, author))
            start, author = at, segment.author
        at += len(segment.text)
    if author is not None and at > start:
        found.append(Region(start, at, author))
    return tuple(found)


def typed_pieces(segments: Iterable[Segment]) -> tuple[TypedPiece, ...]:
    """Where the typed characters stand in the text."""
    found: list[TypedPiece] = []
    at = 0
    for segment in segments:
        if segment.typed is not None and segment.text:
            found.append(TypedPiece(at, at + len(segment.text), *segment.typed))
        at += len(segment.text)
    return tuple(found)


def covered(typed: Iterable[tuple[int, int] | None]) -> tuple[int, int] | None:
    """The first run of typed characters without a gap."""
    start = end = None
    for span in typed:
        if span is None:
            continue
        if start is None or end is None:
            start, end = span
        elif span[0] == end:
            end = span[1]
        else:
            break
    return None if start is None or end is None else (start, end)


def edit(segments: Sequence[Segment], edits: Iterable[Edit]) -> tuple[Segment, ...]:
    """`segments` with `edits` made: in order, none overlapping, offsets in the text as it was.

    What replaces typed characters stands for them. An atom that loses a part stands for none.
    """
    source = _Source(segments)
    made: list[_Fragment] = []
    broken: set[int] = set()
    for change in edits:
        made.extend(source.take(change.start))
        replaced = source.take(change.end)
        if len(replaced) == 1 and change.text and change.author is None:
            part = replaced[0]
            made.append(_Fragment(change.text, part.author, part.typed, part.source))
            continue
        broken.update(part.source for part in replaced if part.source >= 0)
        if change.text:
            made.append(_replacement(change, replaced, made))
    made.extend(source.take(source.end))
    return tuple(_joined(made, broken))


def _replacement(change: Edit, replaced: Sequence[_Fragment], before: Sequence[_Fragment]) -> _Fragment:
    """What stands in the place of several fragments, or of none."""
    if change.author is not None:
        return _Fragment(change.text, change.author)
    typed = covered(part.typed for part in replaced)
    near = [part for part in replaced if part.typed is not None] or [*replaced] or [*before[-1:]]
    return _Fragment(change.text, near[0].author if near else Author.TRANSPORT, typed)


class _Source:
    """Reads segments front to back, cut at any offset."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments
        self._number = 0
        self._first = 0  # offset of the current segment
        self._at = 0
        self.end = sum(len(segment.text) for segment in segments)

    def take(self, until: int) -> list[_Fragment]:
        """The text from where the last call ended, up to `until`."""
        taken: list[_Fragment] = []
        while self._at < until:
            text, author, typed = self._segments[self._number]
            start, stop = self._at - self._first, min(until - self._first, len(text))
            if stop > start:
                taken.append(self._part(text, author, typed, start, stop))
                self._at = self._first + stop
            if stop == len(text):
                self._number += 1
                self._first += len(text)
        return taken

    def _part(
        self, text: str, author: Author, typed: tuple[int, int] | None, start: int, stop: int
    ) -> _Fragment:
        if stop - start == len(text):
            return _Fragment(text, author, typed)
        if typed is None:
            return _Fragment(text[start:stop], author)
        if typed[1] - typed[0] == len(text):
            return _Fragment(text[start:stop], author, (typed[0] + start, typed[0] + stop))
        return _Fragment(text[start:stop], author, typed, self._number)


def _joined(fragments: Iterable[_Fragment], broken: set[int]) -> Iterator[Segment]:
    """Neighbours that go on where the last one ended as one, so that edits do not scatter a text.

    Parts of one atom are one again, broken atoms without what they stood for.
    """
    texts: list[str] = []
    author, typed, source, single = Author.TRANSPORT, None, -1, False
    for part in fragments:
        now = None if part.source in broken else part.typed
        plain = now is None or now[1] - now[0] == len(part.text)
        if texts and part.author is author:
            if part.source >= 0 and part.source == source:
                texts.append(part.text)
                continue
            if plain and single and _goes_on(typed, now):
                texts.append(part.text)
                typed = now if typed is None or now is None else (typed[0], now[1])
                continue
        if texts:
            yield Segment(texts[0] if len(texts) == 1 else "".join(texts), author, typed)
        texts = [part.text]
        author, typed, source, single = part.author, now, part.source, plain and part.source < 0
    if texts:
        yield Segment("".join(texts), author, typed)


def _goes_on(before: tuple[int, int] | None, after: tuple[int, int] | None) -> bool:
    if before is None or after is None:
        return before is after
    return before[1] == after[0]
