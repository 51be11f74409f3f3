"""Templates: where the slots of an envelope stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

__all__ = ["DOCUMENT", "TEXT", "Part", "filled", "names", "parts"]

TEXT = "text"
"""The slot of the words."""

DOCUMENT = "document"
"""The slot of an attached document."""

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class Part(NamedTuple):
    """A literal, or a slot; `text` is then its name."""

    text: str
    slot: bool = False


def names(template: str) -> tuple[str, ...]:
    """All that is written like a slot, in order, declared or not."""
    return tuple(dict.fromkeys(_SLOT.findall(template)))


@lru_cache(maxsize=256)
def parts(template: str, declared: frozenset[str]) -> tuple[Part, ...]:
    """The template, cut at `{text}`, `{document}` and the declared slots; other braces are literal."""
    found: list[Part] = []
    at = 0
    for slot in _SLOT.finditer(template):
        if slot[1] not in (TEXT, DOCUMENT) and slot[1] not in declared:
            continue
        if slot.start() > at:
            found.append(Part(template[at : slot.start()]))
        found.append(Part(slot[1], slot=True))
        at = slot.end()
    if at < len(template):
        found.append(Part(template[at:]))
    return tuple(found)


def filled(template: Iterable[Part], values: Mapping[str, str]) -> tuple[Part, ...]:
    """The template with `values` in its slots as literals. Neighbouring literals become one."""
    found: list[Part] = []
    for part in template:
        literal = part if not part.slot else Part(values[part.text]) if part.text in values else None
        if literal is None:
            found.append(part)
        elif found and not found[-1].slot:
            found[-1] = Part(found[-1].text + literal.text)
        elif literal.text:
            found.append(literal)
    return tuple(found)
