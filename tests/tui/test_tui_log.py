"""What a guest printed stands on the first tab: why it failed, and what its author wanted to know."""

from __future__ import annotations

from dataclasses import replace

from test_tui_page import TYPED, bare_reads, cell, lines_of, reads

from workbench.core.cell import Cell
from workbench.core.trial import Status
from workbench.core.turn import bare as bare_turn
from workbench.tui.view.document import compare_cells
from workbench.tui.view.ink import plain
from workbench.tui.view.log import LONGEST, MOST_LINES, log_section
from workbench.tui.view.page import Page
from workbench.tui.view.rows import Pair

HOSTILE = "[red]x[/] [@click=app.bell]\x1b]0;PWNED\x07 \u202eb\r"


def printing(made: Cell, *logs: str) -> Cell:
    """The same cell, whose trials printed these."""
    trials = tuple(replace(trial, log=log) for trial, log in zip(made.trials, logs, strict=True))
    return Cell(made.delivery, trials)


def failing(*logs: str) -> Cell:
    made = cell("reply", bare_turn(TYPED), *(Status.ERROR for _ in logs), error="KeyError: 'x'")
    return printing(made, *logs)


def text_of(baseline: Cell | None, variant: Cell) -> str:
    return "\n".join(lines_of(compare_cells(baseline, variant), 120))


def test_a_failure_is_explained_before_the_window() -> None:
    text = text_of(bare_reads(), failing("debug\nTraceback (most recent call last):\nKeyError: 'x'\n"))
    assert text.index("error: KeyError") < text.index("printed by the adapter")
    assert text.index("Traceback (most recent call last):") < text.index("─ window")


def test_the_log_of_an_answer_stands_below_what_was_read() -> None:
    text = text_of(None, printing(bare_reads(), "thinking about calendars\n"))
    assert text.index("─ window") < text.index("thinking about calendars")


def test_silence_takes_no_room() -> None:
    assert log_section(bare_reads(), failing("", " \n")) == []
    assert "printed" not in text_of(bare_reads(), failing(""))


def test_the_first_failure_tells_and_of_much_the_end() -> None:
    mixed = cell("reply", bare_turn(TYPED), reads(TYPED), Status.ERROR, error="it broke")
    text = text_of(None, printing(mixed, "all well", "\n".join(f"line {n}" for n in range(40))))
    assert "all well" not in text
    assert f"⋯ the last {MOST_LINES} lines of 40" in text
    assert "line 23" not in text and "line 24" in text and "line 39" in text


def test_what_was_printed_is_no_difference_and_obeys_nothing() -> None:
    document = compare_cells(bare_reads(), printing(bare_reads(), HOSTILE + "y" * 5000))
    text = "\n".join(lines_of(document, 120))
    assert document.differences == ()
    assert "[red]x[/] [@click=app.bell]␛]0;PWNED␇" in text and "‹U+202E›b␍" in text
    assert not set(text) & set("\x1b\x07\u202e\r")
    assert 0 < text.count("y") <= LONGEST


def test_the_lines_of_one_side_stay_together_where_there_is_one_column() -> None:
    before = printing(bare_reads(), "start\nbare 1\nbare 2\nend")
    document = compare_cells(before, failing("start\nwrapped 1\nwrapped 2\nend"))
    page = Page(document, 90, split=False)
    said = [plain(page.line(y)).split() for y in range(page.height)]
    logged = [line for line in said if {"start", "bare", "wrapped", "end"} & set(line) and len(line) < 4]
    assert logged[-6:] == [
        ["start"],
        ["-", "bare", "1"],
        ["-", "bare", "2"],
        ["+", "wrapped", "1"],
        ["+", "wrapped", "2"],
        ["end"],
    ]
    rows = log_section(before, failing("start\nwrapped 1"))
    assert not any(row.differs for row in rows if isinstance(row, Pair))
