"""What `lanes proxy` says while it runs, written by a thread of its own: a slow reader holds no call up."""

from __future__ import annotations

import json
import queue
import threading
from typing import TYPE_CHECKING, Any, TextIO

from workbench.cli.streams import discard_stdout, masked, say
from workbench.core.text import SafeText, join, safe, visible
from workbench.lanes.proxy.upstream import Upstream, base_urls

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.lanes.proxy.relay import Relay
    from workbench.lanes.proxy.session import Outcome

__all__ = ["Lines", "call_line"]

_WAITING = 10_000
"""Lines that wait for a slow reader; more are counted instead. The recording holds every call."""


class Lines:
    """stdout has the base URLs and a line per call, stderr the talk."""

    def __init__(
        self, stream: TextIO, form: str, upstream: Upstream, recording: Path, *, quiet: bool
    ) -> None:
        self._stream = stream
        self._json = form == "json"
        self._upstream = upstream
        self._recording = recording
        self._quiet = quiet
        self._missed = 0
        self._wrong = 0
        self._troubles: set[str] = set()
        self._queue: queue.SimpleQueue[tuple[str, SafeText] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="proxy-lines", daemon=True)
        self._writer.start()

    def began(self, relay: Relay) -> None:
        urls = base_urls(relay.url, self._upstream)
        if self._json:
            listening = {"url": relay.url, "port": relay.port, "upstream": self._upstream.url}
            listening |= {"recording": str(self._recording), "variables": urls}
            self._put_json({"listening": listening})
        else:
            for name, url in urls.items():
                self._put("out", safe(f"{name}={url}"))
        place = visible(str(self._recording))
        self._talk(safe(f"workbench: {relay.url} passes on to {visible(self._upstream.url)}"))
        self._talk(safe(f"workbench: recording to {place}; Ctrl-C ends it"))

    def call(self, told: dict[str, Any]) -> None:
        self._wrong += told["error"] is not None
        if self._queue.qsize() > _WAITING:
            self._missed += 1
        elif self._json:
            self._put_json({"call": told})
        else:
            self._put("out", call_line(told))

    def trouble(self, why: str) -> None:
        """Each kind is told once: a full disk would tell it with every call."""
        if why not in self._troubles:
            self._troubles.add(why)
            self._put("err", safe(f"workbench: {visible(why)}"))

    def ending(self, calls: int) -> None:
        many = "1 call is" if calls == 1 else f"{calls:,} calls are"
        self._talk(safe(f"workbench: {many} still on the way; Ctrl-C again cuts them off"))

    def ended(self, outcome: Outcome) -> None:
        """The sum, once everything before it is written."""
        lost = outcome.calls - outcome.recorded
        if self._json:
            summary = {"calls": outcome.calls, "recorded": outcome.recorded, "cut": outcome.cut}
            self._put_json({"workbench": 1, "findings": [], "summary": {**summary, "faults": self._wrong}})
        calls = "1 call" if outcome.calls == 1 else f"{outcome.calls:,} calls"
        parts = [f"workbench: {calls}, {self._wrong:,} broken off or refused"]
        if outcome.cut:
            parts.append(f"{outcome.cut:,} of them cut at the end")
        if self._missed:
            parts.append(f"{self._missed:,} not shown here, since this was read too slowly")
        parts.append(f"recorded in {visible(str(self._recording))}")
        self._talk(safe("; ".join(parts)))
        if lost:
            self._put("err", safe(f"workbench: {lost:,} of them could not be recorded"))
        self.close()

    def close(self) -> None:
        self._queue.put(None)
        self._writer.join()

    def _talk(self, line: SafeText) -> None:
        if not self._quiet:
            self._put("err", line)

    def _put(self, where: str, line: SafeText) -> None:
        self._queue.put((where, line))

    def _put_json(self, value: dict[str, Any]) -> None:
        self._put("out", safe(json.dumps(value, ensure_ascii=True)))

    def _write(self) -> None:
        """Whoever reads stdout may leave; the recording goes on."""
        gone = False
        while (item := self._queue.get()) is not None:
            where, line = item
            if where == "err":
                say(line)
            elif not gone:
                try:
                    self._stream.write(f"{line}\n")
                    self._stream.flush()
                except OSError:
                    gone = True
                    discard_stdout()


def call_line(told: dict[str, Any]) -> SafeText:
    """`POST /v1/chat/completions  200  1,204 ms  sent 3,140 chars`, and what went wrong."""
    status = "---" if told["status"] is None else str(told["status"])
    parts = [
        visible(f"{told['method']} {told['path']}"),
        safe(status),
        safe(f"{told['ms']:,.0f} ms"),
    ]
    if told["chars"] is not None:
        parts.append(safe(f"sent {told['chars']:,} chars"))
    if told["error"] is not None:
        parts.append(safe(f"<- {visible(masked(told['error']))}"))
    return join(parts, "  ")
