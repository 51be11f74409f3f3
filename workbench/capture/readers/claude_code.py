"""Claude Code's transcripts, and the history file that has the typed lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.fields import at, moment, plain, text
from workbench.capture.readers.gathering import Draft, Gathering
from workbench.capture.readers.messages import Spoken, spoken
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, LogTurn, Skipped, Who

__all__ = ["ClaudeCodeReader", "ClaudeHistoryReader", "fits", "fits_history"]

_TAG = re.compile(r"\s*<(?P<name>[a-z][a-z0-9_-]*)[\s>]")
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.S)
_OUTPUT = (
    "local-command-stdout",
    "local-command-stderr",
    "bash-stdout",
    "bash-stderr",
    "local-command-caveat",
)
_INTERRUPTED = "[Request interrupted by user"


def fits(value: Any) -> bool:
    """Whether a record is a transcript's."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    return "sessionId" in value and ("parentUuid" in value or "uuid" in value or "operation" in value)


def fits_history(value: Any) -> bool:
    """Whether a record is a line of the history file."""
    return isinstance(value, dict) and isinstance(value.get("display"), str) and "project" in value


class ClaudeCodeReader:
    """A turn per user record; the tools called until the next one of the session belong to it."""

    name: ClassVar[str] = "claude-code"

    def __init__(self) -> None:
        self._open: Gathering[Draft] = Gathering(Draft.weight)

    def take(self, record: Record) -> Iterable[Read]:
        value = record.value
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            yield Skipped(record.place, Fault.UNKNOWN, "no record of a transcript")
            return
        kind = value["type"]
        if kind not in ("user", "assistant") or not isinstance(value.get("message"), dict):
            return
        message = spoken({"role": kind, **value["message"]})
        if message is None:
            return
        session = plain(value.get("sessionId")) or ""
        if kind == "assistant":
            draft = self._open.get(session)
            if draft is not None and value.get("isSidechain") is not True:
                draft.called(*message.calls)
            return
        draft = _draft(value, message, record)
        if draft.who is not Who.USER:
            yield draft.turn()
            return
        if (before := self._open.take(session)) is not None:
            yield before.turn()
        yield from (closed.turn() for closed in self._open.put(session, draft))

    def end(self) -> Iterable[Read]:
        return (draft.turn() for draft in self._open.rest())


def _draft(value: Mapping[str, Any], message: Spoken, record: Record) -> Draft:
    draft = Draft(record.place, ClaudeCodeReader.name)
    draft.id, draft.session = plain(value.get("uuid")), plain(value.get("sessionId"))
    draft.time = moment(value.get("timestamp"))
    draft.who = _who(value, message)
    draft.wrapped = "\n".join(message.texts or message.results)
    draft.parts = message.texts if len(message.texts) > 1 else ()
    draft.documents = message.documents
    if draft.who is Who.USER:
        draft.typed = _typed(message.texts)
    return draft


def _who(value: Mapping[str, Any], message: Spoken) -> Who:
    """Who wrote a record that stands in the user's name."""
    origin = value.get("origin")
    origin = at(origin, "kind") if isinstance(origin, dict) else origin
    whole = "\n".join(message.texts)
    if value.get("isCompactSummary") is True:
        return Who.COMPACTION
    if message.results or ("toolUseResult" in value and not message.texts):
        return Who.TOOL_RESULT
    tag = _TAG.match(whole)
    if value.get("isMeta") is True or (tag and tag["name"] in _OUTPUT):
        return Who.META
    foreign = isinstance(origin, str) and origin != "human"
    if value.get("isSidechain") is True or foreign or whole.startswith(_INTERRUPTED):
        return Who.SYNTHETIC
    return Who.USER


def _typed(texts: tuple[str, ...]) -> str | None:
    """The typed words, where the record shows them: a command's arguments, or the one block without a tag."""
    whole = "\n".join(texts)
    if "<command-name>" in whole:
        found = _ARGUMENTS.search(whole)
        return found[1] if found else ""
    bare = [words for words in texts if _TAG.match(words) is None]
    return bare[0] if len(bare) == 1 else None


class ClaudeHistoryReader:
    """The typed lines of all sessions."""

    name: ClassVar[str] = "claude-history"

    def take(self, record: Record) -> Iterable[Read]:
        if not fits_history(record.value):
            yield Skipped(record.place, Fault.UNKNOWN, "no typed line")
            return
        value = record.value
        pasted = value.get("pastedContents")
        yield LogTurn(
            place=record.place,
            reader=self.name,
            session=plain(value.get("sessionId")),
            time=moment(value.get("timestamp")),
            typed=value["display"],
            documents=tuple(_pasted(pasted)),
        )

    def end(self) -> Iterable[Read]:
        return ()


def _pasted(pasted: Any) -> Iterator[str]:
    for item in pasted.values() if isinstance(pasted, dict) else pasted if isinstance(pasted, list) else ():
        if words := text(at(item, "content")):
            yield words
