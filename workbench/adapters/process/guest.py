"""One running guest: its pipes, its log, the question it was asked, and its end."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workbench.adapters.process import group
from workbench.adapters.process.lines import Lines, Tail, cut
from workbench.adapters.process.messages import Garbled, Said, read

__all__ = ["GRACE", "Guest", "Heard", "Program"]

GRACE = 1.0
"""Seconds that a guest has to end by itself once its input has ended."""

_TERMINATED = 0.5  # seconds from SIGTERM to SIGKILL
_KILLED = 5.0  # seconds that the kernel has to carry out a SIGKILL
_PIPES = 0.3  # seconds that a dead guest's pipes have to end; a process that left its group may hold them
_MANY = 100  # lines of one chunk; without an answer among them they are logged in one go
_READY = b'{"worker": "ready"}'
_CLOSED = 1.0  # seconds that a guest which closed its output has to end


@dataclass(frozen=True, slots=True)
class Program:
    """What to start. `hello` is written before the first question.

    `worker`: it is our own worker, which says when it is ready for a question. `loads` is what it loads
    before that, for messages.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    hello: bytes = b""
    worker: bool = False
    loads: str = "the app"


@dataclass(slots=True)
class Heard:
    """What a question brought: an answer's `body`, or what was wrong with the line that came instead."""

    body: Mapping[str, object] = field(default_factory=dict)
    error: str | None = None
    raw: str | None = None
    flags: list[str] = field(default_factory=list)


class Guest(asyncio.SubprocessProtocol):
    """One process. `ready` is done when a question may be asked, `gone` when no answer can come any more.

    `gone` says how it ended. `bye` tells that it said it would end after its last answer.
    """

    def __init__(self, program: Program) -> None:
        loop = asyncio.get_running_loop()
        self.program = program
        self.pid = 0
        self.started = loop.time()
        self.answered = 0
        self.bye = False
        self.unended = b""
        self.log = Tail()
        self.ready: asyncio.Future[None] = loop.create_future()
        self.gone: asyncio.Future[str] = loop.create_future()
        self._loop = loop
        self._mark = secrets.token_hex(8)
        self._lines = Lines()
        self._exited: asyncio.Future[int] = loop.create_future()
        self._open = {1, 2}
        self._number: int | None = None
        self._answer: asyncio.Future[Heard] | None = None
        self._past: set[int] = set()
        self._transport: asyncio.SubprocessTransport | None = None
        self._input: asyncio.WriteTransport | None = None

    async def start(self, *, watch: float = 0.0) -> None:
        """Start the program; it is ready `watch` seconds later, unless it says so itself.

        Raises OSError or ValueError where it cannot be started.
        """
        if sys.platform == "win32":
            transport = await self._spawn(asyncio.subprocess.PIPE)
            self._input = transport.get_pipe_transport(0)  # type: ignore[assignment]
        else:
            # A pipe of our own: asyncio may give a socket, which a shell cannot open as /dev/stdin.
            theirs, ours = os.pipe()
            stream = os.fdopen(ours, "wb", buffering=0)
            try:
                await self._spawn(theirs)
                self._input, _ = await self._loop.connect_write_pipe(asyncio.BaseProtocol, stream)
            except BaseException:
                stream.close()
                raise
            finally:
                os.close(theirs)
        self._write(self.program.hello)
        if not self.program.worker:
            if watch:
                self._loop.call_later(watch, self._be_ready)
            else:
                self._be_ready()

    async def _spawn(self, stdin: int) -> asyncio.SubprocessTransport:
        transport, _ = await self._loop.subprocess_exec(
            lambda: self,
            *self.program.argv,
            stdin=stdin,
            cwd=self.program.cwd,
            env={**self.program.env, group.MARK: self._mark},
            **group.start_options(),
        )
        return transport

    @property
    def deaf(self) -> bool:
        """Whether its input is closed, so that no further question can reach it."""
        return self._input is None or self._input.is_closing()

    @property
    def overflowed(self) -> bool:
        """Whether it wrote a line past the cap, after which nothing of it is read."""
        return self._lines.overlong is not None

    def ask(self, number: int, line: bytes) -> asyncio.Future[Heard]:
        """Write one question; the future is done when a line answers it, or a wrong one came instead."""
        self._number = number
        self._answer = self._loop.create_future()
        self._write(line)
        return self._answer

    def settle(self) -> None:
        """The question is over: what still comes for it is late."""
        if self._number is not None:
            self._past.add(self._number)
        self._number = self._answer = None

    def take_unended(self) -> str:
        """The line that the guest has begun and not ended, for a report."""
        return cut((self.unended or self._lines.take_unfinished()).decode("utf-8", "backslashreplace"))

    def kill(self) -> None:
        """End the guest and its group now, without a chance to tidy up."""
        if self.pid and not self._exited.done():
            group.kill_group(self.pid)
        if self._input is not None and not self._input.is_closing():
            self._input.abort()

    async def end(self, grace: float = GRACE) -> bool:
        """End the guest: its input ends, then SIGTERM, then SIGKILL, each to the whole group.

        Returns whether it ended by itself. Whatever happens meanwhile, it is killed at the end.
        """
        if self._transport is None:
            return True  # it never ran
        gently = False
        try:
            gently = await self._end_gently(grace)
        finally:
            self.kill()
        await asyncio.wait({self._exited}, timeout=_KILLED)
        await asyncio.to_thread(group.kill_strays, self._mark)
        self._transport.close()
        return gently

    async def _end_gently(self, grace: float) -> bool:
        if self._input is not None and not self._input.is_closing():
            if self._input.get_write_buffer_size():
                self._input.abort()  # it does not read: no end of input would ever reach it
            else:
                self._input.close()
        await asyncio.wait({self._exited}, timeout=grace)
        if self._exited.done():
            return True
        group.terminate_group(self.pid)
        await asyncio.wait({self._exited}, timeout=_TERMINATED)
        return False

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid() or 0

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.log.add(data)
            return
        lines = self._lines.feed(data)
        noise = lines[1:] if len(lines) > _MANY and b'"id"' not in data else []
        for line in lines[: len(lines) - len(noise)]:
            self._take(line)
        if noise:
            self.log.add(b"\n".join(noise) + b"\n")
        if self._lines.overlong is not None:
            raw = self._lines.overlong.decode("utf-8", "backslashreplace")
            self._tell(Heard(error="one line grew past 256 MB without an end", raw=cut(raw)))
            self.kill()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open.discard(fd)
        if fd == 1:
            self._last_line(self._lines.take_unfinished())
            if not self._exited.done():
                self._loop.call_later(_CLOSED, self._be_gone, "closed its output and went on running")
        self._be_gone_if_silent()

    def process_exited(self) -> None:
        assert self._transport is not None
        # What it started and left behind would hold its pipes, and outlive the run.
        group.kill_group(self.pid)
        status = self._transport.get_returncode()
        self._exited.set_result(-1 if status is None else status)
        self._be_gone_if_silent()
        self._loop.call_later(_PIPES, self._be_gone)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._transport.close()  # it is over already; this only says so

    # What its lines mean.

    def _take(self, line: bytes) -> None:
        heard = read(line)
        if isinstance(heard, Said) and heard.whole:
            self._hear(heard)
        elif isinstance(heard, Said) and self._answers(heard):
            keys = ", ".join(heard.body)
            why = f'the answer has neither "decision" nor "error"; it has {keys}'
            self._tell(Heard(error=why, raw=heard.raw))
        elif isinstance(heard, Garbled):
            self._tell(Heard(error=heard.error, raw=heard.raw))
        elif self.program.worker and line == _READY:
            self._be_ready()
        else:
            self.log.add(line + b"\n")

    def _answers(self, said: Said) -> bool:
        """Whether it names the question that waits for its answer."""
        waits = self._answer is not None and not self._answer.done()
        return waits and type(said.number) is int and said.number == self._number

    def _hear(self, said: Said) -> None:
        number = said.number
        if type(number) is int and number == self._number:
            if self._answer is not None and not self._answer.done():
                self._accept(said.body)
                return
            if self._answer is not None and not self._answer.cancelled():
                self._answer.result().flags.append("answered twice; the first answer counts")
        if type(number) is int and (number in self._past or number == self._number):
            self._note(f"a second answer to question {number} is ignored")
            return
        self._note(f"an answer to {number!r:.40}, which was not asked, is ignored")
        error = f"it answered id {number!r:.40}, which was never asked; the question was id {self._number}"
        self._tell(Heard(error=error, raw=said.raw))

    def _accept(self, body: Mapping[str, object]) -> None:
        self.answered += 1
        if self.program.worker and body.get("stopping"):
            self.ready = self._loop.create_future()
            self.bye = True
        self._tell(Heard(body))

    def _tell(self, heard: Heard) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(heard)
        elif heard.error is not None and heard.raw:
            self.log.add(heard.raw.encode("utf-8", "surrogatepass") + b"\n")

    def _last_line(self, line: bytes) -> None:
        """A line that its writer's end has ended is whole if it reads as an answer, else a torn one."""
        if isinstance(read(line), Said):
            self._take(line)
        else:
            self.unended = line

    def _note(self, words: str) -> None:
        self.log.add(f"[workbench: {words}]\n".encode("utf-8", "backslashreplace"))

    def _write(self, data: bytes) -> None:
        if self._input is not None and not self._input.is_closing():
            self._input.write(data)

    def _be_ready(self) -> None:
        self.bye = False
        if not self.ready.done():
            self.ready.set_result(None)

    def _be_gone_if_silent(self) -> None:
        if self._exited.done() and not self._open:
            self._be_gone()

    def _be_gone(self, how: str | None = None) -> None:
        if not self.gone.done():
            if self._exited.done():
                how = group.describe_exit(self._exited.result())
            self.gone.set_result(how or "ended")
