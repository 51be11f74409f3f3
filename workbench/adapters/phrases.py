"""Phrases found in a text: without case, by whole words, the longest of overlapping ones."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation

__all__ = ["PhraseIndex", "PhraseMatch", "folded_phrase", "sentence_edges"]

_RUN = re.compile(r"  +")
_SURROGATE = re.compile("[\ud800-\udfff]")  # lone ones; the automaton reads UTF-8, which has none
_ASCII_SPACES = [chr(point) for point in range(1, 0x20) if chr(point).isspace()]
_SPACES = [chr(point) for point in range(1, 0x3001) if chr(point).isspace() and point != 0x20]

# Scripts that are written without spaces between words, by the names of their characters.
_UNSPACED = (
    "CJK ",
    "HIRAGANA ",
    "KATAKANA ",
    "HALFWIDTH KATAKANA ",
    "BOPOMOFO ",
    "THAI ",
    "LAO ",
    "KHMER ",
    "MYANMAR ",
    "TIBETAN ",
    "JAVANESE ",
    "BALINESE ",
    "TAI ",
    "NEW TAI ",
    "YI SYLLABLE",
)
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s|$)|[。！？]|\n")


class PhraseMatch(NamedTuple):
    """Phrase number `phrase` stands at [start, end) of the text."""

    phrase: int
    start: int
    end: int


def folded_phrase(text: str) -> str:
    """How a phrase is compared: no case, runs of white space as one space, none at the ends."""
    return _SURROGATE.sub("\ufffd", " ".join(text.split()).casefold())


class PhraseIndex:
    """Many phrases, ready to be found in one pass. Empty phrases match nothing."""

    def __init__(self, phrases: Sequence[str]) -> None:
        folded = [folded_phrase(phrase) for phrase in phrases]
        self._numbers = [number for number, phrase in enumerate(folded) if phrase]
        self._phrases = [folded[number] for number in self._numbers]
        self._automaton = (
            AhoCorasick(self._phrases, implementation=Implementation.DFA) if self._phrases else None
        )

    def find(self, text: str) -> list[PhraseMatch]:
        """Matches in the order of the text; of overlapping ones the longest, of equals the first.

        Two phrases that fold alike both match. Offsets are code points of `text`.
        """
        if self._automaton is None:
            return []
        folded, offsets = _fold(text)
        try:
            raw = self._automaton.find_matches_as_indexes(folded, overlapping=True)
        except UnicodeEncodeError:
            raw = self._automaton.find_matches_as_indexes(_SURROGATE.sub("\ufffd", folded), overlapping=True)
        size = len(folded)
        # Most words end at a blank or at the text's end, and that is cheap to see.
        whole = [
            (s - e, s, e, n)
            for n, s, e in raw
            if (not s or folded[s - 1] == " " or _edge(folded, s, s - 1))
            and (e == size or folded[e] == " " or _edge(folded, e - 1, e))
        ]
        if not whole:
            return []
        whole.sort()
        taken: list[tuple[int, int, int]] = []
        occupied = bytearray(size)
        spans: set[tuple[int, int]] = set()
        for _, start, end, number in whole:
            if (start, end) not in spans:
                if occupied.find(1, start, end) >= 0:
                    continue
                occupied[start:end] = b"\1" * (end - start)
                spans.add((start, end))
            taken.append((start, end, number))
        taken.sort()
        numbers = self._numbers
        if offsets.same:
            return [PhraseMatch(numbers[n], s, e) for s, e, n in taken]
        return [PhraseMatch(numbers[n], offsets.start(s), offsets.end(e)) for s, e, n in taken]


class _Offsets:
    """From offsets of the folded text to those of the original."""

    def __init__(self, edges: list[int], shifts: list[int]) -> None:
        self._edges, self._shifts = edges, shifts
        self.same = not edges

    def start(self, at: int) -> int:
        return at + self._shifts[bisect_right(self._edges, at)]

    def end(self, at: int) -> int:
        return self.start(at - 1) + 1


def _fold(text: str) -> tuple[str, _Offsets]:
    """Folded text of the same words, with a table only where lengths differ: few places as a rule."""
    plain = text.isascii()
    folded = text.lower() if plain else _casefold(text)
    if folded is None:
        return _fold_by_character(text)
    for space in _ASCII_SPACES if plain else _SPACES:  # each a scan at the speed of memory, unlike a pattern
        if space in folded:
            folded = folded.replace(space, " ")
    edges: list[int] = []
    shifts = [0]
    if "  " not in folded:
        return folded, _Offsets(edges, shifts)
    parts: list[str] = []
    at = removed = 0
    for run in _RUN.finditer(folded):
        start, end = run.span()
        parts.append(folded[at : start + 1])
        removed += end - start - 1
        edges.append(start + 1 - (removed - (end - start - 1)))
        shifts.append(removed)
        at = end
    parts.append(folded[at:])
    return "".join(parts), _Offsets(edges, shifts)


def _casefold(text: str) -> str | None:
    """The text without case, if every character stays one character."""
    folded = text.casefold()
    return folded if len(folded) == len(text) else None


def _fold_by_character(text: str) -> tuple[str, _Offsets]:
    chars: list[str] = []
    edges: list[int] = []
    shifts = [0]
    for at, char in enumerate(text):
        for piece in " " if char.isspace() else char.casefold():
            if piece == " " and chars and chars[-1] == " ":
                continue
            if at - len(chars) != shifts[-1]:
                edges.append(len(chars))
                shifts.append(at - len(chars))
            chars.append(piece)
    return "".join(chars), _Offsets(edges, shifts)


def _edge(text: str, inner: int, outer: int) -> bool:
    """Whether a phrase may end between its own character `inner` and its neighbour `outer`."""
    if not 0 <= outer < len(text):
        return True
    neighbour = text[outer]
    return not _is_word(neighbour) or _unspaced(neighbour) or _unspaced(text[inner])


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_" or (char > "\u02ff" and unicodedata.category(char).startswith("M"))


def _unspaced(char: str) -> bool:
    return char > "\u0dff" and unicodedata.name(char, "").startswith(_UNSPACED)


def sentence_edges(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether [start, end) begins its sentence, and whether it ends it. A line feed ends one too."""
    low = 0
    high = len(text)
    for stop in _SENTENCE_END.finditer(text):
        if stop.end() <= start:
            low = stop.end()
        elif stop.start() >= end:
            high = stop.start()
            break
    before, after = text[low:start], text[end:high]
    return not any(map(_is_word, before)), not any(map(_is_word, after))
