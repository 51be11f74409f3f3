"""Deliveries and adapters for the tests of this folder: real types, answers made from the text alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from workbench.adapters.protocol import Answer, Capabilities, Option, Request
from workbench.core.cell import BARE, AdapterInfo, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.envelope import Envelope, Ingress, wrap
from workbench.core.trial import Status
from workbench.core.turn import Attachment, Message, Turn, bare
from workbench.explain.explaining import Options, Subject, explain
from workbench.explain.explanation import Explanation
from workbench.replay.executor import LocalExecutor

TYPED = "How many paragraphs does this file have?"
ATTACHED = Envelope("attached", Ingress.ATTACHMENT, '{text}\n\n<file name="a.txt">\n{document}\n</file>')


class Reader:
    """An adapter of this process whose answer is a function of the request. It keeps what it was asked."""

    summary: ClassVar[str] = "answers by a function"
    options: ClassVar[tuple[Option, ...]] = ()

    def __init__(
        self,
        read: Callable[[Request], Decision | Answer],
        *,
        deterministic: bool = True,
        wraps: bool = False,
        concurrency: int = 1,
    ) -> None:
        self.name = "reader"
        self.read = read
        self.concurrency = concurrency
        self.timeout = 5.0
        self.capabilities = Capabilities(deterministic=deterministic, wraps=wraps)
        self.asked: list[Request] = []

    async def open(self) -> None: ...

    async def decide(self, request: Request) -> Answer:
        self.asked.append(request)
        came = self.read(request)
        return came if isinstance(came, Answer) else Answer(Status.OK, came)

    async def close(self) -> None: ...

    def fingerprint(self) -> Mapping[str, str]:
        return {}


def fire(*tools: str) -> Decision:
    return Decision(Outcome.FIRE, tuple(ToolCall(tool) for tool in tools))


PASS = Decision(Outcome.PASS)
HOLD = Decision(Outcome.HOLD)


def on_words(*words: str, tool: str = "mail") -> Callable[[Request], Decision]:
    """Fires where all of these stand in the text, in whatever order."""

    def read(request: Request) -> Decision:
        held = set(request.turn.text.lower().replace(".", " ").replace(",", " ").split())
        return fire(tool) if set(words) <= held else PASS

    return read


def deliveries(
    envelope: Envelope, document: str | None = None, typed: str = TYPED
) -> tuple[Delivery, Delivery]:
    """The bare delivery and the one through an envelope, as the planner makes them."""
    plain = bare(typed)
    turn = wrap(envelope, plain, document)
    if document is not None:
        turn = replace(turn, attachments=(Attachment("a.txt", "/w/a.txt", document),))
    return made(plain, BARE), made(turn, envelope.name)


def app_deliveries(*documents: str, typed: str = TYPED) -> tuple[Delivery, Delivery]:
    """Those for an app that joins words and files itself."""
    plain = replace(bare(typed), made_by_app=True)
    files = tuple(Attachment(f"{n}.txt", f"/w/{n}.txt", document) for n, document in enumerate(documents, 1))
    return made(plain, BARE), made(replace(plain, attachments=files), "attach")


def made(turn: Turn, arm: str) -> Delivery:
    turn = replace(turn, messages=(Message("user", turn.text),))
    return Delivery(CellKey("s", "1", arm, "reader"), turn.typed, turn)


async def explained(
    reader: Reader, pair: tuple[Delivery, Delivery], options: Options | None = None
) -> Explanation:
    able = reader.capabilities
    info = AdapterInfo(
        "reader", "test", deterministic=able.deterministic, router=able.router, wraps=able.wraps
    )
    async with LocalExecutor({"reader": reader}) as executor:
        return await explain(Subject(pair[1], pair[0], info), executor, options)


def words_of(found: Explanation) -> list[str]:
    return [found.material.text[start:end] for start, end in found.cause]


def prose(chance: random.Random, characters: int) -> str:
    """A document of sentences, lines and paragraphs, of exactly so many characters."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(400)]
    lines: list[str] = []
    while sum(map(len, lines)) + len(lines) < characters + 200:
        sentences = [
            " ".join(chance.choices(words, k=chance.randint(5, 14))).capitalize() + "."
            for _ in range(chance.randint(1, 3))
        ]
        lines += [" ".join(sentences)] + [""] * (chance.random() < 0.3)
    return "\n".join(lines)[: characters - 1] + "\n"
