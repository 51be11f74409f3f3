"""Ways to read a turn, as pure functions: which text is taken, what is left out of it, which part counts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from workbench.core.turn import Author, Turn

__all__ = ["ALL", "FILTERS", "MEASURES", "NEVER", "SELECTIONS", "SOURCES", "Measure", "Needs", "Reader"]

NEVER = math.inf

Needs = tuple[float, float]
"""How large N must be for a phrase to be read: at least the first, and the second is surely enough.

(0, 0) where it is read whatever N is, (NEVER, NEVER) where it never is, (0, NEVER) where readers of this
kind differ.
"""

ALL: Needs = (0, 0)
_NOT: Needs = (NEVER, NEVER)

Source = Callable[[Turn], str]
Reader = Callable[[str], tuple[str, ...]]
Measure = Callable[[str, str], Needs]

# A source: which of the texts that a turn holds.


def _text(turn: Turn) -> str:
    return turn.text


def _typed(turn: Turn) -> str:
    return turn.typed


def _own(turn: Turn) -> str:
    """What the user wrote of the text, without the frame round it."""
    return "".join(turn.text[r.start : r.end] for r in turn.regions if r.author is Author.USER)


def _last(turn: Turn) -> str:
    return turn.messages[-1].content if turn.messages else ""


def _first(turn: Turn) -> str:
    return turn.messages[0].content if turn.messages else ""


def _every(turn: Turn) -> str:
    return "\n".join(message.content for message in turn.messages)


def _by_user(turn: Turn) -> str:
    return "\n".join(message.content for message in turn.messages if message.role == "user")


def _first_part(turn: Turn) -> str:
    return _parts(turn.text)[0]


def _last_part(turn: Turn) -> str:
    return _parts(turn.text)[-1]


@lru_cache(maxsize=1024)
def _parts(text: str) -> tuple[str, ...]:
    """The texts of a list of content parts that is spelled as JSON; the text itself where it is none."""
    if not text.startswith("["):
        return (text,)
    try:
        listed = json.loads(text)
    except ValueError:
        return (text,)
    return tuple(part["text"] for part in listed if isinstance(part, dict) and "text" in part) or (text,)


SOURCES: Mapping[str, Source] = {
    "text": _text,
    "typed": _typed,
    "own words": _own,
    "last message": _last,
    "first message": _first,
    "all messages": _every,
    "user messages": _by_user,
    "first part": _first_part,
    "last part": _last_part,
}

# A filter: what is left out before anything is chosen.

_FENCE = re.compile(r"^(```|~~~)[^\n]*\n.*?^\1[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_QUOTE = re.compile(r"^[ \t]*>[^\n]*(?:\n|\Z)", re.MULTILINE)
_ELEMENT = re.compile(r"<([A-Za-z][\w-]*)\b[^>]*>.*?</\1>", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^>]*>")

FILTERS: Mapping[str, re.Pattern[str]] = {
    "fences": _FENCE,
    "quotes": _QUOTE,
    "tags": _TAG,
    "elements": _ELEMENT,
}


# A selection: the part of the text that counts.


def _full(parts: Iterable[str]) -> tuple[str, ...]:
    """Those that are more than white space; an empty one where none is."""
    return tuple(part for part in parts if part.strip()) or ("",)


@lru_cache(maxsize=4096)
def _full_lines(text: str) -> tuple[str, ...]:
    return _full(text.split("\n"))


@lru_cache(maxsize=4096)
def _blocks(text: str) -> tuple[str, ...]:
    """What stands between blank lines; nothing where the text begins or ends with one."""
    return tuple(re.split(r"\n[ \t]*\n", text))


@lru_cache(maxsize=4096)
def _paragraphs(text: str) -> tuple[str, ...]:
    return _full(_blocks(text))


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    """A line feed ends a sentence too."""
    return _full(re.split(r"(?<=[.!?])\s+|\n+", text))


@lru_cache(maxsize=4096)
def _long_sentences(text: str) -> tuple[str, ...]:
    """Only a mark ends a sentence."""
    return _full(re.split(r"(?<=[.!?])\s+", text))


def _ends(parts: Sequence[str]) -> tuple[str, ...]:
    return parts[0], parts[-1]


SELECTIONS: Mapping[str, tuple[Reader, ...]] = {
    "whole": (lambda text: (text,),),
    "first line": (lambda text: (text.split("\n")[0],),),
    "first full line": (lambda text: (_full_lines(text)[0],),),
    "last line": (lambda text: (text.split("\n")[-1],),),
    "last full line": (lambda text: (_full_lines(text)[-1],),),
    "first paragraph": (lambda text: (_paragraphs(text)[0],), lambda text: (_blocks(text)[0],)),
    "last paragraph": (lambda text: (_paragraphs(text)[-1],), lambda text: (_blocks(text)[-1],)),
    "first sentence": (lambda text: (_sentences(text)[0],), lambda text: (_long_sentences(text)[0],)),
    "last sentence": (lambda text: (_sentences(text)[-1],), lambda text: (_long_sentences(text)[-1],)),
    "first and last sentence": (
        lambda text: _ends(_sentences(text)),
        lambda text: _ends(_long_sentences(text)),
    ),
    "first and last line": (lambda text: _ends(_full_lines(text)),),
}
"""By name, and each in the ways in which programs do it: where these differ, nothing is said."""


def _holds(readers: tuple[Reader, ...]) -> Measure:
    """A selection as a measure: its N is nothing that has to be found."""

    def measure(text: str, phrase: str) -> Needs:
        found = {any(phrase in chunk for chunk in reader(text)) for reader in readers}
        return (0, NEVER) if len(found) > 1 else ALL if True in found else _NOT

    return measure


# A measure: how much of the text has to be read for a phrase in it to be read.


def _placed(count: Callable[[str, str, str], Needs]) -> Measure:
    """`count` of what stands before the phrase, the phrase, and what stands behind it."""

    def measure(text: str, phrase: str) -> Needs:
        before, found, after = text.partition(phrase)
        return count(before, phrase, after) if found else _NOT

    return measure


_LONG_WORD = 8
"""Characters of the longest common word that no tokenizer cuts."""

_TOKEN = re.compile(r"\w+|[^\w\s]")


def _words(text: str) -> Needs:
    """Tokens in a text: at least its words; marks, line feeds and parts of long words may count too."""
    words = text.split()
    marks = len(_TOKEN.findall(text)) - len(words) + text.count("\n")
    halves = sum((len(word) - 1) // _LONG_WORD for word in words)
    return (len(words), len(words) + 2 * marks + halves)


def _both(one: Needs, other: Needs) -> Needs:
    return min(one[0], other[0]), min(one[1], other[1])


def _characters(text: str) -> Needs:
    return (len(text), len(text))


def _count_lines(text: str) -> Needs:
    return (text.count("\n") + 1, text.count("\n") + 1)


def _length(text: str, phrase: str) -> Needs:
    return (len(text), len(text)) if phrase in text else _NOT


def _beginning(text: str, phrase: str) -> Needs:
    """Nothing stands before it; readers differ in whether white space may."""
    if text.startswith(phrase):
        return ALL
    return (0, NEVER) if text.lstrip().startswith(phrase) else _NOT


def _line_beginnings(text: str, phrase: str) -> Needs:
    return ALL if any(line.lstrip().startswith(phrase) for line in text.split("\n")) else _NOT


_first_and_last = _holds(SELECTIONS["first and last sentence"])


def _ends_beyond(text: str, phrase: str) -> Needs:
    """Of a text longer than N the first and the last sentence, else all of it."""
    needs = _first_and_last(text, phrase)
    return needs if needs == ALL else (needs[0] and len(text), len(text)) if phrase in text else _NOT


MEASURES: Mapping[str, Measure] = {
    **{name: _holds(readers) for name, readers in SELECTIONS.items()},
    "beginning": _beginning,
    "line beginnings": _line_beginnings,
    "first characters": _placed(lambda before, phrase, after: _characters(before + phrase)),
    "last characters": _placed(lambda before, phrase, after: _characters(phrase + after)),
    "both ends": _placed(
        lambda before, phrase, after: _both(_characters(before + phrase), _characters(phrase + after))
    ),
    "first tokens": _placed(lambda before, phrase, after: _words(before + phrase)),
    "last tokens": _placed(lambda before, phrase, after: _words(phrase + after)),
    "first lines": _placed(lambda before, phrase, after: _count_lines(before + phrase)),
    "last lines": _placed(lambda before, phrase, after: _count_lines(phrase + after)),
    "up to a length": _length,
    "ends beyond a length": _ends_beyond,
}
