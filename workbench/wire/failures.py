"""Answers that report an error: what they say, and whether a further call can succeed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.core.trial import Status
from workbench.wire.codec import Reply
from workbench.wire.strict import NotJson, mapping, parse, spell, text_of
from workbench.wire.waiting import header, wait_of

__all__ = ["error_in", "failed", "failed_http", "unreadable"]

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_FATAL = frozenset({401, 402, 403, 404, 405, 410})

# Codes, types and reasons that stand in the errors of the formats, in lower case.
_AGAIN_WORDS = frozenset(
    {
        "rate_limit_exceeded", "rate_limit_error", "overloaded_error", "overloaded", "server_error",
        "api_error", "timeout_error", "internal_error", "internal_server_error", "service_unavailable",
        "engine_overloaded", "slow_down", "resource_exhausted", "unavailable", "internal",
        "deadline_exceeded", "aborted", "unavailable_error",
    }
)  # fmt: skip
_FATAL_WORDS = frozenset(
    {
        "invalid_api_key", "authentication_error", "invalid_authentication", "unauthenticated",
        "permission_error", "permission_denied", "api_key_invalid", "model_not_found", "not_found_error",
        "not_found", "insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
        "billing_error", "account_deactivated", "access_terminated", "deploymentnotfound",
    }
)  # fmt: skip
_REFUSED_WORDS = frozenset(
    {
        "content_filter", "content_policy_violation", "moderation_blocked", "responsibleaipolicyviolation",
        "invalid_prompt", "bio_policy", "cyber_policy",
    }
)  # fmt: skip
_NO_MODEL = re.compile(
    r"\bmodel\b.{0,120}\b(?:not found|does not exist)\b|\bnot a valid model\b", re.S | re.I
)
_NO_MONEY = re.compile(r"\bcredit balance is too low\b", re.I)  # a bad request, by the vendor's code
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.S | re.I)
_SHOWN = 300
_HEAD = 4096  # characters of a page in which its title is looked for

# What servers say that parse the model's text themselves, where it wrote a call that they cannot read.
_UNREAD_CALL = re.compile(
    r"\b(?:error|failed)\b.{0,20}\bpars(?:e|ing)\b.{0,20}\btool.?calls?\b|\AFailed to parse input at pos",
    re.I | re.S,
)


def error_in(answer: Any) -> Any:
    """The error that an answer with a good status is; None where it is none."""
    first = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    if not isinstance(first, dict):
        return None
    if first.get("error"):
        return first["error"]
    return first if "error" in (first.get("type"), first.get("object")) else None


def failed_http(http: int, headers: Mapping[str, str], body: bytes) -> Reply:
    """The reply for a status that is not 2xx."""
    text = text_of(body)
    if 300 <= http < 400:
        place = header(headers, "location")
        said = f"the server sends on to {place}; put that address into `url`" if place else "a redirect"
        return Reply(Status.ERROR, error=f"HTTP {http}: {said}", raw=text, fatal=True)
    return failed(_error_in(text), text, http=http, headers=headers)


def failed(error: Any, raw: str, *, http: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """The reply for an error as a provider reports it: text, or an object with a message.

    With `http` 200, the error stood in a body or a stream that began as an answer. `raw` is kept.
    """
    words = frozenset(_words(error))
    status = http if http >= 300 else _status_in(error) or http
    said = (
        f"HTTP {http}: {_message(error, raw)}" if http >= 300 else f"the server says: {_message(error, raw)}"
    )
    if words & _REFUSED_WORDS or "flagged_input" in mapping(mapping(error).get("metadata")):
        return Reply(Status.REFUSED, error=said, raw=raw)
    unread = status not in (400, 422) and _UNREAD_CALL.search(_message(error, raw)) is not None
    if unread or "tool_use_failed" in words:
        return Reply(Status.MALFORMED, error=said, raw=raw)
    no_model = status in (200, 400, 404, 422) and _NO_MODEL.search(_message(error, raw)) is not None
    no_money = status in (400, 429) and _NO_MONEY.search(_message(error, raw)) is not None
    fatal = status in _FATAL or bool(words & _FATAL_WORDS) or no_model or no_money
    again = not fatal and (status in _AGAIN or bool(words & _AGAIN_WORDS) or (status == 200 and not words))
    wait = wait_of(headers or {}, error) if again else None
    return Reply(Status.ERROR, error=said, raw=raw, again=again, fatal=fatal, wait=wait)


def unreadable(text: str, problem: NotJson) -> Reply:
    """The reply for a body that is no answer at all. The server may do better the next time, but for
    JSON that is whole and still cannot be read.

    JSON that cannot be read may hold a call, so it is malformed; a page, another text and an empty body
    hold none, and are errors.
    """
    start = text.lstrip()[:1]
    if not start:
        return Reply(Status.ERROR, error="the body is empty; expected JSON", raw=text, again=True)
    if start == "<":
        said = f"a page of HTML or XML{_titled(text)}; expected JSON: is `url` right?"
        return Reply(Status.ERROR, error=said, raw=text, again=True)
    if start in "{[":
        return Reply(
            Status.MALFORMED, error=f"the body cannot be read: {problem}", raw=text, again=problem.cut
        )
    said = f"expected JSON, found {_cut(text)}"
    return Reply(Status.ERROR, error=said, raw=text, again=True)


def _error_in(text: str) -> Any:
    """The error of a body: an object's, or the text itself."""
    try:
        value = parse(text)
    except NotJson:
        return None
    if isinstance(value, list) and value:  # Gemini, where no event stream was asked for
        value = value[0]
    if not isinstance(value, dict):
        return value
    for key in ("error", "errors", "detail"):
        if value.get(key):
            return value[key]
    return value


def _message(error: Any, raw: str) -> str:
    """The provider's own words, as they came."""
    if isinstance(error, str) and error.strip():
        return error
    if isinstance(error, list) and error:
        return "; ".join(_message(item, spell(item)) for item in error)
    for key in ("message", "msg", "error", "detail", "title"):
        found = mapping(error).get(key)
        if isinstance(found, str) and found.strip():
            return found
        if isinstance(found, dict):
            return _message(found, raw)
    if isinstance(error, dict) and error:
        return _cut(spell(error))
    if raw.lstrip().startswith("<"):
        return f"a page of HTML or XML{_titled(raw)}"
    return _cut(raw) if raw.strip() else "no message"


def _words(error: Any) -> Iterator[str]:
    """Codes, types and reasons, in lower case."""
    if not isinstance(error, dict):
        return
    for key in ("code", "type", "status", "reason"):
        if isinstance(error.get(key), str):
            yield error[key].lower()
    for key in ("innererror", "inner_error"):
        yield from _words(error.get(key))
    details = error.get("details")
    for detail in details if isinstance(details, list) else []:
        yield from _words(detail)


def _status_in(error: Any) -> int | None:
    """An HTTP status that a gateway put into the error instead of the response."""
    for key in ("code", "status"):
        code = mapping(error).get(key)
        if isinstance(code, str) and code.isdecimal():
            code = int(code[:4])
        if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600:
            return code
    return None


def _titled(page: str) -> str:
    found = _TITLE.search(page[:_HEAD])
    return f' titled "{" ".join(found[1].split())[:80]}"' if found and found[1].strip() else ""


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
