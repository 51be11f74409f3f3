"""A window put together from parts of what was delivered: the cheapest explanation of its characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from workbench.compare.projection import Level, Projection, project
from workbench.compare.search import Hit
from workbench.core.decision import Span

__all__ = ["Text", "find_pieces"]

# What a character costs that stands nowhere is 1. A piece costs more, so that short ones that are
# alike by accident are dear; one that begins or ends where a text, a region or a line does is cheap,
# since that is where routers cut; one that cuts a word of the window in two is dear.
_PIECE = 8.0
_NATURAL_EDGE = 3.0
_CUT_WORD = 3.0
_ALL_TYPED = 0.5
_USERS = 0.25

_LONG = 64
"""A piece this long is not looked into for others that begin inside it."""

_PLACES = 64
_WORK = 3_000_000_000
"""Characters compared at most; what is left then stands nowhere."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was delivered, and where its regions begin and end."""

    text: str
    edges: tuple[int, ...]


class _Hay:
    """One text, projected, with its natural edges in projected offsets."""

    def __init__(self, text: Text) -> None:
        self.projection = project(text.text, Level.CASE)
        self.text = self.projection.text
        starts = {0, *text.edges}
        at = text.text.find("\n")
        while at >= 0:
            starts.add(at + 1)
            at = text.text.find("\n", at + 1)
        self.starts = {self._solid(self.projection.index(edge)) for edge in starts}
        ends = {len(text.text), *text.edges, *(start - 1 for start in starts if start)}
        self.ends = sorted({self._before(self.projection.index(edge)) for edge in ends})
        self._ends = frozenset(self.ends)

    def _solid(self, at: int) -> int:
        return at + 1 if self.text[at : at + 1] == " " else at

    def _before(self, at: int) -> int:
        return at - 1 if at and self.text[at - 1 : at] == " " else at

    def places(self, piece: str) -> Iterator[int]:
        found = self.text.find(piece)
        for _ in range(_PLACES):
            if found < 0:
                return
            yield found
            found = self.text.find(piece, found + 1)

    def natural(self, at: int, end: int) -> int:
        """How many ends of [at, end) are natural ones."""
        return (at in self.starts) + (end in self._ends)


def find_pieces(
    window: str, texts: Sequence[Text], typed: str, users: Callable[[int, int, int], int]
) -> list[Hit]:
    """The parts of `window` that stand in any of `texts`, in the order of the window.

    `users(text, start, end)` says how many characters of a place the user wrote: of several places the
    one with the most is taken, and of these the first after the piece before.
    """
    return _Explanation(window, texts, typed, users).hits()


class _Explanation:
    """The cheapest way through the window, from left to right."""

    def __init__(
        self, window: str, texts: Sequence[Text], typed: str, users: Callable[[int, int, int], int]
    ) -> None:
        self._needle: Projection = project(window, Level.CASE)
        self._text = self._needle.text
        self._hays = [_Hay(text) for text in texts]
        self._users = users
        self._typed = project(typed, Level.CASE).text.strip()
        self._work = 0
        size = len(self._text)
        self._cost = [float("inf")] * (size + 1)
        self._from = [-1] * (size + 1)
        self._piece = bytearray(size + 1)

    def hits(self) -> list[Hit]:
        self._explain()
        spans: list[Span] = []
        at = len(self._text)
        while at > 0:
            start = self._from[at]
            if self._piece[at]:
                spans.append((start, at))
            at = start
        hits: list[Hit] = []
        for start, end in reversed(spans):
            hits.append(self._placed(start, end, hits[-1] if hits else None))
        return hits

    def _explain(self) -> None:
        text, cost = self._text, self._cost
        cost[0] = 0.0
        covered = 0
        wanted = {0}
        for at in range(len(text)):
            self._step(at, at + 1, cost[at] + (text[at] != " "), piece=False)
            if text[at] == " ":
                continue
            boundary = not at or not (text[at - 1].isalnum() and text[at].isalnum())
            if (at not in wanted and (at < covered or not boundary)) or self._work > _WORK:
                continue
            for end, price in self._candidates(at):
                self._step(at, end, cost[at] + price, piece=True)
                wanted.add(end)
                if end < len(text) and text[end] == " ":
                    wanted.add(end + 1)
                if end - at >= _LONG:
                    covered = max(covered, end)

    def _step(self, start: int, end: int, cost: float, *, piece: bool) -> None:
        # Of equal ones a piece is the better explanation.
        if cost < self._cost[end] or (piece and cost == self._cost[end]):
            self._cost[end], self._from[end], self._piece[end] = cost, start, piece

    def _candidates(self, at: int) -> Iterator[tuple[int, float]]:
        """Ends of pieces that begin at `at`, with their prices."""
        if self._typed and self._text.startswith(self._typed, at):
            yield at + len(self._typed), _ALL_TYPED + self._cuts(at, at + len(self._typed))
        for number, hay in enumerate(self._hays):
            longest = self._longest(at, hay.text)
            if longest < 2:
                continue
            for end in self._ends(at, longest, hay):
                piece = self._text[at:end]
                best = min(
                    _PIECE
                    - _NATURAL_EDGE * hay.natural(place, place + len(piece))
                    - _USERS * bool(self._users(number, *hay.projection.original(place, place + len(piece))))
                    for place in hay.places(piece)
                )
                yield end, best + self._cuts(at, end)

    def _ends(self, at: int, longest: int, hay: _Hay) -> set[int]:
        """Where a piece may end: as late as can be, at the word before, at natural ends of its places."""
        text = self._text
        end = at + len(text[at : at + longest].rstrip())
        ends = {end}
        word = end
        while word > at and self._in_word(word):
            word -= 1
        ends.add(at + len(text[at:word].rstrip()))
        for count, place in enumerate(hay.places(text[at:end])):
            if count == 4:
                break
            index = bisect_right(hay.ends, place + end - at) - 1
            if index >= 0 and hay.ends[index] > place:
                ends.add(at + hay.ends[index] - place)
        return {end for end in ends if end > at}

    def _in_word(self, at: int) -> bool:
        return 0 < at < len(self._text) and self._text[at - 1].isalnum() and self._text[at].isalnum()

    def _cuts(self, start: int, end: int) -> float:
        return _CUT_WORD * (self._in_word(start) + self._in_word(end))

    def _longest(self, at: int, hay: str) -> int:
        """The length of the longest prefix of the window from `at` that stands in `hay`."""
        low, high = 0, 1
        most = len(self._text) - at
        while high <= most and self._stands(at, high, hay):
            low, high = high, high * 2
        high = min(high, most + 1)
        while low + 1 < high:
            middle = (low + high) // 2
            if self._stands(at, middle, hay):
                low = middle
            else:
                high = middle
        return low

    def _stands(self, at: int, length: int, hay: str) -> bool:
        self._work += len(hay)
        return self._text[at : at + length] in hay

    def _placed(self, start: int, end: int, before: Hit | None) -> Hit:
        """The place with the most of the user's characters, the nearest behind the piece before."""
        piece = self._text[start:end]
        low, high = self._needle.original(start, end)
        hits = [
            Hit(low, high, number, *hay.projection.original(place, place + len(piece)))
            for number, hay in enumerate(self._hays)
            for place in hay.places(piece)
        ]

        def rank(hit: Hit) -> tuple[int, bool, bool, int]:
            follows = before is not None and hit.source == before.source and hit.at >= before.at_end
            return (self._users(hit.source, hit.at, hit.at_end), hit.source == 0, follows, -hit.source)

        return max(hits, key=rank)
