"""A template in the making: literals, words, and gaps with the value that each turn has there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from workbench.capture.alignment import Accept, align
from workbench.capture.tokens import Alphabet, Token, tokenise
from workbench.core.envelope import SlotKind

__all__ = ["DETAIL", "Detail", "Draft", "Piece", "Unfit", "draft_of"]


class Unfit(Exception):
    """No template can be made; the message says why, in our own words.

    `fit` are the numbers of the turns that one may still be made of, where the others are in the way.
    """

    def __init__(self, why: str, fit: Sequence[int] = ()) -> None:
        super().__init__(why)
        self.fit = tuple(fit)


class Piece(NamedTuple):
    """A literal (`text`), the words, or a gap: one value per turn, of a kind where one is known.

    `private`: some of the values hold what must not be shown, as what stood round them told.
    """

    text: str = ""
    words: bool = False
    values: tuple[str, ...] = ()
    kind: SlotKind | None = None
    private: bool = False

    @property
    def is_gap(self) -> bool:
        return bool(self.values)


Draft = tuple[Piece, ...]

Frame = Sequence[str]
"""A turn without its words: what stands before, between and after them."""


class Detail(Enum):
    """How much of what the turns share within a gap becomes a literal."""

    FINE = "marks and labels"
    COARSE = "labels"
    NONE = "nothing"


DETAIL = (Detail.FINE, Detail.COARSE, Detail.NONE)
"""From the most told to the least."""

_SOFT = frozenset(".,;!?'’‘\"-…")
_SEPARATORS = frozenset(":|@#()[]<>=+«»{}")
_SHORT = 14
_PHRASE = 12
_BLOB = 16
_BELIEVED = 3
_STOPS = ".?!,;…"
_BEGINNING = re.compile(r"([>|*•+-]|\[)|[^\W\d_][\w .'-]{0,24}:\s")


def draft_of(frames: Sequence[Frame], detail: Detail) -> Draft:
    """What all frames have in common, and gaps for the rest. Raises Unfit."""
    pieces: list[Piece] = []
    for number, texts in enumerate(zip(*frames, strict=True)):
        if number:
            pieces.append(Piece(words=True))
        pieces += _between(texts, detail, before_words=not number)
    draft = tuple(_merged(_softened(tuple(_merged(pieces)))))
    if not any(_weighs(piece.text) or _is_blob(piece.values) for piece in draft):
        raise Unfit("nothing but white space stands round the words in every turn")
    _require_ends(draft)
    return draft


def _between(texts: Sequence[str], detail: Detail, *, before_words: bool) -> Iterator[Piece]:
    """The pieces of one stretch that lies between words or ends; the marks next to the words come first."""
    alphabet = Alphabet()
    cut = [tokenise(text) for text in texts]
    spelled = [alphabet.spell(tokens) for tokens in cut]
    ends = [0] * len(texts)
    for run in align(spelled, _accept(detail, alphabet), end_first=before_words):
        yield _gap([tokens[end:start] for tokens, end, start in zip(cut, ends, run.starts, strict=True)])
        for offset in range(len(run.text)):
            here = [tokens[start + offset] for tokens, start in zip(cut, run.starts, strict=True)]
            if here[0].volatile:
                values = tuple(token.text for token in here)
                yield Piece(values=values, kind=here[0].slot, private=any(map(_is_private, here)))
            else:
                yield Piece(here[0].text)
        ends = [start + len(run.text) for start in run.starts]
    yield _gap([tokens[end:] for tokens, end in zip(cut, ends, strict=True)])


def _gap(values: Sequence[Sequence[Token]]) -> Piece:
    return Piece(
        values=tuple("".join(token.text for token in tokens) for tokens in values),
        private=any(_is_private(token) for tokens in values for token in tokens),
    )


def _is_private(token: Token) -> bool:
    return token.kind == "private" or (token.kind == "json" and token.volatile)


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Neighbouring literals as one, neighbouring gaps as one; empty ones left out."""
    last: Piece | None = None
    for piece in pieces:
        if not piece.words and not piece.text and not any(piece.values):
            continue
        if last is None or piece.words or last.words or last.is_gap != piece.is_gap:
            if last is not None:
                yield last
            last = piece
        elif piece.is_gap:
            values = tuple(map("".join, zip(last.values, piece.values, strict=True)))
            last = Piece(values=values, private=last.private or piece.private)
        else:
            last = Piece(last.text + piece.text)
    if last is not None:
        yield last


def _softened(draft: Draft) -> Iterator[Piece]:
    """The stop that ends prose belongs to the prose, though all of it may end so."""
    pieces = list(draft)
    for number, (gap, literal) in enumerate(pairwise(draft)):
        if not gap.is_gap or literal.is_gap or literal.words or not any(" " in one for one in gap.values):
            continue
        rest = literal.text.lstrip(_STOPS)
        stop = literal.text[: len(literal.text) - len(rest)]
        if stop:
            pieces[number] = gap._replace(values=tuple(value + stop for value in gap.values), kind=None)
            pieces[number + 1] = Piece(rest)
    return iter(pieces)


def _accept(detail: Detail, alphabet: Alphabet) -> Accept:
    def accept(run: str, gap: Sequence[str]) -> bool:
        if detail is Detail.NONE:
            return False
        # A mark of the frame comes as often in every turn; a word of prose, or a repeated line, does not.
        if len({part.count(run) for part in gap}) != 1:
            return False
        tokens = [alphabet.token(letter) for letter in run]
        letters, marks = _weight(tokens)
        lines = _feeds(alphabet)
        if (marks >= 2 and letters >= 3) or (letters >= _PHRASE and _stands_at_edge(tokens, run, gap, lines)):
            return True
        if not any(lines(part) for part in gap):
            strong = marks >= 2 or (marks >= 1 and letters >= 3)
            return strong or (detail is Detail.FINE and _separates(tokens, gap))
        # What is weaker must stand in the same line, told from where the gap begins or ends.
        if detail is Detail.FINE and marks >= 1 and any(token.kind == "feed" for token in tokens):
            places = [part.find(run) for part in gap]
            above = {lines(part[:place]) for part, place in zip(gap, places, strict=True)}
            below = {lines(part[place:]) for part, place in zip(gap, places, strict=True)}
            return len(above) == 1 or len(below) == 1
        return False

    return accept


def _stands_at_edge(
    tokens: Sequence[Token], run: str, gap: Sequence[str], lines: Callable[[str], int]
) -> bool:
    """Whether a phrase begins or ends where a line or the gap does; within lines prose may share it."""
    if not any(map(lines, gap)) or any(token.kind == "feed" for token in tokens):
        return True
    return all(part.startswith(run) for part in gap) or all(part.endswith(run) for part in gap)


def _feeds(alphabet: Alphabet) -> Callable[[str], int]:
    return lambda part: sum(alphabet.token(letter).kind == "feed" for letter in part)


def _separates(tokens: Sequence[Token], gap: Sequence[str]) -> bool:
    """Within a line, a mark that names do not have may separate two values."""
    return any(token.text[0] in _SEPARATORS for token in tokens) and max(map(len, gap)) <= _SHORT


def _weight(tokens: Iterable[Token]) -> tuple[int, int]:
    """Letters and digits, and marks that prose does not have."""
    letters = marks = 0
    for token in tokens:
        if token.volatile:
            continue
        if token.kind == "mark":
            marks += len(token.text) if token.text[0] not in _SOFT else max(0, len(token.text) - 2)
        elif token.kind not in ("feed", "blank"):
            letters += sum(map(str.isalnum, token.text))
    return letters, marks


def _require_ends(draft: Draft) -> None:
    """Something must tell where the words begin and end. Raises Unfit."""
    for number, piece in enumerate(draft):
        if not piece.words:
            continue
        if number:
            _require_mark(draft[number - 1 :: -1], "begin")
        if number + 1 < len(draft):
            _require_mark(draft[number + 1 :], "end")


def _require_mark(outwards: Sequence[Piece], end: str) -> None:
    mark = outwards[0]
    if mark.words or mark.is_gap:
        raise Unfit(f"nothing marks where the words {end}")
    if len(outwards) == 1 or not outwards[1].is_gap or _weighs(mark.text):
        return
    values = outwards[1].values
    blank_line = "\n\n" in mark.text.replace("\r", "")
    lines = [number for number, value in enumerate(values) if len(value.splitlines()) > 1]
    if not lines or (blank_line and _never_blank([values[number] for number in lines])):
        return
    fit = [number for number in range(len(values)) if number not in lines or _in_step(values[number])]
    why = f"only white space marks where the words {end}, and what is beside them has lines too"
    raise Unfit(why, fit if blank_line else ())


def _never_blank(values: Sequence[str]) -> bool:
    """Whether a blank line ends what has lines: by its form, or as often as it takes to believe it."""
    if all(map(_in_step, values)):
        return True
    lines = [line for value in values for line in value.splitlines()[1:]]
    quotes = any(
        line.startswith(">") for line in lines
    )  # what is quoted by lines should be so in all of them
    return len(values) >= _BELIEVED and not quotes and all(map(str.strip, lines))


def _is_blob(values: Sequence[str]) -> bool:
    """Whether every turn has something long without white space there, which no words have."""
    return bool(values) and all(len(value) >= _BLOB and len(value.split()) == 1 for value in values)


def _in_step(value: str) -> bool:
    """Whether all lines but the first begin alike, as quotes, lists and histories do: none is blank."""
    beginnings = [_BEGINNING.match(line) for line in value.splitlines()[1:]]
    return all(beginnings) and len({found[0][:1] if found and found[1] else "" for found in beginnings}) == 1


def _weighs(text: str) -> bool:
    return any(char.isalnum() or not (char.isspace() or char in _SOFT) for char in text)
