"""Several readers of one turn on the screen: each under its own heading, held against itself."""

from __future__ import annotations

from dataclasses import replace

from tui_made import made_turn

from workbench.core.cell import BARE, Cell, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, Window, WindowSource
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author
from workbench.core.turn import bare as bare_turn
from workbench.tui.view.document import compare_cells
from workbench.tui.view.ink import plain
from workbench.tui.view.page import Page

TYPED = "check my calendar"
WRAPPED = made_turn(TYPED, ("<m>\n", Author.TRANSPORT), (TYPED, Author.USER), ("\n</m>", Author.TRANSPORT))


def cell_of(arm: str, *read: tuple[str, str]) -> Cell:
    """A cell whose taps were given those texts, in order."""
    windows = tuple(Window(text, WindowSource.CAPTURED, None, tap) for tap, text in read)
    turn = bare_turn(TYPED) if arm == BARE else WRAPPED
    trial = Trial(0, Status.OK, Decision(Outcome.PASS, windows=windows))
    return Cell(Delivery(CellKey("s", "1", arm, "app"), TYPED, turn), (trial,))


def lines_of(baseline: Cell | None, variant: Cell) -> list[str]:
    page = Page(compare_cells(baseline, variant), 120, False, True)
    return [str(plain(page.line(y))).rstrip() for y in range(page.height)]


def headings(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("─ window ")]


def test_the_one_that_decided_comes_first_and_each_other_has_a_part_of_its_own() -> None:
    lines = lines_of(
        cell_of(BARE, ("app:gate", TYPED), ("app:route", TYPED)),
        cell_of("channel", ("app:gate", WRAPPED.text), ("app:route", TYPED)),
    )
    first, second = (lines.index(line) for line in headings(lines))
    assert "identical" in lines[first] and "identical" not in lines[second]
    assert any("the last of 2 windows by app:route" in line for line in lines[first:second])
    assert any("one of 2 windows by app:gate" in line for line in lines[second:])
    assert any("<m>" in line and line.startswith("+") for line in lines[second:])


def test_a_reader_that_is_called_on_one_side_alone_says_so() -> None:
    lines = lines_of(
        cell_of(BARE, ("app:route", TYPED)), cell_of("channel", ("app:gate", TYPED), ("app:route", TYPED))
    )
    assert any("app:gate was called on channel alone" in line for line in lines)
    other = lines_of(
        cell_of(BARE, ("app:gate", TYPED), ("app:route", TYPED)), cell_of("channel", ("app:route", TYPED))
    )
    assert any("app:gate was called on bare alone" in line for line in other)


def test_one_reader_has_one_window() -> None:
    lines = lines_of(cell_of(BARE, ("app:route", TYPED)), cell_of("channel", ("app:route", WRAPPED.text)))
    assert len(headings(lines)) == 1


def test_a_policy_before_the_reader_is_told() -> None:
    cell = cell_of("channel", ("app:route", TYPED))
    (trial,) = cell.trials
    assert trial.decision is not None
    through = Cell(
        replace(cell.delivery, policy="typed-words"),
        (replace(trial, decision=replace(trial.decision, handed=TYPED)),),
    )
    told = "through the policy typed-words, which handed on 17 characters"
    assert any(told in line for line in lines_of(None, through))
    assert not any("policy" in line for line in lines_of(None, cell))


def test_a_name_is_foreign_text() -> None:
    hostile = "app:\x1b[31mgate"
    lines = lines_of(
        cell_of(BARE, ("app:route", TYPED)), cell_of("channel", (hostile, TYPED), ("app:route", TYPED))
    )
    assert not any("\x1b" in line for line in lines)
    assert any("app:␛[31mgate was called on channel alone" in line for line in lines)
