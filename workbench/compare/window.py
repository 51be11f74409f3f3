"""Where a scan window stands in its turn, whose characters it holds, and what of the user's it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from workbench.compare.pieces import Text, find_pieces
from workbench.compare.projection import Level, project
from workbench.compare.search import Hit, by_character, find_whole, find_words, with_blanks
from workbench.core.decision import Span, Window, WindowSource
from workbench.core.turn import Author, Region, Turn

__all__ = ["Found", "Part", "PlacedWindow", "place"]


class Found(StrEnum):
    """How the window was found again in the turn."""

    CLAIMED = "claimed"  # the adapter's own spans
    EXACT = "exact"
    SPACING = "spacing"  # but for trimmed or collapsed white space
    FORM = "normal form"
    CASE = "case"
    WORDS = "punctuation"  # but for punctuation too
    PIECES = "pieces"  # several parts of the turn, or parts of it among other text
    NOWHERE = "nowhere"


_FOUND = {
    Level.EXACT: Found.EXACT,
    Level.SPACING: Found.SPACING,
    Level.FORM: Found.FORM,
    Level.CASE: Found.CASE,
    Level.WORDS: Found.WORDS,
}


@dataclass(frozen=True, slots=True)
class Part:
    """A span [start, end) of the window's own text, and who wrote it."""

    start: int
    end: int
    author: Author


@dataclass(frozen=True, slots=True)
class PlacedWindow:
    """A window, placed.

    `spans` are offsets in the turn, None if no part of the window stands there. `parts` cover the
    window's text; what stands in nothing that was delivered is author `app`. `user_coverage` is the
    share of the typed characters that the window holds, `foreign_share` the share of the window's
    characters that are not the user's; white space is left out of both, and both are None when
    nothing was typed. `lacking` are spans of the typed text that were delivered and that the window
    lacks. `places` counts where the whole window could stand; `ambiguous`: these places have other
    authors, and the user's was taken.
    """

    text: str
    source: WindowSource
    tap: str | None
    found: Found
    places: int
    ambiguous: bool
    spans: tuple[Span, ...] | None
    parts: tuple[Part, ...]
    user_coverage: float | None
    foreign_share: float | None
    lacking: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """A text that came with the delivery, and who wrote which part of it."""

    text: str
    regions: tuple[Region, ...]

    @property
    def edges(self) -> tuple[int, ...]:
        return tuple(edge for region in self.regions for edge in (region.start, region.end))

    def user_length(self, start: int, end: int) -> int:
        return sum(
            _overlap(start, end, region.start, region.end)
            for region in self.regions
            if region.author is Author.USER
        )


@lru_cache(maxsize=512)
def place(window: Window, turn: Turn, typed: str) -> PlacedWindow:
    """Find `window` again in `turn`, and in what came with it; `typed` are the prompt's own words."""
    sources = _sources(turn, typed)
    found, hits, places, ambiguous = _search(window, turn, sources)
    parts = _parts(window.text, hits, sources)
    held = _held(hits, turn, typed)
    coverage = _share(typed, held)
    foreign = [(part.start, part.end) for part in parts if part.author is not Author.USER]
    spans = _merged(
        [*((hit.at, hit.at_end) for hit in hits if hit.source == 0), *_through_pieces(hits, turn)]
    )
    delivered = _merged((piece.typed_start, piece.typed_end) for piece in turn.pieces)
    return PlacedWindow(
        text=window.text,
        source=window.source,
        tap=window.tap,
        found=found,
        places=places,
        ambiguous=ambiguous,
        spans=spans if spans or not window.text else None,
        parts=parts,
        user_coverage=coverage,
        foreign_share=None if coverage is None else (_share(window.text, foreign) or 0.0),
        lacking=tuple(
            span for span in _without(delivered, held) if any(char.isalnum() for char in typed[slice(*span)])
        ),
    )


def _sources(turn: Turn, typed: str) -> list[_Source]:
    """The turn, then what a router may read beside it: the typed words, files, earlier messages."""
    sources = [_Source(turn.text, turn.regions)]
    whole = [(typed, Author.USER)]
    whole += [(attachment.text, Author.ATTACHMENT) for attachment in turn.attachments]
    whole += [(message.content, Author.HISTORY) for message in turn.messages[:-1]]
    sources += [_Source(text, (Region(0, len(text), author),)) for text, author in whole]
    return sources


def _search(window: Window, turn: Turn, sources: Sequence[_Source]) -> tuple[Found, list[Hit], int, bool]:
    """How it was found, where, in how many places, and whether these have other authors."""
    if not window.text:
        return Found.EXACT, [], 0, False
    if window.spans is not None and (claimed := _claimed(window, turn)):
        return Found.CLAIMED, claimed, 1, False
    texts = [source.text for source in sources]
    for level in Level:
        for number, source in enumerate(sources):
            if hits := find_whole(window.text, source.text, level, number):
                if turn.made_by_app and number < 2:
                    for other in range(2, len(sources)):
                        hits += find_whole(window.text, sources[other].text, level, other)
                chosen, places, ambiguous = _chosen(hits, sources)
                if level is Level.WORDS:
                    cut = by_character(chosen[0], window.text, texts[chosen[0].source])
                    chosen = with_blanks(cut, window.text, texts)
                return _FOUND[level], chosen, places, ambiguous
    pieces = find_pieces(
        window.text,
        [Text(source.text, source.edges) for source in sources],
        sources[1].text,
        lambda number, start, end: sources[number].user_length(start, end),
    )
    words = find_words(window.text, sources[1].text, 1) or []
    hits = max(pieces, words, key=lambda hits: sum(hit.end - hit.start for hit in hits))
    hits = with_blanks(hits, window.text, texts)
    return (Found.PIECES, hits, 1, False) if hits else (Found.NOWHERE, [], 0, False)


def _chosen(hits: list[Hit], sources: Sequence[_Source]) -> tuple[list[Hit], int, bool]:
    """Of several places the one with the most of the user's characters, the first of equals."""
    lengths = [sources[hit.source].user_length(hit.at, hit.at_end) for hit in hits]
    best = lengths.index(max(lengths))
    return [hits[best]], len(hits), min(lengths) != max(lengths)


def _claimed(window: Window, turn: Turn) -> list[Hit]:
    """The adapter's own spans, if what stands there is the window but for spacing, form and case."""
    assert window.spans is not None
    there = "".join(turn.text[start:end] for start, end in window.spans)
    mine, theirs = project(window.text, Level.CASE), project(there, Level.CASE)
    mine_solid = mine.text.replace(" ", "")
    if mine_solid != theirs.text.replace(" ", ""):
        return []
    hits: list[Hit] = []
    solid = [index for index, char in enumerate(mine.text) if char != " "]
    done = 0
    for start, end in window.spans:
        length = len(project(turn.text[start:end], Level.CASE).text.replace(" ", ""))
        if not length:
            continue
        first, last = solid[done], solid[min(done + length, len(solid)) - 1]
        low, high = mine.original(first, last + 1)
        hits.append(Hit(low, high, 0, start, end))
        done += length
    if there == window.text and len(window.spans) == 1:
        start, end = window.spans[0]
        return [Hit(0, len(window.text), 0, start, end)]
    return hits


def _parts(text: str, hits: Iterable[Hit], sources: Sequence[_Source]) -> tuple[Part, ...]:
    """The window's text cut by author; white space between two parts goes with the one before it."""
    spans: list[tuple[int, int, Author]] = []
    for hit in hits:
        spans += _authors(text, hit, sources[hit.source])
    parts: list[Part] = []

    def add(start: int, end: int, author: Author) -> None:
        if start >= end:
            return
        if parts and (parts[-1].author is author or not text[start:end].strip()):
            parts[-1] = Part(parts[-1].start, end, parts[-1].author)
        else:
            parts.append(Part(start, end, author))

    at = 0
    for start, end, author in sorted(spans):
        gap = text[at:start]
        add(at, start, author if not parts and not gap.strip() else Author.APP)
        add(max(at, start), end, author)
        at = max(at, end)
    add(at, len(text), Author.APP)
    return tuple(parts)


def _authors(text: str, hit: Hit, source: _Source) -> list[tuple[int, int, Author]]:
    """The window's span of one hit, cut where the author changes in the source."""
    inside = [r for r in source.regions if _overlap(hit.at, hit.at_end, r.start, r.end)]
    if len(inside) == 1:
        return [(hit.start, hit.end, inside[0].author)]
    mine, theirs = text[hit.start : hit.end], source.text[hit.at : hit.at_end]
    level = next((level for level in Level if _same(mine, theirs, level)), None)
    if level is None:
        return [(hit.start, hit.end, Author.APP)]
    here, there = project(mine, level), project(theirs, level)
    lead = len(here.text) - len(here.text.lstrip()), len(there.text) - len(there.text.lstrip())
    cut: list[tuple[int, int, Author]] = []
    start = hit.start
    for region in inside:
        edge = there.index(max(0, region.end - hit.at)) - lead[1] + lead[0]
        last = region is inside[-1] or edge >= len(here.text)
        end = hit.end if last else hit.start + here.starts[max(0, edge)]
        if end > start:
            cut.append((start, end, region.author))
        start = max(start, end)
    return cut


def _same(one: str, other: str, level: Level) -> bool:
    return project(one, level).text.strip() == project(other, level).text.strip()


def _held(hits: Iterable[Hit], turn: Turn, typed: str) -> tuple[Span, ...]:
    """The typed characters that stand in the window, as spans of the typed text."""
    held: list[Span] = []
    for hit in hits:
        if hit.source == 1:
            held.append((hit.at, hit.at_end))
        if hit.source != 0:
            continue
        for piece in turn.pieces:
            low, high = max(hit.at, piece.start), min(hit.at_end, piece.end)
            if low >= high:
                continue
            if piece.end - piece.start == piece.typed_end - piece.typed_start:
                shift = piece.typed_start - piece.start
                held.append((low + shift, high + shift))
            elif (low, high) == (piece.start, piece.end):
                held.append((piece.typed_start, piece.typed_end))
    return _merged(held)


def _through_pieces(hits: Iterable[Hit], turn: Turn) -> tuple[Span, ...]:
    """Where words that were read beside the turn stand in it, as far as it holds them."""
    spans: list[Span] = []
    for hit in hits:
        if hit.source != 1:
            continue
        for piece in turn.pieces:
            low, high = max(hit.at, piece.typed_start), min(hit.at_end, piece.typed_end)
            if low >= high:
                continue
            if piece.end - piece.start == piece.typed_end - piece.typed_start:
                shift = piece.start - piece.typed_start
                spans.append((low + shift, high + shift))
            else:
                spans.append((piece.start, piece.end))
    return _merged(spans)


def _share(text: str, spans: Iterable[Span]) -> float | None:
    """The share of the text's characters, white space left out, that stand in `spans`; None without any."""
    total = _solid(text)
    return sum(_solid(text[start:end]) for start, end in spans) / total if total else None


def _solid(text: str) -> int:
    """How many characters of `text` are no white space."""
    return sum(map(len, text.split()))


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sorted, with spans that touch or overlap made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return tuple(merged)


def _without(spans: Iterable[Span], taken: Sequence[Span]) -> list[Span]:
    """What of sorted `spans` no span of sorted `taken` covers."""
    left: list[Span] = []
    for start, end in spans:
        at = start
        for low, high in taken:
            if high <= at or low >= end:
                continue
            if low > at:
                left.append((at, low))
            at = max(at, high)
        if at < end:
            left.append((at, end))
    return left


def _overlap(start: int, end: int, other_start: int, other_end: int) -> int:
    return max(0, min(end, other_end) - max(start, other_start))
