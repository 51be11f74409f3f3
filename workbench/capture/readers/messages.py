"""Messages of any provider's shape, and which words of them are the last that a user sent."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from workbench.capture.readers.fields import at, parsed, text
from workbench.capture.turns import Who

__all__ = ["Asked", "Spoken", "asked", "asked_of", "spoken", "words_of"]

_ROLES = {
    "human": "user", "user": "user", "ai": "assistant", "assistant": "assistant", "model": "assistant",
    "system": "system", "developer": "system", "tool": "tool", "function": "tool",
    "HumanMessage": "user", "HumanMessageChunk": "user", "AIMessage": "assistant",
    "AIMessageChunk": "assistant", "SystemMessage": "system", "ToolMessage": "tool",
    "FunctionMessage": "tool", "ChatMessage": "user",
}  # fmt: skip
_RESULTS = ("tool_result", "tool_call_response", "function_call_output", "custom_tool_call_output")
_CALLS = ("tool_use", "tool_call", "tool-call", "function_call", "custom_tool_call", "server_tool_use")
_WORDS = ("input", "question", "query", "message", "text", "prompt", "user_input", "content", "value")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message. `role` is user, assistant, system or tool; `calls` names the tools that it calls."""

    role: str
    texts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks last. `who` is not the user where a loop of tool calls goes on."""

    parts: tuple[str, ...]
    documents: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    who: Who = Who.USER

    @property
    def whole(self) -> str:
        return "\n".join(self.parts)


def spoken(value: Any) -> Spoken | None:
    """One message in the shape of any provider; None where it is none."""
    if isinstance(value, str):
        return Spoken("user", (value,))
    if not isinstance(value, dict):
        return None
    kind = value.get("type")
    if kind in _RESULTS and "role" not in value:
        return Spoken("tool", results=(_flat(value.get("output", value.get("content"))),))
    if kind in _CALLS and "role" not in value:
        name = text(value.get("name"))
        return Spoken("assistant", calls=(name,) if name else ())
    inner: Mapping[str, Any] = value
    for key in ("kwargs", "message", "data"):  # serialised classes, and one message within another
        if isinstance(value.get(key), dict) and "content" in value[key]:
            inner = value[key]
            break
    role = _role(value, inner)
    if role is None:
        return None
    return _spoken(role, inner)


def _role(value: Mapping[str, Any], inner: Mapping[str, Any]) -> str | None:
    for said in (
        inner.get("role"),
        value.get("role"),
        inner.get("type"),
        value.get("type"),
        at(value.get("id"), -1),
    ):
        if isinstance(said, str) and said in _ROLES:
            return _ROLES[said]
    return None


def _spoken(role: str, message: Mapping[str, Any]) -> Spoken:
    texts: list[str] = []
    documents: list[str] = []
    results: list[str] = []
    calls: list[str] = []
    content = message.get("content", message.get("parts"))
    for part in content if isinstance(content, list) else [content]:
        _part(part, texts, documents, results, calls)
    made = parsed(message.get("tool_calls"))
    for call in made if isinstance(made, list) else []:
        if (
            name := text(at(call, "function", "name"))
            or text(at(call, "name"))
            or text(at(call, "tool_call", "function", "name"))
        ):
            calls.append(name)
    if name := text(at(message, "function_call", "name")):
        calls.append(name)
    if role == "tool":
        texts, results = [], [*texts, *results]
    return Spoken(role, tuple(texts), tuple(documents), tuple(results), tuple(calls))


def _part(part: Any, texts: list[str], documents: list[str], results: list[str], calls: list[str]) -> None:
    if isinstance(part, str):
        texts.append(part)
    if not isinstance(part, dict):
        return
    kind = part.get("type")
    if kind in _RESULTS or "functionResponse" in part:
        results.append(_flat(pick_result(part)))
    elif kind in _CALLS or "functionCall" in part:
        if (
            name := text(part.get("name"))
            or text(part.get("toolName"))
            or text(at(part, "functionCall", "name"))
        ):
            calls.append(name)
    elif kind in ("document", "input_file", "file", "search_result"):
        documents.extend(_document(part))
    elif kind in ("reasoning", "thinking") or part.get("thought") is True:
        return
    elif (words := text(part.get("text", part.get("content") if kind == "text" else None))) is not None:
        texts.append(words)
    elif isinstance(part.get("message_content"), dict):
        _part(part["message_content"], texts, documents, results, calls)


def pick_result(part: Mapping[str, Any]) -> Any:
    """What a tool answered, in a part that says so."""
    for key in ("content", "output", "response", "result"):
        if part.get(key) is not None:
            return part[key]
    return at(part, "functionResponse", "response")


def _flat(value: Any) -> str:
    """The text of a result, or of the parts of it."""
    if isinstance(value, list):
        return "\n".join(_flat(item) for item in value)
    if isinstance(value, dict):
        return _flat(value.get("text", value.get("content", value.get("output"))))
    return value if isinstance(value, str) else ""


def _document(part: Mapping[str, Any]) -> Iterable[str]:
    """The text of an attached document, where it is text."""
    source = part.get("source")
    if isinstance(source, dict):
        if source.get("type") == "text" and (words := text(source.get("data"))):
            yield words
        elif source.get("type") == "content":
            yield _flat(source.get("content"))
        elif words := text(at(source, "text", "value")):
            yield words
    elif part.get("type") == "search_result":
        yield _flat(part.get("content"))
    else:
        data = text(part.get("file_data")) or text(at(part, "file", "file_data")) or ""
        if data.startswith("data:text/"):
            head, _, body = data.partition(",")
            try:
                raw = base64.b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
                yield raw.decode("utf-8")
            except (binascii.Error, ValueError):
                return


def asked(messages: Iterable[Spoken]) -> Asked | None:
    """The last words sent: those after the last answer. None where there are none.

    Messages after the last answer that hold only results of tools are a loop going on, not the user.
    """
    whole = [message for message in messages if message.role != "system"]
    begin = len(whole)
    while begin and whole[begin - 1].role != "assistant":
        begin -= 1
    last = whole[begin:]
    parts = tuple(words for message in last for words in message.texts)
    documents = tuple(words for message in last for words in message.documents)
    results = tuple(words for message in last for words in message.results)
    history = tuple("\n".join(message.texts) for message in whole[:begin] if message.texts)
    if any(message.texts or message.documents for message in last):
        return Asked(parts, documents, history)
    return Asked(results, (), history, Who.TOOL_RESULT) if any(message.results for message in last) else None


def asked_of(value: Any) -> Asked | None:
    """The last words of a list of messages, also one within a list, or of one text; JSON of it too."""
    value = parsed(value)
    if isinstance(value, str):
        return Asked((value,))
    if isinstance(value, dict):
        for key in ("messages", "contents", "input", "prompt", "prompts"):
            if value.get(key) is not None:
                return asked_of(value[key])
        return asked([found]) if (found := spoken(value)) else None
    if not isinstance(value, list):
        return None
    if len(value) == 1 and isinstance(value[0], list):
        return asked_of(value[0])
    return asked([found for item in value if (found := spoken(item))])


def words_of(value: Any) -> str | None:
    """What a user put in, out of an input of any shape: a text, one field of an object, the last message."""
    value = parsed(value)
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        if isinstance(value.get("messages"), list):
            return words_of(value["messages"])
        for key in _WORDS:
            if value.get(key) is not None and (words := words_of(value[key])) is not None:
                return words
        strings = [item for item in value.values() if isinstance(item, str)]
        return strings[0] if len(strings) == 1 else None
    found = asked_of(value)
    return found.whole if found and found.who is Who.USER else None
