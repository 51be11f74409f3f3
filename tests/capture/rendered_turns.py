"""Turns of any envelope, with values that vary and echo the typed words: a log to learn from."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace

from workbench.capture.pairing import Pair
from workbench.capture.turns import Place
from workbench.core.envelope import Envelope, Slot, SlotKind, wrap
from workbench.core.template import DOCUMENT
from workbench.core.turn import Author, bare

_WORDS = tuple(
    re.findall(
        r"\w+",
        "ship plan invoice river boat copy meeting table green seven cloud draft report window bread team "
        "server light garden paper order train ticket north salt lemon budget deploy branch review metric "
        "alarm queue office call number note harbor music sugar stone market label carpet engine",
    )
)
_NAMES = ("Kim", "Ana Lopez", "bob_77", "Dr. Lee", "Sam", "Zoë", "u12", "Ben", "O'Hara", "李雷")
_ZONES = ("Europe/Lisbon", "UTC", "America/New_York", "Asia/Tokyo")
TELLING = 'what\'s "this" & <that>?'
_ENDINGS = (".py", ".md", ".pdf", ".txt", ".csv")


class Writer:
    """Everything that people and programs write, the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def words(self, least: int, most: int) -> str:
        return " ".join(self._random.choice(_WORDS) for _ in range(self._random.randint(least, most)))

    def sentence(self) -> str:
        return self.words(4, 12).capitalize() + self._random.choice(".?!.")

    def typed(self) -> str:
        plain = self.words(2, 9)
        ways = (
            plain,
            plain + "?",
            f"please {plain}, {self.words(1, 4)}",
            f"{self.sentence()}\n{self.sentence()}",
            f'what\'s "{self.words(1, 2)}" & <{self.words(1, 1)}>?',
            f"{plain} 🦀 café 日本",
            f"TODO: {plain}",
            self.words(1, 1),
        )
        return self._random.choices(ways, (6, 4, 3, 2, 2, 1, 1, 1))[0]

    def document(self, typed: str) -> str:
        """Some lines of Markdown; the words that were typed may stand among them."""
        lines = []
        for _ in range(self._random.randint(1, 5)):
            kinds = (
                f"## {self.words(1, 4)}",
                f"- {self.sentence()}",
                "",
                f"{self.sentence()} {self.sentence()}",
            )
            lines.append(self._random.choices(kinds, (2, 2, 1, 5))[0])
        if self._random.random() < 0.5:
            echo = self._random.choice(
                (typed, f"They said: {typed}", f"{self.words(1, 3)} {typed} {self.words(1, 3)}")
            )
            lines.insert(self._random.randint(0, len(lines)), echo)
        return "\n".join(lines).strip("\n") or self.sentence()

    def quoted(self, typed: str) -> str:
        text = self.sentence()
        if self._random.random() < 0.25:
            text += "\n" + self.sentence()
        return self._random.choices((text, typed, f"{text} {typed}"), (6, 2, 2))[0]

    def history(self, typed: str) -> str:
        speakers = ("User", "Assistant", "Kim", "Ana")
        lines = [
            f"{self._random.choice(speakers)}: {self.sentence()}" for _ in range(self._random.randint(1, 5))
        ]
        if self._random.random() < 0.5:
            lines.insert(self._random.randint(0, len(lines)), f"User: {typed}")
        return "\n".join(lines)

    def value(self, slot: Slot, author: Author, typed: str) -> str:
        """A value of the slot's kind; prose by its author."""
        number = self._random.randint
        match slot.kind:
            case SlotKind.NAME if "/" in slot.example:
                return self._random.choice(_ZONES)
            case SlotKind.NAME:
                return self._random.choice(_NAMES)
            case SlotKind.TIME:
                clock = f"{number(0, 23):02}:{number(0, 59):02}"
                return f"2026-{number(1, 12):02}-{number(1, 28):02} {clock}" if "-" in slot.example else clock
            case SlotKind.NUMBER:
                return str(number(1, 9_999))
            case SlotKind.NONCE:
                return f"{self._random.getrandbits(64):016x}"
            case SlotKind.PATH:
                folder = self._random.choice(("/w/", "src/", "/home/sam/", ""))
                return folder + self.words(1, 1) + self._random.choice(_ENDINGS)
            case SlotKind.JSON:
                list_ = [self.words(1, 3) for _ in range(number(0, 3))]
                return json.dumps({self.words(1, 1): self.words(1, 2), "n": number(1, 9), "list": list_})
            case SlotKind.BASE64:
                return base64.b64encode(self.words(10, 40).encode()).decode()
        if author is Author.HISTORY:
            return self.history(typed)
        if author is Author.QUOTED:
            return self.quoted(typed)
        if author is Author.TRANSPORT:
            return self.words(1, 3)
        return self.document(typed)


def rendered(envelope: Envelope, seed: str, number: int = 1, *, telling: bool = False) -> Pair:
    """One turn of an envelope: its slots and its document filled anew. `telling`: its words have lines, and
    marks that are escaped."""
    writer = Writer(seed)
    typed = f"{writer.sentence()}\n{TELLING}" if telling else writer.typed()
    slots: Mapping[str, Slot] = {
        name: replace(
            slot, example=_fitted(envelope, name, writer.value(slot, author_of(envelope, name), typed))
        )
        for name, slot in envelope.slots.items()
    }
    document = writer.document(typed) if envelope.carries_document else None
    if document is not None and f'"{{{DOCUMENT}}}"' in envelope.template:
        document = json.dumps(document, ensure_ascii=False)[1:-1]
    made = wrap(replace(envelope, slots=slots), bare(typed), document)
    return Pair(typed, made.text, Place("turns.jsonl", number))


def author_of(envelope: Envelope, slot: str) -> Author:
    return envelope.authors.get(slot, Author.TRANSPORT)


def _fitted(envelope: Envelope, slot: str, value: str) -> str:
    """As the frame takes it: escaped in JSON, a mark before each further line of a quote."""
    if envelope.template.lstrip()[:1] in ("{", "[") and '": "' in envelope.template:
        return json.dumps(value, ensure_ascii=False)[1:-1] if value[:1] != "{" else value
    line = next(line for line in envelope.template.split("\n") if f"{{{slot}}}" in line)
    return value.replace("\n", "\n> ") if line.startswith(">") else value
