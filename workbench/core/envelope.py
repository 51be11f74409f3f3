"""An envelope: the frame that a delivery path puts round a turn. `wrap` and its inverse `unwrap`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from workbench.core import transform
from workbench.core.match import Rule, match
from workbench.core.relation import Relation
from workbench.core.segment import Segment, from_turn, regions, text_of, typed_pieces
from workbench.core.template import DOCUMENT, TEXT, Part, filled, parts
from workbench.core.transform import Transform
from workbench.core.turn import Author, Turn

__all__ = [
    "Envelope",
    "Ingress",
    "Slot",
    "SlotKind",
    "Source",
    "Transform",
    "Unwrapped",
    "ends_last",
    "unwrap",
    "ways",
    "wrap",
]


class Ingress(StrEnum):
    """The delivery paths."""

    CHANNEL = "channel"
    REPLY = "reply"
    MENTION = "mention"
    EMAIL = "email"
    ATTACHMENT = "attachment"
    RAG = "rag"
    HARNESS = "harness"
    TOOL = "tool"
    VOICE = "voice"


class SlotKind(StrEnum):
    """What a slot holds."""

    TEXT = "text"
    NAME = "name"
    TIME = "time"
    NONCE = "nonce"
    PATH = "path"
    NUMBER = "number"
    JSON = "json"
    BASE64 = "base64"


@dataclass(frozen=True, slots=True)
class Slot:
    """A transport value of a template; `example` is what replay fills in."""

    name: str
    example: str = ""
    kind: SlotKind = SlotKind.TEXT


@dataclass(frozen=True, slots=True)
class Source:
    """Where an envelope comes from. `status`: captured, provisional or hand-written."""

    origin: str = ""
    turns: int | None = None
    status: str = "hand-written"


@dataclass(frozen=True, slots=True)
class Envelope:
    """`template` holds `{text}` at least once, `{document}` where a file is folded in, and slots.

    `authors` gives slots whose author is not transport. `transforms` apply to the words, in order;
    the number is the length of a truncate, None elsewhere.
    """

    name: str
    ingress: Ingress
    template: str
    slots: Mapping[str, Slot] = field(default_factory=dict)
    authors: Mapping[str, Author] = field(default_factory=dict)
    transforms: tuple[tuple[Transform, int | None], ...] = ()
    relation: Relation | None = None
    source: Source = Source()
    file: str = ""

    @property
    def carries_document(self) -> bool:
        """Whether the template has a place for an attached document."""
        return "{document}" in self.template

    @property
    def loses(self) -> tuple[str, ...]:
        """What the transforms may lose of the words, in words; empty: they come back whole."""
        return transform.losses(self.transforms)


def wrap(envelope: Envelope, inner: Turn, document: str | None = None) -> Turn:
    """`inner` in its envelope, with the slots' examples; `document` goes where the template has it.

    The inner turn's authors and typed characters are carried along, so that envelopes nest. Its
    typed words, attachments and messages stay as they are.
    """
    words = transform.apply(envelope.transforms, from_turn(inner))
    made: list[Segment] = []
    for part in parts(envelope.template, frozenset(envelope.slots)):
        if not part.slot:
            made.append(Segment(part.text, Author.TRANSPORT))
        elif part.text == TEXT:
            made.extend(words)
        elif part.text == DOCUMENT:
            author = envelope.authors.get(DOCUMENT, Author.ATTACHMENT)
            made.append(Segment(document or "", author))
        else:
            author = envelope.authors.get(part.text, Author.TRANSPORT)
            made.append(Segment(envelope.slots[part.text].example, author))
    made = [segment for segment in made if segment.text]
    return replace(inner, text=text_of(made), regions=regions(made), pieces=typed_pieces(made))


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """What stands in the slots of a wrapped text.

    `document` is None where the template has no place for one. `lossy`: wrapping `typed` again may
    not give this text, or other words may have given it. `ambiguous`: the text can be split in
    another way too; this is the way that gives the slots, in order, the least, but for those whose
    end is told from the last place that it could be, as `ends_last` has it.
    """

    typed: str
    document: str | None
    slots: Mapping[str, str]
    lossy: bool
    ambiguous: bool


def unwrap(envelope: Envelope, text: str) -> Unwrapped | None:
    """The words and the slots' values in a text that has the form of `envelope`, else None.

    Slots with the values of their examples come first, then any values of their kinds; words that
    the transforms can have left come first, then words that they cannot (the answer is lossy then).
    None also where a text has so many false starts that the search is given up.
    """
    return next(ways(envelope, text), None)


def ways(envelope: Envelope, text: str, wanted: Callable[[str], bool] | None = None) -> Iterator[Unwrapped]:
    """What `unwrap` gives, then the other ends of what is ambiguous: not all ways that there are.

    With `wanted`, only ways that give words of which it says so; it is to be quick.
    """
    free = parts(envelope.template, frozenset(envelope.slots))
    used = {part.text for part in free if part.slot} - {TEXT, DOCUMENT}
    examples = {name: envelope.slots[name].example for name in used}
    for strict in (True, False) if envelope.transforms else (True,):
        rules = {name: _RULES[envelope.slots[name].kind] for name in used}
        if strict and envelope.transforms:
            rules[TEXT] = Rule(accepts=partial(_can_stand, envelope.transforms, wanted), cost=8)
        elif wanted is not None:
            rules[TEXT] = Rule(accepts=partial(_is_wanted, envelope.transforms, wanted), cost=2)
        for known in (examples, {}) if examples else ({},):
            form = filled(free, known)
            found = _answers(form, text, rules, ends_last(envelope, form))
            for values in found:
                yield Unwrapped(
                    typed=transform.undo(envelope.transforms, values.get(TEXT, "")),
                    document=values.get(DOCUMENT),
                    slots={name: known.get(name, values.get(name, "")) for name in used},
                    lossy=not strict or transform.loses(envelope.transforms),
                    ambiguous=len(found) > 1,
                )


def _answers(
    form: Sequence[Part], text: str, rules: Mapping[str, Rule], last: frozenset[str]
) -> list[dict[str, str]]:
    """The values of the slots, then other values that they can have too."""
    least = match(form, text, rules)
    if least is None:
        return []
    most = match(form, text, rules, longest=True)
    if most == least:
        return [least]
    told = {**rules, **{name: rules.get(name, Rule())._replace(longest=True) for name in last}}
    best = match(form, text, told) if last else least
    found = [values for values in (best, least, most) if values is not None]
    # Where the search for the most was given up, there may be another way: said by repeating this one.
    return [values for at, values in enumerate(found) if values not in found[:at]] + [least] * (most is None)


def ends_last(envelope: Envelope, form: Sequence[Part]) -> frozenset[str]:
    """Slots of any text before the words that end at the last place where they could.

    Those that are parted from the words by a mark with a word in it: a document or a history may
    well hold that mark too, words hardly. Not those that a blank line or a bracket ends, which words
    hold as well.
    """
    before: list[Part] = []
    for part in form:
        if part == Part(TEXT, slot=True):
            break
        before.append(part)
    else:
        return frozenset()
    found: set[str] = set()
    marked = False
    for part in reversed(before):
        if not part.slot:
            marked = marked or any(char.isalnum() for char in part.text)
        else:
            slot = envelope.slots.get(part.text)
            if marked and (slot is None or slot.kind in _ANY_TEXT):
                found.add(part.text)
            marked = True
    return frozenset(found)


def _can_stand(steps: transform.Steps, wanted: Callable[[str], bool] | None, text: str) -> bool:
    """Whether the transforms can have left `text`, of words that are wanted."""
    words = transform.undo(steps, text)
    return transform.apply_to_text(steps, words) == text and (wanted is None or wanted(words))


def _is_wanted(steps: transform.Steps, wanted: Callable[[str], bool], text: str) -> bool:
    return wanted(transform.undo(steps, text))


def _one_line(text: str, start: int, limit: int) -> int:
    feed = text.find("\n", start, limit)
    return limit if feed < 0 else feed


_BASE64 = re.compile(r"[\w+/=\s-]*", re.ASCII)


def _base64(text: str, start: int, limit: int) -> int:
    found = _BASE64.match(text, start, limit)
    return found.end() if found else start


_ANY_TEXT = (SlotKind.TEXT, SlotKind.JSON)

_RULES: Mapping[SlotKind, Rule] = {
    SlotKind.TEXT: Rule(),
    SlotKind.JSON: Rule(),
    SlotKind.NAME: Rule(_one_line),
    SlotKind.TIME: Rule(_one_line),
    SlotKind.NONCE: Rule(_one_line),
    SlotKind.PATH: Rule(_one_line),
    SlotKind.NUMBER: Rule(_one_line),
    SlotKind.BASE64: Rule(_base64),
}
