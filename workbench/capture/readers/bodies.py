"""Logs of provider requests: a body per record, alone or beside its response and what the app added."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, ClassVar

from workbench.capture.readers import anthropic, gemini_api, openai_chat, openai_responses
from workbench.capture.readers.fields import NAMES, at, moment, names_of, parsed, pick, pick_text, plain, text
from workbench.capture.readers.gathering import Draft
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, Skipped

__all__ = ["FORMATS", "BodyReader", "called", "fits", "format_of", "streamed_calls", "turn_of"]

# OpenAI's and Anthropic's messages look alike: the one that says more of itself is asked first.
FORMATS: tuple[ModuleType, ...] = (anthropic, openai_chat, openai_responses, gemini_api)

_REQUESTS = (
    "request", "req", "request_body", "requestBody", "body", "kwargs", "params", "payload", "llm_request",
    "json_data", "data",
)  # fmt: skip
_RESPONSES = ("response", "res", "response_body", "responseBody", "completion", "output", "result", "reply")
_TYPED = tuple(name for name in NAMES["typed"] if name != "query")


def format_of(body: Mapping[str, Any]) -> ModuleType | None:
    """The format that a request is of."""
    return next((form for form in FORMATS if form.fits(body)), None)


def fits(value: Any) -> bool:
    """Whether a record holds a request of any provider."""
    return isinstance(value, dict) and _request(value) is not None


class BodyReader:
    """Every record by its own format, so that a gateway's log of several providers is read whole."""

    name: ClassVar[str] = "bodies"

    def __init__(self, only: str | None = None) -> None:
        self._only = only

    def take(self, record: Record) -> Iterable[Read]:
        value = record.value
        body = _request(value) if isinstance(value, dict) else None
        form = format_of(body) if body is not None else None
        if body is None or form is None or self._only not in (None, form.NAME):
            yield Skipped(
                record.place, Fault.UNKNOWN, f"no request of {self._only or 'a known provider'} in it"
            )
            return
        draft = turn_of(form, body, _response(value, body), record)
        if draft is None:
            return  # a request without a word of a user: embeddings, a system prompt alone
        outer = value if value is not body else {}
        draft.typed = next((said for name in _TYPED if (said := text(outer.get(name))) is not None), None)
        yield draft.turn()

    def end(self) -> Iterable[Read]:
        return ()


def turn_of(form: ModuleType, body: Mapping[str, Any], response: Any, record: Record) -> Draft | None:
    """What one request asked, with what its answer called; None where it asks nothing."""
    asked = form.asks(body)
    if asked is None:
        return None
    draft = Draft(record.place, form.NAME)
    draft.asks(asked)
    outer = record.value if isinstance(record.value, dict) else {}
    metadata = body.get("metadata")
    sources = [outer, metadata if isinstance(metadata, dict) else {}]
    ids = ("custom_id", *NAMES["id"])
    draft.id = next((found for source in sources if (found := pick_text(source, ids))), None) or plain(
        at(response, "id")
    )
    draft.session = next(
        (found for source in sources if (found := pick_text(source, NAMES["session"]))), None
    )
    if draft.session is None:
        conversation = body.get("conversation")
        draft.session = plain(at(conversation, "id") or conversation) or plain(at(metadata, "user_id"))
    draft.time = moment(pick(outer, NAMES["time"]))
    draft.ingress = pick_text(outer, ("ingress", "channel", "transport", "surface"))
    names = called(response)
    if (
        names is None
        and outer is not body
        and (logged := pick(outer, ("tools_called", "tool_calls"))) is not None
    ):
        names = names_of(logged)
    if names is not None:
        draft.called(*names)
    return draft


def called(response: Any) -> tuple[str, ...] | None:
    """The tools that an answer of any provider calls; None where there is no answer."""
    response = parsed(response)
    if isinstance(response, list) and response and all(isinstance(item, dict) for item in response):
        if "type" in response[0] and "delta" not in response[0] and response[0].get("type") in _ITEMS:
            return openai_responses.called({"output": response})
        return streamed_calls(
            "\n\n".join("data: " + json.dumps(item) for item in response).encode() + b"\n\n"
        )
    if isinstance(response, str):
        return streamed_calls(response.encode("utf-8", "replace")) if "data:" in response[:200] else ()
    if not isinstance(response, dict):
        return None
    for key in ("body", "json", "data"):
        if isinstance(response.get(key), dict):
            response = response[key]
    found = (form.called(response) for form in (openai_chat, openai_responses, gemini_api, anthropic))
    return next((names for names in found if names is not None), None)


_ITEMS = ("message", "function_call", "reasoning", "custom_tool_call")
_STREAMS = {
    "chat.completion.chunk": "openai-chat",
    "content_block": "anthropic",
    "message_start": "anthropic",
    '"response.': "openai-responses",
    '"candidates"': "gemini",
    '"choices"': "openai-chat",
}


def streamed_calls(body: bytes) -> tuple[str, ...] | None:
    """The tools that a stream of server-sent events calls; None where it is of no known format."""
    from workbench.wire.registry import codec

    start = body[:4096].decode("utf-8", "replace")
    name = next((name for sign, name in _STREAMS.items() if sign in start), None)
    if name is None:
        return None
    reader = codec(name).stream(200, {})
    reader.feed(body)
    decision = reader.end().decision
    return decision.tools if decision else None


def _request(value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The request body in a record: the record itself, or within it."""
    for key in _REQUESTS:
        inner = value.get(key)
        if inner is None:
            continue
        inner = parsed(inner)
        if isinstance(inner, dict):
            if format_of(inner) is not None:
                return inner
            for deeper in ("body", "json", "params", "content"):
                found = parsed(inner.get(deeper))
                if isinstance(found, dict) and format_of(found) is not None:
                    return found
    return value if format_of(value) is not None else None


def _response(value: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
    return next(
        (value[key] for key in _RESPONSES if value.get(key) is not None and value[key] is not body), None
    )
