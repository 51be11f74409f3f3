"""A whole body read: what is no answer is told apart, and the rest left to the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.core.trial import Status
from workbench.wire.codec import Reply
from workbench.wire.draft import Draft, Ending, conclude
from workbench.wire.failures import error_in, failed, failed_http, unreadable
from workbench.wire.strict import NotJson, kind_of, parse, text_of

__all__ = ["read_whole"]


def read_whole(
    http: int,
    headers: Mapping[str, str],
    body: bytes,
    routes: Sequence[str],
    gather: Callable[[Mapping[str, Any]], Draft],
    endings: Mapping[str, Ending],
) -> Reply:
    """The reply of a body that came at once; `gather` reads an answer's object into a draft."""
    if not 200 <= http < 300:
        return failed_http(http, headers, body)
    text = text_of(body)
    try:
        value = parse(text)
    except NotJson as problem:
        return unreadable(text, problem)
    error = error_in(value)
    if error is not None:
        return failed(error, text, headers=headers)
    if not isinstance(value, dict):
        return Reply(Status.MALFORMED, error=f"the body is {kind_of(value)}; expected an object", raw=text)
    return conclude(gather(value), endings, routes, text)
