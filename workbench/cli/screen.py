"""`workbench` without a verb: the screen on this workspace."""

from __future__ import annotations

import gc
import sys

from workbench.cli.exits import Exit
from workbench.cli.streams import has_terminal, say
from workbench.core.text import safe

__all__ = ["act"]

_NO_TERMINAL = """\
workbench: the screen needs a terminal, and there is none here.
  workbench run        runs every scenario and prints a report
  workbench list scenarios
  workbench --help     says what else there is"""


def act() -> int:
    """Open the screen; with no terminal say what else there is. Returns the exit code."""
    # The screen reads stdin and draws on stderr, so that stdout stays free.
    if not (has_terminal(sys.stdin) and has_terminal(sys.stderr)):
        say(safe(_NO_TERMINAL))
        return Exit.USAGE
    # Until the first frame stands all that is made is there to stay: looking for garbage finds none, and
    # takes a tenth of the time. The screen turns it on again.
    gc.disable()
    from workbench.cli.opening import open_screen

    return open_screen()
