"""Performing an explanation for a person at a terminal: the best so far as it goes, Ctrl-C, the exit code."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TextIO

from workbench.adapters.protocol import Adapter
from workbench.cli.exits import Exit
from workbench.cli.live_line import LiveLine
from workbench.cli.running import stoppable
from workbench.cli.streams import say
from workbench.core.text import SafeText, safe, visible
from workbench.explain.explaining import Options, Subject, explain
from workbench.explain.explanation import Ending, Explanation, Progress
from workbench.replay.executor import LocalExecutor

__all__ = ["SearchLine", "exit_of", "searched"]


async def searched(
    subject: Subject, adapters: Mapping[str, Adapter], options: Options, *, quiet: bool
) -> Explanation:
    """The explanation, with its progress on stderr; Ctrl-C ends it with the best so far."""
    line = SearchLine(quiet=quiet)
    with stoppable() as stop:
        async with LocalExecutor(adapters) as executor:
            found = await explain(subject, executor, options, stop, line)
        line.clear()
        for name, reason in executor.left.items():
            say(safe(f"workbench: {visible(name)}: {visible(reason)}"))
    return found


def exit_of(found: Explanation) -> Exit:
    """130 stopped, 3 where there was no answer at all, 0 with a cause, else 4."""
    if found.ending is Ending.STOPPED:
        return Exit.INTERRUPTED
    if found.ending is Ending.NO_ANSWER and found.failed >= found.calls:
        return Exit.NO_ANSWER
    return Exit.OK if found.names_a_cause else Exit.UNDECIDED


class SearchLine:
    """Hears of every call. On a terminal one line is redrawn; in a log there is one every ten seconds."""

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._told = LiveLine(stream)
        self._quiet = quiet
        self._clock = clock
        self._drawn = clock()
        self._every = 0.1 if self._told.live else 10.0

    def __call__(self, progress: Progress) -> None:
        now = self._clock()
        if self._quiet or now - self._drawn < self._every:
            return
        self._drawn = now
        self._told.write(self._line(progress))

    def clear(self) -> None:
        """Takes the line off a terminal."""
        self._told.clear()

    def _line(self, progress: Progress) -> SafeText:
        words = f"{progress.calls:,} of at most {progress.most:,} calls, {progress.stage}"
        if not progress.best:
            return safe(words)
        head = visible(progress.head.strip())
        return safe(f"{words}; {progress.characters:,} characters move it: {head}")
