"""Turns that are told in several records: kept open, but only so many, and only so much text."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from workbench.capture.readers.messages import Asked
from workbench.capture.turns import LogTurn, Place, Who

__all__ = ["MOST_OPEN", "MOST_TEXT", "Draft", "Gathering"]

MOST_OPEN = 1_000
MOST_TEXT = 16_000_000
"""Code points of all turns that are open in one file."""


@dataclass(slots=True)
class Draft:
    """A turn that is not whole yet; the fields are those of `LogTurn`."""

    place: Place
    reader: str
    id: str | None = None
    session: str | None = None
    time: float | None = None
    who: Who = Who.USER
    ingress: str | None = None
    typed: str | None = None
    wrapped: str | None = None
    parts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    scanned: str | None = None
    typed_length: int | None = None
    wrapped_length: int | None = None
    head: str | None = None
    outcome: str | None = None
    tools: list[str] | None = None
    history: tuple[str, ...] = ()
    template: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    truncated: bool = False

    def asks(self, asked: Asked) -> None:
        """Takes over what a request asks."""
        self.wrapped, self.who, self.history = asked.whole, asked.who, asked.history
        self.parts = asked.parts if len(asked.parts) > 1 else ()
        self.documents = (*self.documents, *asked.documents)

    def called(self, *names: str) -> None:
        """Tools that were called; without any, only that calls are reported."""
        self.tools = [*(self.tools or ()), *names]

    def weight(self) -> int:
        texts = (self.typed, self.wrapped, self.scanned, *self.documents, *self.history)
        return sum(len(words) for words in texts if words) + 200

    def turn(self) -> LogTurn:
        return LogTurn(
            place=self.place,
            reader=self.reader,
            id=self.id,
            session=self.session,
            time=self.time,
            who=self.who,
            ingress=self.ingress,
            typed=self.typed,
            wrapped=self.wrapped,
            parts=self.parts,
            documents=self.documents,
            scanned=self.scanned,
            typed_length=self.typed_length,
            wrapped_length=self.wrapped_length,
            head=self.head,
            outcome=self.outcome,
            tools=None if self.tools is None else tuple(self.tools),
            history=self.history,
            template=self.template,
            variables=self.variables,
            truncated=self.truncated,
        )


Kept = TypeVar("Kept")


class Gathering(Generic[Kept]):
    """What is open, by key. The one that was touched longest ago is closed first."""

    def __init__(self, weigh: Callable[[Kept], int]) -> None:
        self._open: OrderedDict[str, tuple[Kept, int]] = OrderedDict()
        self._weigh = weigh
        self._weight = 0

    def get(self, key: str) -> Kept | None:
        found = self._open.get(key)
        return found[0] if found else None

    def put(self, key: str, kept: Kept) -> Iterator[Kept]:
        """Keeps it as the newest, also again after a change; gives what has to be closed for that."""
        self.take(key)
        weight = self._weigh(kept)
        self._open[key] = (kept, weight)
        self._weight += weight
        while len(self._open) > MOST_OPEN or (self._weight > MOST_TEXT and len(self._open) > 1):
            _, (oldest, freed) = self._open.popitem(last=False)
            self._weight -= freed
            yield oldest

    def take(self, key: str) -> Kept | None:
        """Closes one."""
        found = self._open.pop(key, None)
        if found is None:
            return None
        self._weight -= found[1]
        return found[0]

    def rest(self) -> Iterator[Kept]:
        """Closes all, in the order in which they were touched."""
        while self._open:
            _, (kept, weight) = self._open.popitem(last=False)
            self._weight -= weight
            yield kept
