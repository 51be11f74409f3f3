"""How much of the attached documents stands in a body: apps cap, cut and escape what they send."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from workbench.core.decision import Json
from workbench.core.turn import Author, Turn

__all__ = ["documents_of", "share_reached"]

_PIECE = 12
"""Letters and digits in a row that are no coincidence."""

_CODED = re.compile(r"(?:data:[^,\s]{0,200};base64,)?([A-Za-z0-9+/_\r\n-]{16,}={0,2})")


def documents_of(turn: Turn) -> tuple[str, ...]:
    """The texts that came with a turn and are not blank: its attachments, else what was pasted."""
    attached = tuple(file.text for file in turn.attachments)
    if not attached:
        attached = tuple(
            turn.text[region.start : region.end]
            for region in turn.regions
            if region.author is Author.ATTACHMENT
        )
    return tuple(text for text in attached if text.strip())


def share_reached(documents: Sequence[str], body: Json) -> float | None:
    """The share, 0 to 1, of the documents' characters that stand in a body's texts; None without documents.

    White space does not count. Where a document does not stand there whole, only its letters and digits
    are looked for, in pieces, so that a quotation's signs, line numbers and markup do not hide it. Texts in
    base64 are read too.
    """
    if not documents:
        return None
    texts = tuple(_texts(body))
    found = whole = 0
    for document in documents:
        size = len("".join(document.split()))
        whole += size
        found_here = 1.0 if any(document in text for text in texts) else _share(document, texts)
        found += round(found_here * size) if found_here in (0.0, 1.0) else max(1, int(found_here * size))
    return found / whole


@lru_cache(maxsize=256)  # one document goes out many times, in few bodies
def _share(document: str, texts: tuple[str, ...]) -> float:
    words = "".join(document.split())
    bodies = ["".join(text.split()) for text in (*texts, *_decoded(texts))]
    if any(words in text for text in bodies):
        return 1.0
    bodies += [html.unescape(text) for text in bodies if "&" in text]
    if any(words in text for text in bodies):
        return 1.0
    wanted = _letters(words)
    if not wanted:
        return 0.0
    plain = [_letters(text) for text in bodies]
    size = min(_PIECE, len(wanted))
    pieces = {text[at : at + size] for text in plain for at in range(len(text) - size + 1)}
    covered = end = 0
    for at in range(len(wanted) - size + 1):
        if wanted[at : at + size] in pieces:
            covered += at + size - max(at, end)
            end = at + size
    return covered / len(wanted)


def _letters(text: str) -> str:
    return text if text.isalnum() else "".join(filter(str.isalnum, text))


def _texts(value: Json) -> Iterator[str]:
    """Every text within a JSON value, in any order."""
    waiting: list[Json] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)


def _decoded(texts: Iterable[str]) -> Iterator[str]:
    """What stands in the texts as base64."""
    for text in texts:
        for coded in _CODED.findall(text):
            plain = re.sub(r"[\r\n=]", "", coded).translate({ord("-"): "+", ord("_"): "/"})
            try:
                raw = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
                yield raw.decode("utf-8")
            except (binascii.Error, ValueError):
                continue
