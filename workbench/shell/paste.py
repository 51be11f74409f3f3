"""Which part of a line was pasted, kept through every edit: a paste is not what the user wrote."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.core.decision import Span

__all__ = ["Draft", "Tracker", "edited", "pasted"]

_REMEMBERED = 300
"""States of a line that an undo may come back to."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A line, and the spans of it that were pasted: in order, apart from each other, none empty."""

    text: str = ""
    pastes: tuple[Span, ...] = ()

    @property
    def typed(self) -> Iterator[Span]:
        """The spans that were typed, none empty."""
        at = 0
        for start, end in (*self.pastes, (len(self.text), len(self.text))):
            if start > at:
                yield at, start
            at = end

    def from_(self, start: int) -> Draft:
        """The line without its first characters."""
        cut = ((max(0, a - start), b - start) for a, b in self.pastes)
        return Draft(self.text[start:], _ordered(cut))

    def taken_as_typed(self, at: int) -> Draft:
        """The line with the paste round `at` taken for typed words; the same line where there is none."""
        return Draft(self.text, tuple(span for span in self.pastes if not span[0] <= at <= span[1]))


def edited(draft: Draft, text: str, starts: Iterable[int] = ()) -> Draft:
    """The draft after one stretch of it was replaced, which makes it `text`. What is new was typed.

    `starts` are where the change may begin, the likeliest first: in a run of equal characters only
    the cursor can tell.
    """
    start, old_end, new_end = _change(draft.text, text, starts)
    shift = new_end - old_end
    kept: list[Span] = []
    for a, b in draft.pastes:
        kept.append((a, min(b, start)))
        kept.append((max(a, old_end) + shift, b + shift))
    return Draft(text, _ordered(kept))


def pasted(draft: Draft, at: int, text: str) -> Draft:
    """The draft with `text` pasted in at `at`."""
    made = edited(draft, draft.text[:at] + text + draft.text[at:], (at,))
    return Draft(made.text, _ordered((*made.pastes, (at, at + len(text)))))


def _ordered(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order, those that touch as one, empty ones left out."""
    merged: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _change(old: str, new: str, starts: Iterable[int]) -> tuple[int, int, int]:
    """Where `old` was changed: [start, old_end) became [start, new_end)."""
    grown = len(new) - len(old)
    for start in starts:
        old_end, new_end = start + max(0, -grown), start + max(0, grown)
        if (
            start >= 0
            and old_end <= len(old)
            and old[:start] == new[:start]
            and old[old_end:] == new[new_end:]
        ):
            return start, old_end, new_end
    least = min(len(old), len(new))
    start = _common(old, new, least)
    tail = _common(old[::-1], new[::-1], least - start)
    return start, len(old) - tail, len(new) - tail


def _common(one: str, other: str, most: int) -> int:
    """How many characters two texts have in common at their beginning, at most `most`."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class Tracker:
    """Follows a line while it is edited, told of every new text and of every move of the cursor.

    What comes back in one go (undo, a yank, history) has the pastes that it had before.
    """

    def __init__(self, history: Iterable[Draft] = ()) -> None:
        self.draft = Draft()
        self.cursor = 0
        self._history = {draft.text: draft.pastes for draft in history}
        self._left: dict[int, Draft] = {}
        self._states: OrderedDict[str, tuple[Span, ...]] = OrderedDict()
        self._pasted: list[str] = []
        self._expecting = False

    def start(self) -> None:
        """A new, empty line."""
        self.draft, self.cursor, self._expecting = Draft(), 0, False
        self._left.clear()
        self._states.clear()
        self._pasted.clear()

    def keep(self, draft: Draft) -> bool:
        """A line that history will bring back; whether it is another one than the last."""
        another = next(reversed(self._history.items()), None) != (draft.text, draft.pastes)
        self._history.pop(draft.text, None)
        self._history[draft.text] = draft.pastes
        return another

    def expect_paste(self) -> None:
        """The next change is a paste at the cursor."""
        self._expecting = True

    def take_as_typed(self) -> bool:
        """Take the paste at the cursor for typed words; whether there was one."""
        before, self.draft = self.draft, self.draft.taken_as_typed(self.cursor)
        self._remember()
        return self.draft != before

    def recall(self, text: str, cursor: int, left: int, place: int) -> None:
        """Line number `left` of history was left for number `place`, which may have been edited before."""
        self._left[left] = self.draft
        known = self._left.get(place)
        self.draft = known if known and known.text == text else Draft(text, self._history.get(text, ()))
        self.cursor = cursor
        self._pasted += [text[start:end] for start, end in self.draft.pastes]
        self._remember()

    def change(self, text: str, cursor: int) -> None:
        """The line reads `text` now. `cursor` may stand before or behind what is new."""
        before, grown = self.draft, len(text) - len(self.draft.text)
        starts = (self.cursor, cursor - grown) if grown > 0 else (cursor,)
        start, _, end = _change(before.text, text, starts)
        if self._expecting and grown > 0:
            self._pasted.append(text[start:end])
            self.draft = pasted(before, start, text[start:end])
        else:
            self.draft = edited(before, text, starts)
            if end - start > 1:
                self._come_back(start, end)
        self.cursor, self._expecting = cursor, False
        self._remember()

    def _come_back(self, start: int, end: int) -> None:
        """Several characters came at once: the line as it was before, or a part of what was pasted."""
        text = self.draft.text
        if text in self._states:
            self.draft = Draft(text, self._states[text])
        elif any(text[start:end] in paste for paste in self._pasted):
            self.draft = Draft(text, _ordered((*self.draft.pastes, (start, end))))

    def _remember(self) -> None:
        self._states[self.draft.text] = self.draft.pastes
        self._states.move_to_end(self.draft.text)
        if len(self._states) > _REMEMBERED:
            self._states.popitem(last=False)
