"""Turns a draft into an envelope: slots named, kinds told, examples redacted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.capture.chains import Chain
from workbench.capture.draft import Draft, Piece
from workbench.capture.redaction import example_of, instead_of, masked
from workbench.capture.slots import author_of, is_prose, kind_of, name_of
from workbench.core.envelope import Envelope, Ingress, Slot, SlotKind, Source
from workbench.core.template import DOCUMENT, TEXT
from workbench.core.turn import Author
from workbench.files.examples import example_fits

__all__ = ["Making", "envelope_of"]

_LIKE_A_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_LEAST_DISTINCT = 3


@dataclass(frozen=True, slots=True)
class Making:
    """What is known of an envelope before its template. `documents`: texts known to be attached."""

    name: str
    ingress: Ingress | None
    chain: Chain
    documents: frozenset[str] = frozenset()
    keep_values: bool = False


def envelope_of(draft: Draft, making: Making) -> Envelope:
    """The envelope of a draft; its source is still to be told."""
    document = _document(draft, making)
    slots: dict[str, Slot] = {}
    authors: dict[str, Author] = {}
    named: dict[tuple[str, ...], str] = {}
    parts: list[str] = []
    for number, piece in enumerate(draft):
        if piece.words:
            parts.append(f"{{{TEXT}}}")
        elif number == document:
            parts.append(f"{{{DOCUMENT}}}")
        elif not piece.is_gap:
            parts.append(_literal(piece.text, slots))
        else:
            name = named.get(piece.values)
            if name is None:
                kind = kind_of(piece.values, known=piece.kind, one_line=_ends_with_line(draft, number))
                name = name_of(draft, number, kind, (*slots, *_braced(draft)))
                slots[name] = Slot(name, _example(kind, piece, making), kind)
                author = author_of(draft, number)
                if author is not Author.TRANSPORT:
                    authors[name] = author
                if len(set(piece.values)) >= min(_LEAST_DISTINCT, len(piece.values)) and all(piece.values):
                    named[piece.values] = name
            parts.append(f"{{{name}}}")
    ingress = making.ingress or (Ingress.ATTACHMENT if document is not None else Ingress.CHANNEL)
    return Envelope(
        making.name,
        ingress,
        "".join(parts),
        slots,
        authors,
        tuple(making.chain),
        source=Source(status="captured"),
    )


def _document(draft: Draft, making: Making) -> int | None:
    """The gap of the attached document, if one is told from the others."""
    gaps = [number for number, piece in enumerate(draft) if piece.is_gap]
    for number in gaps:
        values = [value.strip() for value in draft[number].values]
        if making.documents and all(value in making.documents for value in values):
            return number
    prose = [number for number in gaps if is_prose(draft[number].values)]
    attached = [number for number in prose if author_of(draft, number) is Author.ATTACHMENT]
    if making.ingress in (Ingress.ATTACHMENT, Ingress.RAG) and prose and not attached:
        attached = [number for number in prose if author_of(draft, number) is Author.TRANSPORT]
    if making.ingress not in (Ingress.ATTACHMENT, Ingress.RAG, None):
        return None
    return max(attached, key=lambda number: sum(map(len, draft[number].values)), default=None)


def _ends_with_line(draft: Draft, number: int) -> bool:
    """Whether only white space parts a gap from the words or from the end."""
    for outwards in (draft[number + 1 :], draft[:number][::-1]):
        if not outwards:
            continue
        mark = outwards[0]
        beside = len(outwards) > 1 and outwards[1].words
        if beside and not mark.text.strip() and "\n" in mark.text:
            return True
    return False


def _example(kind: SlotKind, piece: Piece, making: Making) -> str:
    value = next(value for value in piece.values if value)
    if piece.private:
        return instead_of(kind, value)
    if making.keep_values:
        kept = masked(value)
        if example_fits(kind, kept):
            return kept
    return masked(example_of(kind, value))


def _braced(draft: Draft) -> Sequence[str]:
    """Names that literals have in braces: no slot may have one of them."""
    return [name for piece in draft for name in _LIKE_A_SLOT.findall(piece.text)]


def _literal(text: str, slots: dict[str, Slot]) -> str:
    """Braces that would read as a slot become one, with themselves as the example."""

    def stand_in(found: re.Match[str]) -> str:
        name = f"literal_{found[1]}"
        slots[name] = Slot(name, found[0], SlotKind.NAME)
        return f"{{{name}}}"

    return _LIKE_A_SLOT.sub(stand_in, text)
