"""Finding a text again in others: whole, as some of the user's words, or in pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from workbench.compare.projection import Level, Projection, project
from workbench.core.decision import Span

__all__ = ["Hit", "find_pieces", "find_whole", "find_words"]

_MOST_PLACES = 1000
_MOST_PIECES = 500
_SHORTEST_PIECE = 12
_WORD = re.compile(r"\S+")
_MOST_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class Hit:
    """Window span [start, end) stands at [at, at_end) of the text number `source`."""

    start: int
    end: int
    source: int
    at: int
    at_end: int


def find_whole(window: str, source: str, level: Level, number: int = 0) -> list[Hit]:
    """Every place where all of `window` stands in `source`; above EXACT, white space round it may lack."""
    needle = project(window, level)
    low, high = (0, len(window)) if level is Level.EXACT else _stripped(needle)
    if low == high:
        return []
    wanted = needle.text[low:high]
    hay = project(source, level)
    hits: list[Hit] = []
    found = hay.text.find(wanted)
    while found >= 0 and len(hits) < _MOST_PLACES:
        at, at_end = hay.original(found, found + len(wanted))
        start, end = needle.original(low, high)
        hit = Hit(start, end, number, at, at_end)
        hits.append(_extended(hit, window, source) if level is Level.WORDS else hit)
        found = hay.text.find(wanted, found + 1)
    return hits


def _extended(hit: Hit, window: str, source: str) -> Hit:
    """The hit with the punctuation round it that is the same on both sides."""
    start, end, at, at_end = hit.start, hit.end, hit.at, hit.at_end
    while start > 0 and at > 0 and window[start - 1] == source[at - 1]:
        start, at = start - 1, at - 1
    while end < len(window) and at_end < len(source) and window[end] == source[at_end]:
        end, at_end = end + 1, at_end + 1
    return Hit(start, end, hit.source, at, at_end)


def find_words(window: str, source: str, number: int = 0) -> list[Hit] | None:
    """The words of `window` as words of `source` left out here and there, in order.

    None unless at least four in five of them stand there: then the window was made from `source`.
    """
    mine, theirs = _words(window), _words(source)
    if not mine or not theirs or len(mine) > _MOST_WORDS or len(theirs) > _MOST_WORDS:
        return None
    from rapidfuzz.distance import Indel

    hits: list[Hit] = []
    matched = 0
    for block in Indel.opcodes([word for word, _ in mine], [word for word, _ in theirs]):
        if block.tag == "equal":
            matched += block.src_end - block.src_start
            (start, _), (_, end) = mine[block.src_start][1], mine[block.src_end - 1][1]
            (at, _), (_, at_end) = theirs[block.dest_start][1], theirs[block.dest_end - 1][1]
            hits.append(Hit(start, end, number, at, at_end))
    return hits if matched >= 0.8 * len(mine) else None


def _words(text: str) -> list[tuple[str, Span]]:
    """Each word as letters and digits without case, with its span in `text`."""
    words = []
    for match in _WORD.finditer(text):
        if plain := project(match.group(), Level.WORDS).text:
            words.append((plain, match.span()))
    return words


def find_pieces(
    window: str, sources: Sequence[str], typed: str, weight: Callable[[int, int, int], int]
) -> list[Hit]:
    """`window` from left to right as the longest pieces that stand in any source.

    `weight(source, start, end)` breaks ties between places: the larger wins. A piece holds three
    words, or twelve characters, or all that was `typed`: shorter ones are alike by accident.
    """
    needle = project(window, Level.CASE)
    hays = [project(source, Level.CASE) for source in sources]
    all_typed = project(typed, Level.CASE).text.strip()
    hits: list[Hit] = []
    at = 0
    while at < len(needle.text) and len(hits) < _MOST_PIECES:
        if needle.text[at] == " ":
            at += 1
            continue
        longest, places = 0, []
        for number, hay in enumerate(hays):
            length = _longest(needle.text, at, hay.text)
            if length > longest:
                longest, places = length, [number]
            elif length == longest:
                places.append(number)
        piece = needle.text[at : at + longest].rstrip()
        if not piece or (piece != all_typed and not _proves(needle.text, at, piece)):
            at = _next_word(needle.text, at)
            continue
        start, end = needle.original(at, at + len(piece))
        hits.append(
            max(_places(piece, start, end, places, hays), key=lambda h: weight(h.source, h.at, h.at_end))
        )
        at += len(piece)
    return hits


def _places(
    piece: str, start: int, end: int, numbers: Sequence[int], hays: Sequence[Projection]
) -> Iterator[Hit]:
    for number in numbers:
        hay = hays[number]
        found = hay.text.find(piece)
        for _ in range(_MOST_PLACES):
            if found < 0:
                break
            yield Hit(start, end, number, *hay.original(found, found + len(piece)))
            found = hay.text.find(piece, found + 1)


def _longest(needle: str, at: int, hay: str) -> int:
    """The length of the longest prefix of needle[at:] that stands in `hay`."""
    low, high = 0, 1
    most = len(needle) - at
    while high <= most and needle[at : at + high] in hay:
        low, high = high, high * 2
    high = min(high, most + 1)
    while low + 1 < high:
        middle = (low + high) // 2
        if needle[at : at + middle] in hay:
            low = middle
        else:
            high = middle
    return low


def _proves(needle: str, at: int, piece: str) -> bool:
    if len(piece) >= _SHORTEST_PIECE:
        return True
    whole = at + len(piece) == len(needle) or needle[at + len(piece)] == " "
    return whole and piece.count(" ") > 1


def _next_word(text: str, at: int) -> int:
    space = text.find(" ", at)
    return len(text) if space < 0 else space + 1


def _stripped(needle: Projection) -> Span:
    """The span of the projected text without white space at its ends."""
    text = needle.text
    low = len(text) - len(text.lstrip())
    high = len(text.rstrip())
    return (low, high) if low < high else (0, 0)
