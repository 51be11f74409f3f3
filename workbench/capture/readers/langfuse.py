"""Langfuse: a trace with its observations, as the page exports it, or observations one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.fields import at, moment, parsed, pick, plain, text
from workbench.capture.readers.messages import asked_of, spoken, words_of
from workbench.capture.readers.tracing import AGENT, RETRIEVAL, ROOT, Ask, Trace, Traces
from workbench.capture.sources.record import Read, Record
from workbench.capture.turns import Fault, LogTurn, Place, Skipped

__all__ = ["LangfuseReader", "fits"]

_TRACE = ("traceId", "trace_id")
_PARENT = ("parentObservationId", "parent_observation_id")
_SESSION = ("sessionId", "session_id")
_START = ("startTime", "start_time", "timestamp")
_KINDS = (
    "SPAN",
    "GENERATION",
    "EVENT",
    "AGENT",
    "TOOL",
    "CHAIN",
    "RETRIEVER",
    "EVALUATOR",
    "EMBEDDING",
    "GUARDRAIL",
)


def fits(value: Any) -> bool:
    """Whether a record is a trace with observations, or one observation."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("observations"), list):
        return True
    known = pick(value, _TRACE) is not None and str(value.get("type")).upper() in _KINDS
    inner = at(value, "data", 0)
    return known or (isinstance(inner, dict) and "data" in value and fits(inner))


class LangfuseReader:
    """Joins by trace; observations may come in any order, and before their trace."""

    name: ClassVar[str] = "langfuse"

    def __init__(self) -> None:
        self._traces = Traces(self.name)

    def take(self, record: Record) -> Iterable[Read]:
        value = record.value
        if not isinstance(value, dict):
            yield Skipped(record.place, Fault.UNKNOWN, "no object")
            return
        if isinstance(value.get("data"), list):  # a page of the API
            for item in value["data"]:
                yield from self.take(Record(item, record.place))
            return
        if fits(value) and "observations" not in value:
            yield from self._observation(value, None, record.place)
            return
        head = value["trace"] if isinstance(value.get("trace"), dict) else value
        observations = value.get("observations")
        if "id" in head and ("input" in head or "observations" in value or "trace" in value):
            yield from self._trace(head, record.place)
        elif value.keys() - {"scores", "meta", "observations"}:
            yield Skipped(record.place, Fault.UNKNOWN, "neither a trace nor an observation")
        for item in observations if isinstance(observations, list) else ():
            if isinstance(item, dict):
                yield from self._observation(item, plain(head.get("id")), record.place)

    def end(self) -> Iterable[Read]:
        return self._traces.end()

    def _trace(self, head: Mapping[str, Any], place: Place) -> Iterator[LogTurn]:
        trace = self._traces.find(plain(head.get("id")), place)
        trace.session = trace.session or plain(pick(head, _SESSION))
        trace.start = trace.start or moment(pick(head, _START))
        trace.say(words_of(head.get("input")), ROOT)
        yield from self._traces.keep(trace)

    def _observation(self, item: Mapping[str, Any], within: str | None, place: Place) -> Iterator[LogTurn]:
        trace = self._traces.find(plain(pick(item, _TRACE)) or within, place)
        trace.session = trace.session or plain(pick(item, _SESSION))
        _observe(item, trace, place)
        yield from self._traces.keep(trace)


def _observe(item: Mapping[str, Any], trace: Trace, place: Place) -> None:
    kind = str(item.get("type", "")).upper()
    given = item.get("input")
    if kind == "GENERATION":
        if (found := asked_of(given)) is not None:
            output = parsed(item.get("output"))
            answer = spoken({"role": "assistant", **output}) if isinstance(output, dict) else None
            calls = answer.calls if answer else (() if isinstance(output, str) else None)
            trace.ask(Ask(place, found, moment(pick(item, _START)), calls))
    elif kind == "TOOL":
        if name := text(item.get("name")):
            trace.tools.append(name)
    elif kind == "RETRIEVER":
        trace.say(words_of(given), RETRIEVAL)
        documents = parsed(item.get("output"))
        for document in documents if isinstance(documents, list) else ():
            content = (
                at(document, "content")
                or at(document, "page_content")
                or at(document, "pageContent")
                or document
            )
            trace.attach([content] if isinstance(content, str) else ())
    elif pick(item, _PARENT) is None:
        trace.say(words_of(given), AGENT)
