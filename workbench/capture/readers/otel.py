"""OpenTelemetry's conventions for generative AI, of all three generations, and vendors' keys beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from workbench.capture.readers import openinference, otel_vendors
from workbench.capture.readers.fields import at, number, parsed, plain, text
from workbench.capture.readers.messages import Spoken, asked_of, spoken, words_of
from workbench.capture.readers.otlp import Signal, fits, signals
from workbench.capture.readers.tracing import AGENT, RETRIEVAL, ROOT, Ask, Trace, Traces
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, LogTurn, Place, Skipped

__all__ = ["OtelReader", "fits"]

_MESSAGES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE = "gen_ai.choice"
_DETAILS = "gen_ai.client.inference.operation.details"
_AGENTS = ("invoke_agent", "create_agent", "invoke_workflow")


class OtelReader:
    """Spans and events, joined by trace. An event outside of any trace closes its turn by a choice."""

    name: ClassVar[str] = "otel"

    def __init__(self) -> None:
        self._traces = Traces(self.name)

    def take(self, record: Record) -> Iterable[Read]:
        if not isinstance(record.value, dict) or not fits(record.value):
            yield Skipped(record.place, Fault.UNKNOWN, "neither a span nor an event")
            return
        for signal in signals(record.value):
            yield from self._signal(signal, record.place)

    def end(self) -> Iterable[Read]:
        return self._traces.end()

    def _signal(self, signal: Signal, place: Place) -> Iterable[LogTurn]:
        if not signal.span and signal.name.endswith(".user_prompt"):
            yield _prompt(signal, place)
            return
        values = signal.attributes
        session = plain(values.get("gen_ai.conversation.id")) or plain(values.get("session.id"))
        trace = self._traces.find(signal.trace, place, session)
        trace.session = trace.session or session
        if trace.start is None or (signal.start is not None and signal.start < trace.start):
            trace.start = signal.start
        if signal.span:
            trace.reader = _span(signal, trace, place) or trace.reader
        else:
            _event(signal, trace, place)
            if signal.trace is None and signal.name in (_CHOICE, _DETAILS):
                yield from self._traces.close(trace)
                return
        yield from self._traces.keep(trace)


def _prompt(signal: Signal, place: Place) -> LogTurn:
    """An agent's event for what was typed; the words only where the user allowed it."""
    values = signal.attributes
    return LogTurn(
        place=place,
        reader=OtelReader.name,
        id=plain(values.get("prompt.id")) or plain(values.get("prompt_id")),
        session=plain(values.get("session.id")),
        time=signal.start,
        typed=words if (words := text(values.get("prompt"))) != "<REDACTED>" else None,
        typed_length=number(values.get("prompt_length")),
    )


def _span(signal: Signal, trace: Trace, place: Place) -> str | None:
    """Adds what a span says; the name of the vocabulary, where it is not the conventions' own."""
    if openinference.fits(signal):
        openinference.read(signal, trace, place)
        return openinference.NAME
    values = signal.attributes
    operation = values.get("gen_ai.operation.name")
    if name := text(values.get("gen_ai.tool.name")):
        if operation in (None, "execute_tool"):
            trace.tools.append(name)
        return None
    trace.say(text(values.get("gen_ai.retrieval.query.text")), RETRIEVAL)
    documents = parsed(values.get("gen_ai.retrieval.documents"))
    contents = (
        (at(item, "content") or at(item, "text") for item in documents) if isinstance(documents, list) else ()
    )
    trace.attach(found for found in contents if isinstance(found, str))
    if "gen_ai.input.messages" in values:
        if operation in _AGENTS:
            sure = ROOT if signal.parent is None else AGENT
            trace.say(words_of(values["gen_ai.input.messages"]), sure)
        else:
            _ask(signal, trace, place)
        return None
    return otel_vendors.read(signal, trace, place)


def _ask(signal: Signal, trace: Trace, place: Place) -> None:
    """A request whose messages are one attribute: JSON on a span, a structure on an event."""
    found = asked_of(signal.attributes.get("gen_ai.input.messages"))
    if found is not None:
        answers = parsed(signal.attributes.get("gen_ai.output.messages"))
        trace.ask(Ask(place, found, signal.start, _calls(answers)))


def _calls(answers: Any) -> tuple[str, ...] | None:
    if not isinstance(answers, list):
        return None
    return tuple(name for answer in answers if (found := spoken(answer)) for name in found.calls)


def _event(signal: Signal, trace: Trace, place: Place) -> None:
    body: Any = parsed(signal.body)
    values = signal.attributes
    if signal.name == _DETAILS or "gen_ai.input.messages" in values:
        if "gen_ai.input.messages" not in values and isinstance(body, dict):
            signal = Signal(
                False, signal.name, {**values, **body}, signal.trace, signal.id, None, signal.start
            )
        _ask(signal, trace, place)
        return
    span = signal.id or ""
    source = body if isinstance(body, dict) else values
    if role := _MESSAGES.get(signal.name):
        message = spoken({**source, "role": role, "content": parsed(source.get("content"))})
        if message is not None:
            trace.tell(span, message)
    elif signal.name == _CHOICE:
        said = parsed(source.get("message"))
        if said is None:  # attributes are flat
            said = {key[8:]: value for key, value in source.items() if key.startswith("message.")}
        answer = spoken({"role": "assistant", **said}) if isinstance(said, dict) else None
        trace.tell(span, answer or Spoken("assistant"))
