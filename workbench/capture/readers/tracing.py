"""Traces: what was typed at the root and what the models below it were given, joined by trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from workbench.capture.readers.fields import TYPED_VARIABLES
from workbench.capture.readers.gathering import Draft, Gathering
from workbench.capture.readers.messages import Asked, Spoken, asked
from workbench.capture.turns import LogTurn, Place, Who

__all__ = ["AGENT", "RETRIEVAL", "ROOT", "Ask", "Trace", "Traces"]

ROOT, AGENT, RETRIEVAL = 3, 2, 1
"""How sure it is that words were typed: the input of the trace, of an agent in it, of a search."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of a model within a trace. `calls` None: its answer is not logged."""

    place: Place
    asked: Asked
    start: float | None = None
    calls: tuple[str, ...] | None = None
    template: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Trace:
    """All that is known of one trace; `key` tells it from the others, also where it has no id."""

    key: str
    id: str | None
    reader: str
    place: Place
    session: str | None = None
    start: float | None = None
    typed: str | None = None
    sure: int = 0
    outcome: str | None = None
    asks: list[Ask] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    """What a template of the trace was filled with, where no request says so itself."""
    told: dict[str, list[Spoken]] = field(default_factory=dict)
    """Messages that came one by one, by span."""
    weight: int = 500

    def say(self, words: str | None, sure: int) -> None:
        """Words that were typed, unless surer ones are known."""
        if words is not None and sure > self.sure:
            self.typed, self.sure = words, sure
            self.weight += len(words)

    def ask(self, ask: Ask) -> None:
        self.asks.append(ask)
        self.weight += sum(map(len, ask.asked.parts)) + sum(map(len, ask.asked.history)) + 500

    def tell(self, span: str, message: Spoken) -> None:
        """One message of a request, in its order."""
        self.told.setdefault(span, []).append(message)
        self.weight += sum(map(len, message.texts)) + 200

    def attach(self, documents: Iterable[str]) -> None:
        for document in documents:
            self.documents.append(document)
            self.weight += len(document)

    def turns(self) -> Iterator[LogTurn]:
        """A turn per text that a model was given; what was typed alone, where none was."""
        self._end_told()
        self.asks.sort(key=lambda ask: (ask.start is None, ask.start or 0.0))
        tools = self._tools()
        seen: set[str] = set()
        for ask in self.asks:
            if ask.asked.who is Who.USER and ask.asked.whole not in seen:
                seen.add(ask.asked.whole)
                draft = self._draft(ask.place, tools)
                draft.asks(ask.asked)
                draft.time = self.start if ask.start is None else ask.start
                draft.template, draft.variables = ask.template, ask.variables or self.variables
                if draft.typed is None:
                    draft.typed = _variable(draft.variables)
                yield draft.turn()
        if not seen and self.typed is not None:
            yield self._draft(self.place, tools).turn()

    def _draft(self, place: Place, tools: list[str] | None) -> Draft:
        return Draft(
            place,
            self.reader,
            id=self.id,
            session=self.session,
            time=self.start,
            typed=self.typed,
            documents=tuple(self.documents),
            outcome=self.outcome,
            tools=tools,
        )

    def _end_told(self) -> None:
        for messages in self.told.values():
            answers = messages[-1:] if messages and messages[-1].role == "assistant" else []
            found = asked(messages[: len(messages) - len(answers)])
            if found is not None:
                calls = tuple(name for answer in answers for name in answer.calls)
                self.ask(Ask(self.place, found, None, calls if answers else None))
        self.told.clear()

    def _tools(self) -> list[str] | None:
        """The calls that answers hold, and those that only a tool's own span tells of."""
        answered = [ask.calls for ask in self.asks if ask.calls is not None]
        if not answered and not self.tools:
            return None
        calls = [name for names in answered for name in names]
        return calls + [name for name in self.tools if name not in calls]


class Traces:
    """The open traces of one file. A trace that no bound can hold is told in parts."""

    def __init__(self, reader: str) -> None:
        self._reader = reader
        self._open: Gathering[Trace] = Gathering(lambda trace: trace.weight)

    def find(self, id_: str | None, place: Place, session: str | None = None) -> Trace:
        """The trace of that id, else what is open of that session; new where nothing is."""
        key = id_ or f"\0{session or ''}"
        return self._open.get(key) or Trace(key, id_, self._reader, place, session)

    def keep(self, trace: Trace) -> Iterator[LogTurn]:
        """Keeps a trace open; gives the turns of those that are closed for it."""
        for closed in self._open.put(trace.key, trace):
            yield from closed.turns()

    def close(self, trace: Trace) -> Iterator[LogTurn]:
        self._open.take(trace.key)
        yield from trace.turns()

    def end(self) -> Iterator[LogTurn]:
        for trace in self._open.rest():
            yield from trace.turns()


def _variable(variables: Mapping[str, str]) -> str | None:
    """The variable of a template that is the user's, by its name; None where that is not clear."""
    return next((variables[name] for name in TYPED_VARIABLES if name in variables), None)
