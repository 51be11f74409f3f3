"""The lanes of a request that the workbench itself writes: whose words stand where in its body."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from workbench.core.turn import Author, Message, Turn
from workbench.lanes.ledger.measured import Span
from workbench.ledger import Piece, Sent

__all__ = ["LANES", "OWN", "Own", "own_lanes"]

OWN: Mapping[Author, str] = {
    Author.USER: "typed",
    Author.TRANSPORT: "envelope",
    Author.ATTACHMENT: "attachment",
    Author.QUOTED: "quoted",
    Author.HISTORY: "history",
    Author.TOOL: "tool_result",
    Author.SYNTHETIC: "synthetic",
    Author.APP: "app",
}
"""The lane of each region of a turn, by its author."""

HISTORY = "history"
SYSTEM = "system"
TOOLS = "tools"
CLASSIFY = "classify"
BODY = "body"
WIRE = "wire"

LANES: Mapping[str, str] = {
    "typed": "what the user typed",
    "envelope": "the frame that the delivery puts round it",
    "attachment": "a file that came with the turn",
    "quoted": "what the delivery quotes",
    HISTORY: "earlier messages of the prompt",
    "tool_result": "what a tool said, as a part of the turn",
    "synthetic": "words that the app puts in place of the user's",
    "app": "the app's own words in the turn",
    SYSTEM: "the adapter's option `system`",
    TOOLS: "names, descriptions and schemas of the adapter's `tools`",
    CLASSIFY: "the routes of `classify`, as the shape of the answer",
    BODY: "the adapter's option `body`, as it is passed through",
    WIRE: "what a provider's format puts between two instructions",
}
"""What each of these lanes holds."""

_JOINT = "\n\n"  # between instructions, in a format that has one place for all of them
_INSTRUCTING = ("system", "developer")
_TOOL_KEYS = frozenset({"tools", "toolConfig"})
_SHAPE_KEYS = frozenset({"response_format", "text", "output_config", "format", "generationConfig"})
_STEP = re.compile(r"[^.\[\]]+")


@dataclass(frozen=True, slots=True)
class Own:
    """What the workbench wrote: `spans` in order, without overlap, and what does not stand there as it was
    handed on, such as words in which a secret was masked: lane and text."""

    spans: tuple[Span, ...]
    unplaced: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Found:
    """The search so far. `waiting` are the messages that were not found yet; the turn's own is the last."""

    waiting: list[Message]
    spans: list[Span]

    def add(self, start: int, size: int, lane: str) -> None:
        if size:
            self.spans.append(Span(start, start + size, lane))


def own_lanes(
    sent: Sent, turn: Turn | None, marks: Mapping[str, Any], keys: Collection[str] | None = None
) -> Own:
    """What the workbench wrote into a body.

    `turn` None: an app built the messages. `marks` are the adapter's fingerprint, by which instructions are
    known again. `keys` are those of the body that the workbench wrote; None: all of it.
    """
    messages = list(turn.messages) or [Message("user", turn.text)] if turn is not None else []
    found = _Found(messages, [])
    passed = _read(marks.get("body"))
    mark = marks.get("system")
    at = 0
    for piece in sent.pieces:
        size = len(piece.text)
        lane = _lane_by_key(piece.path, marks, keys)
        if (keys is None or _key(piece.path) in keys) and _is_passed(passed, piece.path):
            found.add(at, size, BODY)
        elif lane is not None:
            found.add(at, size, lane)
        elif piece.part == "system" and _is_marked(piece.text, mark):
            found.add(at, size, SYSTEM)
            mark = None  # it stands there once
        elif piece.part != "schema" and not _take_message(found, at, piece, turn) and piece.part == "system":
            _take_instructions(found, at, piece.text, mark)
        at += size
    left = [] if turn is None else list(_left(found.waiting, turn))
    spans = sorted(found.spans, key=lambda span: span.start)
    return Own(tuple(spans), tuple((lane, text) for lane, text in left if text.strip()))


def _left(waiting: list[Message], turn: Turn) -> Iterator[tuple[str, str]]:
    """What was handed on and does not stand in the body as it was."""
    for message in waiting:
        if message is waiting[-1] and message.content == turn.text:
            for region in turn.regions:
                yield OWN[region.author], turn.text[region.start : region.end]
        else:
            yield HISTORY, message.content


def _take_message(found: _Found, at: int, piece: Piece, turn: Turn | None) -> bool:
    """Whether a piece is the next message, or a later one, where some were empty."""
    is_system = piece.part == "system"
    for number, message in enumerate(found.waiting):
        if message.content == piece.text and (message.role in _INSTRUCTING) == is_system:
            is_last = number == len(found.waiting) - 1
            del found.waiting[number]
            if is_last and turn is not None and message.content == turn.text:
                for region in turn.regions:
                    found.add(at + region.start, region.end - region.start, OWN[region.author])
            else:
                found.add(at, len(piece.text), HISTORY)
            return True
    return False


def _take_instructions(found: _Found, at: int, text: str, mark: object) -> None:
    """Instructions of the adapter and of the prompt's own messages, laid together by the format."""
    said = [message for message in found.waiting if message.role in _INSTRUCTING]
    after = _JOINT.join(message.content for message in said)
    head = text.removesuffix(_JOINT + after)
    joined = bool(said) and head != text and _is_marked(head, mark)
    if not joined and (not said or text != after):
        return
    if joined:
        found.add(at, len(head), SYSTEM)
        found.add(at + len(head), len(_JOINT), WIRE)
        at += len(head) + len(_JOINT)
    for number, message in enumerate(said):
        if number:
            found.add(at, len(_JOINT), WIRE)
            at += len(_JOINT)
        found.add(at, len(message.content), HISTORY)
        at += len(message.content)
        found.waiting.remove(message)


def _is_marked(text: str, mark: object) -> bool:
    return mark == sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _key(path: str) -> str:
    """The key of the body that a place is under."""
    return next(iter(_STEP.findall(path)), "")


def _lane_by_key(path: str, marks: Mapping[str, Any], keys: Collection[str] | None) -> str | None:
    key = _key(path)
    if keys is not None and key not in keys:
        return None
    if key in _TOOL_KEYS and "tools" in marks:
        return TOOLS
    return CLASSIFY if key in _SHAPE_KEYS and "classify" in marks else None


def _is_passed(passed: Any, path: str) -> bool:
    """Whether a place in the body is what the option `body` says, which stands above all else."""
    for step in _STEP.findall(path):
        if not isinstance(passed, dict):
            return True
        if step not in passed:
            return False
        passed = passed[step]
    return True


def _read(spelled: object) -> Any:
    """The option `body` out of its mark."""
    found = None
    if isinstance(spelled, str):
        try:
            found = json.loads(spelled)
        except ValueError:
            found = None
    return found if isinstance(found, dict) else {}
