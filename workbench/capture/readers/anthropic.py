"""Anthropic's message bodies: blocks in, blocks out, and results of tools in the user's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.capture.readers.messages import Asked, asked_of, spoken

__all__ = ["NAME", "asks", "called", "fits"]

NAME = "anthropic"
_BLOCKS = ("tool_use", "tool_result", "document", "search_result", "thinking")


def fits(body: Mapping[str, Any]) -> bool:
    """Whether it is a request of this format and not of OpenAI's, which has the same messages."""
    messages = body.get("messages")
    if not isinstance(messages, list):
        return False
    if "anthropic_version" in body or isinstance(body.get("system"), str | list):
        return True
    tools = body.get("tools")
    if any(
        isinstance(tool, dict) and "input_schema" in tool
        for tool in (tools if isinstance(tools, list) else ())
    ):
        return True
    contents = (message.get("content") for message in messages if isinstance(message, dict))
    blocks = (block for content in contents if isinstance(content, list) for block in content)
    return any(isinstance(block, dict) and block.get("type") in _BLOCKS for block in blocks)


def asks(body: Mapping[str, Any]) -> Asked | None:
    """What the request asks last."""
    return asked_of(body.get("messages"))


def called(response: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The tools that the answer calls; None where it is no answer of this format."""
    content = response.get("content")
    if not isinstance(content, str | list):
        return None
    found = spoken({"role": "assistant", "content": content})
    return found.calls if found else None
