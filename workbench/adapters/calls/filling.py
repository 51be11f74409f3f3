"""A request's structure with places for the turn. What is put in is a value, never read as a template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from workbench.core.decision import Json
from workbench.core.turn import Turn

__all__ = ["FIELDS", "fields_in", "fill", "filling_problems"]

_PLACE = re.compile(r"\{([a-z_]+)\}")

_VALUES: Mapping[str, Callable[[Turn], Json]] = {
    "turn": lambda turn: turn.text,
    "text": lambda turn: turn.text,
    "typed": lambda turn: turn.typed,
    "documents": lambda turn: [file.text for file in turn.attachments],
    "paths": lambda turn: [file.path for file in turn.attachments],
    "messages": lambda turn: [
        {"role": message.role, "content": message.content} for message in turn.messages
    ],
}

FIELDS = tuple(_VALUES)
"""What may be put in. `turn` and `text` are the text that the app hands on."""


def fields_in(structure: Json) -> frozenset[str]:
    """The fields that a structure has places for."""
    return frozenset(name for text in _leaves(structure) for name in _PLACE.findall(text) if name in _VALUES)


def filling_problems(structure: Json) -> list[str]:
    """What is wrong with a structure's places, in words."""
    problems = []
    for text in _leaves(structure):
        for name in _PLACE.findall(text):
            if name not in _VALUES:
                known = ", ".join(f"{{{field}}}" for field in FIELDS)
                problems.append(f"{{{name}}} is no field; expected one of {known}")
            elif name == "messages" and text != "{messages}":
                problems.append(f'{{messages}} is a list, so it stands alone: "{{messages}}", not {text!r}')
    return problems


def fill(structure: Json, turn: Turn) -> Json:
    """The structure with the turn put in. A text that is one place alone becomes the value itself; among
    other words, several documents or paths are joined by empty lines.
    """
    if isinstance(structure, str):
        alone = _PLACE.fullmatch(structure)
        if alone and alone[1] in _VALUES:
            return _VALUES[alone[1]](turn)
        return _PLACE.sub(lambda place: _spelled(place, turn), structure)
    if isinstance(structure, Mapping):
        return {key: fill(value, turn) for key, value in structure.items()}
    if isinstance(structure, list | tuple):
        return [fill(value, turn) for value in structure]
    return structure


def _spelled(place: re.Match[str], turn: Turn) -> str:
    if place[1] not in _VALUES:
        return place[0]
    value = _VALUES[place[1]](turn)
    return value if isinstance(value, str) else "\n\n".join(map(str, value or ()))  # type: ignore[arg-type]


def _leaves(structure: Json) -> Iterator[str]:
    if isinstance(structure, str):
        yield structure
    elif isinstance(structure, Mapping):
        for value in structure.values():
            yield from _leaves(value)
    elif isinstance(structure, list | tuple):
        for value in structure:
            yield from _leaves(value)
