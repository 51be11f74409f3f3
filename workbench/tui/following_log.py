"""A log that is followed: read in a thread of its own, and the newest of what came kept to be shown."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from workbench.core.errors import Problem, WorkbenchError

if TYPE_CHECKING:
    from workbench.capture.audit.watching import Seen, Watch

__all__ = ["MOST", "Follow", "FollowedLog", "LogReader"]

Follow: TypeAlias = "Callable[[Path], tuple[Watch, Iterator[Seen | str | None]]]"
"""Gives the counts of a watch and its news; the news are read in a thread. Raises WorkbenchError."""

MOST = 1000
"""Lines that are kept to be scrolled back to."""

PAUSE = 0.2
"""Seconds until a log is looked at again that had nothing new."""


class FollowedLog:
    """What came of a log: a turn, or a text for a piece that could not be read, the newest last.

    `began`: what the log held before has been passed. `dropped` lines came and are no longer kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: deque[Seen | str] = deque(maxlen=MOST)
        self.dropped = 0
        self.watch: Watch | None = None
        self.began = False
        self.problem: Problem | None = None

    def take(self, line: Seen | str) -> None:
        """One more line; the oldest gives way to it where there are too many."""
        self.dropped += len(self.lines) == MOST
        self.lines.append(line)


class Begun(NamedTuple):
    """The file could be opened, and this counts what comes of it."""

    watch: Watch


class LogReader:
    """Reads in a thread that waits for nobody and that nobody waits for: a log may be huge or on a slow disk.

    The thread puts what it read into a queue of limited length; `drain` takes it out, where the state is.
    """

    def __init__(self, log: FollowedLog, follow: Follow) -> None:
        self._log = log
        self._follow = follow
        self._news: Queue[Begun | Problem | Seen | str | None] = Queue(MOST)
        self._stop = Event()
        self._thread = Thread(target=self._read, name="follow a log", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read no further; returns at once."""
        self._stop.set()

    @property
    def busy(self) -> bool:
        """Whether the thread is still there."""
        return self._thread.is_alive()

    def drain(self) -> bool:
        """Hand on to the log what was read since; says whether there was anything new."""
        log = self._log
        found = False
        for _ in range(MOST):
            try:
                news = self._news.get_nowait()
            except Empty:
                break
            if news is None:
                found |= not log.began
                log.began = True
                continue
            found = True
            if isinstance(news, Problem):
                log.problem = news
            elif isinstance(news, Begun):
                log.watch = news.watch
            else:
                log.take(news)
        return found

    def _read(self) -> None:
        try:
            watch, news = self._follow(self._log.path)
            self._put(Begun(watch))
            for item in news:
                if self._stop.is_set():
                    return
                self._put(item)
                if item is None and self._stop.wait(PAUSE):
                    return
            problem = Problem("the log has come to an end", hint="follow it anew")
        except WorkbenchError as error:
            problem = error.problems[0]
        except OSError as error:
            problem = Problem(f"it cannot be read: {error.strerror or error}")
        except Exception as error:
            hint = "this is a fault of the workbench; please report it"
            problem = Problem(f"{type(error).__name__}: {error}", hint=hint)
        self._put(problem)

    def _put(self, news: Begun | Problem | Seen | str | None) -> None:
        """Wait for room, but not once nobody reads any more."""
        while not self._stop.is_set():
            try:
                self._news.put(news, timeout=PAUSE)
            except Full:
                continue
            return
