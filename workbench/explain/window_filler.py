"""Neutral text of any shape round a phrase: words that ask for nothing, in sentences, lines and lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

__all__ = ["FILLERS", "Filler"]


@dataclass(frozen=True)
class Filler:
    """Some short words and some long ones. The same call gives the same text."""

    name: str
    short: tuple[str, ...]
    long: tuple[str, ...]

    def sentence(self, number: int) -> str:
        """Six to nine words and a full stop; neighbours differ."""
        words = [self.short[(number * 5 + at * 3) % len(self.short)] for at in range(6 + number % 4)]
        words[2] = self.long[number % len(self.long)]
        return " ".join(words).capitalize() + "."

    @cached_property
    def sample(self) -> str:
        """A text with all the words in it."""
        return "\n".join(self.sentence(number) for number in range(2 * max(len(self.short), len(self.long))))

    @cached_property
    def _short_row(self) -> str:
        return self.words(5000, long=False)

    @cached_property
    def _long_row(self) -> str:
        return self.words(2000, long=True)

    def words(self, number: int, *, long: bool) -> str:
        """That many words, with a space between two."""
        pool = self.long if long else self.short
        return " ".join(pool[at % len(pool)] for at in range(number))

    def characters(self, number: int, *, long: bool) -> str:
        """Exactly that many characters of words, the last of them cut."""
        row = self._long_row if long else self._short_row
        while len(row) < number:
            row = f"{row} {row}"
        return row[:number]

    def holds(self, phrase: str) -> bool:
        """Whether a phrase could be mistaken for a part of this."""
        folded = phrase.casefold()
        return folded in self.sample.casefold() or any(word in folded for word in self.long)


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


# The first one's words are so common that most tokenizers have each as one token: they are counted as that.
FILLERS: Sequence[Filler] = (
    Filler(
        "plain words",
        _split("the old oak by a low wall has few dry nuts and its bark is wet on one side so moss can"),
        _split("information government university development international environment community"),
    ),
    Filler(
        "no language",
        _split("lum vel orrin tas que dolm ist nar peb sul wex hin mora gan teel ubo rast"),
        _split("vandromel purestion calibarno immeskador trondeliva osqueltine barramundel"),
    ),
    Filler(
        "letters",
        _split("zz qq xw vv kk jj zq wz xk qv kz jx vq xz kq"),
        _split("qqzzxxkkvv jjwwqqzzkk xxvvqqjjww zzkkwwxxjj"),
    ),
)
