"""Short quotes out of past turns, their secrets masked first: half a key is still a part of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.capture.redaction import masked

__all__ = ["Quoter"]

_SAMPLE = 600
_WORDS = 12


class Quoter:
    """Cuts texts down to quotes, without keys, mail addresses and phone numbers."""

    def sample(self, text: str) -> str:
        """As much of the start of a text as `head` needs to see."""
        return text[:_SAMPLE]

    def head(self, text: str, most: int) -> str:
        """The start of a text, masked, of at most so many code points."""
        return masked(text[:_SAMPLE])[:most]

    def short(self, text: str, most: int) -> str:
        """A short text such as a name, masked; the end of a long one is left out, which is marked."""
        clean = masked(text[:_SAMPLE])
        return clean if len(clean) <= most else clean[: most - 1] + "…"

    def words(self, text: str, words: Iterable[str]) -> Iterator[str]:
        """The first of these words of a text, those left out that masking takes away."""
        clean = masked(text[: 20 * _SAMPLE]).casefold()
        for number, word in enumerate(dict.fromkeys(words)):
            if number == _WORDS:
                return
            if word in clean:
                yield word[:40]
