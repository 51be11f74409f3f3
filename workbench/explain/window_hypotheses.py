"""What an adapter may read of a turn: every source with every filter and every measure that makes sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations

from workbench.core.turn import Turn
from workbench.explain.window_placements import MOST, Layouts, Placement
from workbench.explain.window_readers import ALL, FILTERS, MEASURES, NEVER, SOURCES, Needs

__all__ = ["Hypothesis", "hypotheses"]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What is read: `part` of the `source`, once what is `outside` of it is left out.

    `weight`: how likely it is before anything is asked, against the others.
    """

    source: str
    outside: tuple[str, ...]
    part: str
    weight: float

    @property
    def unit(self) -> str | None:
        """What its N counts; None where it has none."""
        return _UNITS.get(self.part)

    @property
    def limit(self) -> float:
        """Below it lies N; with a larger one, nothing of what is asked would come out otherwise."""
        if self.part == "both ends":
            return MOST // 2
        return _LIMITS.get(self.unit or "", NEVER)

    @property
    def least(self) -> int:
        """The smallest N there is: with a smaller one it is another way of reading."""
        return 0 if self.unit is None else _LEAST.get(self.part, 1)

    def least_for(self, phrase: str) -> float:
        """The smallest N with this phrase: a window as long as the phrase alone is none, but an anchor."""
        if self.part in ("first characters", "last characters", "both ends", "first tokens", "last tokens"):
            return MEASURES[self.part](phrase, phrase)[1] + 1
        return self.least

    def needs(self, turn: Turn, phrase: str) -> Needs:
        """How large N must be for the phrase in that turn to be read."""
        text = SOURCES[self.source](turn)
        if phrase not in text:
            return (NEVER, NEVER)
        return _measured(text, self.outside, self.part, phrase)

    def probes(self, layouts: Layouts, n: int) -> Iterator[Placement]:
        """Placements that are read if its N is at least `n`, and are not if it is less."""
        for make in _PROBES.get(self.part, ()):
            yield make(layouts, n)

    def says(self, n: str) -> str:
        """In words; `n` for the number."""
        told = _PARTS.get(self.part, f"the {self.part} of {{of}}").format(of=_SOURCES[self.source], n=n)
        outside = " and ".join(_OUTSIDE[name] for name in self.outside)
        return f"{told}, without {outside}" if outside else told


def hypotheses() -> tuple[Hypothesis, ...]:
    """All that are looked into."""
    return tuple(chain(_of_sources(), _of_filters()))


def _of_sources() -> Iterator[Hypothesis]:
    for source in SOURCES:
        for part in _ONLY.get(source, MEASURES):
            if source.endswith(("message", "messages")) and part in _ANCHORED:
                continue
            if source == "all messages" and part in _SAME:
                continue
            yield Hypothesis(source, (), part, (1.0 if source == "text" else 0.3) * _PRIORS.get(part, 1.0))


def _of_filters() -> Iterator[Hypothesis]:
    marks = [name for name in FILTERS if name not in ("tags", "elements")]
    for tagged in ((), ("tags",), ("elements",)):
        for count in range(len(marks) + 1):
            for chosen in combinations(marks, count):
                outside = (*chosen, *tagged)
                if not outside:
                    continue
                for part in MEASURES:
                    if part in _UNFILTERED:
                        continue
                    weight = (0.4 if part == "whole" else 0.15) * 0.6 ** (len(outside) - 1)
                    yield Hypothesis("text", outside, part, weight * _PRIORS.get(part, 1.0))


@lru_cache(maxsize=65_536)
def _measured(text: str, outside: tuple[str, ...], part: str, phrase: str) -> Needs:
    """As by programs that put a space, or nothing, where they took something out."""
    if not outside:
        return MEASURES[part](text, phrase)
    found = {_filtered(text, outside, put) for put in ("", " ")}
    needs = [MEASURES[part](kept, phrase) if phrase in kept else (NEVER, NEVER) for kept in found]
    if any(need == ALL for need in needs) != all(need == ALL for need in needs):
        return (0, NEVER)
    return min(low for low, _ in needs), max(high for _, high in needs)


@lru_cache(maxsize=16_384)
def _filtered(text: str, outside: tuple[str, ...], put: str) -> str:
    for name in outside:
        text = FILTERS[name].sub(put, text)
    return text


_ONLY: Mapping[str, tuple[str, ...]] = {
    "first message": ("whole", "first line"),
    "user messages": ("whole",),
    "first part": ("whole", "first line", "last line"),
    "last part": ("whole", "first line", "last line"),
}
"""Sources of which only the plainest parts are looked into."""

_ANCHORED = ("beginning", "line beginnings")

_UNFILTERED = ("first line", "last line", *_ANCHORED)
"""Parts not looked into where something is left out: what is taken out may leave an empty line there."""

_SAME = ("first line", "last line", "last full line", "last sentence")
"""Parts of all messages that are as well parts of the first or of the last one."""

_PRIORS: Mapping[str, float] = {"up to a length": 0.5, "first and last line": 0.5, "both ends": 0.5}

_UNITS: Mapping[str, str] = {
    "first characters": "characters",
    "last characters": "characters",
    "both ends": "characters",
    "first tokens": "tokens",
    "last tokens": "tokens",
    "first lines": "lines",
    "last lines": "lines",
    "up to a length": "characters",
    "ends beyond a length": "characters",
}

_LIMITS: Mapping[str, int] = {"characters": MOST, "tokens": MOST // 5, "lines": 400}

_LEAST: Mapping[str, int] = {"first lines": 2, "last lines": 2, "ends beyond a length": 80}

_PROBES: Mapping[str, tuple[Callable[[Layouts, int], Placement], ...]] = {
    "first characters": (
        lambda layouts, n: layouts.at_character(n),
        lambda layouts, n: layouts.at_character(n, long=True),
    ),
    "last characters": (
        lambda layouts, n: layouts.at_character(n, last=True),
        lambda layouts, n: layouts.at_character(n, last=True, long=True),
    ),
    "both ends": (
        lambda layouts, n: layouts.at_character(n),
        lambda layouts, n: layouts.at_character(n, last=True),
    ),
    "first tokens": (
        lambda layouts, n: layouts.at_word(n),
        lambda layouts, n: layouts.at_word(-(-n // 2), long=True),
        lambda layouts, n: layouts.at_word(n, long=True),
    ),
    "last tokens": (
        lambda layouts, n: layouts.at_word(n, last=True),
        lambda layouts, n: layouts.at_word(-(-n // 2), last=True, long=True),
        lambda layouts, n: layouts.at_word(n, last=True, long=True),
    ),
    "first lines": (lambda layouts, n: layouts.at_line(n),),
    "last lines": (lambda layouts, n: layouts.at_line(n, last=True),),
    "up to a length": (lambda layouts, n: layouts.of_length(n),),
    "ends beyond a length": (lambda layouts, n: layouts.of_length(n),),
}

_SOURCES: Mapping[str, str] = {
    "text": "the turn",
    "typed": "the typed words, which it gets beside the turn",
    "own words": "the user's words inside the envelope",
    "last message": "the last message",
    "first message": "the first message",
    "all messages": "all messages",
    "user messages": "all messages of the user",
    "first part": "the first text part",
    "last part": "the last text part",
}

_PARTS: Mapping[str, str] = {
    "whole": "the whole of {of}",
    "first line": "the first line of {of}, also an empty one",
    "first full line": "the first line of {of} that is not empty",
    "last line": "the last line of {of}, also an empty one",
    "last full line": "the last line of {of} that is not empty",
    "first and last line": "the first and the last line of {of}",
    "beginning": "only what {of} begins with",
    "line beginnings": "only what the lines of {of} begin with",
    "first characters": "the first {n} characters of {of}",
    "last characters": "the last {n} characters of {of}",
    "both ends": "the first {n} and the last {n} characters of {of}",
    "first tokens": "the first {n} tokens, counted as words, of {of}",
    "last tokens": "the last {n} tokens, counted as words, of {of}",
    "first lines": "the first {n} lines of {of}",
    "last lines": "the last {n} lines of {of}",
    "up to a length": "the whole of {of}, as long as it has at most {n} characters",
    "ends beyond a length": "the first and the last sentence of {of}, all of it up to {n} characters",
}

_OUTSIDE: Mapping[str, str] = {
    "fences": "code fences",
    "quotes": "quoted lines",
    "tags": "the tags in it",
    "elements": "what stands between tags",
}
