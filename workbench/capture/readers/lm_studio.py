"""LM Studio's conversations: each user message as typed, and as it was handed to the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from workbench.capture.readers.fields import at, moment, plain, text
from workbench.capture.readers.gathering import Draft
from workbench.capture.readers.messages import spoken
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, Skipped

__all__ = ["LmStudioReader", "fits"]

_CALL = "toolCallRequest"


def fits(value: Any) -> bool:
    """Whether a record is a conversation."""
    messages = at(value, "messages")
    return isinstance(messages, list) and any(isinstance(at(item, "versions"), list) for item in messages)


class LmStudioReader:
    """A turn per version of a user message that is shown; the calls of the answer after it are its tools."""

    name: ClassVar[str] = "lm-studio"

    def take(self, record: Record) -> Iterable[Read]:
        if not fits(record.value):
            yield Skipped(record.place, Fault.UNKNOWN, "no conversation")
            return
        draft: Draft | None = None
        for message in record.value["messages"]:
            version = _shown(message)
            role = at(version, "role")
            if role == "user":
                if draft is not None:
                    yield draft.turn()
                draft = self._draft(version, record)
            elif role == "assistant" and draft is not None:
                draft.called(*_calls(version))
        if draft is not None:
            yield draft.turn()

    def end(self) -> Iterable[Read]:
        return ()

    def _draft(self, version: Any, record: Record) -> Draft:
        draft = Draft(record.place, self.name)
        draft.session = plain(record.value.get("id")) or plain(record.value.get("name"))
        draft.time = moment(record.value.get("createdAt"))
        if (typed := spoken({"role": "user", "content": version.get("content")})) is not None:
            draft.typed = "\n".join(typed.texts)
        handed = version.get("preprocessed")
        if isinstance(handed, dict) and (given := spoken({"role": "user", **handed})) is not None:
            draft.wrapped = "\n".join(given.texts)
            draft.parts = given.texts if len(given.texts) > 1 else ()
            draft.documents = given.documents
        else:
            draft.wrapped = draft.typed
        return draft


def _shown(message: Any) -> Any:
    """The version of a message that the conversation goes on with."""
    versions = at(message, "versions")
    chosen = at(message, "currentlySelected")
    return at(versions, chosen if isinstance(chosen, int) else -1)


def _calls(version: Any) -> Iterator[str]:
    steps = at(version, "steps")
    for holder in (version, *(steps if isinstance(steps, list) else ())):
        content = at(holder, "content")
        for part in content if isinstance(content, list) else ():
            if at(part, "type") == _CALL and (name := text(at(part, "name"))):
                yield name
