"""Turns with one phrase in one place: of long texts, of marked-up ones, of each field and each envelope."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.core.envelope import Envelope, Ingress, Slot, SlotKind, wrap
from workbench.core.turn import Message, Turn, bare
from workbench.explain.window_filler import Filler

__all__ = ["MOST", "Layouts", "Placement"]

MOST = 16_000
"""Characters of the longest turns: what is read beyond that is not looked into."""

_LINES = 42  # of the long turn, in paragraphs of
_PARAGRAPH = 6
_LISTED = 400  # lines of the turn that is made of short ones


@dataclass(frozen=True, slots=True)
class Placement:
    """One turn, and in words where the phrase stands in it. `layout`: what it is a variation of."""

    layout: str
    place: str
    turn: Turn

    def __str__(self) -> str:
        return f"{self.layout}, {self.place}"

    def __hash__(self) -> int:
        return hash((self.layout, self.place))  # a turn is long, and the place nearly tells it


@dataclass(frozen=True, slots=True)
class Layouts:
    """Makes the placements of one phrase among one filler."""

    phrase: str
    filler: Filler

    def alone(self) -> Placement:
        """The phrase and nothing else."""
        return Placement("the phrase", "alone", _spoken(self.phrase))

    def without(self) -> Turn:
        """The filler and nothing else."""
        return _spoken(self.filler.sample)

    def two_sentences(self) -> tuple[Placement, Placement]:
        """The phrase as a sentence before another one, and behind it."""
        ended, one = _ended(self.phrase), self.filler.sentence(0)
        return (
            Placement("two sentences", "the first", _spoken(f"{ended} {one}")),
            Placement("two sentences", "the second", _spoken(f"{one} {ended}")),
        )

    def fixed(self, envelopes: Iterable[tuple[str, Sequence[Envelope]]] = ()) -> tuple[Placement, ...]:
        """The placements that are the same for every search. `envelopes`: by name, the outermost first."""
        made = (
            *self._long(),
            *self._short(),
            *self._marked(),
            *self._fields(),
            *self._parts(),
            *self._framed("a frame", (self._frame(),)),
            *(
                placement
                for name, chain in envelopes
                for placement in self._framed(f"envelope {name}", chain)
            ),
        )
        # A transform may have escaped, cut or encoded the phrase, and a frame may hold it too: then its place
        # tells nothing.
        kept = [p for p in made if p.turn.text.count(self.phrase) == 1 or p.layout in _BESIDE]
        return tuple({placement.turn: placement for placement in reversed(kept)}.values())[::-1]

    # Places by number, from either end: what the search for an N asks for.

    def at_character(self, end: int, *, last: bool = False, long: bool = False) -> Placement:
        """The phrase ends at that character, or with `last` begins as far from the end."""
        near = self.filler.characters(max(0, end - len(self.phrase) - 1), long=long)
        far = self.filler.characters(max(0, MOST - end - 1), long=long)
        return self._in_a_row(near, far, f"{end:,} characters", last=last, long=long)

    def at_word(self, end: int, *, last: bool = False, long: bool = False) -> Placement:
        """The same by words."""
        near = self.filler.words(max(0, end - len(self.phrase.split())), long=long)
        far = self.filler.characters(MOST // 2, long=long)
        return self._in_a_row(near, far, f"{end:,} words", last=last, long=long)

    def at_line(self, end: int, *, last: bool = False) -> Placement:
        """A line of its own among many short ones."""
        lines = [self.filler.words(4, long=False) for _ in range(_LISTED)]
        lines[-end if last else end - 1] = self.phrase
        place = f"line {end} from the {'end' if last else 'start'} of {_LISTED}"
        return Placement("short lines", place, _spoken("\n".join(lines)))

    def of_length(self, length: int) -> Placement:
        """In the middle of a turn of sentences that is so long."""
        ended = _ended(self.phrase)
        room = max(4, length - len(ended) - 1)
        before, after = self._prose(room // 2), self._prose(room - room // 2 - 1)
        return Placement("sentences", f"in the middle of {length:,}", _spoken(f"{before} {ended} {after}"))

    def _in_a_row(self, near: str, far: str, place: str, *, last: bool, long: bool) -> Placement:
        parts = (far, self.phrase, near) if last else (near, self.phrase, far)
        layout = "long words" if long else "short words"
        from_end = "from the end" if last else "from the start"
        return Placement(layout, f"{place} {from_end}", _spoken(" ".join(filter(None, parts))))

    def _prose(self, length: int) -> str:
        """Sentences of together exactly that many characters."""
        made = ""
        number = 0
        while len(made) < length:
            made += (" " if made else "") + self.filler.sentence(number)
            number += 1
        return made[: max(0, length - 1)].rstrip(" .").ljust(max(0, length - 1), "o") + "."

    # Layouts.

    def _long(self) -> Iterator[Placement]:
        ended = _ended(self.phrase)
        last = _LINES - 1
        for number in (0, 1, 2, _PARAGRAPH - 1, _PARAGRAPH, last // 2, last - _PARAGRAPH, last - 5, last):
            line = f"line {number + 1} of {_LINES}"
            yield Placement("long turn", f"begins {line}", self._long_turn(number, ended, first=True))
            yield Placement("long turn", f"ends {line}", self._long_turn(number, ended, first=False))
        for number, place in ((0, "first full line"), (last, "last full line")):
            turn = _spoken(f"\n\n{self._long_turn(number, ended, first=number == 0).text}\n\n")
            yield Placement("long turn between blank lines", place, turn)

    def _long_turn(self, number: int, ended: str, *, first: bool) -> Turn:
        lines = [f"{self.filler.sentence(2 * at)} {self.filler.sentence(2 * at + 1)}" for at in range(_LINES)]
        lines[number] = f"{ended} {lines[number]}" if first else f"{lines[number]} {ended}"
        blocks = [lines[at : at + _PARAGRAPH] for at in range(0, _LINES, _PARAGRAPH)]
        return _spoken("\n\n".join("\n".join(block) for block in blocks))

    def _short(self) -> Iterator[Placement]:
        yield from self.two_sentences()
        ended = _ended(self.phrase)
        one, two = self.filler.sentence(0), self.filler.sentence(1)
        yield Placement("three lines", "the first", _spoken(f"{ended}\n{one}\n{two}"))
        yield Placement("three lines", "the second", _spoken(f"{one}\n{ended}\n{two}"))
        yield Placement("three lines", "the third", _spoken(f"{one}\n{two}\n{ended}"))

    def _marked(self) -> Iterator[Placement]:
        for layout, lines in _MARKED.items():
            for number, (line, place) in enumerate(lines):
                if "{}" not in line:
                    continue
                made = [
                    other.replace("{}", _ended(self.phrase) if at == number else self.filler.sentence(at))
                    for at, (other, _) in enumerate(lines)
                ]
                yield Placement(layout, place, _spoken("\n".join(made)))
        quiet = self.filler.words(3, long=False)
        for layout, text in (
            ("a tag", '<note title="{}">\n{}\n</note>\n{}'),
            ("a tag below", '{}\n<note title="{}">{}</note>'),
        ):
            for number in range(text.count("{}")):
                values = [self.filler.sentence(at) if at else quiet for at in range(text.count("{}"))]
                values[number] = self.phrase
                before = text.split("{}")[number].strip()
                place = "in its attribute" if before.endswith('"') else f"place {number + 1}"
                yield Placement(layout, place, _spoken(text.format(*values)))

    def _fields(self) -> Iterator[Placement]:
        """A phrase in one field alone, also where two fields would hold the same: that tells them apart."""
        one, two, three = (self.filler.sentence(number) for number in range(3))
        ended = _ended(self.phrase)
        quiet = _spoken(one)
        texts = [two, three, self.filler.sentence(3), self.filler.sentence(4)]
        for number, place in (
            (0, "first message"),
            (1, "first answer"),
            (2, "message before"),
            (3, "answer"),
        ):
            said = [ended if at == number else text for at, text in enumerate(texts)]
            talk = [Message("assistant" if at % 2 else "user", text) for at, text in enumerate(said)]
            yield Placement("conversation", place, replace(quiet, messages=(*talk, *quiet.messages)))
        talk = [Message("assistant" if at % 2 else "user", text) for at, text in enumerate(texts)]
        turn = _spoken(f"{one}\n{ended}")
        yield Placement("conversation", "last message", replace(turn, messages=(*talk, *turn.messages)))
        asked = _spoken(self.phrase)
        yield Placement("one field", "the text", replace(asked, typed=one, messages=quiet.messages))
        yield Placement("one field", "the typed words", replace(quiet, typed=self.phrase))
        yield Placement("one field", "the last message", replace(quiet, messages=asked.messages))

    def _parts(self) -> Iterator[Placement]:
        for number, place in enumerate(("the first", "the middle one", "the last")):
            texts = [self.filler.sentence(at) for at in range(3)]
            texts[number] = self.phrase
            parts = [{"type": "text", "text": text} for text in texts]
            yield Placement("list of text parts", place, _spoken(json.dumps(parts, ensure_ascii=False)))

    def _frame(self) -> Envelope:
        """A line above the words and one below, for a workspace that has no envelope."""
        slots = {name: Slot(name, self.filler.sentence(at)) for at, name in ((5, "above"), (6, "below"))}
        return Envelope("frame", Ingress.CHANNEL, "{above}\n{text}\n{below}", slots)

    def _framed(self, layout: str, chain: Sequence[Envelope]) -> Iterator[Placement]:
        """In the words that are framed, in the document, and in every slot that another may fill."""
        ended = _ended(self.phrase)
        lines = [self.filler.sentence(0), self.filler.sentence(1), self.filler.sentence(2)]
        for number, place in ((0, "first typed line"), (1, "second typed line"), (2, "last typed line")):
            typed = "\n".join([*lines[:number], ended, *lines[number + 1 :]])
            yield Placement(layout, place, _framed(chain, typed))
        yield Placement(layout, "all that is typed", _framed(chain, self.phrase))
        typed = "\n".join(lines)
        if any(envelope.carries_document for envelope in chain):
            for number, place in ((0, "first line of the document"), (2, "last line of the document")):
                document = "\n".join([*lines[:number], ended, *lines[number + 1 :]])
                yield Placement(layout, place, _framed(chain, lines[1], document))
        for at, envelope in enumerate(chain):
            for slot in envelope.slots.values():
                if slot.kind not in (SlotKind.TEXT, SlotKind.NAME):
                    continue
                slots = {**envelope.slots, slot.name: replace(slot, example=self.phrase)}
                filled = [*chain[:at], replace(envelope, slots=slots), *chain[at + 1 :]]
                yield Placement(layout, f"slot {slot.name}", _framed(filled, typed))


_BESIDE = ("conversation", "one field")  # where the phrase may stand outside the turn's text

# The lines of marked-up turns, each with the words for its place; {} is a sentence, or the phrase.
_QUOTED = (("> {}", "quoted"), ("> {}", "quoted, second line"), ("", ""))
_PLAIN = (("{}", "first plain line"), ("{}", "last plain line"))
_FENCED = (("```", ""), ("{}", "in the fence"), ("{}", "in the fence, second line"), ("```", ""), ("", ""))
_MARKED: dict[str, tuple[tuple[str, str], ...]] = {
    "quote above": (*_QUOTED, *_PLAIN),
    "quote below": (*_PLAIN, ("", ""), *_QUOTED[:2]),
    "fence above": (*_FENCED, *_PLAIN),
    "fence below": (*_PLAIN, ("", ""), *_FENCED[:4]),
    "fence close above": (*_FENCED[:4], *_PLAIN),
    "fence close below": (*_PLAIN, *_FENCED[:4]),
}


def _ended(phrase: str) -> str:
    """The phrase as a sentence."""
    return phrase if phrase.endswith((".", "!", "?")) else phrase + "."


def _spoken(text: str) -> Turn:
    """A turn of typed words, as the last message too."""
    return replace(bare(text), messages=(Message("user", text),))


def _framed(chain: Sequence[Envelope], typed: str, document: str = "") -> Turn:
    turn = bare(typed)
    for envelope in reversed(chain):
        turn = wrap(envelope, turn, document)
    return replace(turn, messages=(Message("user", turn.text),))
