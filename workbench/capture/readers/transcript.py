"""Transcripts with one message per record, as agents and chat programs keep them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.fields import NAMES, moment, parsed, pick, pick_text
from workbench.capture.readers.gathering import Draft, Gathering
from workbench.capture.readers.messages import Spoken, spoken
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, Skipped, Who

__all__ = ["TranscriptReader", "fits"]

_ROLES = ("user", "assistant", "system", "developer", "tool", "human", "ai", "model")
_QUERY = re.compile(r"<user_query>\n?(.*?)\n?</user_query>", re.S)


def fits(value: Any) -> bool:
    """Whether a record is one message, by itself or within what the program adds."""
    return isinstance(value, dict) and _message(value) is not None


class TranscriptReader:
    """A turn per user message; the tools called until the next one of the session belong to it."""

    name: ClassVar[str] = "transcript"

    def __init__(self) -> None:
        self._open: Gathering[Draft] = Gathering(Draft.weight)

    def take(self, record: Record) -> Iterable[Read]:
        value = record.value
        if not isinstance(value, dict):
            yield Skipped(record.place, Fault.UNKNOWN, "no message")
            return
        message = _message(value)
        if message is None:
            return  # what the program notes beside its messages
        session = pick_text(value, NAMES["session"])
        if message.role == "assistant":
            if (draft := self._open.get(session or "")) is not None:
                draft.called(*message.calls)
            return
        if message.role == "system":
            return
        draft = _draft(value, message, record)
        draft.session = session
        if draft.who is not Who.USER:
            yield draft.turn()
            return
        if (before := self._open.take(session or "")) is not None:
            yield before.turn()
        yield from (closed.turn() for closed in self._open.put(session or "", draft))

    def end(self) -> Iterable[Read]:
        return (draft.turn() for draft in self._open.rest())


def _message(value: Mapping[str, Any]) -> Spoken | None:
    inner = value.get("message")
    own = inner if isinstance(inner, dict) else value
    if own.get("role", value.get("role")) not in _ROLES or not any(
        key in own for key in ("content", "parts", "text")
    ):
        return None
    content = parsed(own.get("content"))
    if not isinstance(content, list):
        content = own.get("content", own.get("text"))
    return spoken({**own, "role": own.get("role", value.get("role")), "content": content})


def _draft(value: Mapping[str, Any], message: Spoken, record: Record) -> Draft:
    draft = Draft(record.place, TranscriptReader.name, id=pick_text(value, NAMES["id"]))
    draft.time = moment(pick(value, NAMES["time"]))
    draft.wrapped = "\n".join(message.texts or message.results)
    draft.parts = message.texts if len(message.texts) > 1 else ()
    draft.documents = message.documents
    if message.role == "tool" or not (message.texts or message.documents):
        draft.who = Who.TOOL_RESULT
    elif (found := _QUERY.search(draft.wrapped)) is not None:
        draft.typed = found[1]
    return draft
