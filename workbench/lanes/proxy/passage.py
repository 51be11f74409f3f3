"""One connection of an app and the one to the upstream that belongs to it: they live and end together.

So the app sees the upstream as it is: what keeps a connection open, what closes it, and how it breaks.
"""

from __future__ import annotations

import asyncio
import os
import re
from typing import TYPE_CHECKING

from workbench.lanes.proxy.flow import Gate, reset, unread_by_peer
from workbench.lanes.proxy.framing import Framing, of_answer, of_request
from workbench.lanes.proxy.head import MOST_OF_A_HEAD, BadMessage, end_of_head, read_head
from workbench.lanes.proxy.refusal import Refused, own_answer
from workbench.lanes.proxy.rewriting import read_request
from workbench.lanes.proxy.sides import UpstreamSide

if TYPE_CHECKING:
    from workbench.lanes.proxy.call import Call
    from workbench.lanes.proxy.relay import Relay

__all__ = ["Passage"]

_MOST_WAITING = 64 * 1024
_LINGER = 5.0
"""Seconds in which an app that is still sending may read why it is not heard to the end."""
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?")
_METHOD = re.compile(rb"[!-~]+")


class Passage:
    """Bytes are passed on as they come; what they mean only decides what is recorded, and when it ends."""

    def __init__(self, relay: Relay) -> None:
        self.app_gate = Gate()
        self.upstream_gate = Gate()
        self._relay = relay
        self._app: asyncio.Transport | None = None
        self._upstream: asyncio.Transport | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._call: Call | None = None
        self._asking: Framing | None = None
        self._answering: Framing | None = None
        self._waiting = bytearray()
        self._looked = 0
        self._answer_head = bytearray()
        self._unsent: list[bytes] = []
        self._unsent_size = 0
        self._over = False

    @property
    def busy(self) -> bool:
        """Whether a call is on its way."""
        return self._call is not None

    # What the app does.

    def opened(self, transport: asyncio.Transport) -> None:
        self._app = transport
        self.app_gate.use(transport)
        self._relay.passages.add(self)

    def asked(self, data: bytes) -> None:
        if self._over:
            return  # it is told already that nobody listens
        if self._asking is not None and not self._asking.done:
            self._pass_body(data)
        else:
            self._waiting += data
        self._next()

    def app_left(self) -> None:
        if self._over:
            return
        self._over = True
        if self._connecting is not None:
            self._connecting.cancel()
        if self._call is None:
            if self._upstream is not None:
                self._upstream.close()
            return
        whole = self._answering is not None and self._answering.done
        self._finish("the app left before its request was whole" if whole else "the app left")
        if self._upstream is not None:
            self._upstream.abort()

    def gone(self) -> None:
        """The app's connection is no more."""
        self._relay.leave(self)

    def _next(self) -> None:
        """Begins with the next request, once the one before has its answer."""
        while self._call is None and not self._over:
            while self._waiting.startswith((b"\r", b"\n")):
                del self._waiting[:1]
            end = end_of_head(self._waiting, self._looked)
            if end is None:
                self._looked = len(self._waiting)
                if self._looked > MOST_OF_A_HEAD:
                    self._refuse(431, f"the head of the request is longer than {MOST_OF_A_HEAD:,} bytes")
                break
            raw = bytes(self._waiting[:end])
            rest = bytes(self._waiting[end:])
            self._waiting.clear()
            self._looked = 0
            self._begin(raw)
            if rest and not self._over:
                self._take_rest(rest)
        if self._call is not None and len(self._waiting) > _MOST_WAITING:
            self.app_gate.hold("an answer that is not there yet")
        else:
            self.app_gate.release("an answer that is not there yet")

    def _take_rest(self, rest: bytes) -> None:
        if self._asking is not None and not self._asking.done:
            self._pass_body(rest)
        else:
            self._waiting += rest

    def _begin(self, raw: bytes) -> None:
        try:
            head = read_head(raw)
            request = read_request(head, self._relay.upstream)
            call = self._relay.recording.begin(request.method, request.target, raw)
            self._call = call
            self._asking = of_request(head, call.sent)
        except Refused as error:
            self._refuse(error.status, str(error), raw)
            return
        except BadMessage as error:
            self._refuse(400, str(error), raw)
            return
        self._send(request.sent)
        if self._asking.done:
            call.sent_ms = call.elapsed()
        if self._upstream is None and self._connecting is None:
            self._connecting = asyncio.get_running_loop().create_task(self._connect())

    def _pass_body(self, data: bytes) -> None:
        assert self._asking is not None and self._call is not None
        try:
            end = self._asking.feed(data, 0)
        except BadMessage as error:
            self._refuse(400, str(error))
            return
        self._send(data if end == len(data) else data[:end])
        self._waiting += data[end:]
        if self._asking.done:
            self._call.sent_ms = self._call.elapsed()
            if self._is_whole():
                self._finish(None)
                self._after_call()

    def _send(self, data: bytes) -> None:
        if self._upstream is not None:
            self._upstream.write(data)
            return
        self._unsent.append(data)
        self._unsent_size += len(data)
        if self._unsent_size > _MOST_WAITING:
            self.app_gate.hold("no connection yet")

    # What the upstream does.

    async def _connect(self) -> None:
        try:
            await self._relay.connect(lambda: UpstreamSide(self))
        except OSError as error:  # of which those of TLS and of names are kinds
            self._connecting = None
            if not self._over:
                self._refuse(502, f"cannot connect to {self._relay.upstream.origin}: {_reason(error)}")

    def connected(self, transport: asyncio.Transport) -> None:
        self._connecting = None
        if self._over:
            transport.abort()
            return
        self._upstream = transport
        self.upstream_gate.use(transport)
        if self._call is not None:
            self._call.connect_ms = self._call.elapsed()
        transport.writelines(self._unsent)
        self._unsent.clear()
        self.app_gate.release("no connection yet")

    def answered(self, data: bytes) -> None:
        """An answer is put away before its last bytes are passed on: whoever has it finds it recorded."""
        if self._over or self._app is None:
            return
        call = self._call
        wrong: str | None = None
        if call is None or (self._answering is not None and self._answering.done):
            wrong = "the upstream sent more than its answer"
        else:
            if call.first_ms is None:
                call.first_ms = call.elapsed()
            try:
                if self._read_answer(call, data) < len(data):
                    wrong = "the upstream sent more than its answer"
            except BadMessage as error:
                wrong = f"the upstream's answer is no HTTP/1.1: {error}"
        if wrong is None and self._is_whole():
            self._finish(None)
        self._app.write(data)
        if wrong is not None:
            self._break_off(wrong, None)
        elif self._call is None:
            self._after_call()

    def _read_answer(self, call: Call, data: bytes) -> int:
        """Where the answer ends in `data`, or its length."""
        at = 0
        while self._answering is None:
            before = len(self._answer_head)
            self._answer_head += data[at:]
            end = end_of_head(self._answer_head, before)
            if end is None:
                if len(self._answer_head) > MOST_OF_A_HEAD:
                    raise BadMessage("its head is too long")
                return len(data)
            raw = bytes(self._answer_head[:end])
            self._answer_head.clear()
            at += end - before
            head = read_head(raw)
            found = _STATUS.fullmatch(head.line)
            if found is None:
                raise BadMessage("its first line is none")
            status = int(found[1])
            if status == 101:
                raise BadMessage("it switches to another protocol")
            if status >= 200:
                self._answering = of_answer(head, status, call.method, call.came)
                call.answer = raw
        return self._answering.feed(data, at)

    def upstream_left(self, exc: Exception | None) -> None:
        self._upstream = None
        if self._over:
            return
        answering = self._answering
        if self._call is None:
            self._over = True
            self._close_app()
        elif answering is not None and answering.open_ended and exc is None:
            self._over = True
            self._finish(None if self._is_asked() else "the upstream closed before the request was whole")
            self._close_app()
        else:
            self._break_off(_how_left(self._call, answering, exc), exc)

    # What ends a call.

    def _is_asked(self) -> bool:
        return self._asking is None or self._asking.done

    def _is_whole(self) -> bool:
        """Whether both the request and its answer are."""
        return self._answering is not None and self._answering.done and self._is_asked()

    def _after_call(self) -> None:
        if self._relay.ending:
            self.end()
        else:
            self._next()

    def _finish(self, error: str | None) -> None:
        if self._call is not None:
            self._relay.recording.finish(self._call, error)
        self._call = None
        if not self._over:
            self._asking = self._answering = None
            self._answer_head.clear()

    def _break_off(self, why: str, exc: Exception | None) -> None:
        """The app gets what came, and then an end such as the upstream's."""
        self._over = True
        self._finish(why)
        if self._upstream is not None:
            self._upstream.abort()
        if exc is None:
            self._close_app()
        else:
            self._reset_app()

    def _close_app(self) -> None:
        if self._app is None or self._app.is_closing():
            return
        if self._is_asked() or not self._app.can_write_eof():
            self._app.close()
            return
        # To close while more is coming would be a reset, and cost the app what it has not read yet.
        self._app.write_eof()
        self.app_gate.release("a slow upstream")
        self.app_gate.release("no connection yet")
        asyncio.get_running_loop().call_later(_LINGER, self._app.close)

    def _reset_app(self) -> None:
        if self._app is None or self._app.is_closing():
            return
        if unread_by_peer(self._app):
            asyncio.get_running_loop().call_later(0.005, self._reset_app)
        else:
            reset(self._app)

    def _refuse(self, status: int, why: str, raw: bytes = b"") -> None:
        """Answers in the upstream's place, so far as nothing has been answered, and ends the connection."""
        assert self._app is not None
        if self._call is None:
            parts = raw.split(b" ", 2)
            is_request = len(parts) == 3 and all(map(_METHOD.fullmatch, parts[:2]))
            method, target = parts[:2] if is_request else (b"-", b"/")
            self._call = self._relay.recording.begin(method, target, raw)
            self._asking = None
        call = self._call
        if call.answer is None and call.first_ms is None:
            head, body = own_answer(status, why)
            call.by = "proxy"
            call.answer = head
            call.first_ms = call.elapsed()
            self._app.write(head if call.method == b"HEAD" else head + body)
            if call.method != b"HEAD":
                call.came(body)
        self._break_off(why, None)

    def end(self) -> None:
        """Ends the connection where no call is on its way."""
        if self._call is None and not self._over:
            self._over = True
            if self._upstream is not None:
                self._upstream.close()
            self._close_app()

    def cut(self) -> None:
        """Ends it whatever is on its way."""
        if not self._over:
            self._over = True
            if self._connecting is not None:
                self._connecting.cancel()
            self._finish("the proxy was ended")
            if self._upstream is not None:
                self._upstream.abort()
        if self._app is not None:
            reset(self._app)


def _how_left(call: Call, answering: Framing | None, exc: Exception | None) -> str:
    how = "closed the connection" if exc is None else f"broke the connection ({_reason(exc)})"
    if call.first_ms is None:
        return f"the upstream {how} without an answer"
    if answering is not None and answering.done:
        return f"the upstream {how} before the request was whole"
    return f"the upstream {how} in the middle of its answer"


def _reason(error: Exception) -> str:
    if isinstance(error, ConnectionError) and error.errno:
        return os.strerror(error.errno)  # without the address, which the event loop's own words repeat
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
