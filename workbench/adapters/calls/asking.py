"""One question to a service, asked again where that is safe and may help."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol

from workbench.adapters.calls.outage import Outage
from workbench.adapters.calls.pace import Pace, Turn
from workbench.adapters.calls.session import Arriving, Feed, Received, Sending, Session
from workbench.core.trial import Status
from workbench.wire.codec import Reply, StreamReader

__all__ = ["Asked", "Asker", "Patience", "Reading"]

_COMPLAINTS = (429, 529)
_FINAL = (Status.OK, Status.REFUSED, Status.TRUNCATED)


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a call is tried, and how long is waited between, in seconds.

    A service that complains of too many calls is tried `tries_of_complaint` times, one that was never
    there `tries_of_nobody` times. More than `most_asked` is not waited for, if a service asks for it.
    """

    tries: int = 5
    tries_of_complaint: int = 10
    tries_of_nobody: int = 3
    first: float = 0.5
    longest: float = 20.0
    most_asked: float = 120.0

    def wait(self, tried: int, asked: float | None) -> float:
        """Seconds until the next try: as asked, else twice as long each time; never all at the same time."""
        usual = min(self.longest, self.first * 2.0 ** min(tried - 1, 30)) * random.uniform(0.5, 1.0)
        return usual if asked is None else max(asked, 0.0) + min(usual, self.first * random.random())


class Reading(Protocol):
    """How an answer is read. Neither raises for what stands in it."""

    def whole(self, received: Received) -> Reply:
        """A body that is there."""

    def reader(self, http: int, headers: Mapping[str, str]) -> StreamReader | None:
        """A reader for a body that is read as it comes; None: it is read as a whole."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of it. `seconds` are those of the last of `tries`. `made` False: no answer is to be kept."""

    reply: Reply
    received: Received | None
    tries: int
    seconds: float
    made: bool = True


@dataclass(frozen=True, slots=True)
class _Told:
    """One try. `again`: another may go better."""

    reply: Reply
    received: Received | None
    again: bool = False
    nobody: bool = False

    @property
    def complains(self) -> bool:
        return self.received is not None and self.received.http in _COMPLAINTS

    @property
    def used(self) -> float | None:
        """Tokens; None where that is not known."""
        usage = self.reply.usage
        if usage is None:
            return 0.0 if self.complains or self.nobody else None
        return (usage.input or 0) + (usage.output or 0)


class Asker:
    """Asks one service. `repeatable`: a call that may have been carried out may be made again."""

    def __init__(
        self, session: Session, pace: Pace, timeout: float, patience: Patience, *, repeatable: bool
    ) -> None:
        self._session, self._pace = session, pace
        self._timeout, self._patience, self._repeatable = timeout, patience, repeatable
        self._answered = False

    async def ask(self, sending: Sending, reading: Reading, tokens: float = 0.0) -> Asked:
        """The last answer of as many tries as are sensible. `tokens`: what the call is likely to use."""
        tries = 0
        while True:
            turn = await self._pace.enter(tokens)
            began = perf_counter()
            used: float | None = None
            tries += 1
            try:
                told = await self._try(sending, reading)
                used = told.used
                wait = self._note(told, turn, tries)
            finally:
                self._pace.leave(turn, used)
            seconds = perf_counter() - began
            if told.again and told.reply.wait is not None and told.reply.wait > self._patience.most_asked:
                return _too_long(told, tries, seconds)
            if not told.again or tries >= self._most(told):
                self._answered = self._answered or not told.nobody
                return Asked(told.reply, told.received, tries, seconds)
            await asyncio.sleep(wait)

    def _note(self, told: _Told, turn: Turn, tries: int) -> float:
        """Tells the pace how it went; returns the seconds until the next try."""
        wait = self._patience.wait(tries, told.reply.wait)
        if told.complains:
            self._pace.complained(turn, told.reply.wait and min(told.reply.wait, self._patience.most_asked))
        elif told.received is not None:
            self._pace.went_well()
        return wait

    def _most(self, told: _Told) -> int:
        if told.nobody and not self._answered:
            return self._patience.tries_of_nobody
        return self._patience.tries_of_complaint if told.complains else self._patience.tries

    async def _try(self, sending: Sending, reading: Reading) -> _Told:
        reader: StreamReader | None = None

        def listen(http: int, headers: Mapping[str, str]) -> Feed | None:
            nonlocal reader
            reader = reading.reader(http, headers)
            return None if reader is None else reader.feed

        arriving = Arriving(listen)
        try:
            async with asyncio.timeout(self._timeout):
                await self._session.send(sending, arriving)
        except TimeoutError:
            error = f"no whole answer within {self._timeout:g} s"
            return _Told(Reply(Status.TIMEOUT, error=error), arriving.received)
        except Outage as outage:
            return self._broken(outage, arriving.received, reader)
        received = arriving.received
        assert received is not None
        if 300 <= received.http < 400:
            return _Told(_redirected(received, fatal=not self._answered), received)
        reply = reading.whole(received) if reader is None else reader.end()
        return _Told(reply, received, again=reply.again)

    def _broken(self, outage: Outage, received: Received | None, reader: StreamReader | None) -> _Told:
        """An answer that was whole before the connection broke is an answer, and is not asked for again."""
        if reader is not None and (reply := reader.end()).status in _FINAL:
            return _Told(reply, received)
        again = not outage.hopeless and (self._repeatable or not outage.sent)
        fatal = (outage.hopeless or outage.nobody) and not self._answered
        raw = received.body.decode("utf-8", "surrogateescape") if received is not None else None
        reply = Reply(Status.ERROR, error=str(outage), raw=raw or None, fatal=fatal)
        return _Told(reply, received, again, outage.nobody)


def _redirected(received: Received, *, fatal: bool) -> Reply:
    """A redirect would take a key, and what the user typed, to another address."""
    target = received.headers.get("location", "an address that it does not name")
    error = (
        f"HTTP {received.http}: the service redirects to {target}, which is not followed; put it into `url`"
    )
    return Reply(Status.ERROR, error=error, fatal=fatal)


def _too_long(told: _Told, tries: int, seconds: float) -> Asked:
    said = f": {told.reply.error}" if told.reply.error else ""
    error = f"the service asks to wait {told.reply.wait:.0f} s{said}; `--resume` goes on later"
    return Asked(replace(told.reply, error=error, fatal=True), told.received, tries, seconds, made=False)
