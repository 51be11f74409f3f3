"""Codex rollouts: what was typed and what the model was given, told in two records beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.fields import at, moment, plain, text
from workbench.capture.readers.gathering import Draft
from workbench.capture.readers.messages import spoken
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, LogTurn, Skipped, Who

__all__ = ["CodexReader", "fits"]

_TYPES = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "mcp_tool_call")
_CONTEXT = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<permissions",
    "<turn_aborted>",
)


def fits(value: Any) -> bool:
    """Whether a record is a rollout's."""
    return isinstance(value, dict) and value.get("type") in _TYPES and isinstance(value.get("payload"), dict)


class CodexReader:
    """One session. The two halves of a turn come in either order, with context messages about them."""

    name: ClassVar[str] = "codex"

    def __init__(self) -> None:
        self._session: str | None = None
        self._turn: str | None = None
        self._typed: Draft | None = None
        self._given: list[Draft] = []
        self._running: Draft | None = None

    def take(self, record: Record) -> Iterable[Read]:
        if not fits(record.value):
            yield Skipped(record.place, Fault.UNKNOWN, "no record of a rollout")
            return
        kind, payload = record.value["type"], record.value["payload"]
        if kind == "session_meta":
            self._session = plain(payload.get("id"))
        elif kind == "turn_context":
            self._turn = plain(payload.get("turn_id")) or self._turn
        elif kind == "compacted":
            draft = self._draft(record, Who.COMPACTION)
            draft.wrapped = text(payload.get("message"))
            yield draft.turn()
        elif kind == "event_msg":
            yield from self._event(payload, record)
        else:
            yield from self._item(payload, record)

    def end(self) -> Iterable[Read]:
        yield from self._begin()
        if self._running is not None:
            yield self._running.turn()
            self._running = None

    def _draft(self, record: Record, who: Who = Who.USER) -> Draft:
        draft = Draft(record.place, self.name, id=self._turn, session=self._session, who=who)
        draft.time = moment(record.value.get("timestamp"))
        return draft

    def _event(self, payload: Mapping[str, Any], record: Record) -> Iterator[LogTurn]:
        kind = payload.get("type")
        if kind in ("task_started", "turn_started"):
            self._turn = plain(payload.get("turn_id"))
        if kind != "user_message" or payload.get("kind") in ("environment_context", "user_instructions"):
            return
        if self._typed is not None:
            yield from self._begin()
        self._typed = self._draft(record)
        self._typed.typed = text(payload.get("message"))

    def _item(self, payload: Mapping[str, Any], record: Record) -> Iterator[LogTurn]:
        kind = payload.get("type")
        if kind in _CALLS:
            yield from self._begin()
            if self._running is not None:
                self._running.called(text(payload.get("name")) or _kind_of_call(payload))
            return
        message = spoken(payload) if kind == "message" else None
        if message is None:
            return
        if message.role == "assistant":
            yield from self._begin()
            if self._running is not None:
                self._running.called()
        elif message.role == "user":
            if self._typed is not None and any(_holds(draft, self._typed) for draft in self._given):
                yield from self._begin()  # that turn has both its halves; what comes now is another's
            given = self._draft(record)
            given.wrapped = "\n".join(message.texts)
            given.parts = message.texts if len(message.texts) > 1 else ()
            self._given.append(given)

    def _begin(self) -> Iterator[LogTurn]:
        """Pairs what stands open, and lets that turn run; context messages are no words of a user."""
        typed, given = self._typed, self._given
        if typed is None and not given:
            return
        self._typed, self._given = None, []
        chosen = _chosen(typed, given)
        for draft in given:
            if draft is not chosen:
                draft.who = Who.META
                yield draft.turn()
        if chosen is not None and typed is not None:
            chosen.typed, chosen.id = typed.typed, chosen.id or typed.id
        if chosen is None and typed is None:
            return  # context alone; what runs goes on
        if self._running is not None:
            yield self._running.turn()
        self._running = chosen or typed


def _holds(given: Draft, typed: Draft) -> bool:
    return bool(typed.typed) and (typed.typed or "") in (given.wrapped or "")


def _chosen(typed: Draft | None, given: list[Draft]) -> Draft | None:
    """The message that holds the typed words; else the last one that is no known context."""
    holding = [draft for draft in given if typed is not None and _holds(draft, typed)]
    own = [draft for draft in given if not (draft.wrapped or "").lstrip().startswith(_CONTEXT)]
    found = holding or own
    return found[-1] if found else None


def _kind_of_call(payload: Mapping[str, Any]) -> str:
    """The name of a call that has none of its own."""
    return text(at(payload, "action", "type")) or str(payload.get("type")).removesuffix("_call")
