"""Routers that know one phrase and read one known part of a turn, written as their authors would."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.turn import Turn
from workbench.explain.asking import Given
from workbench.explain.window import Inferred, Unknown, infer
from workbench.explain.window_phrase import choose
from workbench.explain.window_placements import Placement

PHRASE = "check my calendar"
FIRES = Decision(Outcome.FIRE, (ToolCall("calendar::list"),))
PASSES = Decision(Outcome.PASS)

Reads = Callable[[Turn], str]


@dataclass(frozen=True)
class Animal:
    """`way`: what is to be found: source, what is left out, part, N."""

    reads: Reads
    way: tuple[str, tuple[str, ...], str, int | None]


def of_text(part: str, reads: Callable[[str], str], n: int | None = None) -> Animal:
    return Animal(lambda turn: reads(turn.text), ("text", (), part, n))


def outside(outside: Sequence[str], reads: Callable[[str], str], part: str = "whole") -> Animal:
    return Animal(lambda turn: reads(turn.text), ("text", tuple(outside), part, None))


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text.strip())


def without_fences(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def without_quotes(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith(">"))


def full_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()] or [""]


def ends_beyond_300(text: str) -> str:
    return text if len(text) <= 300 else f"{sentences(text)[0]} … {sentences(text)[-1]}"


def first_part(turn: Turn) -> str:
    try:
        return str(json.loads(turn.text)[0]["text"])
    except (ValueError, TypeError, KeyError):
        return turn.text


def cut_by_a_tokenizer(text: str) -> str:
    """Long words are two tokens, marks one, and two of the 512 are the model's own."""
    ends: list[int] = []
    for token in re.finditer(r"\w+|[^\w\s]", text):
        ends += [token.start() + 8] * (len(token[0]) > 8) + [token.end()]
    return text[: ends[min(510, len(ends)) - 1]] if ends else ""


ZOO: dict[str, Animal] = {
    "whole text": of_text("whole", lambda text: text),
    "first line": of_text("first line", lambda text: text.split("\n")[0]),
    "first full line": of_text("first full line", lambda text: full_lines(text)[0]),
    "last line": of_text("last line", lambda text: text.split("\n")[-1]),
    "last full line": of_text("last full line", lambda text: full_lines(text)[-1]),
    "first 80 characters": of_text("first characters", lambda text: text[:80], 80),
    "first 2,000 characters": of_text("first characters", lambda text: text[:2000], 2000),
    "last 137 characters": of_text("last characters", lambda text: text[-137:], 137),
    "both ends": of_text("both ends", lambda text: f"{text[:400]}…{text[-400:]}", 400),
    "first 512 words": of_text("first tokens", lambda text: " ".join(text.split()[:512]), 512),
    "first 512 tokens": of_text("first tokens", cut_by_a_tokenizer, 510),
    "last 128 words": of_text("last tokens", lambda text: " ".join(text.split()[-128:]), 128),
    "first 3 lines": of_text("first lines", lambda text: "\n".join(text.split("\n")[:3]), 3),
    "beginning": of_text("beginning", lambda text: text if text.lstrip().startswith(PHRASE) else ""),
    "line beginnings": of_text(
        "line beginnings", lambda text: "\n".join(re.findall(rf"^\s*{PHRASE}", text, re.MULTILINE))
    ),
    "first paragraph": of_text("first paragraph", lambda text: text.strip().split("\n\n")[0]),
    "last paragraph": of_text("last paragraph", lambda text: text.strip().split("\n\n")[-1]),
    "first sentence": of_text("first sentence", lambda text: sentences(text)[0]),
    "last sentence": of_text("last sentence", lambda text: sentences(text)[-1]),
    "first and last sentence": of_text(
        "first and last sentence", lambda text: f"{sentences(text)[0]} … {sentences(text)[-1]}"
    ),
    "ends beyond 300": of_text("ends beyond a length", ends_beyond_300, 300),
    "short turns only": of_text("up to a length", lambda text: text if len(text) <= 500 else "", 500),
    "outside fences": outside(["fences"], without_fences),
    "outside quotes": outside(["quotes"], without_quotes),
    "outside both": outside(["fences", "quotes"], lambda text: without_fences(without_quotes(text))),
    "outside tags": outside(["tags"], lambda text: re.sub(r"<[^>]+>", "", text)),
    "outside elements": outside(
        ["elements"], lambda text: re.sub(r"<(\w+)[^>]*>.*?</\1>", "", text, flags=re.DOTALL)
    ),
    "first line outside quotes": outside(
        ["quotes"], lambda text: full_lines(without_quotes(text))[0], "first full line"
    ),
    "typed words": Animal(lambda turn: turn.typed, ("typed", (), "whole", None)),
    "last message": Animal(lambda turn: turn.messages[-1].content, ("last message", (), "whole", None)),
    "all messages": Animal(
        lambda turn: "\n".join(message.content for message in turn.messages),
        ("all messages", (), "whole", None),
    ),
    "user messages": Animal(
        lambda turn: "\n".join(m.content for m in turn.messages if m.role == "user"),
        ("user messages", (), "whole", None),
    ),
    "first text part": Animal(first_part, ("first part", (), "whole", None)),
}


class Router:
    """Answers by what it reads, and counts. `most`: after so many calls it raises what Asker would."""

    def __init__(self, reads: Reads, phrase: str = PHRASE) -> None:
        self._reads = reads
        self._phrase = phrase
        self.calls = 0

    async def __call__(self, turn: Turn) -> Given:
        self.calls += 1
        return Given(FIRES if self._phrase in self._reads(turn) else PASSES)


def at_random(seed: int, chance: float) -> Router:
    """Fires that often, whatever it is given."""
    draw = random.Random(seed)
    return Router(lambda turn: PHRASE if draw.random() < chance else "")


async def found_by(
    ask: Callable[[Turn], object], phrases: Sequence[str] = (PHRASE,), extra: Sequence[Placement] = ()
) -> Inferred:
    """From the search for a phrase to the answer, as the command does it."""
    chosen = await choose(ask, phrases)  # type: ignore[arg-type]
    if chosen.layouts is None or chosen.tells is None or chosen.unknown is not None:
        return Inferred("", "", (), chosen.unknown or Unknown.NO_PHRASE, ())
    return await infer(ask, chosen.layouts, chosen.tells, (*chosen.layouts.fixed(), *extra))  # type: ignore[arg-type]
