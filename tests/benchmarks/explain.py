"""Calls that `explain` takes, against a plain search word by word: python tests/benchmarks/explain.py

Both must name the same 1-minimal words. The plain search leaves out one word after the other and keeps it
out where the decision stays; it is 1-minimal too, and needs a call for every word at least.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from workbench.adapters.protocol import Answer, Capabilities, Option, Request
from workbench.core.cell import BARE, AdapterInfo, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, Span, ToolCall
from workbench.core.envelope import Envelope, Ingress, wrap
from workbench.core.trial import Status
from workbench.core.turn import Turn, bare
from workbench.explain.explaining import Options, Subject, explain
from workbench.explain.material import material_of
from workbench.explain.parts import Grain, cut, joined, left_out
from workbench.replay.executor import LocalExecutor

TYPED = "How many paragraphs does this file have?"
ENVELOPE = Envelope("attached", Ingress.ATTACHMENT, "{text}\n\n<file>\n{document}\n</file>")
CHARACTERS = 14_451
MOST = 80

Reads = Callable[[str], bool]


class Reader:
    """Fires where its function says so."""

    summary: ClassVar[str] = "fires by a function"
    options: ClassVar[tuple[Option, ...]] = ()

    def __init__(self, reads: Reads) -> None:
        self.name, self.concurrency, self.timeout = "reader", 1, 10.0
        self.capabilities = Capabilities()
        self._reads = reads

    async def open(self) -> None: ...

    async def decide(self, request: Request) -> Answer:
        fires = self._reads(request.turn.text)
        calls = (ToolCall("mail"),) if fires else ()
        return Answer(Status.OK, Decision(Outcome.FIRE if fires else Outcome.PASS, calls))

    async def close(self) -> None: ...

    def fingerprint(self) -> Mapping[str, str]:
        return {}


def prose(seed: int) -> str:
    """Sentences of made-up words in lines."""
    chance = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(600)]
    text = ""
    while len(text) < CHARACTERS:
        text += " ".join(chance.choices(words, k=chance.randint(5, 14))).capitalize()
        text += chance.choice((". ", ". ", ".\n", ".\n\n"))
    return text[: CHARACTERS - 1] + "\n"


def planted(seed: int, phrases: Sequence[str]) -> str:
    """A document of exactly so many characters in which each phrase stands once."""
    text, chance = prose(seed), random.Random(seed + 1)
    for phrase in phrases:
        at = text.index(" ", chance.randrange(CHARACTERS - 200)) + 1
        text = f"{text[:at]}{phrase} {text[at + len(phrase) + 1 :]}"
    return text


def one_by_one(turn: Turn, reads: Reads) -> tuple[int, tuple[Span, ...]]:
    """The plain search: its calls, bare and the whole delivery included, and the words that it keeps."""
    material = material_of(turn)
    kept = list(cut(material.text, material.foreign, Grain.WORD))
    calls = 2
    for word in tuple(kept):
        rest = [part for part in kept if part != word]
        calls += 1
        if reads(material.deliver(left_out(material.foreign, rest)).text):
            kept = rest
    return calls, joined(kept)


async def explained(turn: Turn, reads: Reads) -> tuple[int, int, tuple[Span, ...]]:
    """The calls of `explain` up to the cause, with all that follows, and the words that it names."""
    plain = Delivery(CellKey("s", "1", BARE, "reader"), TYPED, bare(TYPED))
    variant = Delivery(CellKey("s", "1", "attached", "reader"), TYPED, turn)
    subject = Subject(variant, plain, AdapterInfo("reader", "benchmark"))
    until = 0

    def told(progress: object) -> None:
        nonlocal until
        if getattr(progress, "stage", "") == "asking once more" and not until:
            until = getattr(progress, "calls", 0)

    async with LocalExecutor({"reader": Reader(reads)}) as executor:
        found = await explain(subject, executor, Options(calls=5000), tell=told)
    return until, found.calls, found.cause


CASES = {
    "three words together": ["send an email"],
    "two phrases": ["send an email", "calendar event"],
    "four phrases": ["send an email", "calendar event", "delete the records", "click here"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    worst = 0
    print(f"a document of {CHARACTERS:,} characters, {rounds} seeds: calls, the largest")
    for name, phrases in CASES.items():
        ours, whole, theirs = [], [], []
        for seed in range(rounds):
            turn = wrap(ENVELOPE, bare(TYPED), planted(seed, phrases))

            def reads(text: str) -> bool:
                plain = " ".join(text.split())
                return all(phrase in plain for phrase in phrases)  # noqa: B023

            until, calls, cause = asyncio.run(explained(turn, reads))
            plain_calls, plain_cause = one_by_one(turn, reads)
            assert cause == plain_cause, (name, seed)
            ours.append(until)
            whole.append(calls)
            theirs.append(plain_calls)
        print(
            f"{name:22} cause {max(ours):4}  with restoring {max(whole):4}  word by word {max(theirs):6,}"
            f"  ({max(theirs) / max(ours):.0f} times)"
        )
        if len(phrases) == 1:
            worst = max(whole)
    print(f"three words: {worst} calls, at most {MOST} wanted")
    raise SystemExit(worst > MOST)


if __name__ == "__main__":
    main()
