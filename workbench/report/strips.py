"""One line of a window, ready to be drawn: safe pieces, each with its author's letter and its mark."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from workbench.compare.rows import RowKind, Side
from workbench.compare.window import Part
from workbench.core.decision import Span
from workbench.core.text import SafeText, safe, visible
from workbench.core.turn import Author
from workbench.report.authors import LETTERS
from workbench.report.evidence import SeenMatch, SeenWindow
from workbench.report.focus import WORDS, kept
from workbench.report.measure import width_of, wrapped
from workbench.report.writer import Line, Piece, Style, own

__all__ = ["Marked", "Page", "Strip", "page"]

_BLANK = safe(" ")
_CHANGED = safe("~")
_MATCHED = safe("^")
_TAKEN = safe("x")
_LONGEST_PHRASE = 500
_MOST_MATCHES = 50

_Owned = tuple[int, int, Author]


@dataclass(frozen=True, slots=True)
class Marked(Piece):
    """A piece, and what stands under each of its cells."""

    under: SafeText = _BLANK


@dataclass(frozen=True, slots=True)
class Strip:
    """One line: whose words it holds, its text, and whether a row of marks has to stand under it."""

    authors: tuple[Author, ...]
    text: tuple[Marked, ...]
    marked: bool

    def rows(self, cells: int | None) -> Iterator[tuple[Line, bool]]:
        """The text in rows of at most `cells`, each with its row of marks behind it; True: a row of marks."""
        for row in wrapped(self.text, cells):
            yield row, False
            marks = _marks(piece for piece in row if isinstance(piece, Marked))
            if self.marked and marks.text:
                yield (marks,), True


@dataclass(frozen=True, slots=True)
class Page:
    """A window's authors and matched phrases by place, from which its lines are cut. `taken` are spans that
    are marked as taken away.
    """

    parts: Sequence[Part]
    starts: Sequence[int]
    matches: Sequence[Span]
    taken: Sequence[Span] = ()

    def strip(self, side: Side, kind: RowKind, style: Style) -> Strip:
        """One line of the window, of a row of that kind."""
        end = side.start + len(side.text)
        owned = self._within(side.start, end)
        mixed = len({author for _, _, author in owned}) > 1
        matches, taken = (_in_line(spans, side.start, end) for spans in (self.matches, self.taken))
        changed = _changed_words(side) if kind is RowKind.CHANGED else []
        edges = [(start, start) for start, _, _ in owned[1:]]
        pieces: list[Marked] = []
        shown = 0
        for span in kept(len(side.text), [*matches, *taken, *changed, *edges], WORDS):
            if span[0] > shown:
                pieces.append(_aside(f" … {span[0] - shown:,} characters … ", style))
            pieces += _pieces(side.text, span, owned, matches, changed, taken)
            shown = span[1]
        spaces = len(side.text) - len(side.text.rstrip(" "))
        if spaces and kind is not RowKind.EQUAL:
            pieces.append(_aside(f"  (ends in {spaces:,} space{'s' if spaces > 1 else ''})", style))
        authors = tuple(dict.fromkeys(author for _, _, author in owned))
        return Strip(authors, tuple(pieces), mixed or bool(matches or taken) or bool(changed))

    def landmarks(self) -> Iterator[int]:
        """Offsets worth showing in the middle of a long text: matched phrases, then other authors."""
        yield from (start for start, _ in (*self.matches, *self.taken))
        yield from islice((start for start in self.starts if start > 0), _MOST_MATCHES)

    def _parts(self, start: int, end: int) -> Sequence[Part]:
        first = max(0, bisect_right(self.starts, start) - 1)
        return self.parts[first : max(first + 1, bisect_right(self.starts, max(start, end - 1)))]

    def _within(self, start: int, end: int) -> list[_Owned]:
        """Authors of [start, end), offsets from `start`; neighbours of one author as one."""
        found: list[_Owned] = []
        for part in self._parts(start, end):
            a, b = max(part.start, start) - start, min(part.end, end) - start
            if found and found[-1][2] is part.author:
                found[-1] = (found[-1][0], b, part.author)
            elif b > a or start == end:
                found.append((a, b, part.author))
        return found


def page(window: SeenWindow, matches: Iterable[SeenMatch], taken: Sequence[Span] = ()) -> Page:
    """The page of a window, with the matches that can be found in it; `taken` are spans of the window."""
    places = {_in_window(match, window) for match in islice(matches, _MOST_MATCHES)}
    spans = sorted(span for span in places if span is not None)
    return Page(window.parts, [part.start for part in window.parts], spans, taken)


def _in_window(match: SeenMatch, window: SeenWindow) -> Span | None:
    """Where a match stands in the window: by its place in the turn, else by its words."""
    spans = window.spans or ()
    if match.start is not None and match.end is not None and spans:
        before = 0
        for start, end in spans:
            if start <= match.start and match.end <= end:
                hit = (match.start - start + before, match.end - start + before)
                if match.text is None or window.text[slice(*hit)].casefold() == match.text.casefold():
                    return hit
            before += end - start
        if before == len(window.text):
            return None
    words = (match.text or "").split()
    if not words or len(match.text or "") > _LONGEST_PHRASE:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), window.text, re.IGNORECASE)
    return found.span() if found else None


def _in_line(spans: Iterable[Span], start: int, end: int) -> list[Span]:
    """What lies of the spans in [start, end), counted from its start."""
    return [(max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and b > start]


def _changed_words(side: Side) -> list[Span]:
    """The changed words; none where the line differs as a whole, which its sign says already."""
    return [span for span in side.changed if span != (0, len(side.text)) and span[0] < span[1]]


def _pieces(
    text: str,
    span: Span,
    owned: Sequence[_Owned],
    matches: Sequence[Span],
    changed: Sequence[Span],
    taken: Sequence[Span] = (),
) -> Iterator[Marked]:
    """`text[span]` cut wherever its author or its marks change."""
    mixed = len({author for _, _, author in owned}) > 1
    here = [part for part in owned if part[0] < span[1] and part[1] > span[0]]
    matches, changed, taken = _meet(matches, span), _meet(changed, span), _meet(taken, span)
    bounds = {
        bound for a, b in (*matches, *changed, *taken, *((a, b) for a, b, _ in here)) for bound in (a, b)
    }
    cuts = sorted({*span, *(bound for bound in bounds if span[0] < bound < span[1])})
    for start, end in pairwise(cuts):
        author = next((author for a, b, author in here if a <= start < b), None)
        matched, differs = _covered(start, matches), _covered(start, changed)
        under = LETTERS[author] if mixed and author else _CHANGED if differs else _BLANK
        gone = _covered(start, taken)
        looks = (
            author.value if author else "",
            "changed" if differs else "",
            "matched" if matched or gone else "",
        )
        sign = _TAKEN if gone else _MATCHED if matched else under
        yield Marked(visible(text[start:end]), " ".join(filter(None, looks)), sign)


def _meet(spans: Sequence[Span], outer: Span) -> list[Span]:
    return [(start, end) for start, end in spans if start < outer[1] and end > outer[0]]


def _covered(place: int, spans: Sequence[Span]) -> bool:
    return any(start <= place < end for start, end in spans)


def _aside(words: str, style: Style) -> Marked:
    return Marked(own(words, style), "dim")


def _marks(pieces: Iterable[Marked]) -> Piece:
    """What stands under a row, without the blanks at its end."""
    marks = "".join(piece.under * width_of(piece.text) for piece in pieces)
    return Piece(SafeText(marks.rstrip()), "dim")
