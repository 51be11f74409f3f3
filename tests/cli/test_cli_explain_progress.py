"""How a search is told while it goes on, and what its end comes to as an exit code."""

from __future__ import annotations

import io

import pytest

from workbench.cli.exits import Exit
from workbench.cli.explaining import SearchLine, exit_of
from workbench.core.cell import CellKey
from workbench.core.text import is_invisible
from workbench.core.turn import bare
from workbench.explain.explanation import Ending, Explanation, Progress
from workbench.explain.material import material_of

TOLD = Progress(12, 200, "looking at lines", ((3, 12),), 9, "an \x1b[31memail")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_terminal_has_one_line_that_is_redrawn_and_taken_away() -> None:
    out, clock = Terminal(), Clock()
    line = SearchLine(out, clock=clock)
    line(TOLD)
    assert out.getvalue() == "", "not before a tenth of a second"
    clock.now = 0.2
    line(TOLD)
    drawn = out.getvalue().removeprefix("\r\x1b[2K")
    assert drawn.startswith("12 of at most 200 calls, looking at lines; 9 characters move it: an ")
    assert not any(is_invisible(char) for char in drawn)
    line.clear()
    assert out.getvalue().endswith("\r\x1b[2K")


def test_a_log_has_a_line_every_ten_seconds() -> None:
    out, clock = io.StringIO(), Clock()
    line = SearchLine(out, clock=clock)
    for second in range(31):
        clock.now = float(second)
        line(TOLD)
    line.clear()
    assert out.getvalue().count("\n") == 3
    assert "\x1b" not in out.getvalue()


def test_quiet_says_nothing() -> None:
    out, clock = Terminal(), Clock()
    line = SearchLine(out, quiet=True, clock=clock)
    clock.now = 60.0
    line(TOLD)
    line.clear()
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    ("ending", "calls", "failed", "code"),
    [
        (Ending.WORDS, 20, 0, Exit.OK),
        (Ending.PLACE, 20, 0, Exit.OK),
        (Ending.DELIVERY, 3, 0, Exit.OK),
        (Ending.NOTHING, 2, 0, Exit.UNDECIDED),
        (Ending.OUT_OF_CALLS, 200, 0, Exit.UNDECIDED),
        (Ending.NO_ANSWER, 20, 3, Exit.UNDECIDED),
        (Ending.NO_ANSWER, 2, 2, Exit.NO_ANSWER),
        (Ending.NO_ANSWER, 0, 0, Exit.NO_ANSWER),
        (Ending.STOPPED, 20, 0, Exit.INTERRUPTED),
    ],
)
def test_the_exit_code_of_every_ending(ending: Ending, calls: int, failed: int, code: Exit) -> None:
    key = CellKey("s", "1", "channel", "a")
    found = Explanation(key, "go", material_of(bare("go")), ending, calls=calls, failed=failed)
    assert exit_of(found) is code
