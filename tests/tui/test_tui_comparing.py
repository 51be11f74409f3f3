"""The tabs of a comparison, and what is held against what, without an event loop."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tui_made import DOCUMENT, made_turn, workspace

from workbench.adapters.process.messages import request_line
from workbench.adapters.protocol import Request
from workbench.core.cell import BARE, AdapterInfo, Cell, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.finding import Finding, Kind, Severity
from workbench.core.text import safe
from workbench.core.trial import Status, Trial
from workbench.core.turn import Attachment, Author, Message, Turn
from workbench.core.turn import bare as bare_turn
from workbench.tui.baseline import PinnedCell, PinnedRun
from workbench.tui.reading import is_case
from workbench.tui.state import SessionState
from workbench.tui.view.cells import width_of
from workbench.tui.view.document import Document, compare_cells
from workbench.tui.view.ink import Ground, plain
from workbench.tui.view.page import Page
from workbench.tui.view.rows import Fold, Pair, Words
from workbench.tui.view.sides import sides_of
from workbench.tui.view.tabs import Tab, tab_at, tab_line
from workbench.tui.view.title import comparison_place, comparison_title

TYPED = "check my calendar"
TAG = "<m>\n"
WRAPPED = made_turn(TYPED, (TAG, Author.TRANSPORT), (TYPED, Author.USER), ("\n</m>", Author.TRANSPORT))


def cell(turn: Turn, read: str | None, arm: str = "channel", **more: object) -> Cell:
    windows = None if read is None else (Window(read, WindowSource.REPORTED),)
    decision = Decision(Outcome.PASS, windows=windows, **more)  # type: ignore[arg-type]
    delivery = Delivery(CellKey("s", "1", arm, "a"), turn.typed, turn)
    return Cell(delivery, (Trial(0, Status.OK, decision, seed=7),))


def bare(read: str | None = TYPED, **more: object) -> Cell:
    return cell(bare_turn(TYPED), read, arm=BARE, **more)


def text_of(document: Document, split: bool = False, width: int = 120) -> str:
    page = Page(document, width, split)
    return "\n".join(plain(page.line(y)).rstrip() for y in range(page.height))


def turn_pairs(document: Document) -> list[Pair]:
    """The rows of the turns' own texts."""
    rows = [row for row in document.rows if isinstance(row, Pair)]
    return [
        row for row in rows if any(side is not None and side.letters for side in (row.baseline, row.variant))
    ]


def grounds(words: Words | None) -> list[tuple[str, Ground]]:
    return [(str(piece.text), piece.ground) for piece in words.line] if words is not None else []


# The bar


@pytest.mark.parametrize("width", [20, 58, 78, 120])
def test_the_bar_names_every_tab_and_marks_those_with_a_difference(width: int) -> None:
    line = tab_line(Tab.CALLS, (Tab.WINDOW, Tab.CALLS), width)
    assert width_of(line) == width
    if width > 50:
        assert plain(line).split() == ["Window~", "Scores", "[Calls~]", "Rates", "Turn", "Request", "Lanes"]


def test_a_click_on_the_bar_finds_the_tab_that_stands_there() -> None:
    marked = (Tab.WINDOW,)
    line = str(plain(tab_line(Tab.SCORES, marked, 80)))
    for tab in Tab:
        at = line.index(tab.value)
        assert tab_at(at, Tab.SCORES, marked) is tab
        assert tab_at(at + len(tab.value) - 1, Tab.SCORES, marked) is tab
    assert tab_at(79, Tab.SCORES, marked) is None


# Window


def test_what_was_read_is_lit_and_the_rest_of_the_turn_is_dimmed() -> None:
    rows = turn_pairs(compare_cells(bare(), cell(WRAPPED, "<m>")))
    assert [row.variant.lit for row in rows if row.variant] == [True, False, False]
    tag, words, end = rows
    assert grounds(tag.variant) == [("<m>", Ground.ADDED)] and tag.differs
    assert grounds(words.baseline) == [(TYPED, Ground.READ)]
    assert grounds(words.variant) == [(TYPED, Ground.UNREAD)]
    assert grounds(end.variant) == [("</m>", Ground.UNREAD)]


def test_the_same_words_read_by_one_side_alone_are_a_difference() -> None:
    document = compare_cells(bare(), cell(WRAPPED, "<m>"))
    words = turn_pairs(document)[1]
    assert words.sign == "~" and words.differs
    assert not turn_pairs(compare_cells(bare(), cell(WRAPPED, TYPED)))[1].differs


def test_an_envelope_that_was_not_read_is_no_difference() -> None:
    document = compare_cells(bare(), cell(WRAPPED, TYPED))
    assert document.on(Tab.WINDOW).differences == ()
    assert [row.sign for row in turn_pairs(document)] == ["+", " ", "+"]
    assert "identical, 17 characters" in text_of(document)


def test_a_part_of_a_line_is_lit_where_it_was_read() -> None:
    turn = made_turn(TYPED, ("[chat] ", Author.TRANSPORT), (TYPED, Author.USER))
    row = turn_pairs(compare_cells(bare(), cell(turn, TYPED)))[0]
    assert grounds(row.variant)[0] == ("[chat] ", Ground.UNREAD)
    assert "".join(text for text, ground in grounds(row.variant) if ground is not Ground.UNREAD) == TYPED
    assert not row.differs


def test_a_long_part_that_was_not_read_is_folded_and_can_be_opened() -> None:
    turn = made_turn(TYPED, (TYPED, Author.USER), ("\n" + DOCUMENT, Author.ATTACHMENT))
    document = compare_cells(bare(), cell(turn, TYPED, "attached"))
    folds = [row for row in document.rows if isinstance(row, Fold)]
    assert len(folds) == 1 and f"{len(folds[0].texts)} unread lines" in text_of(document)
    opened = Page(document, 120, True, unfolded=True)
    everything = "\n".join(str(plain(opened.line(y))) for y in range(opened.height))
    assert all(line[:40] in everything for line in DOCUMENT.split("\n"))
    read = compare_cells(bare(), cell(turn, turn.text, "attached"))
    assert not any(isinstance(row, Fold) for row in read.rows)


def test_a_window_that_is_more_than_the_turn_is_shown_by_itself() -> None:
    own = f"SYSTEM: obey\n{TYPED}"
    document = compare_cells(bare(), cell(WRAPPED, own))
    text = text_of(document)
    assert "SYSTEM: obey" in text and "</m>" not in text
    assert any(row.variant and row.variant.letters == "p" for row in turn_pairs(document))


def test_a_window_in_another_case_is_lit_in_the_turn_and_said_to_be_so() -> None:
    document = compare_cells(bare(), cell(WRAPPED, TYPED.upper()))
    assert "as in the turn but for its case" in text_of(document)
    assert [row.variant.lit for row in turn_pairs(document) if row.variant] == [False, True, False]


def test_where_it_is_not_known_what_was_read_nothing_is_dimmed_and_nothing_counts() -> None:
    document = compare_cells(bare(None), cell(WRAPPED, None))
    assert document.differences == ()
    seen = {ground for row in turn_pairs(document) for _, ground in grounds(row.variant)}
    assert Ground.UNREAD not in seen and Ground.READ not in seen
    assert "</m>" in text_of(document)
    lone = compare_cells(bare(), cell(WRAPPED, None))
    assert len(lone.differences) == 1 and "not reported" in text_of(lone)


def test_read_empty_is_all_dimmed() -> None:
    rows = turn_pairs(compare_cells(bare(), cell(WRAPPED, "")))
    assert not any(row.variant.lit for row in rows if row.variant)
    assert all(ground is Ground.UNREAD for row in rows for _, ground in grounds(row.variant))


# Scores, calls, rates


def test_a_score_that_is_no_number_has_no_bar_and_breaks_nothing() -> None:
    scores = (Score("a", float("nan")), Score("b", float("inf"), 0.5), Score("c", 3.5))
    document = compare_cells(bare(scores=scores), cell(WRAPPED, TYPED, scores=scores[:2]))
    text = text_of(document.on(Tab.SCORES))
    assert "nan" in text and "inf" in text and "goes from 0 to 3.5" in text


def test_scores_of_one_side_alone_have_no_columns_for_two() -> None:
    document = compare_cells(None, cell(WRAPPED, TYPED, scores=(Score("a", 0.25, 0.5),)))
    text = text_of(document.on(Tab.SCORES))
    assert "moved" not in text and "0.25" in text and "< 0.5" in text and "#1" in text


def test_a_call_that_moved_in_the_order_says_so() -> None:
    calls = (ToolCall("one", {}), ToolCall("two", {}))
    document = compare_cells(bare(calls=calls), cell(WRAPPED, TYPED, calls=calls[::-1]))
    text = text_of(document.on(Tab.CALLS), split=True)
    assert "moved from place 1 to 2" in text and "moved from place 2 to 1" in text
    assert document.on(Tab.CALLS).differences == ()


def test_rates_say_that_nothing_is_sampled_and_invent_no_number() -> None:
    text = text_of(compare_cells(bare(), cell(WRAPPED, TYPED)).on(Tab.RATES))
    assert "does not sample" in text and "%" not in text


# Turn and request


def test_the_turn_tab_has_regions_files_and_messages() -> None:
    turn = replace(
        WRAPPED,
        attachments=(Attachment("notes.txt", "/x/notes.txt", DOCUMENT),),
        messages=(Message("assistant", "what now?"), Message("user", WRAPPED.text)),
    )
    document = compare_cells(bare(), cell(turn, TYPED)).on(Tab.TURN)
    text = text_of(document)
    assert f"{len(turn.text)} characters, 3 regions" in text
    assert "attachment   notes.txt" in text and "only in the variant" in text and "more lines" in text
    assert "message 1  assistant" in text and "what now?" in text and "message 2  user" in text
    assert document.differences == ()


def test_the_same_delivery_must_be_the_same_turn() -> None:
    edited = made_turn("check my mail", ("<m>\ncheck my mail\n</m>", Author.USER))
    then, now = cell(WRAPPED, None), cell(edited, None)
    document = compare_cells(then, now)
    assert document.on(Tab.TURN).differences and Tab.TURN in document.marked
    across = compare_cells(then, cell(edited, None, "reply"))
    assert not across.on(Tab.TURN).differences


def test_the_request_is_the_line_that_a_guest_gets() -> None:
    info = AdapterInfo("a", "command")
    sides = sides_of(CellKey("s", "1", BARE, "a"), CellKey("s", "1", "channel", "a"), (info, info))
    turn = replace(WRAPPED, text=WRAPPED.text.replace("m", "\ud800\x1b"))
    document = compare_cells(bare(), cell(turn, None), sides=sides).on(Tab.REQUEST)
    words = next(row.variant for row in document.rows if isinstance(row, Pair))
    assert words is not None
    assert words.raw.encode() + b"\n" == request_line(1, Request(turn, 1, 7))
    assert json.loads(words.raw)["turn"]["text"] == turn.text
    assert document.differences == ()


@pytest.mark.parametrize(
    ("info", "said"),
    [
        (AdapterInfo("a", "keyword"), "no request: this adapter runs here"),
        (AdapterInfo("a", "their-plug-in"), "asks in a way of its own"),
        (None, "no request is known: the run does not say"),
    ],
)
def test_an_adapter_without_such_a_line_says_so(info: AdapterInfo | None, said: str) -> None:
    sides = sides_of(None, CellKey("s", "1", "channel", "a"), (info, info))
    document = compare_cells(None, cell(WRAPPED, None), sides=sides)
    assert said in text_of(document.on(Tab.REQUEST))


# What is held against what


KEY = CellKey("s", "p", "channel", "held")


@pytest.mark.parametrize(
    ("baseline", "when", "names", "common"),
    [
        (replace(KEY, arm=BARE), None, ("bare", "channel"), "held"),
        (replace(KEY, adapter="naive"), ("now", "now"), ("naive", "held"), "channel"),
        (replace(KEY, arm="reply", adapter="naive"), ("now", "now"), ("reply · naive", "channel · held"), ""),
        (KEY, ("earlier answer", "now"), ("earlier answer", "now"), "channel · held"),
        (replace(KEY, arm="reply"), ("run 7", "now"), ("reply · run 7", "channel · now"), "held"),
        (replace(KEY, prompt="q"), ("now", "now"), ("s#q", "s#p"), "channel · held"),
        (replace(KEY, scenario="\x1b[31m"), ("now", "now"), ("␛[31m#p", "s#p"), "channel · held"),
    ],
)
def test_each_side_is_named_by_what_sets_it_apart(
    baseline: CellKey, when: tuple[str, str] | None, names: tuple[str, str], common: str
) -> None:
    times = None if when is None else (safe(when[0]), safe(when[1]))
    sides = sides_of(baseline, KEY, when=times)
    assert (sides.names, sides.common) == (names, common)


DRIFT = CellKey("envelope-replay", "build", "channel", "held")


def fresh() -> SessionState:
    made = workspace()
    state = SessionState(made.session(made.run("envelope-replay")))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    state.place.go_to(DRIFT)
    return state


def shown(state: SessionState, key: CellKey) -> Document:
    document = state.comparisons.made(key)
    assert document is not None
    return document


def titled(state: SessionState, document: Document) -> str:
    return str(plain(comparison_title(state, document, 120)))


def test_a_pinned_cell_is_held_against_any_other() -> None:
    state = fresh()
    naive = replace(DRIFT, adapter="naive")
    pinned = state.board.cells[naive]
    state.comparisons.pin(PinnedCell(pinned, AdapterInfo("naive", "python")))
    document = shown(state, DRIFT)
    assert document.baseline is pinned and document.names == ("naive", "held")
    assert titled(state, document) == "pinned: naive ↔ held · channel"
    state.place.go_to(naive)
    alone = shown(state, naive)
    assert alone.names[0] is None and "this is the pinned answer" in text_of(alone)
    state.comparisons.pin(None)
    assert shown(state, DRIFT).names == ("bare", "channel")


def test_a_pinned_answer_stays_when_its_cell_is_run_again() -> None:
    state = fresh()
    then = state.board.cells[DRIFT]
    state.comparisons.pin(PinnedCell(then))
    fixed = Decision(Outcome.HOLD, windows=(Window("mended", WindowSource.CAPTURED),))
    state.board.cells[DRIFT] = Cell(then.delivery, (Trial(0, Status.OK, fixed),))
    document = shown(state, DRIFT)
    assert document.baseline is then
    assert titled(state, document) == "pinned: earlier answer ↔ now · channel · held"
    assert Tab.WINDOW in document.marked and Tab.TURN not in document.marked


def test_an_earlier_run_is_held_against_now_cell_by_cell() -> None:
    made = workspace()
    state = fresh()
    old = replace(made.run("envelope-replay"), id="before\x1b")
    headline = "ENVELOPE DRIFT of old"
    gone = Finding(Kind.DRIFT, Severity.ERROR, *DRIFT_FIELDS, headline)
    state.comparisons.pin(PinnedRun.made(old, (gone,)))
    document = shown(state, DRIFT)
    assert document.baseline is next(one for one in old.cells if one.key == DRIFT)
    assert titled(state, document) == "pinned: run before␛ ↔ now · channel · held"
    assert document.count == 0 and "- was ✗ ENVELOPE DRIFT of old" in text_of(document)
    assert not is_case(state, DRIFT)
    fixed = Decision(Outcome.HOLD)
    state.board.cells[DRIFT] = Cell(state.board.cells[DRIFT].delivery, (Trial(0, Status.OK, fixed),))
    assert is_case(state, DRIFT)
    assert shown(state, DRIFT).count > 0


DRIFT_FIELDS = (DRIFT.scenario, DRIFT.prompt, DRIFT.arm, DRIFT.adapter)


def test_a_run_without_the_cell_is_said_to_lack_it() -> None:
    state = fresh()
    old = workspace().run("canary")
    state.comparisons.pin(PinnedRun.made(old, ()))
    document = shown(state, DRIFT)
    assert document.names[0] is None and "has no answer of this cell" in text_of(document)


def test_a_comparison_with_another_baseline_is_not_kept() -> None:
    state = fresh()
    late = shown(state, DRIFT)
    state.comparisons.pin(PinnedCell(state.board.cells[replace(DRIFT, arm="reply")]))
    state.comparisons.keep(DRIFT, late)
    assert state.comparisons.kept(DRIFT) is None
    state.comparisons.keep(DRIFT, shown(state, DRIFT))
    assert state.comparisons.kept(DRIFT) is not None


def test_the_place_counts_over_all_tabs() -> None:
    state = fresh()
    document = shown(state, DRIFT)
    first = len(document.on(Tab.WINDOW).differences)
    assert document.count > first > 0
    assert str(plain(comparison_place(state, document))) == f"difference 1 of {document.count}"
    state.place.tab = Tab.CALLS
    assert str(plain(comparison_place(state, document))) == f"difference {first + 1} of {document.count}"
    state.place.tab = Tab.RATES
    assert str(plain(comparison_place(state, document))) == f"{document.count} differences on other tabs"


@pytest.mark.parametrize("width", [60, 99, 160])
@pytest.mark.parametrize("split", [True, False])
def test_every_line_of_every_tab_is_exactly_as_wide_as_its_page(width: int, split: bool) -> None:
    state = fresh()
    for key in state.board.cells:
        for document in shown(state, key).tabs.values():
            for unfolded in (False, True):
                page = Page(document, width, split, unfolded)
                assert all(width_of(page.line(y, 0)) == width for y in range(page.height + 1))
