"""The arms of a prompt: the same words delivered bare, framed, attached, pasted or substituted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.core.cell import BARE
from workbench.core.envelope import Envelope, wrap
from workbench.core.relation import Relation
from workbench.core.scenario import Attach, Prompt
from workbench.core.turn import Attachment, Author, Message, Region, Turn, TypedPiece, bare

__all__ = ["ATTACH", "PASTE", "SUBSTITUTE", "Arm", "Chain", "Documents", "app_arms", "arms"]

ATTACH = "attach"
PASTE = "paste"
SUBSTITUTE = "substitute"

Documents = Callable[[Attach], Attachment]
"""Reads a file that a scenario names."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Envelopes round one another, the outermost first; most often one."""

    name: str
    envelopes: tuple[Envelope, ...]

    @property
    def carries_document(self) -> bool:
        """Whether any part has a place for a document."""
        return any(envelope.carries_document for envelope in self.envelopes)

    @property
    def relation(self) -> Relation | None:
        """That of the outermost part which sets one."""
        return next((e.relation for e in self.envelopes if e.relation is not None), None)


@dataclass(frozen=True, slots=True)
class Arm:
    """One way in which a prompt is delivered. `document`: a file comes with the turn."""

    name: str
    turn: Turn
    document: bool = False
    ingress: str | None = None
    relation: Relation | None = None


def arms(prompt: Prompt, chains: Sequence[Chain], documents: Documents) -> tuple[Arm, ...]:
    """The arms of a prompt for an adapter that is handed the joined text, bare first.

    A prompt with a file takes the chains that carry a document, one without takes the others.
    """
    return tuple(_finished(prompt, arm) for arm in _joined_here(prompt, chains, documents))


def app_arms(prompt: Prompt, documents: Documents) -> tuple[Arm, ...]:
    """The arms of a prompt for an adapter behind which the app itself joins words and files."""
    turn = replace(bare(prompt.text), made_by_app=True)
    made = [Arm(BARE, turn)]
    if prompt.attach:
        attached = replace(turn, attachments=_read(prompt.attach, documents))
        made.append(Arm(ATTACH, attached, document=True))
    return tuple(_finished(prompt, arm) for arm in made)


def _joined_here(prompt: Prompt, chains: Sequence[Chain], documents: Documents) -> Iterator[Arm]:
    turn = bare(prompt.text)
    yield Arm(BARE, turn)
    attachments = _read(prompt.attach, documents)
    document = "\n\n".join(attachment.text for attachment in attachments) if attachments else None
    for choice in chains:
        if choice.carries_document == bool(prompt.attach):
            wrapped = turn
            for envelope in reversed(choice.envelopes):
                wrapped = wrap(envelope, wrapped, document)
            yield Arm(
                choice.name,
                replace(wrapped, attachments=attachments),
                document=bool(attachments),
                ingress=choice.envelopes[0].ingress.value,
                relation=choice.relation,
            )
    if prompt.paste is not None:
        yield Arm(PASTE, _pasted(prompt.text, documents(prompt.paste).text), document=True)
    if prompt.substitute is not None:
        yield Arm(SUBSTITUTE, _written_by(Author.SYNTHETIC, prompt.substitute))


def _pasted(typed: str, document: str) -> Turn:
    """The user put it all into the text box, and wrote only the first part of it."""
    if not typed:
        return replace(_written_by(Author.ATTACHMENT, document), typed=document)
    cut, text = len(typed), f"{typed}\n\n{document}"
    regions = (Region(0, cut, Author.USER), Region(cut, len(text), Author.ATTACHMENT))
    return Turn(text, text, regions, (TypedPiece(0, cut, 0, cut),))


def _written_by(author: Author, text: str) -> Turn:
    return Turn(text, "", (Region(0, len(text), author),) if text else ())


def _read(files: Sequence[Attach], documents: Documents) -> tuple[Attachment, ...]:
    return tuple(documents(file) for file in files)


def _finished(prompt: Prompt, arm: Arm) -> Arm:
    messages = (*prompt.messages, Message("user", arm.turn.text))
    return replace(arm, turn=replace(arm.turn, messages=messages))
