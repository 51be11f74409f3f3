"""Fields by the names that logs give them, and values of unsure kind as what is wanted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

__all__ = [
    "NAMES",
    "TYPED_VARIABLES",
    "at",
    "moment",
    "names_of",
    "number",
    "parsed",
    "pick",
    "pick_text",
    "plain",
    "text",
]

NAMES: Mapping[str, tuple[str, ...]] = {
    "typed": (
        "typed", "user_text", "typed_text", "user_message", "user_input", "user_prompt", "raw_text",
        "raw_message", "user_query", "original_text", "original_message", "usertext", "usermessage",
        "userinput", "question", "utterance", "query",
    ),
    "wrapped": (
        "wrapped", "router_input", "routed", "routed_text", "routing_input", "routing_text", "turn_text",
        "routerinput", "model_input", "full_prompt", "final_prompt", "rendered_prompt", "wrapped_text",
        "llm_input", "prompt_text", "prompt", "input", "messages", "content", "text",
    ),
    "scanned": ("scanned", "scanned_text", "scan_window", "window"),
    "id": ("turn_id", "turn", "id", "message_id", "request_id", "uuid", "trace_id", "turnid", "messageid",
           "requestid", "traceid", "msg_id"),
    "session": ("session_id", "session", "conversation_id", "conversation", "thread_id", "chat_id",
                "sessionid", "conversationid", "threadid", "chatid", "thread"),
    "tools": ("tools_called", "tools", "tool_calls", "called_tools", "tools_selected", "tools_used",
              "tool_names", "toolscalled", "toolcalls", "tool", "tool_name"),
    "outcome": ("outcome", "action", "decision", "verdict"),
    "time": ("time", "timestamp", "ts", "created_at", "createdat", "created", "started", "start_time",
             "starttime", "date", "datetime"),
    "ingress": ("ingress", "channel", "source", "transport", "surface"),
    "typed_length": ("typed_length", "typed_len", "typed", "user_length", "msg_len", "prompt_length"),
    "wrapped_length": ("wrapped_length", "routed_length", "routed_len", "routed", "router_input_len"),
    "head": ("head", "routed_head", "router_input_head", "wrapped_head"),
}  # fmt: skip
"""What a column of a log is called that holds it, the surest first; compared without case."""

TYPED_VARIABLES = (
    "question",
    "query",
    "q",
    "input",
    "user_input",
    "message",
    "user_message",
    "text",
    "prompt",
    "request",
)
"""What a template's variable is called that holds what was typed, the surest first."""

_FRACTION = re.compile(r"(\.\d{6})\d+")


def text(value: Any) -> str | None:
    """The value if it is text."""
    return value if isinstance(value, str) else None


def plain(value: Any) -> str | None:
    """Text or a number as text: an id, for instance. None for anything else, and where it is empty."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def number(value: Any) -> int | None:
    """A whole number, also one spelled as text, as some exporters write 64 bits."""
    if isinstance(value, str) and len(value) < 20 and value.strip().lstrip("-").isdigit():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def pick(values: Mapping[str, Any], names: Iterable[str]) -> Any:
    """The first of these fields that is there and not null."""
    for name in names:
        if (found := values.get(name)) is not None:
            return found
    return None


def pick_text(values: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """The first of these fields that holds a text or number, as text."""
    return next((found for name in names if (found := plain(values.get(name))) is not None), None)


def at(value: Any, *path: str | int) -> Any:
    """What stands at a path of keys and indexes; None where a step of it is missing."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and -len(value) <= step < len(value) else None
    return value


def parsed(value: Any) -> Any:
    """A text that holds a JSON object or list as that, two levels deep; anything else as it is."""
    for _ in range(2):
        if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
            return value
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            return value
        if isinstance(found, str) and found.lstrip()[:1] not in ("{", "["):
            return value
        value = found
    return value


def names_of(value: Any) -> tuple[str, ...]:
    """The tools that a log says were called: a list, JSON of one, names between commas; null is none."""
    value = parsed(value)
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(",") if name.strip()) if value != "null" else ()
    if isinstance(value, dict):
        name = _name(value)
        return (name,) if name else tuple(str(key) for key in value)
    return tuple(name for item in value if (name := _name(item))) if isinstance(value, list) else ()


def _name(item: Any) -> str | None:
    if isinstance(item, str):
        return item or None
    for path in (("name",), ("function", "name"), ("tool",), ("tool_name",), ("toolName",)):
        if name := text(at(item, *path)):
            return name
    return None


def moment(value: Any) -> float | None:
    """Seconds since 1970, from ISO 8601 or a number of seconds, or of milli-, micro- or nanoseconds."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return _iso(value)
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return float(value[0] + value[1] / 1e9)  # seconds and nanoseconds, as one exporter pairs them
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    for limit, scale in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)):
        if abs(value) >= limit:
            return float(value) / scale
    return float(value)


def _iso(value: str) -> float | None:
    try:
        found = datetime.fromisoformat(_FRACTION.sub(r"\1", value.strip()))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
