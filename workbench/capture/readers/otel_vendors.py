"""Keys that vendors put on spans: OpenLLMetry's numbered prompts, the AI SDK's, Langfuse's."""

from __future__ import annotations

from typing import Any

from workbench.capture.readers.fields import parsed, plain, text
from workbench.capture.readers.messages import Asked, asked, asked_of, spoken, words_of
from workbench.capture.readers.otlp import Signal, indexed
from workbench.capture.readers.tracing import AGENT, ROOT, Ask, Trace
from workbench.capture.turns import Place

__all__ = ["read"]


def read(signal: Signal, trace: Trace, place: Place) -> str | None:
    """Adds what a span says to its trace; the vendor's name where the log should be known by it."""
    values = signal.attributes
    name = _langfuse(signal, trace, place)
    if "gen_ai.prompt.0.role" in values or "gen_ai.prompt.0.content" in values:
        messages = [found for item in indexed(values, "gen_ai.prompt") if (found := spoken(_opened(item)))]
        answers = [
            found
            for item in indexed(values, "gen_ai.completion")
            if (found := spoken({"role": "assistant", **item}))
        ]
        _ask(
            trace,
            place,
            signal,
            asked(messages),
            tuple(call for found in answers for call in found.calls) if answers else None,
        )
    elif "ai.prompt.messages" in values or "ai.prompt" in values:
        calls = parsed(values.get("ai.response.toolCalls"))
        names = (
            tuple(call["toolName"] for call in calls if isinstance(call, dict) and text(call.get("toolName")))
            if isinstance(calls, list)
            else None
        )
        if names is None and "ai.response.text" in values:
            names = ()
        _ask(
            trace, place, signal, asked_of(values.get("ai.prompt.messages") or values.get("ai.prompt")), names
        )
    if tool := text(values.get("ai.toolCall.name")):
        trace.tools.append(tool)
    for key in ("input.value", "traceloop.entity.input"):
        if key in values:
            trace.say(words_of(values[key]), ROOT if signal.parent is None else AGENT)
    return name


def _langfuse(signal: Signal, trace: Trace, place: Place) -> str | None:
    values = signal.attributes
    if not any(key.startswith("langfuse.") for key in values):
        return None
    trace.session = trace.session or plain(values.get("langfuse.session.id"))
    trace.say(words_of(values.get("langfuse.trace.input")), ROOT)
    kind = str(values.get("langfuse.observation.type", "")).lower()
    if kind == "generation":
        answers = parsed(values.get("langfuse.observation.output"))
        answer = spoken(answers) if isinstance(answers, dict) else None
        _ask(
            trace,
            place,
            signal,
            asked_of(values.get("langfuse.observation.input")),
            answer.calls if answer else None,
        )
    elif kind == "tool":
        trace.tools.append(signal.name)
    elif signal.parent is None:
        trace.say(words_of(values.get("langfuse.observation.input")), AGENT)
    return "langfuse"


def _ask(
    trace: Trace, place: Place, signal: Signal, found: Asked | None, calls: tuple[str, ...] | None
) -> None:
    if found is not None:
        trace.ask(Ask(place, found, signal.start, calls))


def _opened(item: Any) -> Any:
    """A message whose parts are kept as JSON text."""
    if not isinstance(item, dict):
        return item
    parts = parsed(item.get("content"))
    return {**item, "content": parts if isinstance(parts, list) else item.get("content")}
