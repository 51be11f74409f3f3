"""LiteLLM: its standard logging payload, and the rows of its spend log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.bodies import called
from workbench.capture.readers.fields import at, moment, parsed, pick_text, plain, text
from workbench.capture.readers.gathering import Draft
from workbench.capture.readers.messages import asked_of
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, Skipped

__all__ = ["LiteLlmReader", "fits"]

_REDACTED = "redacted-by-litellm"
_CUT = "litellm_truncated"
_SIGNS = ("litellm_call_id", "standard_logging_object", "model_group", "proxy_server_request", "call_type")
_TURNS = ("turn_id", "turn", "message_id", "request_id", "id")
_SESSIONS = ("session_id", "conversation_id", "thread_id", "chat_id")


def fits(value: Any) -> bool:
    """Whether a record is one of LiteLLM's."""
    if not isinstance(value, dict):
        return False
    payload = _payload(value)
    signs = sum(sign in payload or sign in value for sign in _SIGNS)
    return signs > 1 or (
        signs == 1 and any(key in payload for key in ("messages", "response_cost", "model_id"))
    )


class LiteLlmReader:
    """A turn per call. With message logging off there is a turn without words."""

    name: ClassVar[str] = "litellm"

    def take(self, record: Record) -> Iterable[Read]:
        if not isinstance(record.value, dict) or not fits(record.value):
            yield Skipped(record.place, Fault.UNKNOWN, "no call of LiteLLM")
            return
        payload = _payload(record.value)
        draft = Draft(record.place, self.name)
        _ask(draft, payload)
        metadata = parsed(payload.get("metadata"))
        requester = at(metadata, "requester_metadata")
        for source in (requester, metadata):
            if isinstance(source, dict):
                draft.id = draft.id or pick_text(source, _TURNS)
                draft.session = draft.session or pick_text(source, _SESSIONS)
        draft.id = draft.id or pick_text(payload, ("id", "request_id", "litellm_call_id", "trace_id"))
        draft.session = draft.session or pick_text(payload, ("session_id", "trace_id", "end_user"))
        draft.time = moment(payload.get("startTime"))
        asked_for, used = plain(payload.get("model_group")), plain(payload.get("model"))
        draft.outcome = used if asked_for and used and asked_for != used else None
        answer = parsed(payload.get("response"))
        if answer not in (None, {}, "") and (names := called(answer)) is not None:
            draft.called(*names)
        yield draft.turn()

    def end(self) -> Iterable[Read]:
        return ()


def _payload(value: Mapping[str, Any]) -> Mapping[str, Any]:
    for path in (("standard_logging_object",), ("kwargs", "standard_logging_object")):
        if isinstance(inner := parsed(at(value, *path)), dict):
            return inner
    return value


def _ask(draft: Draft, payload: Mapping[str, Any]) -> None:
    """The words of the call; none where they were redacted. A spend log may keep only the proxy's request."""
    messages = parsed(payload.get("messages"))
    if messages in (None, {}, [], ""):
        request = parsed(payload.get("proxy_server_request"))
        body = at(request, "body") if isinstance(at(request, "body"), dict) else request
        messages = at(body, "messages") or at(body, "input")
    asked = asked_of(messages)
    if asked is None or _REDACTED in asked.whole:
        return
    draft.asks(asked)
    draft.truncated = _CUT in asked.whole
    draft.typed = text(payload.get("user_text"))
