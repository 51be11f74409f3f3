"""The process that writes the recording: it masks and unpacks while the proxy streams, at its own pace.

It lives on when the proxy is killed, until all that had ended is written.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import sys
import time
from typing import Any

from workbench.lanes.proxy.entry import entry_of
from workbench.lanes.proxy.spool import Ended, ended_in

__all__ = ["main"]

_NICE = 5  # streaming comes first
_BELL = 4096
_AGAIN = 1.0
_LAST_TRIES = 3
_TAIL = 128 * 1024
_ID = re.compile(rb'"_id":"([0-9a-f-]+)"')


class _Recorder:
    """`last`: the id of the call that the recording ends with. `places`: how far each reel is recorded."""

    def __init__(
        self,
        origin: str,
        recording: int,
        bell: int,
        back: int,
        reels: list[int],
        places: list[int],
        last: str,
    ) -> None:
        self._origin = origin
        self._recording = recording
        self._bell = bell
        self._back = back
        self._reels = reels
        self._places = places
        self._last = last

    def run(self) -> None:
        """Until the proxy closes its end, or dies."""
        while True:
            rung = os.read(self._bell, _BELL)
            for number in range(len(self._reels)):
                self._write_all(number)
            for number in {byte - ord("0") for byte in rung} & set(range(len(self._reels))):
                os.ftruncate(self._reels[number], 0)  # all of it is read, and nobody writes to it now
                self._places[number] = 0
                self._tell({"emptied": number})
            if not rung:
                return

    def _write_all(self, number: int) -> None:
        for call in ended_in(self._reels[number], self._places[number]):
            told = self._recorded(call)
            self._places[number] = call.end
            self._tell({"reel": number, "end": call.end, "call": told})

    def _recorded(self, call: Ended) -> dict[str, Any]:
        """Writes the entry, as one line and at once, and tries for as long as the disk is full."""
        entry, told = _entry(call, self._origin)
        if entry["_id"] == self._last:
            return told  # the one before this died between writing and telling
        line = json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
        tries = 0
        while True:
            before = os.fstat(self._recording).st_size
            try:
                rest = memoryview(line)
                while rest:
                    rest = rest[os.write(self._recording, rest) :]
                return told
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._recording, before)  # it is locked: what came after it is ours
                tries += 1
                if tries >= _LAST_TRIES and self._is_alone():
                    raise
                self._tell({"trouble": error.strerror or str(error)})
                time.sleep(_AGAIN)

    def _is_alone(self) -> bool:
        """Whether the proxy has closed its end; what it has rung stays to be read."""
        poll = select.poll()
        poll.register(self._bell, select.POLLIN)
        return any(event & select.POLLHUP for _, event in poll.poll(0))

    def _tell(self, told: dict[str, Any]) -> None:
        if self._back < 0:
            return
        rest = memoryview(json.dumps(told, separators=(",", ":")).encode("ascii") + b"\n")
        try:
            while rest:
                rest = rest[os.write(self._back, rest) :]
        except OSError:  # the proxy is gone; the recording is not
            self._back = -1


def main(arguments: list[str]) -> int:
    """`origin`, then descriptors: the recording, the bell, the way back, the reels; then their places."""
    origin, *numbers = arguments
    recording, bell, back, *rest = map(int, numbers)
    half = len(rest) // 2
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    try:
        last = _last(recording)
        _Recorder(origin, recording, bell, back, rest[:half], rest[half:], last).run()
    except OSError as error:
        print(f"workbench: the recording cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _last(recording: int) -> str:
    """The id of the last call in it, "" without one. What a crash has torn stays, as a line of its own."""
    size = os.fstat(recording).st_size
    tail = os.pread(recording, _TAIL, max(0, size - _TAIL))
    if tail and not tail.endswith(b"\n"):
        os.write(recording, b"\n")
        return ""
    ids = _ID.findall(tail.rstrip(b"\n").rpartition(b"\n")[2])
    return ids[-1].decode("ascii") if ids else ""


def _entry(call: Ended, origin: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entry, and what is told of it. One that cannot be made costs no other call."""
    try:
        recorded = entry_of(call, origin)
        return recorded.entry, recorded.told()
    except Exception as error:
        kind = type(error).__name__
        told = {
            "method": call.told["method"],
            "path": "",
            "status": None,
            "ms": call.told["ms"],
            "chars": None,
        }
        told |= {"id": call.told["id"], "bytes": 0, "complete": False, "error": f"not recorded: {kind}"}
        return {"_id": call.told["id"], "_error": f"this call could not be recorded: {kind}"}, told
