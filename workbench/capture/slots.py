"""Names, kinds and authors of the gaps of a draft."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from workbench.capture.draft import Draft
from workbench.capture.tokens import tokenise
from workbench.core.envelope import SlotKind
from workbench.core.template import DOCUMENT, TEXT
from workbench.core.turn import Author

__all__ = ["author_of", "is_prose", "kind_of", "name_of"]

_NAME_LENGTH = 40
_NAME_WORDS = 5
_PROSE_WORDS = 6
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{40,}={0,2}")


def kind_of(values: Sequence[str], *, known: SlotKind | None = None, one_line: bool = False) -> SlotKind:
    """The kind of a gap by the values that it has in the turns.

    `one_line`: only the end of a line tells where it ends, so it can hold no more than one.
    """
    given = [value for value in values if value]
    if known is not None and len(given) == len(values):
        return known
    kinds = {_kind(value) for value in given}
    kind = kinds.pop() if len(kinds) == 1 else SlotKind.TEXT
    if kind is SlotKind.TEXT and all("\n" not in value for value in given):
        short = all(len(value) <= _NAME_LENGTH and len(value.split()) <= _NAME_WORDS for value in given)
        return SlotKind.NAME if one_line or short else SlotKind.TEXT
    return kind


def _kind(value: str) -> SlotKind:
    tokens = tokenise(value[:400])
    if len(tokens) == 1 and tokens[0].slot is not None and len(value) <= 400:
        return tokens[0].slot
    if value[0] in "{[" and _is_json(value):
        return SlotKind.JSON
    if _BASE64.fullmatch(value):
        return SlotKind.BASE64
    if re.fullmatch(r"(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9_:-]{8,64}", value):
        return SlotKind.NONCE
    return SlotKind.TEXT


def _is_json(value: str) -> bool:
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return False
    return True


def is_prose(values: Sequence[str]) -> bool:
    """Whether a gap holds what somebody wrote, rather than a value."""
    return any("\n" in value.strip() or len(value.split()) >= _PROSE_WORDS for value in values)


_LABEL = re.compile(r"""([A-Za-z][A-Za-z_ -]{0,30})["'*\])]*\s*(?:[=:]|is)?\s*["'`(\[<#@]*\s*\Z""")
_USUAL = {
    SlotKind.TEXT: "content",
    SlotKind.NAME: "name",
    SlotKind.TIME: "time",
    SlotKind.NONCE: "id",
    SlotKind.PATH: "path",
    SlotKind.NUMBER: "number",
    SlotKind.JSON: "data",
    SlotKind.BASE64: "encoded",
}


def name_of(draft: Draft, number: int, kind: SlotKind, taken: Sequence[str]) -> str:
    """By the label before it, else by its kind; a number makes it the only one."""
    before = draft[number - 1].text if number else ""
    line = before.rsplit("\n", 1)[-1]
    found = _LABEL.search(line[-60:])
    words = re.findall(r"[a-z]+", found[1].lower()) if found else []
    name = words[-1] if words and len(words[-1]) > 1 else _USUAL[kind]
    author = author_of(draft, number)
    if kind is SlotKind.TEXT and author in (Author.QUOTED, Author.HISTORY):
        name = author.value
    if name in (TEXT, DOCUMENT):
        name = _USUAL[kind]
    unique, count = name, 1
    while unique in taken:
        count += 1
        unique = f"{name}{count}"
    return unique


_AUTHORS = (
    (Author.QUOTED, re.compile(r"quot|repl(?:y|ie)|wrote|thread.{0,3}root|in response", re.IGNORECASE)),
    (Author.HISTORY, re.compile(r"histor|earlier|previous|conversation|chat|queued|since", re.IGNORECASE)),
    (
        Author.ATTACHMENT,
        re.compile(
            r"file|document|context|source|attach|content|citation|selection|memor|knowledge|result|data|read",
            re.IGNORECASE,
        ),
    ),
)


def author_of(draft: Draft, number: int) -> Author:
    """Whose words a gap of prose holds, by what stands before it, else after it."""
    if not is_prose(draft[number].values):
        return Author.TRANSPORT
    near = [piece.text[-80:] for piece in draft[max(0, number - 1) : number]]
    near += [piece.text[:60] for piece in draft[number + 1 : number + 2]]
    for text in near:
        hits = [(at.end(), author) for author, words in _AUTHORS for at in words.finditer(text)]
        if hits:
            return max(hits)[1]
    return Author.TRANSPORT
