"""Runs a program's guests, one per slot, and makes of each question a reply, whatever the guest does."""

from __future__ import annotations

import asyncio
import errno
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.adapters.process.guest import GRACE, Guest, Heard, Program
from workbench.adapters.process.messages import request_line
from workbench.adapters.protocol import Request
from workbench.core.trial import Status

__all__ = ["Host", "Reply"]

_LOADING = 120.0  # seconds that our worker may take to load the app, over several trials
_SUSPECT = 3  # starts in a row without one answer, after which a guest is watched before it is asked
_WATCH = 0.25  # seconds that a suspect is watched
_REST = 1.0  # seconds until a guest that dies without being asked is started again
_IMPATIENT = 0.05  # seconds of grace for guests of a program that has ignored the end of its input


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of one question. `status` ok: `body` is the answer as it came, not yet judged."""

    status: Status
    body: Mapping[str, object] = field(default_factory=dict)
    error: str | None = None
    raw: str | None = None
    log: str = ""
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class _Slot:
    """A place for one guest. `early` counts starts in a row that ended without an answer."""

    guest: Guest | None = None
    ending: asyncio.Task[None] | None = None
    early: int = 0
    resting: float = 0.0
    reason: str = ""


class Host:
    """Guests of one program, at most `slots` at once, each started when it is first needed.

    `timeout` bounds each question in seconds, the start of its guest included. `fresh`: a new
    guest for every question.
    """

    def __init__(self, program: Program, *, slots: int, timeout: float, fresh: bool = False) -> None:
        self._program = program
        self._timeout = timeout
        self._fresh = fresh
        self._slots = [_Slot() for _ in range(slots)]
        self._free = list(self._slots)
        self._vacant = asyncio.Semaphore(slots)
        self._grace = GRACE
        self._number = secrets.randbelow(1000)
        self._endings: set[asyncio.Task[None]] = set()

    async def ask(self, request: Request) -> Reply:
        """Put one question to a guest; what goes wrong with the guest is the reply."""
        async with self._vacant:
            slot = self._free.pop()
            try:
                return await self._ask(slot, request)
            except BaseException:
                if slot.guest is not None:
                    slot.guest.kill()
                    self._retire(slot)
                raise
            finally:
                self._free.append(slot)

    async def close(self) -> None:
        """End every guest and all that it started. When cancelled, they are killed at once."""
        guests = [slot.guest for slot in self._slots if slot.guest is not None]
        for slot in self._slots:
            self._retire(slot)
        try:
            while self._endings:
                await asyncio.wait(self._endings)
        except BaseException:
            for guest in guests:
                guest.kill()
            raise

    async def _ask(self, slot: _Slot, request: Request) -> Reply:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._timeout
        guest = await self._guest(slot, deadline)
        if isinstance(guest, Reply):
            return guest
        # Ids rise by steps that cannot be guessed: no answer can be written before its question.
        self._number += 1 + secrets.randbelow(997)
        answer = guest.ask(self._number, request_line(self._number, request))
        left = max(0.0, deadline - loop.time())
        await _first_of(answer, guest.gone, timeout=left)
        if answer.done():
            return self._answered(slot, guest, answer.result())
        if guest.gone.done():
            return self._ended(slot, guest)
        return self._timed_out(slot, guest)

    async def _guest(self, slot: _Slot, deadline: float) -> Guest | Reply:
        """A guest that may be asked, or the reply that says why there is none."""
        loop = asyncio.get_running_loop()
        while True:
            guest = slot.guest
            if guest is not None and (guest.gone.done() or (guest.deaf and not guest.bye)):
                self._retire(slot)
                guest = None
            if guest is None:
                if loop.time() < slot.resting:
                    return Reply(Status.ERROR, error=slot.reason)
                failure = await self._start(slot, deadline)
                if failure is not None:
                    return failure
                guest = slot.guest
                assert guest is not None
            left = max(0.0, deadline - loop.time())
            await _first_of(guest.ready, guest.gone, timeout=left)
            if guest.gone.done():
                if guest.bye:
                    continue  # it had said that it would end; the next one is asked
                return self._died_unasked(slot, guest)
            if guest.ready.done():
                return guest
            return self._still_loading(slot, guest)

    async def _start(self, slot: _Slot, deadline: float) -> Reply | None:
        if slot.ending is not None and not slot.ending.done():
            left = max(0.0, deadline - asyncio.get_running_loop().time())
            await asyncio.wait({slot.ending}, timeout=left)
        slot.guest = Guest(self._program)
        try:
            await slot.guest.start(watch=_WATCH if slot.early >= _SUSPECT else 0.0)
        except (OSError, ValueError) as problem:
            slot.guest.kill()  # it may have been started, and only its pipes have failed
            self._retire(slot)
            return Reply(Status.ERROR, error=_cannot_start(self._program, problem))
        return None

    def _answered(self, slot: _Slot, guest: Guest, heard: Heard) -> Reply:
        slot.early = 0
        guest.settle()
        status = Status.OK if heard.error is None else Status.MALFORMED
        reply = Reply(status, heard.body, heard.error, heard.raw, guest.log.take(), tuple(heard.flags))
        if self._fresh or guest.overflowed:
            self._retire(slot)
        return reply

    def _ended(self, slot: _Slot, guest: Guest) -> Reply:
        """The guest ended, or closed its output, with the question open."""
        how = guest.gone.result()
        raw = guest.take_unended() or None
        if not guest.answered:
            slot.early += 1
        error = f"{how} {'in the middle of' if raw else 'before'} its answer"
        if how == "exited with status 0" and not raw:
            error += "; a guest that answers once per start needs `restart: trial`"
        guest.settle()
        self._retire(slot)
        return Reply(Status.ERROR, error=error, raw=raw, log=guest.log.take())

    def _died_unasked(self, slot: _Slot, guest: Guest) -> Reply:
        when = f"while it loaded {self._program.loads}" if self._program.worker else "before it was asked"
        error = f"{guest.gone.result()} {when}"
        log = guest.log.take()
        if self._program.worker and "SyntaxError" in log and "worker.py" in log:
            error = f"{self._program.argv[0]} is too old: the app's interpreter has to be Python 3.8 or newer"
        slot.early += 1
        if slot.early >= _SUSPECT:
            slot.resting = asyncio.get_running_loop().time() + _REST
            slot.reason = f"{error}, as it did each time before; it is started once a second now"
        raw = guest.take_unended() or None
        self._retire(slot)
        return Reply(Status.ERROR, error=error, raw=raw, log=log)

    def _timed_out(self, slot: _Slot, guest: Guest) -> Reply:
        raw = guest.take_unended() or None
        error = f"no answer within {self._timeout:g} s"
        if raw:
            error += "; it began a line and did not end it"
        guest.settle()
        guest.kill()
        self._retire(slot)
        log = guest.log.take()
        if '"decision"' in log:
            error += "; it printed a decision without the question's id, and that is no answer"
        return Reply(Status.TIMEOUT, error=error, raw=raw, log=log)

    def _still_loading(self, slot: _Slot, guest: Guest) -> Reply:
        """It is not loaded yet. It goes on loading, so that the next trial may find it ready."""
        what = self._program.loads
        error = f"{what} was not loaded within {self._timeout:g} s; if it needs longer, raise `timeout`"
        if guest.bye or asyncio.get_running_loop().time() - guest.started > max(_LOADING, self._timeout):
            guest.kill()
            self._retire(slot)
        return Reply(Status.TIMEOUT, error=error, log=guest.log.take())

    def _retire(self, slot: _Slot) -> None:
        """End the slot's guest in the background; the slot is free for another one."""
        guest, slot.guest = slot.guest, None
        if guest is not None:
            slot.ending = asyncio.get_running_loop().create_task(self._end(guest))
            self._endings.add(slot.ending)
            slot.ending.add_done_callback(self._endings.discard)

    async def _end(self, guest: Guest) -> None:
        if not await guest.end(self._grace):
            self._grace = _IMPATIENT


async def _first_of(*futures: asyncio.Future[Any], timeout: float) -> None:
    await asyncio.wait(futures, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)


def _cannot_start(program: Program, problem: OSError | ValueError) -> str:
    """Why a program could not be started, and what to do about it."""
    name = program.argv[0]
    if not program.cwd.is_dir():
        return f"cannot start {name}: there is no folder {program.cwd} to start it in; see `cwd`"
    if "/" in name and Path(name).is_dir():
        return f"cannot start {name}: it is a folder"
    number = problem.errno if isinstance(problem, OSError) else None
    if number == errno.ENOENT and "/" in name and Path(name).exists():
        return f"cannot start {name}: the interpreter that its first line names is not there"
    if number == errno.ENOENT:
        where = "" if "/" in name else " on the PATH"
        return f"cannot start {name}: there is no such program{where}"
    if number == errno.EACCES:
        return f"cannot start {name}: it is not executable; chmod +x it, or name its interpreter before it"
    if number == errno.ENOEXEC:
        return f"cannot start {name}: it is no program; begin it with a line such as #!/bin/sh"
    reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
    return f"cannot start {name}: {reason}"
