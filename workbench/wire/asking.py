"""What the bodies of all formats have in common: messages, schemas, choices, what is passed through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.core.decision import Json
from workbench.core.tool import Tool
from workbench.wire.codec import ModelCall
from workbench.wire.draft import ROUTE

__all__ = [
    "NO_PARAMETERS",
    "chat_messages",
    "given",
    "merged",
    "offered",
    "parameters",
    "route_schema",
    "system_of",
    "turns",
]

NO_PARAMETERS: Mapping[str, Json] = {"type": "object", "properties": {}}
"""The schema of a tool that declares no parameters."""

_SYSTEM = ("system", "developer")


def given(**values: Json) -> dict[str, Json]:
    """The values that are not None."""
    return {key: value for key, value in values.items() if value is not None}


def merged(body: Mapping[str, Json], more: Mapping[str, Json]) -> dict[str, Json]:
    """`body` with `more` laid over it, mappings within mappings too."""
    found = dict(body)
    for key, value in more.items():
        ours = found.get(key)
        both = isinstance(ours, Mapping) and isinstance(value, Mapping)
        found[key] = merged(ours, value) if both else value  # type: ignore[arg-type]
    return found


def turns(call: ModelCall, *, system: bool, assistant: str = "assistant") -> list[tuple[str, str]]:
    """Role and text of each message. Instructions are left out unless `system`; what a tool said, as text
    without the call that it answers, has no place in any format but among the user's messages.
    """
    found: list[tuple[str, str]] = []
    for message in call.messages:
        role, text = str(message.get("role", "user")), message.get("content")
        if role in _SYSTEM and not system:
            continue
        named = {"assistant": assistant, "tool": "user", "developer": "system"}.get(role, role)
        found.append((named, text if isinstance(text, str) else ""))
    return found


def chat_messages(call: ModelCall) -> list[Json]:
    """The messages of a format that has its instructions among them; those built elsewhere as they are."""
    system: list[Json] = [{"role": "system", "content": call.system}] if call.system else []
    if call.verbatim:
        return [*system, *call.messages]
    return [*system, *({"role": role, "content": text} for role, text in turns(call, system=True))]


def system_of(call: ModelCall) -> str | None:
    """The instructions, for a format that has them outside the messages; parts with a blank line between."""
    parts = [call.system] if call.system else []
    if not call.verbatim:
        said = [message.get("content") for message in call.messages if message.get("role") in _SYSTEM]
        parts.extend(text for text in said if isinstance(text, str))
    return "\n\n".join(parts) or None


def offered(call: ModelCall) -> Sequence[Tool]:
    """The tools that go into the body: none of a classifier."""
    return () if call.routes else call.tools


def parameters(tool: Tool) -> Mapping[str, Json]:
    return NO_PARAMETERS if tool.parameters is None else tool.parameters


def route_schema(routes: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a classifier's answer."""
    return {
        "type": "object",
        "properties": {ROUTE: {"type": "string", "enum": list(routes)}},
        "required": [ROUTE],
        "additionalProperties": False,
    }
