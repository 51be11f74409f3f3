"""Which records hold a request of a model: a body by itself, beside its answer, or in a recorded exchange."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from workbench.capture.readers.bodies import format_of
from workbench.capture.readers.fields import NAMES, at, parsed, pick_text, plain, text
from workbench.capture.sources.record import Record
from workbench.capture.turns import Fault, Skipped
from workbench.lanes.ledger.answer import read_answer
from workbench.lanes.ledger.call import Call, Passed
from workbench.lanes.ledger.receipt import NotAReceipt, Receipt, read_receipt

__all__ = ["call_of", "entries_of", "exchange_of", "is_body"]

_REQUESTS = (
    "request", "body", "req", "request_body", "requestBody", "kwargs", "params", "payload", "llm_request",
    "json_data", "data", "sent", "proxy_server_request", "input",
)  # fmt: skip
_RESPONSES = ("response", "res", "response_body", "responseBody", "completion", "output", "result", "reply")
_IDS = ("request_id", "requestId", "id", "custom_id", "key", "litellm_call_id", "uuid")
_TURNS = ("turn", "turn_id", "turnId")
_ID_HEADERS = ("x-workbench-request", "x-request-id", "x-client-request-id", "request-id")
_SESSION_HEADERS = ("x-workbench-conversation", "x-session-id", "session_id", "x-conversation-id")
_FORMATS = (
    ("/api/chat", "ollama"),
    ("/api/generate", "ollama"),
    ("/chat/completions", "openai-chat"),
    ("/v1/messages", "anthropic"),
    ("/responses", "openai-responses"),
    ("enerateContent", "gemini"),
)
"""What a path says of the format where the body may be of two."""
_NO_PROMPT = re.compile(
    r"(/(embed\w*|moderations|rerank|count_tokens|tokenize|images/\w+|audio/\w+)|:(count|embed|batch)\w+)/?\Z"
)
_OUTER = frozenset((*_RESPONSES, *_IDS, *_TURNS, "receipt", "lanes", "time", "timestamp"))


def is_body(value: Any) -> bool:
    """Whether a JSON value is what a model's provider is sent."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("messages"), list) or isinstance(value.get("contents"), list):
        return True
    if isinstance(value.get("prompt"), str | list):
        return "model" in value or "options" in value
    given = value.get("input")
    if isinstance(given, list) and given and all(isinstance(item, str) for item in given):
        return False  # texts to be embedded
    return isinstance(given, str | list) and ("model" in value or format_of(value) is not None)


def call_of(record: Record) -> Call | Skipped | None:
    """The request in a record of a log of bodies; None where there is none."""
    value = record.value
    if not isinstance(value, dict):
        return None
    body, url = _within(value)
    if body is None:
        return None
    alone = body is value
    if alone:
        outer_body = {key: inner for key, inner in value.items() if key not in _OUTER}
        body = outer_body if is_body(outer_body) else value
    try:
        receipt = _beside(value, record)
    except NotAReceipt as problem:
        return Skipped(record.place, Fault.UNKNOWN, f"its receipt cannot be read: {problem}")
    answer = next((value[key] for key in _RESPONSES if value.get(key) is not None), None)
    answer = None if answer is value.get("input") else answer
    sources = (value, _mapping(body.get("metadata")))
    ids = [found for source in sources for key in _IDS if (found := plain(source.get(key)))]
    ids += [found for found in (plain(at(parsed(answer), "id")),) if found]
    turn = next((found for source in sources if (found := pick_text(source, _TURNS))), None)
    return _made(
        record,
        body,
        url=url or text(value.get("url")),
        ids=ids,
        turn=turn,
        conversation=_session(value, body),
        answer=answer,
        receipt=receipt,
    )


def exchange_of(entry: Any, record: Record) -> Call | Skipped | Passed:
    """The request in one entry of a HAR."""
    request = at(entry, "request")
    if _NO_PROMPT.search(urlsplit(text(at(request, "url")) or "").path):
        return Passed(record.place)
    posted = _content(at(request, "postData"))
    body = parsed(posted)
    if not is_body(body):
        if isinstance(posted, str) and posted.lstrip()[:1] == "{" and not isinstance(body, dict):
            return Skipped(record.place, Fault.TORN, "the body of a request is no whole JSON")
        return Passed(record.place)
    headers = _headers(at(request, "headers"))
    answered = _headers(at(entry, "response", "headers"))
    answer = _content(at(entry, "response", "content"))
    ids = [found for key in ("_id", "_request") if (found := plain(at(entry, key)))]
    ids += [side[name] for side in (headers, answered) for name in _ID_HEADERS if name in side]
    ids += [found for found in (plain(at(parsed(answer), "id")),) if found]
    session = next((headers[name] for name in _SESSION_HEADERS if name in headers), None)
    return _made(
        record,
        body,
        url=text(at(request, "url")),
        ids=ids,
        turn=headers.get("x-workbench-turn") or plain(at(entry, "_turn")),
        conversation=session or _session({}, body),
        answer=answer,
        digests=_digests(entry, posted or ""),
    )


def _digests(entry: Any, posted: str) -> tuple[str, ...]:
    """What a recorder wrote down before it masked anything; else of the text as it stands."""
    told = [found for key in ("_sha256", "_sha256_json") if (found := text(at(entry, key)))]
    return tuple(told) or (sha256(posted.encode("utf-8", "surrogatepass")).hexdigest(),)


def entries_of(value: Any) -> Iterator[Any] | None:
    """The entries of a HAR, or of a line of a recording; None where a record is neither."""
    entries = at(value, "log", "entries")
    if isinstance(entries, list):
        return iter(entries)
    url = at(value, "request", "url")
    if isinstance(url, str) and ("postData" in value["request"] or "method" in value["request"]):
        return iter((value,)) if not is_body(at(value, "request", "body")) else None
    return None


def _made(record: Record, body: Mapping[str, Any], *, url: str | None, ids: list[str], **more: Any) -> Call:
    parts = urlsplit(url) if url else None
    path = parts.path if parts is not None and parts.path else None
    answer = read_answer(more.pop("answer"))
    return Call(
        record.place,
        body,
        next((provider for end, provider in _FORMATS if (path or "").rstrip("/").endswith(end)), ""),
        ids=tuple(dict.fromkeys(ids)),
        host=parts.netloc.rpartition("@")[2] or None if parts is not None else None,
        path=path,
        model=plain(body.get("model")) or _model_of(path),
        answer=answer,
        **more,
    )


def _within(value: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, str | None]:
    """The body in a record, and the URL that stands beside it there."""
    for key in _REQUESTS:
        inner = parsed(value.get(key))
        if is_body(inner):
            return inner, None
        for deeper in ("body", "json", "params", "content"):
            found = parsed(at(inner, deeper))
            if is_body(found):
                return found, text(at(inner, "url"))
    return (value, None) if is_body(value) else (None, None)


def _beside(value: Mapping[str, Any], record: Record) -> Receipt | None:
    """The receipt that stands beside a request. Raises NotAReceipt."""
    own = value.get("receipt")
    if isinstance(own, dict):
        return read_receipt(own, record.place)
    if isinstance(value.get("lanes"), list | dict):
        given = {key: value[key] for key in ("lanes", "unit", *_TURNS) if key in value}
        return read_receipt(given, record.place)
    return None


def _session(value: Mapping[str, Any], body: Mapping[str, Any]) -> str | None:
    metadata = _mapping(body.get("metadata"))
    for source in (value, metadata):
        if found := pick_text(source, NAMES["session"]):
            return found
    conversation = body.get("conversation")
    return plain(at(conversation, "id")) or plain(conversation)


def _model_of(path: str | None) -> str | None:
    """The model in a path such as `/v1beta/models/NAME:generateContent`."""
    _, found, rest = (path or "").partition("/models/")
    return rest.partition(":")[0] or None if found else None


def _headers(value: Any) -> dict[str, str]:
    pairs = value if isinstance(value, list) else ()
    return {
        name.lower(): said
        for pair in pairs
        if isinstance(name := at(pair, "name"), str) and isinstance(said := at(pair, "value"), str) and said
    }


def _content(value: Any) -> str | None:
    """The text of a body; None where there is none, or it is no text."""
    found = text(at(value, "text"))
    if found is None or at(value, "encoding") != "base64":
        return found
    try:
        return base64.b64decode(found, validate=False).decode("utf-8")
    except (binascii.Error, ValueError):
        return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
