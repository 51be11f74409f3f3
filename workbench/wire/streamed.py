"""A streamed body read: events go to the format's fold as they come, and the end is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from workbench.core.trial import Status
from workbench.wire.codec import Codec, Reply
from workbench.wire.draft import Draft, Ending, conclude, failed_reply
from workbench.wire.events import Event, EventParser, JsonLines
from workbench.wire.failures import error_in, failed
from workbench.wire.strict import NotJson, kind_of, parse, text_of

__all__ = ["Fold", "ReportedError", "Streamed", "event_object", "is_done"]


class ReportedError(Exception):
    """The stream reports an error, kept as `error`."""

    def __init__(self, error: Any) -> None:
        super().__init__("the stream reports an error")
        self.error = error


class Fold(Protocol):
    """Gathers the events of one stream."""

    @property
    def ended(self) -> bool:
        """Whether the stream has said that the answer is whole."""

    def take(self, event: Event) -> None:
        """One more event. Raises NotJson where it cannot be read, ReportedError where it is an error."""

    def draft(self) -> Draft:
        """What came so far."""


def event_object(event: Event) -> Mapping[str, Any]:
    """The object of an event. Raises NotJson where it is none, ReportedError where it holds an error."""
    value = parse(event.data)
    if not isinstance(value, dict):
        if event.name == "error":
            raise ReportedError(value)
        raise NotJson(f"it is {kind_of(value)}; expected an object")
    error = error_in(value)
    if error is not None:
        raise ReportedError(error)
    if event.name == "error":
        raise ReportedError(value)
    return value


def is_done(event: Event) -> bool:
    """Whether it is the chat format's last event, with which gateways end the streams of all formats."""
    return event.data.strip() == "[DONE]"


class Streamed:
    """The reader of one streamed answer."""

    def __init__(
        self,
        codec: Codec,
        http: int,
        headers: Mapping[str, str],
        routes: Sequence[str],
        parser: EventParser,
        fold: Fold,
        endings: Mapping[str, Ending],
    ) -> None:
        self._codec, self._http, self._headers, self._routes = codec, http, headers, routes
        self._parser, self._fold, self._endings = parser, fold, endings
        self._kept = bytearray()
        self._taken = 0
        self._problem: str | None = None
        self._reported: ReportedError | None = None

    def feed(self, chunk: bytes) -> None:
        self._kept += chunk
        if 200 <= self._http < 300:
            for event in self._parser.feed(chunk):
                self._take(event)

    def end(self) -> Reply:
        if not 200 <= self._http < 300:
            return self._whole()
        for event in self._parser.end():
            self._take(event)
        if not self._taken:
            return self._unstreamed()
        raw = text_of(bytes(self._kept))
        if self._reported is not None:
            return failed(self._reported.error, raw, headers=self._headers)
        if self._problem is not None:
            error = f"an event of the stream cannot be read: {self._problem}"
            return self._broken(Status.MALFORMED, error, raw)
        if not self._fold.ended:
            draft = self._fold.draft()
            begun = " within a call" if draft.calls else ""
            status = Status.MALFORMED if draft.calls or draft.problems else Status.ERROR
            return self._broken(status, f"the stream ended before the answer did{begun}", raw)
        return conclude(self._fold.draft(), self._endings, self._routes, raw)

    def _take(self, event: Event) -> None:
        if self._problem is not None or self._reported is not None:
            return
        try:
            self._fold.take(event)
        except NotJson as error:
            self._problem = str(error)
            if not self._taken and isinstance(self._parser, JsonLines):
                return  # no stream at all, but a page, or JSON over several lines
        except ReportedError as reported:
            self._reported = reported
        self._taken += 1

    def _whole(self) -> Reply:
        return self._codec.read(self._http, self._headers, bytes(self._kept), self._routes)

    def _unstreamed(self) -> Reply:
        """The reply of a server that did not stream, whatever it says of its content's type."""
        reply = self._whole()
        if reply.decision is None:
            return reply
        flags = (*reply.decision.flags, "answered without streaming")
        return replace(reply, decision=replace(reply.decision, flags=flags))

    def _broken(self, status: Status, error: str, raw: str) -> Reply:
        """A stream that is not whole; the next one may be."""
        return failed_reply(self._fold.draft(), status, error, raw, again=True)
