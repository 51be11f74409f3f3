"""OpenInference (Phoenix): spans that say of which kind they are, and often the template itself."""

from __future__ import annotations

from typing import Any

from workbench.capture.readers.fields import at, parsed, text
from workbench.capture.readers.messages import Spoken, asked, spoken, words_of
from workbench.capture.readers.otlp import Signal, indexed
from workbench.capture.readers.tracing import AGENT, RETRIEVAL, ROOT, Ask, Trace
from workbench.capture.turns import Place

__all__ = ["NAME", "fits", "read"]

NAME = "openinference"
_KIND = "openinference.span.kind"


def fits(signal: Signal) -> bool:
    """Whether a span is of this vocabulary."""
    keys = signal.attributes
    return signal.span and (
        _KIND in keys or any(key.startswith(("llm.input_messages", "llm.prompt")) for key in keys)
    )


def read(signal: Signal, trace: Trace, place: Place) -> None:
    """Adds what one span says to its trace."""
    values = signal.attributes
    kind = str(values.get(_KIND, "LLM")).upper()
    trace.session = trace.session or text(values.get("session.id"))
    if kind == "LLM":
        _ask(signal, trace, place)
    elif kind == "TOOL":
        trace.tools.append(text(values.get("tool.name")) or signal.name)
    elif kind == "RETRIEVER":
        trace.say(words_of(values.get("input.value")), RETRIEVAL)
        trace.attach(_documents(signal))
    elif kind in ("CHAIN", "AGENT") or signal.parent is None:
        trace.say(words_of(values.get("input.value")), ROOT if signal.parent is None else AGENT)


def _ask(signal: Signal, trace: Trace, place: Place) -> None:
    values = signal.attributes
    found = asked(_messages(signal, "llm.input_messages"))
    if found is None and (words := words_of(values.get("input.value"))) is not None:
        found = asked([Spoken("user", (words,))])
    if found is None:
        return
    answers = _messages(signal, "llm.output_messages")
    calls = tuple(name for answer in answers for name in answer.calls)
    given = parsed(values.get("llm.prompt_template.variables"))
    if not isinstance(given, dict):
        start = "llm.prompt_template.variables."
        given = {key[len(start) :]: value for key, value in values.items() if key.startswith(start)}
    variables = {str(name): value for name, value in given.items() if isinstance(value, str)}
    template = text(values.get("llm.prompt_template.template"))
    known = answers or "output.value" in values
    trace.ask(Ask(place, found, signal.start, calls if known else None, template, variables))


def _messages(signal: Signal, key: str) -> list[Spoken]:
    """Messages from numbered keys, or from a list of them."""
    values: Any = parsed(signal.attributes.get(key))
    if not isinstance(values, list):
        values = indexed(signal.attributes, key)
    return [found for item in values if (found := spoken(_message(item)))]


def _message(item: Any) -> Any:
    """One message in a plain shape. A data frame keeps dotted keys within its lists."""
    if not isinstance(item, dict):
        return item
    inner = item.get("message")
    if not isinstance(inner, dict):
        inner = {key.removeprefix("message."): value for key, value in item.items()}
    parts = inner.get("contents")
    content = inner.get("content")
    if content is None and isinstance(parts, list):
        content = [
            part.get("message_content") or {"text": part.get("message_content.text")}
            for part in parts
            if isinstance(part, dict)
        ]
    calls = inner.get("tool_calls")
    named = [
        {"name": at(call, "tool_call", "function", "name") or at(call, "tool_call.function.name")}
        for call in (calls if isinstance(calls, list) else [])
    ]
    return {"role": inner.get("role"), "content": content, "tool_calls": named}


def _documents(signal: Signal) -> list[str]:
    listed: Any = parsed(signal.attributes.get("retrieval.documents"))
    if not isinstance(listed, list):
        listed = indexed(signal.attributes, "retrieval.documents")
    contents = (at(item, "document", "content") or at(item, "document.content") for item in listed)
    return [content for content in contents if isinstance(content, str)]
