"""The proxy's end of its recording: a file, a spool, and the process that fills the one from the other."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.lanes.proxy.call import Call
from workbench.lanes.proxy.spool import Spool

__all__ = ["Recording", "Told"]

Told = dict[str, Any]

_RESTARTS = 3
"""How often in a row the writing process may die before it is given up."""
_READ = 1 << 16
_CODE = "import sys; sys.path.append(sys.argv.pop(1)); from workbench.lanes.proxy.recorder import main; "
_CODE += "sys.exit(main(sys.argv[1:]))"


class Recording:
    """`on_call` is given what is told of each call once it is recorded, `on_trouble` what goes wrong."""

    def __init__(
        self,
        path: Path,
        origin: str,
        *,
        on_call: Callable[[Told], None],
        on_trouble: Callable[[str], None],
    ) -> None:
        """Raises WorkbenchError where no recording can be written there."""
        self.path = path
        self.begun = 0
        self.ended = 0
        self.recorded = 0
        self._origin = origin
        self._on_call = on_call
        self._on_trouble = on_trouble
        self._session = secrets.token_hex(4)
        self._file = _opened(path)
        try:
            self._spool = Spool.make(path.parent)
        except OSError as error:
            os.close(self._file)
            raise _cannot(path, error) from None
        self._deaths = 0
        self._bell = -1
        self._draining = False
        self._gone = asyncio.Event()
        self._start()

    def begin(self, method: bytes, target: bytes, head: bytes) -> Call:
        """A call that is to be recorded; `finish` has to follow."""
        self.begun += 1
        return Call(f"{self._session}-{self.begun:06}", method, target, head, self._spool.begin())

    def finish(self, call: Call, error: str | None = None) -> None:
        """Hands it over. `error`: why it is not complete."""
        self.ended += 1
        call.end(error)
        if call.lost is not None:
            self._on_trouble(f"a call is not recorded: {call.lost}")
        self._ring(b".")

    async def close(self) -> None:
        """Waits until all that has ended is written."""
        self._draining = True
        self._hang_up()
        await self._gone.wait()
        self._spool.close()
        os.close(self._file)

    def _start(self) -> None:
        bell, self._bell = os.pipe()
        self._back, back = os.pipe()
        os.set_blocking(self._bell, False)
        os.set_blocking(self._back, False)
        reels = self._spool.reels
        handles = (self._file, bell, back, *(reel.handle for reel in reels))
        places = (str(reel.kept) for reel in reels)
        root = str(Path(__file__).resolve().parents[3])
        command = [sys.executable, "-P", "-c", _CODE, root, self._origin, *map(str, handles), *places]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=handles,
                start_new_session=True,  # Ctrl-C is for the proxy alone
            )
        finally:
            os.close(bell)
            os.close(back)
        self._rest = b""
        asyncio.get_running_loop().add_reader(self._back, self._heard)
        self._ring(b".")

    def _ring(self, signs: bytes) -> bool:
        try:
            return os.write(self._bell, signs) == len(signs)
        except BlockingIOError:
            return False  # so much is rung already that it will look
        except OSError:
            return False  # it is gone, which is heard from the other pipe

    def _heard(self) -> None:
        try:
            data = os.read(self._back, _READ)
        except BlockingIOError:
            return
        if not data:
            self._died()
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line))
        for number in self._spool.to_empty():
            self._spool.reels[number].emptying = self._ring(b"%d" % number)

    def _take(self, told: Told) -> None:
        if "trouble" in told:
            self._on_trouble(f"the recording cannot be written, and is tried again: {told['trouble']}")
        elif "emptied" in told:
            self._spool.emptied(told["emptied"])
        else:
            self._deaths = 0
            self.recorded += 1
            self._spool.reels[told["reel"]].kept = told["end"]
            self._on_call(told["call"])

    def _died(self) -> None:
        """At the end, as it should; else another one takes over where it stopped."""
        asyncio.get_running_loop().remove_reader(self._back)
        os.close(self._back)
        code = self._process.wait()
        if self._draining and code == 0:
            self._gone.set()
            return
        self._deaths += 1
        if self._deaths > _RESTARTS:
            self._on_trouble("the process that writes the recording died too often; nothing more is recorded")
            self._gone.set()
            return
        self._hang_up()
        for reel in self._spool.reels:
            reel.emptying = False
        self._start()
        if self._draining:
            self._hang_up()

    def _hang_up(self) -> None:
        if self._bell >= 0:
            os.close(self._bell)
            self._bell = -1


def _opened(path: Path) -> int:
    """A file that only its owner can read, locked against a second proxy. Raises WorkbenchError."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise _cannot(path, error) from None
    try:
        _check(handle, path)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _check(handle: int, path: Path) -> None:
    import fcntl

    if not stat.S_ISREG(os.fstat(handle).st_mode):
        raise WorkbenchError(Problem("this is no file", Mark(str(path)), "name a file, such as rec.jsonl"))
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        message = "another proxy is recording into this file"
        raise WorkbenchError(Problem(message, Mark(str(path)), "name another file with --record")) from None
    first = os.pread(handle, 4096, 0)
    if first and not first.startswith((b'{"startedDateTime":', b'{"_id":')):
        message = "this file holds something else than a proxy's recording"
        raise WorkbenchError(Problem(message, Mark(str(path)), "name a new file with --record"))


def _cannot(path: Path, error: OSError) -> WorkbenchError:
    message = f"no recording can be written: {error.strerror or error}"
    return WorkbenchError(
        Problem(message, Mark(str(path)), "name a file in a folder that is there and yours")
    )
