"""Several readers of one turn: each by itself, and paired with its like on the other side."""

from __future__ import annotations

from dataclasses import replace

from window_kit import HEAD, TAIL, TYPED, turn_of

from workbench.compare.read import window_alone
from workbench.compare.readers import paired
from workbench.core.cell import Cell, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, Window, WindowSource
from workbench.core.finding import Finding, Kind
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author, bare

WRAPPED = turn_of((HEAD, Author.TRANSPORT), (TYPED, Author.USER), (TAIL, Author.TRANSPORT))


def cell_of(arm: str, *read: tuple[str, str]) -> Cell:
    """A cell whose taps were given those texts, in order."""
    windows = tuple(Window(text, WindowSource.CAPTURED, None, tap) for tap, text in read)
    turn = bare(TYPED) if arm == "bare" else WRAPPED
    key = CellKey("s", "1", arm, "app")
    decision = Decision(Outcome.PASS, windows=windows)
    return Cell(Delivery(key, TYPED, turn), (Trial(0, Status.OK, decision),))


def found(cell: Cell) -> dict[Kind, Finding]:
    return {finding.kind: finding for finding in window_alone(cell, None)}


class TestFindings:
    def test_the_gate_leaks_though_the_router_does_not(self) -> None:
        leak = found(cell_of("channel", ("app:gate", WRAPPED.text), ("app:route", TYPED)))[Kind.LEAK]
        assert "app:gate read 25 characters the user did not write" in leak.headline
        assert "so did" not in leak.headline
        assert leak.evidence["readers"] == {"app:gate": 25, "app:route": None}

    def test_two_that_leak_are_one_finding_that_names_both(self) -> None:
        leak = found(cell_of("channel", ("app:gate", WRAPPED.text), ("app:route", HEAD + TYPED)))[Kind.LEAK]
        assert leak.headline.endswith("; so did app:route")
        assert leak.evidence["readers"] == {"app:gate": 25, "app:route": 19}

    def test_what_the_gate_did_not_read_is_a_miss_of_its_own(self) -> None:
        both = found(cell_of("channel", ("app:gate", HEAD), ("app:route", TYPED)))
        assert "app:gate did not read 'Check my  calendar, and email'" in both[Kind.MISS].headline
        assert both[Kind.MISS].evidence["readers"] == {"app:gate": [[0, len(TYPED)]], "app:route": None}

    def test_the_one_that_decides_is_told_first(self) -> None:
        both = found(cell_of("channel", ("app:gate", HEAD), ("app:route", HEAD)))
        assert "app:route did not read" in both[Kind.MISS].headline
        assert both[Kind.MISS].headline.endswith("; nor did app:gate")

    def test_calls_of_one_reader_are_read_together(self) -> None:
        halves = ("app:route", TYPED[:18]), ("app:route", TYPED[18:])
        assert Kind.MISS not in found(cell_of("channel", *halves))
        first, _ = halves
        assert found(cell_of("channel", first))[Kind.MISS].evidence["lacking"] == [", and email"]

    def test_one_reader_is_the_router_and_no_list_stands_beside_it(self) -> None:
        leak = found(cell_of("channel", ("app:route", WRAPPED.text)))[Kind.LEAK]
        assert "the router read 25 characters" in leak.headline
        assert "readers" not in leak.evidence


class TestPairs:
    def test_each_reader_is_held_against_itself(self) -> None:
        gate, route = paired(
            cell_of("bare", ("app:gate", TYPED), ("app:route", TYPED)),
            cell_of("channel", ("app:gate", WRAPPED.text), ("app:route", TYPED)),
        )
        assert (gate.tap, gate.call, gate.same) == ("app:gate", 1, False)
        assert gate.rows
        assert (route.tap, route.same, route.rows) == ("app:route", True, ())

    def test_calls_are_counted_by_reader(self) -> None:
        pairs = paired(
            cell_of("bare", ("app:route", "a"), ("app:gate", "b")),
            cell_of("channel", ("app:route", "a"), ("app:gate", "b"), ("app:route", "c")),
        )
        assert [(pair.tap, pair.call, pair.same) for pair in pairs] == [
            ("app:route", 1, True),
            ("app:gate", 1, True),
            ("app:route", 2, False),
        ]
        assert (pairs[2].baseline, pairs[2].rows) == (None, None)

    def test_a_call_that_only_bare_has_comes_last(self) -> None:
        pairs = paired(
            cell_of("bare", ("app:gate", "a"), ("app:route", "b")), cell_of("x", ("app:route", "b"))
        )
        assert [(pair.tap, pair.variant is None) for pair in pairs] == [
            ("app:route", False),
            ("app:gate", True),
        ]

    def test_a_failure_has_no_reader(self) -> None:
        failed = replace(cell_of("channel"), trials=(Trial(0, Status.ERROR, error="no"),))
        assert paired(None, failed) == ()
