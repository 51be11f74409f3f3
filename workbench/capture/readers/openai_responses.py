"""OpenAI's responses bodies: items in, items out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.capture.readers.messages import Asked, asked, asked_of, spoken

__all__ = ["NAME", "asks", "called", "fits"]

NAME = "openai-responses"
_OF_ITS_OWN = (
    "instructions",
    "previous_response_id",
    "max_output_tokens",
    "reasoning",
    "store",
    "conversation",
)


def fits(body: Mapping[str, Any]) -> bool:
    """Whether it is a request of this format."""
    given = body.get("input")
    if isinstance(given, list):
        return any(isinstance(item, dict) and ("role" in item or "call_id" in item) for item in given)
    return isinstance(given, str) and any(key in body for key in ("model", *_OF_ITS_OWN))


def asks(body: Mapping[str, Any]) -> Asked | None:
    """What the request asks last. Earlier turns are missing where it names an earlier response."""
    given = body.get("input")
    if not isinstance(given, list):
        return asked_of(given) if not isinstance(given, str) else Asked((given,))
    return asked([found for item in given if (found := spoken(item))])


def called(response: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The tools that the answer calls; None where it is no answer of this format."""
    output = response.get("output")
    if not isinstance(output, list):
        return None
    return tuple(name for item in output if (found := spoken(item)) for name in found.calls)
