"""LangSmith: runs, of which the root has the user's input and those of models what they were given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.fields import at, moment, parsed, pick_text, plain, text
from workbench.capture.readers.messages import asked_of, spoken, words_of
from workbench.capture.readers.tracing import RETRIEVAL, ROOT, Ask, Trace, Traces
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, Place, Skipped

__all__ = ["LangSmithReader", "fits"]

_THREADS = ("session_id", "thread_id", "conversation_id")
_MODELS = ("llm", "chat_model")


def fits(value: Any) -> bool:
    """Whether a record is a run, or a page of them."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("runs"), list):
        return any(fits(item) for item in value["runs"][:3]) or not value["runs"]
    return "run_type" in value and ("inputs" in value or "outputs" in value)


class LangSmithReader:
    """Joins by trace. The top level's `session_id` is a project, not a conversation."""

    name: ClassVar[str] = "langsmith"

    def __init__(self) -> None:
        self._traces = Traces(self.name)

    def take(self, record: Record) -> Iterable[Read]:
        value = record.value
        if not fits(value):
            yield Skipped(record.place, Fault.UNKNOWN, "no run")
            return
        for run in value["runs"] if isinstance(value.get("runs"), list) else (value,):
            if fits(run):
                trace = self._traces.find(plain(run.get("trace_id")) or plain(run.get("id")), record.place)
                _read(run, trace, record.place)
                yield from self._traces.keep(trace)

    def end(self) -> Iterable[Read]:
        return self._traces.end()


def _read(run: Mapping[str, Any], trace: Trace, place: Place) -> None:
    kind = str(run.get("run_type"))
    inputs, outputs = parsed(run.get("inputs")), parsed(run.get("outputs"))
    metadata = at(run, "extra", "metadata")
    if trace.session is None and isinstance(metadata, dict):
        trace.session = pick_text(metadata, _THREADS)
    start = moment(run.get("start_time"))
    if start is not None and (trace.start is None or start < trace.start):
        trace.start = start
    if kind in _MODELS:
        if (found := asked_of(inputs)) is not None:
            trace.ask(Ask(place, found, start, _calls(outputs)))
    elif kind == "prompt":
        given = inputs if isinstance(inputs, dict) else {}
        trace.variables.update({str(key): value for key, value in given.items() if isinstance(value, str)})
    elif kind == "tool":
        if name := text(run.get("name")):
            trace.tools.append(name)
    elif kind == "retriever":
        trace.say(words_of(inputs), RETRIEVAL)
        documents = at(outputs, "documents")
        contents = (
            at(item, "page_content") or at(item, "kwargs", "page_content") for item in documents or ()
        )
        trace.attach(found for found in contents if isinstance(found, str))
    elif run.get("parent_run_id") is None:
        trace.say(words_of(inputs), ROOT)


def _calls(outputs: Any) -> tuple[str, ...] | None:
    """The calls of an answer: of generations within generations, or of one message in a provider's shape."""
    generations = at(outputs, "generations")
    found: Any = at(generations, 0, 0, "message") or at(generations, 0, "message")
    found = found or at(outputs, "choices", 0, "message") or at(outputs, "message") or at(outputs, "output")
    if not isinstance(found, dict):
        return () if isinstance(found, str) or at(generations, 0, 0, "text") is not None else None
    message = spoken(found if "kwargs" in found else {"role": "assistant", **found})
    return message.calls if message else None
