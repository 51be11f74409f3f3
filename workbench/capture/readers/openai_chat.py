"""OpenAI's chat bodies, and those of the many servers that speak the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.capture.readers.fields import at
from workbench.capture.readers.messages import Asked, asked_of, spoken

__all__ = ["NAME", "asks", "called", "fits"]

NAME = "openai-chat"


def fits(body: Mapping[str, Any]) -> bool:
    """Whether it is a request of this format. An older one has a prompt in place of messages."""
    messages = body.get("messages")
    if isinstance(messages, list):
        return any(isinstance(message, dict) and "role" in message for message in messages)
    return isinstance(body.get("prompt"), str) and isinstance(body.get("model"), str) and "max_tokens" in body


def asks(body: Mapping[str, Any]) -> Asked | None:
    """What the request asks last."""
    return asked_of(body["messages"] if isinstance(body.get("messages"), list) else body.get("prompt"))


def called(response: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The tools that the answer calls; None where it is no answer of this format."""
    message = at(response, "choices", 0, "message") or response.get("message")
    found = spoken({"role": "assistant", **message}) if isinstance(message, dict) else None
    if found is None:
        return () if isinstance(at(response, "choices", 0, "text"), str) else None
    return found.calls
