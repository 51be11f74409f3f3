"""How alike the frames of two turns are, and which turns have one frame between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.capture.alignment import shared_beginning
from workbench.capture.pairing import Pair
from workbench.core.decision import Span
from workbench.core.envelope import Envelope
from workbench.core.template import parts

__all__ = ["Group", "Placed", "group", "nearest", "skeleton", "weight_of"]

_NEAR = 80
_NEXT = 6
_MOST_PLACES = 4
_MOST_MEMBERS = 4
_BEGINS = 6
_ENDS = 4
_SOFT = frozenset(".,;!?'’\"-…")
_DIGITS = re.compile(r"\d")


class Placed(NamedTuple):
    """A pair and where its words may stand."""

    pair: Pair
    spans: tuple[Span, ...]


@dataclass(slots=True)
class Group:
    """Turns of one frame, as far as their edges tell."""

    members: list[Placed] = field(default_factory=list)


def group(placed: Sequence[Placed], least: int) -> list[Group]:
    """Each turn goes to the group that it is most like, if it is so at `least`; the largest group first."""
    return sorted(_gathered([Group([one]) for one in placed], least), key=lambda one: -len(one.members))


def _gathered(parts: Sequence[Group], least: int) -> list[Group]:
    groups: list[Group] = []
    known: dict[tuple[str, ...], Group] = {}
    for part in parts:
        edges = _edges(part.members[0])
        home = known.get(edges)
        if home is None:
            likest = max(
                ((_likeness(one, part), -number) for number, one in enumerate(groups)), default=(0, 0)
            )
            if likest[0] < least:
                groups.append(Group())
                likest = (least, 1 - len(groups))
            home = known[edges] = groups[-likest[1]]
        home.members += part.members
    return groups


def _edges(placed: Placed) -> tuple[str, ...]:
    """What turns of one frame share so often that no comparison is needed."""
    text, (start, end) = placed.pair.wrapped, placed.spans[0]
    cut = (
        text[:24],
        text[max(0, start - 12) : start],
        text[end : end + 12],
        text[-12:] if end < len(text) else "",
    )
    return (placed.pair.ingress or "", *(_DIGITS.sub("0", part) for part in cut))


def _likeness(one: Group, other: Group) -> int:
    return max(_pair_likeness(member, other.members[0]) for member in one.members[:_MOST_MEMBERS])


def _pair_likeness(one: Placed, other: Placed) -> int:
    if one.pair.ingress != other.pair.ingress:
        return 0
    return max(
        _side(_before(one, first), _before(other, second), _BEGINS)
        + _side(_after(one, first), _after(other, second), _ENDS)
        for first in one.spans[-_MOST_PLACES:]
        for second in other.spans[-_MOST_PLACES:]
    )


def _side(one: str, other: str, edge: int) -> int:
    """Likeness of what stands on one side of the words: next to them, and at the end of the turn."""
    if not one and not other:
        return edge
    near = one[: shared_beginning((one[:_NEAR], other[:_NEAR]))]
    ends = (one[: -_NEAR - 1 : -1], other[: -_NEAR - 1 : -1])
    far = ends[0][: shared_beginning(ends)]
    if len(near) + len(far) > min(len(one), len(other)):
        return max(_weight(near), _weight(far))
    return _weight(near) + _weight(far)


def _before(placed: Placed, span: Span) -> str:
    """From the words backwards."""
    return _DIGITS.sub("0", _ends_of(placed.pair.wrapped[: span[0]]))[::-1]


def _after(placed: Placed, span: Span) -> str:
    return _DIGITS.sub("0", _ends_of(placed.pair.wrapped[span[1] :]))


def _ends_of(text: str) -> str:
    return text if len(text) <= 2 * _NEAR else text[:_NEAR] + text[-_NEAR:]


def _weight(text: str) -> int:
    """Letters, and marks that prose does not have, twice."""
    return sum(
        1 if char.isalpha() else 0 if char.isspace() or char in _SOFT or char == "0" else 2 for char in text
    )


def nearest(placed: Placed) -> str:
    """The marks next to the words, letters and digits left out: the same in all turns of one form."""
    start, end = placed.spans[-1]
    text = placed.pair.wrapped
    near = f"{text[max(0, start - _NEXT) : start]}\0{text[end : end + _NEXT]}"
    return re.sub(r"\w+", "", near)


def weight_of(envelope: Envelope) -> int:
    """How much the literals of a template weigh; a few marks alone are found in any text."""
    return sum(
        _weight(part.text) for part in parts(envelope.template, frozenset(envelope.slots)) if not part.slot
    )


_MARKER = re.compile(
    r"</?[A-Za-z][\w.:-]*|^\[[A-Za-z][\w -]{0,30}|^#{1,6} [^\n]{1,40}|^[A-Z][\w -]{1,24}:"
    r"|^(?:```+|~~~+|---+|===+)|\"\w+\":",
    re.MULTILINE,
)


def skeleton(frame: Sequence[str]) -> str:
    """The marks of a frame, each once and in order, all else left out: to tell forms of one path apart."""
    return " ".join(dict.fromkeys(found[0].strip() for text in frame for found in _MARKER.finditer(text)))
