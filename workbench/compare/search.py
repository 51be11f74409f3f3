"""Finding a text again as a whole: through spacing, normal form, case and punctuation, or word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from workbench.compare.projection import Level, Projection, project
from workbench.core.decision import Span

__all__ = ["Hit", "by_character", "find_whole", "find_words", "stripped", "with_blanks"]

_MOST_PLACES = 1000
_MOST_WORDS = 20_000
_LONGEST_GAP = 200
_WORD = re.compile(r"\S+")


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
    low, high = (0, len(window)) if level is Level.EXACT else stripped(needle)
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
            hits += by_character(Hit(start, end, number, at, at_end), window, source)
    return hits if matched >= 0.8 * len(mine) else None


def _words(text: str) -> list[tuple[str, Span]]:
    """Each word as letters and digits without case, with its span in `text`."""
    words = []
    for match in _WORD.finditer(text):
        if plain := project(match.group(), Level.WORDS).text:
            words.append((plain, match.span()))
    return words


def by_character(hit: Hit, window: str, source: str) -> list[Hit]:
    """A hit whose letters and digits are the same, cut where its punctuation is not.

    What the window adds, and what it drops, belongs to none of the hits; white space never counts.
    """
    mine, theirs = window[hit.start : hit.end], source[hit.at : hit.at_end]
    here, there = project(mine, Level.WORDS), project(theirs, Level.WORDS)
    if here.text != there.text or not here.text:
        return [hit]
    runs: list[tuple[int, int, int, int]] = []

    def add(start: int, end: int, at: int, at_end: int) -> None:
        if runs:
            last = runs[-1]
            left_out = mine[last[1] : start].strip() or theirs[last[3] : at].strip()
            if not left_out:
                runs[-1] = (last[0], end, last[2], at_end)
                return
        runs.append((start, end, at, at_end))

    for gap, solid in _walk(mine, theirs, here, there):
        for block in _same_blocks(mine[gap[0] : gap[1]], theirs[gap[2] : gap[3]]):
            add(gap[0] + block[0], gap[0] + block[1], gap[2] + block[2], gap[2] + block[3])
        add(*solid)
    ends = (here.ends[-1], len(mine), there.ends[-1], len(theirs))
    for block in _same_blocks(mine[ends[0] :], theirs[ends[2] :]):
        add(ends[0] + block[0], ends[0] + block[1], ends[2] + block[2], ends[2] + block[3])
    return [Hit(hit.start + a, hit.start + b, hit.source, hit.at + c, hit.at + d) for a, b, c, d in runs]


_Quad = tuple[int, int, int, int]


def _walk(mine: str, theirs: str, here: Projection, there: Projection) -> Iterator[tuple[_Quad, _Quad]]:
    """Stretches of letters and digits that stand together on both sides, each with the gap before it."""
    first = 0
    gap_start, gap_at = 0, 0
    size = len(here.text)
    for index in range(1, size + 1):
        together = index < size and (
            here.starts[index] <= here.ends[index - 1] and there.starts[index] <= there.ends[index - 1]
        )
        if together:
            continue
        gap = (gap_start, here.starts[first], gap_at, there.starts[first])
        solid = (here.starts[first], here.ends[index - 1], there.starts[first], there.ends[index - 1])
        yield gap, solid
        gap_start, gap_at = solid[1], solid[3]
        first = index


def _same_blocks(mine: str, theirs: str) -> list[_Quad]:
    """What two short stretches of punctuation have in common, in order."""
    if mine == theirs:
        return [(0, len(mine), 0, len(theirs))] if mine else []
    if not mine.strip() or not theirs.strip() or max(len(mine), len(theirs)) > _LONGEST_GAP:
        return []
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
    return [(b.a, b.a + b.size, b.b, b.b + b.size) for b in blocks if mine[b.a : b.a + b.size].strip()]


def with_blanks(hits: Iterable[Hit], window: str, sources: Sequence[str]) -> list[Hit]:
    """Hits in the order of the window, with the white space at their ends that is the same on both sides."""
    grown: list[Hit] = []
    taken = 0
    for hit in hits:
        source = sources[hit.source]
        start, end, at, at_end = hit.start, hit.end, hit.at, hit.at_end
        while start > taken and at > 0 and window[start - 1] == source[at - 1] and source[at - 1].isspace():
            start, at = start - 1, at - 1
        while end < len(window) and at_end < len(source) and window[end] == source[at_end]:
            if not source[at_end].isspace():
                break
            end, at_end = end + 1, at_end + 1
        grown.append(Hit(start, end, hit.source, at, at_end))
        taken = end
    return grown


def stripped(needle: Projection) -> Span:
    """The span of the projected text without white space at its ends."""
    text = needle.text
    low = len(text) - len(text.lstrip())
    high = len(text.rstrip())
    return (low, high) if low < high else (0, 0)
