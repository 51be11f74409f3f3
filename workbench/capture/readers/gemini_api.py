"""Gemini's bodies: contents of parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.capture.readers.fields import at
from workbench.capture.readers.messages import Asked, asked, spoken

__all__ = ["NAME", "asks", "called", "fits"]

NAME = "gemini"


def fits(body: Mapping[str, Any]) -> bool:
    """Whether it is a request of this format."""
    contents = body.get("contents")
    return isinstance(contents, list) and any(isinstance(at(item, "parts"), list) for item in contents)


def asks(body: Mapping[str, Any]) -> Asked | None:
    """What the request asks last. A content without a role is the user's."""
    contents = [{"role": "user", **item} for item in body["contents"] if isinstance(item, dict)]
    return asked([found for item in contents if (found := spoken(item))])


def called(response: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The tools that the answer calls; None where it is no answer of this format."""
    content = at(response, "candidates", 0, "content")
    found = spoken({"role": "model", **content}) if isinstance(content, dict) else None
    return found.calls if found else None
