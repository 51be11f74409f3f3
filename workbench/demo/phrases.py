"""Finding phrases in a text: where whole words stand, the longest where two overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Hit", "find"]

# Scripts that put no space between words: beside them any place may be the edge of a word.
_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3040-\u30ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
)
_SPACED_WORD_CHARACTER = "[^\\W" + _UNSPACED + "]"


class Hit(NamedTuple):
    """`phrase` as the table spells it, found at [start, end) of the text that was searched."""

    phrase: str
    start: int
    end: int


def find(phrases: Iterable[str], text: str) -> list[Hit]:
    """Every phrase in `text`, in order. Case does not count, and any run of white space is one space."""
    hits = [
        Hit(phrase, found.start(), found.end())
        for phrase in phrases
        for found in _pattern(phrase).finditer(text)
    ]
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        if all(hit.end <= other.start or other.end <= hit.start for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def _pattern(phrase: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    before = "" if re.match("[" + _UNSPACED + "]", phrase) else "(?<!" + _SPACED_WORD_CHARACTER + ")"
    after = "" if re.search("[" + _UNSPACED + "]$", phrase) else "(?!" + _SPACED_WORD_CHARACTER + ")"
    return re.compile(before + words + after, re.IGNORECASE)
